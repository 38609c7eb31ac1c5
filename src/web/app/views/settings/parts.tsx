/**
 * Parts of the settings pages: boxes with a heading, and rows in them.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Notice, Spinner } from "../../parts/controls.tsx";

/** A box of settings that belong together. */
export function Group(
  { title, why, children }: {
    readonly title?: string;
    readonly why?: string;
    readonly children: ComponentChildren;
  },
) {
  const id = useId();
  return (
    <section
      class="group"
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && <h3 id={id}>{title}</h3>}
      {why !== undefined && <p class="quiet">{why}</p>}
      {children}
    </section>
  );
}

/** A row: the name of a setting, its value, and its controls. */
export function Line(
  { name, value, children }: {
    readonly name: string;
    readonly value?: ComponentChildren;
    readonly children?: ComponentChildren;
  },
) {
  return (
    <div class="line">
      <div>
        <strong>{name}</strong>
        {value !== undefined && <div class="quiet small">{value}</div>}
      </div>
      {children}
    </div>
  );
}

/** A value that is loaded or being loaded. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly fault: unknown;
  /** Loads it again. */
  readonly again: () => void;
}

/** Loads the content of a page. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [fault, setFault] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    load().then((one) => {
      if (!gone) setValue(one);
    }, (error) => {
      if (!gone) setFault(error);
    });
    return () => {
      gone = true;
    };
  }, [turn]);
  return { value, fault, again: () => setTurn(turn + 1) };
}

/** Shown until the content is loaded, or the error why it is not. */
export function Waiting({ loaded }: { readonly loaded: Loaded<unknown> }) {
  return loaded.fault === undefined
    ? (
      <p class="waiting" aria-busy="true">
        <Spinner />
      </p>
    )
    : <Notice>{faultText(loaded.fault)}</Notice>;
}
