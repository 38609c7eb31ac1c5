/**
 * A menu that opens under a button (WAI-ARIA Authoring Practices, menu button).
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useLayer } from "../history/overlay_history.ts";
import { Icon, type IconName } from "./icon.tsx";

/** An item of a menu. */
export interface MenuItem {
  readonly icon?: IconName;
  readonly label: string;
  readonly act: () => void;
  readonly danger?: boolean;
}

/** A button that opens a menu. */
export function Menu(
  { label, button, items, kind = "icon", head }: {
    readonly label: string;
    /**
     * `main` marks the most important button, which has a text if there is
     * room.
     */
    readonly kind?: "icon" | "main";
    /** The button's content. */
    readonly button: ComponentChildren;
    readonly items: readonly MenuItem[];
    /** What stands above the items, drawn when the menu opens. */
    readonly head?: () => ComponentChildren;
  },
) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number) => {
    const all = [...list.current?.querySelectorAll("button") ?? []];
    const at = all.findIndex((one) => one === document.activeElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  useEffect(() => {
    if (!open) return;
    list.current?.querySelector("button")?.focus();
    const outside = (event: Event) => {
      const inside = event.target instanceof Node &&
        root.current?.contains(event.target) === true;
      if (inside) return;
      // It closes the menu, and does nothing to what lies below.
      event.stopPropagation();
      swallowClick();
      setOpen(false);
    };
    addEventListener("pointerdown", outside, { capture: true });
    return () => {
      removeEventListener("pointerdown", outside, { capture: true });
    };
  }, [open]);
  const shut = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  useLayer(open, shut);
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (!open) return;
        if (event.key === "Escape") shut();
        else if (event.key === "ArrowDown") move(1);
        else if (event.key === "ArrowUp") move(-1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <button
        type="button"
        class={kind === "main" ? "button main" : "icon-button"}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        <div class="menu-list">
          {head?.()}
          <div role="menu" id={id} ref={list}>
            {items.map((item) => (
              <button
                type="button"
                role="menuitem"
                key={item.label}
                class={item.danger === true ? "danger" : ""}
                onClick={() => {
                  shut();
                  item.act();
                }}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                {item.label}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

/** The click that a press becomes reaches nothing. */
function swallowClick(): void {
  const ending = new AbortController();
  const { signal } = ending;
  const options = { capture: true, signal };
  addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    ending.abort();
  }, options);
  // A press that became none, such as a swipe, swallows no later one.
  addEventListener("pointerdown", (event) => {
    if (event.isPrimary) ending.abort();
  }, options);
}
