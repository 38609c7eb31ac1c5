/**
 * Where a grid stands: what its keyboard, its gestures and its scrubber work on.
 *
 * @module
 */
import type { ListSource, PhotoList } from "../list.ts";
import type { Layout } from "./layout.ts";

/** What a grid is told and asked by its parts. */
export interface GridStand {
  readonly list: PhotoList;
  readonly source: ListSource;
  readonly layout: Layout;
  /** The photo that the keyboard is at. */
  readonly at: number;
  /** Moves the keyboard's place, and what is in sight with it. */
  readonly moveTo: (at: number) => void;
  /** Brings a height of the grid to the top of what is in sight. */
  readonly scrollTo: (height: number) => void;
  /** The height of the grid that is at the top of what is in sight. */
  readonly topNow: () => number;
  readonly root: () => HTMLElement | null;
}
