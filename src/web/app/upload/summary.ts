/**
 * Summing up the progress of a queue.
 *
 * @module
 */
import {
  kindOfMime,
  type Noun,
  nounOf,
} from "../../workers/library/photo_lists.ts";
import type { Item, ItemState } from "./queue.ts";

/** The sums of a queue: files by their states, and bytes. */
export interface Summary {
  readonly left: number;
  readonly kept: number;
  readonly known: number;
  /** Those that the server had lost, and what they are counted as. */
  readonly back: number;
  readonly backNoun: Noun;
  readonly failed: number;
  /** Those that the browser sends. */
  readonly handed: number;
  /** Added ones that are empty, cut or without a small picture. */
  readonly noted: number;
  /** Added stills of the name of a live photo, whose video is another's. */
  readonly besides: number;
  /** Added ones that state no date. */
  readonly undated: number;
  readonly done: number;
  readonly total: number;
}

const DONE: ReadonlySet<ItemState> = new Set(["kept", "known", "back"]);

/** Sums up a queue. */
export function summaryOf(items: readonly Item[]): Summary {
  const count = (...states: readonly ItemState[]) =>
    items.filter(({ state }) => states.includes(state)).length;
  const noted = items.filter(({ state, note }) =>
    state === "kept" && note !== undefined
  );
  const besides = noted.filter(({ note }) => note === "beside").length;
  const counted = items.filter(({ state }) => state !== "failed");
  return {
    left: count("waiting", "preparing", "sending"),
    kept: count("kept"),
    known: count("known"),
    back: count("back"),
    backNoun: nounOf(
      items.filter(({ state }) => state === "back")
        .map(({ file }) => kindOfMime(file.type)),
    ),
    failed: count("failed"),
    handed: count("handed"),
    noted: noted.length - besides,
    besides,
    undated:
      items.filter(({ state, dateFrom }) =>
        (state === "kept" || state === "handed") && dateFrom === "disk"
      ).length,
    total: counted.reduce((sum, { file }) => sum + file.size, 0),
    done: counted.reduce(
      (sum, { state, file, done }) =>
        sum + (DONE.has(state) ? file.size : done),
      0,
    ),
  };
}
