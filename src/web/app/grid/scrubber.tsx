/**
 * A way through the years beside the grid.
 *
 * @module
 */
import type { GridStand } from "./stand.ts";

/** The scrubber of a grid. */
export function Scrubber(_: { readonly stand: GridStand }) {
  return null;
}
