/**
 * Where a grid stands in the page that scrolls. Browsers cut elements at 16 to
 * 33 million pixels; a grid above eight million is shown scaled: the page
 * scrolls through less than the grid is high.
 *
 * @module
 */

/** Pixels that a grid takes of the page at most. */
export const MOST_PX = 8_000_000;

/** How a grid's heights and the page's belong together. */
export interface Scale {
  /** What the grid takes of the page. */
  readonly shown: number;
  /** The height in the grid, of how far the page is scrolled into it. */
  readonly toGrid: (scrolled: number) => number;
  /** The other way. */
  readonly toPage: (height: number) => number;
}

/** The scale of a grid so high, in a window so high. */
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
