/**
 * Notes of what was stored on this device since its last sync, which looks
 * whether another device stored the same bytes; see `duplicates.ts`.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import type { Row } from "../rows/rows.ts";
import type { Store, StoreChange } from "../base/store.ts";

/** An asset that was just stored, as it was then. */
export interface FreshNote {
  readonly id: string;
  readonly head: string;
}

/** Begins the keys of notes of assets that were just stored. */
const FRESH = "fresh/";
const PAGE = 256;

/**
 * A note that an asset was stored here. The next sync looks whether another
 * device stored the same bytes at the same moment.
 */
export function freshNote({ id, head }: Row): StoreChange {
  return { space: "index", key: `${FRESH}${id}`, value: utf8(head) };
}

/** The change that removes the note of an asset. */
export function seenNote(id: string): StoreChange {
  return { space: "index", key: `${FRESH}${id}`, value: null };
}

/** All notes that there are. */
export async function freshNotes(
  store: Store,
): Promise<readonly FreshNote[]> {
  const notes: FreshNote[] = [];
  for (let after = FRESH;;) {
    const page = await store.list("index", { after, limit: PAGE });
    for (const { key, value } of page) {
      if (!key.startsWith(FRESH)) return notes;
      notes.push({ id: key.slice(FRESH.length), head: fromUtf8(value) ?? "" });
      after = key;
    }
    if (page.length < PAGE) return notes;
  }
}
