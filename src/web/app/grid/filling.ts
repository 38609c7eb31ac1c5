/**
 * How photos fill the width: days next to each other in one row, and the rows
 * of a day.
 *
 * @module
 */

/** The measures that rows are filled by, in pixels. */
export interface Filling {
  readonly width: number;
  /** The wanted height of a row. */
  readonly height: number;
  readonly gap: number;
  /** The gap between days next to each other. */
  readonly between: number;
  /** The least width of a day. */
  readonly least: number;
  /** Width by height of a photo as it is shown. */
  readonly ratioAt: (at: number) => number;
}

/**
 * How much higher than wanted a row may become to fill the width; beyond that,
 * its end stays empty.
 */
export const TALLEST = 1.5;
/** How low days next to each other may become for one more of them. */
const LOWEST = 0.7;
/** Halvings until a height is exact enough to be drawn. */
const HALVINGS = 24;

/** How far a height is from the wanted one, either way. */
const farFrom = (wanted: number, height: number) =>
  Math.abs(Math.log(height / wanted));

/**
 * The height at which the days that begin at `from` and have these ends fill
 * the width; undefined if it is too far from the wanted one.
 */
export function heightBeside(
  from: number,
  ends: readonly number[],
  { width, height, gap, between, least, ratioAt }: Filling,
): number | undefined {
  let at = from;
  const days = ends.map((end) => {
    let ratios = 0;
    const gaps = (end - at - 1) * gap;
    for (; at < end; at++) ratios += ratioAt(at);
    return { ratios, gaps };
  });
  const full = width - (ends.length - 1) * between;
  const wide = (high: number) =>
    days.reduce(
      (sum, { ratios, gaps }) => sum + Math.max(least, ratios * high + gaps),
      0,
    );
  let [low, high] = [height * LOWEST, height * TALLEST];
  if (wide(low) > full || wide(high) < full) return undefined;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (wide(middle) > full) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * Whether one more day comes nearer to the wanted height, made lower, than the
 * others do without it.
 */
export function isBetter(
  more: number | undefined,
  without: number | undefined,
  wanted: number,
): more is number {
  if (more === undefined) return false;
  return without === undefined ||
    farFrom(wanted, more) < farFrom(wanted, without);
}

/** The height at which photos fill a row. */
export function heightOfRow(
  from: number,
  to: number,
  { width, gap, ratioAt }: Filling,
): number {
  let ratios = 0;
  for (let i = from; i < to; i++) ratios += ratioAt(i);
  return (width - (to - from - 1) * gap) / ratios;
}

/**
 * The ends of the rows of a day. All are full, so that no single photo is left
 * for the last one: their number is the one that comes nearest to the wanted
 * height, and each gets an equal share of the day's width. Where wide and
 * narrow photos leave a row far from full, the rows are those that are the
 * nearest to the wanted height.
 */
export function rowsOf(from: number, to: number, filling: Filling): number[] {
  const rows = equalRows(from, to, filling);
  const isRagged = rows.length > 1 && rows.some((end, row) => {
    const high = heightOfRow(rows[row - 1] ?? from, end, filling);
    return high >= filling.height * TALLEST;
  });
  return isRagged ? nearestRows(from, to, filling) : rows;
}

function equalRows(from: number, to: number, filling: Filling): number[] {
  const { width, height, gap, ratioAt } = filling;
  let natural = (to - from - 1) * gap;
  for (let i = from; i < to; i++) natural += ratioAt(i) * height;
  const parts = Math.max(1, Math.round(natural / width));
  const ends: number[] = [];
  let [first, along] = [from, 0];
  for (let part = 1; part <= parts && first < to; part++) {
    let end = first;
    for (; end < to; end++) {
      const wide = ratioAt(end) * height + gap;
      const past = along + wide / 2 > natural * part / parts;
      if (end > first && past && part < parts) break;
      along += wide;
    }
    ends.push(end);
    first = end;
  }
  return ends;
}

/** What a row costs that is not filled. */
const EMPTY_COST = 100;

function nearestRows(from: number, to: number, filling: Filling): number[] {
  const { height } = filling;
  // For each photo: the least cost of the rows up to it, and where its row
  // begins.
  const costs = [0];
  const starts = [from];
  for (let end = from + 1; end <= to; end++) {
    let [best, start] = [Infinity, end - 1];
    for (let first = end - 1; first >= from; first--) {
      const high = heightOfRow(first, end, filling);
      if (high < height / 2 && first < end - 1) break;
      const far = farFrom(height, high) ** 2 +
        (high >= height * TALLEST ? EMPTY_COST : 0);
      const cost = (costs[first - from] ?? 0) + far;
      if (cost < best) [best, start] = [cost, first];
    }
    costs.push(best);
    starts.push(start);
  }
  const ends: number[] = [];
  for (let end = to; end > from; end = starts[end - from] ?? from) {
    ends.push(end);
  }
  return ends.reverse();
}
