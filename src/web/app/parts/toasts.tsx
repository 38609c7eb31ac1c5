/**
 * Short messages that disappear by themselves and that screen readers announce.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { words } from "../words.ts";
import { IconButton } from "./controls.tsx";
import { findLostFocus } from "./focus.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly act: () => void };
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;

const SHOWN_MS = 6_000;

/** Shows a short message, with at most one action. */
export function toast(text: string, action?: Toast["action"]): void {
  const made = {
    id: ++last,
    text,
    ...(action === undefined ? {} : { action }),
  };
  // What is said again takes the place of what was said.
  const others = toasts.value.filter((one) => one.text !== text);
  toasts.value = [...others.slice(-2), made];
  setTimeout(() => end(made.id), SHOWN_MS);
}

function end(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
  findLostFocus();
}

/** The places for them; that of the dialog which opened last is at the end. */
const places = signal<readonly symbol[]>([]);

/**
 * Where they are shown: on the page, and in each dialog, which covers the page
 * and makes it inert, so that nothing in it is seen, pressed or announced.
 */
export function Toasts() {
  const [me] = useState(() => Symbol());
  useLayoutEffect(() => {
    places.value = [...places.peek(), me];
    return () => {
      places.value = places.peek().filter((one) => one !== me);
    };
  }, []);
  const shown = places.value.at(-1) === me ? toasts.value : [];
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                end(id);
                action.act();
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton
            icon="close"
            size={16}
            label={words.value.common.close}
            onClick={() => end(id)}
          />
        </div>
      ))}
    </div>
  );
}
