/**
 * How many files of guests wait to be looked at, for the navigation.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { onVault, vault } from "./vault.ts";

/** Files that wait; 0 until it is known. */
export const waiting = signal(0);

let asking: Promise<void> | undefined;

/** Asks again; what cannot be asked now is asked with the next sync. */
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

/** Follows it for as long as the library is open; call what it returns to end. */
export function followWaiting(): () => void {
  ask();
  const stop = onVault("guests", ask);
  return () => {
    stop();
    waiting.value = 0;
  };
}
