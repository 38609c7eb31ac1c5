/**
 * The months of a grid, and where each begins.
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
