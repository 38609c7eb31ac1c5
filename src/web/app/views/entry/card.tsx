/**
 * The card that the ways in stand on: one thing to do at a time.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/controls.tsx";
import { now } from "../../../browser.ts";
import { standing, waitingUntil } from "../../vault.ts";
import { words } from "../../words.ts";
import { InsecureBanner } from "./insecure_banner.tsx";

/** One step, with what to do in it. */
export function Card(
  { title, back, step, wide = false, children, onSubmit }: {
    readonly title: string;
    /** Where back leads to, or what it does. */
    readonly back?: string | (() => void);
    /** Which step of how many. */
    readonly step?: readonly [at: number, of: number];
    readonly wide?: boolean;
    readonly children: ComponentChildren;
    readonly onSubmit?: () => void;
  },
) {
  const { common, entry } = words.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    // A new step is read out, but a field that asks for it keeps the focus.
    const inside = heading.current?.closest(".card");
    if (inside?.contains(document.activeElement) !== true) {
      heading.current?.focus({ preventScroll: true });
    }
    document.title = `${title} · strongroom`;
    return () => {
      document.title = "strongroom";
    };
  }, [title]);
  // The frame has a banner and a main part of its own.
  const framed = standing.value?.phase === "open";
  const Page = framed ? "div" : "main";
  return (
    <>
      {!framed && <InsecureBanner />}
      <Page class={framed ? "card-page framed" : "card-page"}>
        <form
          class={wide ? "card wide" : "card"}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
        >
          {typeof back === "string" && (
            <a class="back" href={back}>
              <Icon name="back" /> {common.back}
            </a>
          )}
          {typeof back === "function" && (
            <button type="button" class="back" onClick={back}>
              <Icon name="back" /> {common.back}
            </button>
          )}
          {step !== undefined && (
            <div class="steps">
              <span class="small quiet">{entry.step(...step)}</span>
              <span class="bars" aria-hidden="true">
                {Array.from(
                  { length: step[1] },
                  (_, index) => (
                    <span key={index} class={index < step[0] ? "on" : ""} />
                  ),
                )}
              </span>
            </div>
          )}
          <h1 tabIndex={-1} ref={heading}>{title}</h1>
          {children}
        </form>
      </Page>
    </>
  );
}

/** Something that a person asked for: under way, or refused in words. */
export interface Doing {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** Does it; a fault becomes words. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly refuse: (fault: string | undefined) => void;
}

/** Holds what is under way. */
export function useDoing(): Doing {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  return {
    busy,
    fault,
    refuse: setFault,
    async run(act) {
      setFault(undefined);
      setBusy(true);
      try {
        await act();
        return true;
      } catch (error) {
        setFault(faultText(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** What was refused or takes its time, where one looks. */
export function Refused({ doing }: { readonly doing: Doing }) {
  const [, look] = useState(0);
  const left = doing.busy ? waitingUntil.value - now() : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => look(left), 1_000);
    return () => clearTimeout(timer);
  });
  if (left > 0) {
    const seconds = Math.ceil(left / 1_000);
    return <Notice kind="info">{words.value.faults.waiting(seconds)}</Notice>;
  }
  return doing.fault === undefined ? null : <Notice>{doing.fault}</Notice>;
}
