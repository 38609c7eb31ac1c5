/**
 * The best photos of a long time: those that the person likes, and of the other
 * days one each.
 *
 * @module
 */
import type { Row } from "./rows.ts";

/** More is no selection. */
const MOST = 60;
/** Stars of a photo that is liked. */
const LIKED = 4;

/** A selection of rows, in their order; the same on every device. */
export function bestOf(
  rows: readonly Row[],
  dayOf: (row: Row) => number,
  isFavourite: (row: Row) => boolean,
): readonly Row[] {
  const isLiked = (row: Row) =>
    isFavourite(row) || (row.metadata?.rating ?? 0) >= LIKED;
  const liked = rows.filter(isLiked);
  const likedDays = new Set(liked.map(dayOf));
  const otherDays = Map.groupBy(
    rows.filter((row) => !likedDays.has(dayOf(row))),
    dayOf,
  );
  const others = [...otherDays.values()].flatMap((ofDay) => {
    const middle = ofDay[Math.floor(ofDay.length / 2)];
    return middle === undefined ? [] : [middle];
  });
  const best = new Set([
    ...spread(liked, MOST),
    ...spread(others, MOST - Math.min(liked.length, MOST)),
  ]);
  return rows.filter((row) => best.has(row));
}

/** So many of them at most, evenly spread. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return all.filter((_, at) =>
    Math.floor(at * most / all.length) !==
      Math.floor((at - 1) * most / all.length)
  );
}
