/**
 * The months of a grid, where each begins, and which one a typed text means.
 *
 * @module
 */
import type { PhotoList } from "../list.ts";
import { monthOf } from "./days.ts";
import { lastNotAbove, type Layout } from "./layout.ts";

/** The months with photos, from top to bottom. */
export interface Months {
  readonly count: number;
  /** Months since the year 0. */
  readonly month: readonly number[];
  /** The height in the grid at which each begins. */
  readonly top: readonly number[];
}

/** Finds the months of a list and its layout. */
export function monthsOf(list: PhotoList, layout: Layout): Months {
  const month: number[] = [];
  const top: number[] = [];
  const { days, dayStart, dayTop, rowOf, rowTop } = layout;
  for (let day = 0; day < days; day++) {
    const [first, end] = [dayStart[day] ?? 0, dayStart[day + 1] ?? 0];
    const its = monthOf(list.takenAt(first));
    if (its !== month.at(-1)) {
      month.push(its);
      top.push(dayTop[day] ?? 0);
    }
    // Days that share a heading may be of other months.
    if (monthOf(list.takenAt(end - 1)) === its) continue;
    for (let at = first + 1; at < end; at++) {
      const other = monthOf(list.takenAt(at));
      if (other === month.at(-1)) continue;
      month.push(other);
      top.push(rowTop[rowOf[at] ?? 0] ?? 0);
    }
  }
  return { count: month.length, month, top };
}

/** The index of the month at a height. */
export function monthAt({ count, top }: Months, height: number): number {
  return lastNotAbove(top, count, height);
}

/**
 * The month that a text means: `june 2019`, `2019`, `jun`, `6 2019` or
 * `2019-06`. A year means its first month from above, a month without photos the
 * nearest one that has any; undefined if the text contains no date. `names` are
 * the month names of the person's language. Months are those of a grid, from top
 * to bottom, counted since the year 0.
 */
export function monthMeant(
  { count, month }: {
    readonly count: number;
    readonly month: readonly number[];
  },
  typed: string,
  names: readonly string[],
): number | undefined {
  const words = typed.toLowerCase().split(/[\s./-]+/)
    .filter((word) => word !== "");
  const year = words.find((word) => /^\d{4}$/.test(word));
  const named = words.map((word) => nameMeant(word, names))
    .find((one) => one !== undefined);
  if (year === undefined && named === undefined) return undefined;
  // Some albums have the oldest photos first.
  const isAscending = (month[0] ?? 0) < (month[count - 1] ?? 0);
  let [best, nearest] = [0, Infinity];
  for (let i = 0; i < count; i++) {
    const one = month[i] ?? 0;
    const [y, m] = [Math.floor(one / 12), one % 12];
    if (year === undefined) {
      if (m === named) return i;
      continue;
    }
    const wanted = Number(year) * 12 + (named ?? (isAscending ? 0 : 11));
    const distance = Math.abs(one - wanted) - (y === Number(year) ? 12 : 0);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return year === undefined ? undefined : best;
}

function nameMeant(
  word: string,
  names: readonly string[],
): number | undefined {
  if (/^\d{1,2}$/.test(word)) {
    const number = Number(word);
    return number >= 1 && number <= 12 ? number - 1 : undefined;
  }
  if (word.length < 3 || /^\d/.test(word)) return undefined;
  const at = names.findIndex((name) => name.toLowerCase().startsWith(word));
  return at < 0 ? undefined : at;
}
