/**
 * The months of a grid, where each begins, and what somebody means who types
 * one.
 *
 * @module
 */
import type { PhotoList } from "../list.ts";
import { monthOf } from "./days.ts";
import { lastNotAbove, type Layout } from "./layout.ts";

/** The months that a list has photos of, from above to below. */
export interface Months {
  readonly count: number;
  /** Months since the year 0. */
  readonly month: readonly number[];
  /** The height in the grid that it begins at. */
  readonly top: readonly number[];
}

/** The months of a list that is laid out. */
export function monthsOf(list: PhotoList, layout: Layout): Months {
  const month: number[] = [];
  const top: number[] = [];
  for (let day = 0; day < layout.days; day++) {
    const its = monthOf(list.takenAt(layout.dayStart[day] ?? 0));
    if (its === month.at(-1)) continue;
    month.push(its);
    top.push(layout.dayTop[day] ?? 0);
  }
  return { count: month.length, month, top };
}

/** Which of the months a height lies in. */
export function monthAt({ count, top }: Months, height: number): number {
  return lastNotAbove(top, count, height);
}

/**
 * The one of the months that is meant: `june 2019`, `2019`, `jun`, `6 2019`,
 * `2019-06`; the nearest one where there are no photos of it. Undefined where
 * nothing of it is a date. `names` are the language's twelve.
 */
export function monthMeant(
  { count, month }: Months,
  typed: string,
  names: readonly string[],
): number | undefined {
  const words = typed.toLowerCase().split(/[\s./-]+/)
    .filter((word) => word !== "");
  const year = words.find((word) => /^\d{4}$/.test(word));
  const named = words.map((word) => nameMeant(word, names))
    .find((one) => one !== undefined);
  if (year === undefined && named === undefined) return undefined;
  let [best, nearest] = [0, Infinity];
  for (let i = 0; i < count; i++) {
    const one = month[i] ?? 0;
    const [y, m] = [Math.floor(one / 12), one % 12];
    if (year === undefined) {
      if (m === named) return i;
      continue;
    }
    // Of a year alone its newest month, which comes first.
    const wanted = Number(year) * 12 + (named ?? 11);
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
