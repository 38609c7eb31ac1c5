/**
 * The notes of files that something else sends; see `background_upload.ts`.
 *
 * @module
 */
import type { Store, StoreEntry } from "../base/store.ts";

/** Where they are, and what their keys begin with. */
export const AHEAD_SPACE = "uploads";
export const AHEAD_PREFIX = "ahead/";
const PAGE = 100;

/** All of them; the rest of a key is the asset's id. */
export async function aheadNotes(store: Store): Promise<StoreEntry[]> {
  const all: StoreEntry[] = [];
  for (let after = AHEAD_PREFIX;;) {
    const page = await store.list(AHEAD_SPACE, { after, limit: PAGE });
    const ours = page.filter(({ key }) => key.startsWith(AHEAD_PREFIX));
    all.push(...ours);
    const last = page.at(-1);
    if (last === undefined || ours.length < page.length) return all;
    after = last.key;
  }
}

/** Whether there is one. */
export async function hasAheadNotes(store: Store): Promise<boolean> {
  const [first] = await store.list(AHEAD_SPACE, {
    after: AHEAD_PREFIX,
    limit: 1,
  });
  return first?.key.startsWith(AHEAD_PREFIX) ?? false;
}
