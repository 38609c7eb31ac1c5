/**
 * A section of Safety that is closed until somebody wants its details.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/icon.tsx";

/** A heading that opens and closes what is below it. */
export function Fold(
  { title, children }: {
    readonly title: string;
    readonly children: ComponentChildren;
  },
) {
  return (
    <details class="options">
      <summary>
        <Icon name="right" />
        <h2>{title}</h2>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
