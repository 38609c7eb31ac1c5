/**
 * The number of guests' files that wait, for the navigation.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { onVault, vault } from "./vault.ts";

/** Number of waiting files; 0 until it is known. */
export const waiting = signal(0);

let asking: Promise<void> | undefined;

/** Asks for the number; if that fails, the next sync asks again. */
function ask(): void {
  asking ??= vault().sharing.waiting().then(
    (count) => {
      waiting.value = count;
    },
    () => {
      // Said above.
    },
  ).finally(() => {
    asking = undefined;
  });
}

/**
 * Follows the number while the library is open; call the returned function to
 * stop.
 */
export function followWaiting(): () => void {
  ask();
  const stop = onVault("guests", ask);
  return () => {
    stop();
    waiting.value = 0;
  };
}
