/**
 * The card on which sign-up and sign-in are shown, one step at a time.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { Form } from "../../parts/form.tsx";
import { useTitle } from "../../title.ts";
import { sessionState } from "../../vault.ts";
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
  // The shell has its own `main` element.
  const isInShell = sessionState.value?.phase === "open";
  const Page = isInShell ? "div" : "main";
  return (
    <>
      {!isInShell && <InsecureBanner />}
      <Page class={isInShell ? "card-page in-shell" : "card-page"}>
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
