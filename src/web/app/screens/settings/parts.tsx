/**
 * Parts of the settings pages: boxes with a heading, and rows in them.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { faultText } from "../../faults.ts";
import type { Loaded } from "../../loaded.ts";
import { Notice, Spinner } from "../../parts/controls.tsx";

/** A box of settings that belong together. */
export function Group(
  { title, why, part, children }: {
    readonly title?: string;
    readonly why?: string;
    /** Its name in the address of the page. */
    readonly part?: string;
    readonly children: ComponentChildren;
  },
) {
  const id = useId();
  return (
    <section
      class="group"
      data-part={part}
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

/** Shown until the content is loaded, or the error why it is not. */
export function Waiting({ loaded }: { readonly loaded: Loaded<unknown> }) {
  return loaded.error === undefined
    ? (
      <p class="waiting" aria-busy="true">
        <Spinner />
      </p>
    )
    : <Notice>{faultText(loaded.error)}</Notice>;
}
