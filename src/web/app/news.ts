/**
 * Albums that others let the person into, for the navigation and the home.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { sleep } from "../browser.ts";
import type { AlbumNews } from "../work/album_cards.ts";
import { revision, vault } from "./vault.ts";

/** Those that were not looked at yet; none until it is known. */
export const news = signal<readonly AlbumNews[]>([]);

/** While the library syncs it changes often. */
const PAUSE_MS = 300;

let asking = false;
let isStale = false;

async function ask(): Promise<void> {
  isStale = true;
  if (asking) return;
  asking = true;
  while (isStale) {
    await sleep(PAUSE_MS);
    isStale = false;
    try {
      news.value = await vault().albums.news();
    } catch {
      // It is not open yet, or any more: asked again with the next change.
    }
  }
  asking = false;
}

/** Follows them for as long as the library is open; call what it returns to end. */
export function followNews(): () => void {
  const stop = revision.subscribe(() => {
    ask();
  });
  return () => {
    stop();
    news.value = [];
  };
}

/** They were looked at, or are not to be told of. */
export async function seen(ids: readonly string[]): Promise<void> {
  news.value = news.value.filter(({ id }) => !ids.includes(id));
  try {
    await vault().albums.seen(ids);
  } catch {
    // Without a network they are told of once more.
  }
}
