/**
 * The number of guests' files that wait, for the navigation. What came by links
 * of the person's own is accepted.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { firstPictures } from "./first_pictures.ts";
import { latest } from "./latest_call.ts";
import { part } from "./part.ts";
import { onVault, vault } from "./vault.ts";

/** Number of waiting files; 0 until it is known. */
export const guestFilesCount = signal(0);

const ask = latest(async () => {
  await firstPictures();
  try {
    const { guests, own } = await vault().sharing.waiting();
    guestFilesCount.value = guests;
    if (own > 0) {
      (await part(() => import("./upload/own_files.ts"))).acceptOwn();
    }
  } catch {
    // What cannot be asked now is asked with the next sync.
  }
});

/**
 * Follows the number while the library is open; call the returned function to
 * stop.
 */
export function followGuestFilesCount(): () => void {
  ask();
  const stop = onVault("guests", ask);
  return () => {
    stop();
    guestFilesCount.value = 0;
  };
}
