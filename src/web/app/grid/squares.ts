/**
 * The layout of a narrow window: squares of one size, as many next to each
 * other as a thumb can tell apart. Days of few photos share their rows, under
 * one heading, so that nothing is left empty next to them.
 *
 * @module
 */
import {
  endOfDay,
  type Laid,
  type Layout,
  placesFor,
  yearOf,
} from "./layout.ts";

/** How squares are laid out, in pixels. */
interface SquareOptions {
  readonly width: number;
  /** Photos next to each other in a full row. */
  readonly columns: number;
  readonly gap: number;
  /** Of the heading above a day, or days. */
  readonly heading: number;
  /** Below the last row of one. */
  readonly between: number;
}

/**
 * Rows of few photos are that much higher than squares at most, and the only
 * photo of a list is that much higher than wide.
 */
const TALLEST = 1.6;
/** The shape of those. */
const LOW_RATIO = 4 / 3;

/** Lays a list out in squares. */
export function layOutSquares(list: Laid, options: SquareOptions): Layout {
  const { count } = list;
  const { width: full, columns, gap, heading, between } = options;
  const places = placesFor(count);
  const { left, width, rowOf, rowStart, rowTop, rowHeight } = places;
  const { dayStart, dayTop, dayEnd, dayWidth } = places;
  const square = (full - (columns - 1) * gap) / columns;
  let [rows, days, top] = [0, 0, 0];

  const row = (from: number, to: number) => {
    const wide = (full - (to - from - 1) * gap) / (to - from);
    // Of a link with one photo nothing is cut off that matters, such as a head.
    const high = count === 1
      ? Math.min(wide / list.ratioAt(0), wide * TALLEST)
      : to - from === columns
      ? square
      : Math.min(wide / LOW_RATIO, square * TALLEST);
    for (let i = from; i < to; i++) {
      left[i] = (i - from) * (wide + gap);
      width[i] = wide;
      rowOf[i] = rows;
    }
    rowStart[rows] = from;
    rowTop[rows] = top;
    rowHeight[rows] = high;
    rows += 1;
    top += high + gap;
  };

  for (let at = 0; at < count;) {
    const end = endOfDays(list, at, columns);
    dayStart[days] = at;
    dayTop[days] = top;
    dayWidth[days] = full;
    top += heading;
    // The last rows have one photo fewer rather than one row having few.
    let parts = Math.ceil((end - at) / columns);
    while (at < end) {
      const next = at + Math.ceil((end - at) / parts);
      row(at, next);
      at = next;
      parts -= 1;
    }
    dayEnd[days] = top - gap;
    days += 1;
    top += between;
  }
  rowStart[rows] = count;
  dayStart[days] = count;
  return { ...places, height: Math.max(0, top - between), rows, days };
}

/** Where a day ends; or, where it fills no row, those that do with it. */
function endOfDays(list: Laid, from: number, columns: number): number {
  const first = list.dayAt(from);
  let end = endOfDay(list, from);
  if (first === 0 || end - from >= columns) return end;
  /** The end of the next day, where that one may share the rows. */
  const shared = (at: number) => {
    if (at === list.count) return undefined;
    const day = list.dayAt(at);
    const next = endOfDay(list, at);
    // One heading over two years would say little.
    const isNear = yearOf(first) === yearOf(day);
    // Photos without a date share no row with others.
    return next - at < columns && isNear && day !== 0 ? next : undefined;
  };
  let next = shared(end);
  while (next !== undefined) {
    // One that nothing after it goes with comes along.
    if (end - from >= columns && shared(next) !== undefined) break;
    end = next;
    next = shared(end);
  }
  return end;
}
