/**
 * A section of Safety that is closed until its details are wanted.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";

/**
 * A heading that opens and closes what is below it; `open` opens it once
 * something in it is wrong.
 */
export function Fold(
  { title, open = false, children }: {
    readonly title: string;
    readonly open?: boolean;
    readonly children: ComponentChildren;
  },
) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (open && details.current !== null) details.current.open = true;
  }, [open]);
  return (
    <details class="options" ref={details}>
      <summary>
        <Icon name="right" />
        <h2>{title}</h2>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
