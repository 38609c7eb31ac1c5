/**
 * The card on which sign-up and sign-in are shown, one step at a time.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { now } from "../../../browser.ts";
import { useTitle } from "../../title.ts";
import { sessionState, waitingUntil } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { InsecureBanner } from "./insecure_banner.tsx";

/** A card with one step. */
export function Card(
  { title, back, step, wide = false, children, onSubmit }: {
    readonly title: string;
    /** The address or the function of the back button. */
    readonly back?: string | (() => void);
    /** The number of this step, and of all steps. */
    readonly step?: readonly [at: number, of: number];
    readonly wide?: boolean;
    readonly children: ComponentChildren;
    readonly onSubmit?: () => void;
  },
) {
  const { common, entry } = messages.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    // The heading gets the focus, so that a new step is read out, unless a
    // field has taken it.
    const inside = heading.current?.closest(".card");
    if (inside?.contains(document.activeElement) !== true) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [title]);
  useTitle(title);
  // The frame has its own `main` element.
  const framed = sessionState.value?.phase === "open";
  const Page = framed ? "div" : "main";
  return (
    <>
      {!framed && <InsecureBanner />}
      <Page class={framed ? "card-page framed" : "card-page"}>
        <Form class={wide ? "card wide" : "card"} onSubmit={() => onSubmit?.()}>
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
              <span class="small quiet">
                {entry.step({ at: step[0], of: step[1] })}
              </span>
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
        </Form>
      </Page>
    </>
  );
}

/** The state of an operation: under way, or failed with a message. */
export interface Doing {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** Runs it; an error becomes a message. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly refuse: (fault: string | undefined) => void;
}

/** Keeps the state of an operation; `textOf` is the message for an error. */
export function useDoing(
  textOf: (error: unknown) => string = faultText,
): Doing {
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
        setFault(textOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** The message of a failed operation, or how long the server asks to wait. */
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
    return (
      <Notice kind="info">{messages.value.faults.waiting({ seconds })}</Notice>
    );
  }
  return doing.fault === undefined ? null : <Notice>{doing.fault}</Notice>;
}
