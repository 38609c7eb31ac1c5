/**
 * The state of a grid that its keyboard, gestures and scrubber work on.
 *
 * @module
 */
import type { ListSource, PhotoList } from "../list.ts";
import type { Layout } from "./layout.ts";

/** The state and the functions that a grid's parts use. */
export interface GridStand {
  readonly list: PhotoList;
  readonly source: ListSource;
  readonly layout: Layout;
  /** Position of the photo that the keyboard is at. */
  readonly at: number;
  /** Moves the keyboard to a photo and scrolls it into view. */
  readonly moveTo: (at: number) => void;
  /** Scrolls so that a height of the grid is at the top of the window. */
  readonly scrollTo: (height: number) => void;
  /** The height of the grid at the top of the window. */
  readonly topNow: () => number;
  readonly root: () => HTMLElement | null;
}

/** Photos after and before a removed one that are looked for. */
const MOST_TRIED = 2_000;

/**
 * The position in a list of the photo that was at `at` in the list before, or
 * of the next one that is still there, or of the one before.
 */
export function placeIn(
  list: PhotoList,
  before: PhotoList,
  at: number,
): number {
  const last = Math.max(0, list.length - 1);
  const tried = (place: number) => list.indexOf(before.idAt(place));
  for (let by = 0; by < MOST_TRIED && at + by < before.length; by++) {
    const place = tried(at + by);
    if (place >= 0) return place;
  }
  for (let by = 1; by <= MOST_TRIED && by <= at; by++) {
    const place = tried(at - by);
    if (place >= 0) return place;
  }
  return Math.min(at, last);
}
