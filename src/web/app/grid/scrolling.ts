/**
 * Converting between heights of a grid and of the page. Browsers limit elements
 * to 16 to 33 million pixels, so a grid above eight million is scaled: the page
 * is less high than the grid.
 *
 * @module
 */

/** Greatest height of a grid in the page (pixels). */
export const MOST_PX = 8_000_000;

/** The scale between the heights of a grid and of the page. */
export interface Scale {
  /** The grid's height in the page. */
  readonly shown: number;
  /** The height in the grid for a scroll position of the page. */
  readonly toGrid: (scrolled: number) => number;
  /** The scroll position of the page for a height in the grid. */
  readonly toPage: (height: number) => number;
}

/** The scale for the heights of a grid and of the window. */
export function scaleOf(
  height: number,
  windowHeight: number,
  most = MOST_PX,
): Scale {
  if (height <= most) {
    return { shown: height, toGrid: (y) => y, toPage: (y) => y };
  }
  const factor = (height - windowHeight) / (most - windowHeight);
  return {
    shown: most,
    toGrid: (scrolled) => scrolled * factor,
    toPage: (at) => at / factor,
  };
}
