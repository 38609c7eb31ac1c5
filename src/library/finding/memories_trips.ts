/**
 * Trips: days in a row on which photos were taken far from home.
 *
 * @module
 */
import { distanceKm, type Position } from "../../media/places/distance.ts";
import { type Days, yearOf } from "./memories_days.ts";
import type { Row } from "../rows/rows.ts";

/** From there on one is away (km). */
const AWAY_KM = 80;
/** Home is looked for in squares of so many of a degree. */
const SQUARES = 5;
/** Fewer days with places say nothing of a year; those of all years do. */
const LEAST_DAYS = 10;
/** Days without a photo that do not end a trip. */
const MOST_PAUSE = 2;
/** A trip has so many days and photos at least; more days are a move. */
const LEAST_TRIP_DAYS = 2;
const LEAST_PHOTOS = 6;
const MOST_TRIP_DAYS = 60;

/** The trips of rows, latest first. */
export function tripsOf(
  rows: readonly Row[],
  dayOf: (row: Row) => number,
): readonly Days[] {
  const placed = Map.groupBy(
    rows.filter(({ metadata }) => metadata?.place !== undefined),
    dayOf,
  );
  const days = [...placed].map(([day, taken]) => ({
    day,
    count: taken.length,
    // That of the middle of the day.
    place: taken[Math.floor(taken.length / 2)]?.metadata?.place,
  })).filter(hasPlace).toSorted((a, b) => a.day - b.day);
  const homes = homesOf(days);
  const trips: Days[] = [];
  let run: PlacedDay[] = [];
  const end = () => {
    const [first, last] = [run[0], run.at(-1)];
    const photos = run.reduce((sum, { count }) => sum + count, 0);
    run = [];
    if (first === undefined || last === undefined) return;
    const length = last.day - first.day + 1;
    if (
      length >= LEAST_TRIP_DAYS && length <= MOST_TRIP_DAYS &&
      photos >= LEAST_PHOTOS
    ) trips.push({ from: first.day, until: last.day });
  };
  for (const one of days) {
    const home = homes(one.day);
    const isAway = home !== undefined &&
      distanceKm(home, one.place) >= AWAY_KM;
    const before = run.at(-1)?.day ?? one.day;
    if (!isAway || one.day - before > MOST_PAUSE + 1) end();
    if (isAway) run.push(one);
  }
  end();
  return trips.reverse();
}

interface PlacedDay {
  readonly day: number;
  readonly count: number;
  readonly place: Position;
}

function hasPlace(
  day: Omit<PlacedDay, "place"> & { readonly place: Position | undefined },
): day is PlacedDay {
  return day.place !== undefined;
}

/** Where someone lived on a day: where most days of its year were. */
function homesOf(
  days: readonly PlacedDay[],
): (day: number) => Position | undefined {
  const byYear = Map.groupBy(days, ({ day }) => yearOf(day));
  const ever = usual(days);
  const homes = new Map(
    [...byYear].map(([year, within]) =>
      [year, within.length < LEAST_DAYS ? ever : usual(within)] as const
    ),
  );
  return (day) => homes.get(yearOf(day));
}

/** The place of most days; undefined if several have as many. */
function usual(days: readonly PlacedDay[]): Position | undefined {
  const squares = Map.groupBy(
    days,
    ({ place: { latitude, longitude } }) =>
      `${Math.round(latitude * SQUARES)} ${Math.round(longitude * SQUARES)}`,
  );
  const [most, next] = [...squares.values()]
    .toSorted((a, b) => b.length - a.length);
  if (most === undefined || most.length === next?.length) return undefined;
  return most[Math.floor(most.length / 2)]?.place;
}
