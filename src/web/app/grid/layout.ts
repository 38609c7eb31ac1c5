/**
 * The positions of the photos of a list, in rows that fill the width, day after
 * day. Positions are in typed arrays, so that 50,000 photos are laid out in
 * milliseconds, and a binary search finds the visible ones.
 *
 * @module
 */

import {
  type Filling,
  heightBeside,
  heightOfRow,
  isBetter,
  rowsOf,
  TALLEST,
} from "./filling.ts";

/** The list to lay out. */
export interface Laid {
  readonly count: number;
  /** Width by height. */
  readonly ratioAt: (at: number) => number;
  /** Days since 1970 where it was taken. */
  readonly dayAt: (at: number) => number;
}

/** The measures of the layout, in pixels. */
interface LayoutOptions {
  readonly width: number;
  /** The wanted height of a row; rows are near it. */
  readonly height: number;
  readonly gap: number;
  /** Height of the heading above a day. */
  readonly heading: number;
  /** The gap between days next to each other. */
  readonly between: number;
  /** The least width of a day's heading. */
  readonly least: number;
}

/** Positions of photos, rows and days. */
export interface Layout {
  readonly height: number;
  readonly left: Float32Array;
  readonly width: Float32Array;
  /** The row of each photo. */
  readonly rowOf: Uint32Array;
  readonly rows: number;
  /** The first photo of each row, and one more entry for the end. */
  readonly rowStart: Uint32Array;
  readonly rowTop: Float64Array;
  readonly rowHeight: Float32Array;
  readonly days: number;
  /** The first photo of each day, and one more entry for the end. */
  readonly dayStart: Uint32Array;
  readonly dayTop: Float64Array;
  /** The bottom of each day's last row. */
  readonly dayEnd: Float64Array;
  readonly dayLeft: Float32Array;
  readonly dayWidth: Float32Array;
}

const DAY_MS = 86_400_000;
/** Ratios beyond these are cropped. */
const WIDEST = 3.6;
const NARROWEST = 0.42;
const shown = (ratio: number) =>
  Math.min(WIDEST, Math.max(NARROWEST, ratio > 0 ? ratio : 1));

/** Room for the positions of a list: no more rows and days than photos. */
export function placesFor(
  count: number,
): Omit<Layout, "height" | "rows" | "days"> {
  return {
    left: new Float32Array(count),
    width: new Float32Array(count),
    rowOf: new Uint32Array(count),
    rowStart: new Uint32Array(count + 1),
    rowTop: new Float64Array(count),
    rowHeight: new Float32Array(count),
    dayStart: new Uint32Array(count + 1),
    dayTop: new Float64Array(count),
    dayEnd: new Float64Array(count),
    dayLeft: new Float32Array(count),
    dayWidth: new Float32Array(count),
  };
}

/** Lays a list out. */
export function layOut(list: Laid, options: LayoutOptions): Layout {
  const { count } = list;
  const { width: full, height: wanted, gap, heading, between, least } = options;
  const places = placesFor(count);
  const { left, width, rowOf, rowStart, rowTop, rowHeight } = places;
  const { dayStart, dayTop, dayEnd, dayLeft, dayWidth } = places;
  let [rows, days, top] = [0, 0, 0];
  const filling: Filling = {
    ...options,
    ratioAt: (i) => shown(list.ratioAt(i)),
  };

  /** Places the photos `from` to `to` in a row that begins at `x`. */
  const place = (from: number, to: number, height: number, x: number) => {
    let at = x;
    for (let i = from; i < to; i++) {
      const wide = shown(list.ratioAt(i)) * height;
      left[i] = at;
      width[i] = wide;
      rowOf[i] = rows;
      at += wide + gap;
    }
    return at - gap;
  };
  const endRow = (from: number, height: number) => {
    rowStart[rows] = from;
    rowTop[rows] = top;
    rowHeight[rows] = height;
    rows += 1;
    top += height + gap;
  };

  /** Lays out a day in rows of its own. */
  const wholeDay = (from: number, to: number) => {
    dayStart[days] = from;
    dayTop[days] = top;
    dayLeft[days] = 0;
    dayWidth[days] = full;
    top += heading;
    let first = from;
    for (const end of rowsOf(from, to, filling)) {
      const filled = heightOfRow(first, end, filling);
      const high = filled < wanted * TALLEST ? filled : wanted;
      place(first, end, high, 0);
      endRow(first, high);
      first = end;
    }
    dayEnd[days] = top - gap;
    days += 1;
    top += between;
  };
  let at = 0;
  while (at < count) {
    const { ends, high } = beginningAt(list, at, filling);
    if (ends.length < 2) {
      const end = ends[0] ?? endOfDay(list, at);
      wholeDay(at, end);
      at = end;
      continue;
    }
    const first = at;
    let x = 0;
    const start = top;
    top += heading;
    for (const end of ends) {
      const right = place(at, end, high, x);
      dayStart[days] = at;
      dayTop[days] = start;
      dayLeft[days] = x;
      dayWidth[days] = Math.max(right - x, least);
      dayEnd[days] = top + high;
      x += (dayWidth[days] ?? 0) + between;
      days += 1;
      at = end;
    }
    endRow(first, high);
    top += between;
  }
  rowStart[rows] = count;
  dayStart[days] = count;
  return { ...places, height: Math.max(0, top - between), rows, days };
}

/** Where the day of a photo ends. */
export function endOfDay({ count, dayAt }: Laid, from: number): number {
  const day = dayAt(from);
  let end = from + 1;
  while (end < count && dayAt(end) === day) end += 1;
  return end;
}

/** The year of a day, given as days since 1970. */
export function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

/**
 * The ends of the days of one year that stand next to each other, each in one
 * row, and their height: as many as fit, and one more if they are nearer to the
 * wanted height with it.
 */
function beginningAt(
  list: Laid,
  at: number,
  filling: Filling,
): { readonly ends: readonly number[]; readonly high: number } {
  const { width, height, gap, between, least, ratioAt } = filling;
  const ends: number[] = [];
  let [next, used] = [at, 0];
  const year = yearOf(list.dayAt(at));
  while (next < list.count && yearOf(list.dayAt(next)) === year) {
    const end = endOfDay(list, next);
    let natural = (end - next - 1) * gap;
    for (let i = next; i < end && natural <= width; i++) {
      natural += ratioAt(i) * height;
    }
    const wide = Math.max(natural, least);
    const more = ends.length === 0 ? wide : used + between + wide;
    if (more > width) {
      if (ends.length === 0 || natural > width) break;
      const without = heightBeside(at, ends, filling);
      const lower = heightBeside(at, [...ends, end], filling);
      if (!isBetter(lower, without, height)) break;
      return { ends: [...ends, end], high: lower };
    }
    ends.push(end);
    used = more;
    next = end;
  }
  return { ends, high: heightBeside(at, ends, filling) ?? height };
}

/** The last index of a sorted column whose value is not above `wanted`. */
export function lastNotAbove(
  column: ArrayLike<number>,
  count: number,
  wanted: number,
): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The photos and the days between two heights, each as a range. */
export function inSight(
  layout: Layout,
  above: number,
  below: number,
): { from: number; to: number; fromDay: number; toDay: number } {
  const { rows, rowTop, rowStart, days, dayTop } = layout;
  if (rows === 0) return { from: 0, to: 0, fromDay: 0, toDay: 0 };
  const first = lastNotAbove(rowTop, rows, above);
  const last = lastNotAbove(rowTop, rows, below);
  const from = rowStart[first] ?? 0;
  // Days next to each other begin at the same height, and the row above a
  // heading at the edge belongs to the previous day.
  let fromDay = lastNotAbove(dayTop, days, above);
  while (
    fromDay > 0 &&
    (dayTop[fromDay - 1] === dayTop[fromDay] ||
      (layout.dayStart[fromDay] ?? 0) > from)
  ) fromDay -= 1;
  return {
    from,
    to: rowStart[last + 1] ?? 0,
    fromDay,
    toDay: lastNotAbove(dayTop, days, below) + 1,
  };
}

/** The photo `rows` rows below another one that is nearest to its middle. */
export function beside(layout: Layout, at: number, rows: number): number {
  const { rowOf, rowStart, left, width } = layout;
  const row = rowOf[at] ?? 0;
  const wanted = Math.min(layout.rows - 1, Math.max(0, row + rows));
  if (wanted === row) return at;
  const middle = (left[at] ?? 0) + (width[at] ?? 0) / 2;
  let [best, nearest] = [rowStart[wanted] ?? 0, Infinity];
  for (let i = best; i < (rowStart[wanted + 1] ?? 0); i++) {
    const distance = Math.abs((left[i] ?? 0) + (width[i] ?? 0) / 2 - middle);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return best;
}
