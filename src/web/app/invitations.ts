/**
 * Invitations to albums of others, for the navigation, the home and the albums.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { sleep } from "../browser.ts";
import type { AlbumInvitation } from "../workers/library/albums/album_cards.ts";
import { firstPictures } from "./first_pictures.ts";
import { revision, vault } from "./vault.ts";

/** Those that were not answered yet; none until it is known. */
export const invitations = signal<readonly AlbumInvitation[]>([]);

/** While the library syncs it changes often. */
const PAUSE_MS = 300;

let asking = false;
let isStale = false;

async function ask(): Promise<void> {
  isStale = true;
  if (asking) return;
  asking = true;
  await firstPictures();
  while (isStale) {
    await sleep(PAUSE_MS);
    isStale = false;
    try {
      invitations.value = await vault().albums.invitations();
    } catch {
      // It is not open yet, or any more: asked again with the next change.
    }
  }
  asking = false;
}

/**
 * Follows them for as long as the library is open; call what it returns to end.
 */
export function followInvitations(): () => void {
  const stop = revision.subscribe(() => {
    ask();
  });
  return () => {
    stop();
    invitations.value = [];
  };
}

/** Answers an invitation. Throws if the server cannot be reached. */
export async function answer(
  id: string,
  how: "accept" | "decline" | "block" | "later",
): Promise<void> {
  await vault().albums[how](id);
  invitations.value = how === "later"
    ? invitations.value.map((one) =>
      one.id === id ? { ...one, isForLater: true } : one
    )
    : invitations.value.filter((one) => one.id !== id);
}
