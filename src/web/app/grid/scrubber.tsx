/**
 * A way through the years beside the grid.
 *
 * @module
 */
import type { GridStand } from "./grid.tsx";

/** The scrubber of a grid. */
export function Scrubber(_: { readonly stand: GridStand }) {
  return null;
}
