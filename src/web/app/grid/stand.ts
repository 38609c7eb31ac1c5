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
