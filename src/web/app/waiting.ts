/**
 * The number of guests' files that wait, for the navigation.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { latest } from "./latest.ts";
import { onVault, vault } from "./vault.ts";

/** Number of waiting files; 0 until it is known. */
export const waiting = signal(0);

const ask = latest(async () => {
  try {
    waiting.value = await vault().sharing.waiting();
  } catch {
    // What cannot be asked now is asked with the next sync.
  }
});

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
