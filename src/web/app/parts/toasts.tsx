/**
 * Short messages that disappear by themselves and that screen readers announce.
 *
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { revision } from "../vault.ts";
import { firstMessages } from "../first_messages.ts";
import { IconButton } from "./controls.tsx";
import { findLostFocus } from "./focus.ts";

/** What a message offers to do. */
interface Offer {
  readonly label: string;
  readonly act: () => void;
  /**
   * Whether there is still something to do; asked whenever the library changes,
   * and the message ends once there is not.
   */
  readonly applies?: () => Promise<boolean>;
}

interface Toast {
  readonly id: number;
  /** Where it is shown. */
  readonly place: symbol | undefined;
  readonly text: string;
  readonly action?: Offer;
}

const toasts = signal<readonly Toast[]>([]);
/** The places for them; that of the dialog which opened last is at the end. */
const places = signal<readonly symbol[]>([]);
let last = 0;

const SHOWN_MS = 6_000;
/** Who is to press something needs longer, to read it and to get there. */
const OFFERED_MS = 10_000;
/** By then, what was done is no news any more. */
const COVERED_MS = 30_000;

/** Shows a short message, with at most one action. */
export function toast(text: string, action?: Offer): void {
  const place = places.peek().at(-1);
  const made = {
    id: ++last,
    place,
    text,
    ...(action === undefined ? {} : { action }),
  };
  // What is said again takes the place of what was said.
  const others = toasts.value.filter((one) => one.text !== text);
  const covered = others.filter((one) => one.place !== place);
  const beside = others.filter((one) => one.place === place);
  // One that still offers something may stay with the new one; no more pile up.
  const offering = beside.filter(({ action }) => action !== undefined);
  toasts.value = [...covered, ...offering.slice(-1), made];
  const follow = action?.applies === undefined
    ? undefined
    : following(action.applies, () => end(made.id));
  const over = () => {
    stop();
    follow?.();
    end(made.id);
  };
  // What can be pressed waits while a dialog covers it, but not for minutes.
  const waits = computed(() =>
    action !== undefined &&
    toasts.value.some(({ id, place }) =>
      id === made.id && place !== places.value.at(-1)
    )
  );
  const stop = effect(() => {
    const timer = setTimeout(
      over,
      waits.value ? COVERED_MS : action === undefined ? SHOWN_MS : OFFERED_MS,
    );
    return () => clearTimeout(timer);
  });
}

/** Looks with each change of the library; call what it returns to stop. */
function following(applies: () => Promise<boolean>, gone: () => void) {
  let seen = revision.peek();
  return effect(() => {
    if (revision.value === seen) return;
    seen = revision.value;
    applies().then((still) => still || gone(), () => {
      // Whoever presses it learns why.
    });
  });
}

function end(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
  findLostFocus();
}

function move(from: symbol | undefined, to: symbol | undefined): void {
  toasts.value = toasts.peek().map((one) =>
    one.place === from ? { ...one, place: to } : one
  );
}

/**
 * Where they are shown: on the page, and in each dialog, which makes the page
 * inert. They stay where they were said, below a dialog that opens afterwards
 * and is about something else. Those of a dialog that closes go to what is seen
 * then.
 */
export function Toasts() {
  const [me] = useState(() => Symbol());
  useLayoutEffect(() => {
    places.value = [...places.peek(), me];
    move(undefined, me);
    return () => {
      const left = places.peek().filter((one) => one !== me);
      batch(() => {
        places.value = left;
        move(me, left.at(-1));
      });
    };
  }, []);
  const shown = toasts.value.filter(({ place }) => place === me);
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
            label={firstMessages.value.common.close}
            onClick={() => end(id)}
          />
        </div>
      ))}
    </div>
  );
}
