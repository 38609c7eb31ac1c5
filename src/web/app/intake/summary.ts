/**
 * Summing up the progress of a queue.
 *
 * @module
 */
import type { Item, ItemState } from "./queue.ts";

/** The sums of a queue: files by their states, and bytes. */
export interface Summary {
  readonly left: number;
  readonly kept: number;
  readonly known: number;
  readonly failed: number;
  readonly done: number;
  readonly total: number;
}

/** Sums up a queue. */
export function summaryOf(items: readonly Item[]): Summary {
  const count = (...states: readonly ItemState[]) =>
    items.filter(({ state }) => states.includes(state)).length;
  const counted = items.filter(({ state }) => state !== "failed");
  return {
    left: count("waiting", "preparing", "sending"),
    kept: count("kept"),
    known: count("known"),
    failed: count("failed"),
    total: counted.reduce((sum, { file }) => sum + file.size, 0),
    done: counted.reduce(
      (sum, { state, file, done }) =>
        sum + (state === "kept" || state === "known" ? file.size : done),
      0,
    ),
  };
}
