/**
 * Which memories a day brings: this day and this week in earlier years, trips,
 * and the year at its end. It is all computed on the device, from when and
 * where photos were taken.
 *
 * @module
 */
import { isNear, type Position } from "../../media/places/distance.ts";
import { DAY_MS } from "../../core/time.ts";
import {
  dateOf,
  type Days,
  daysOf,
  idOf,
  isWithin,
  isYear,
  yearOf,
} from "./memories_days.ts";
import type { HiddenMemories } from "./memories_hidden.ts";
import { tripsOf } from "./memories_trips.ts";
import { localDay, type Row } from "../rows/rows.ts";
import { isScreenshotName } from "../showing/screenshots.ts";

/** A memory that a day brings. */
export interface Memory {
  /**
   * `day`: this very day; `week`: around this day; `trip`: away from home;
   * `year`: the best of it.
   */
  readonly kind: "day" | "week" | "trip" | "year";
  /** Its days as text: `2023-11-25`, `2024-06-12_2024-06-15`, `2024`. */
  readonly id: string;
  /** How many years ago. */
  readonly years: number;
  /** Its photos, newest first. */
  readonly rows: readonly Row[];
}

/** What is known of photos besides their rows. */
export interface MemoryOptions {
  readonly isFavourite: (row: Row) => boolean;
  readonly hidden: HiddenMemories;
}

/** Memories of a day at most. */
const MOST = 8;
/** Fewer photos are no memory. */
const LEAST_ON_DAY = 3;
const LEAST_IN_WEEK = 4;
/** Days before and after that belong to the week. */
const AROUND = 3;
/** A trip is recalled so long after it, and again in later years. */
const RECENT_FROM = 3;
const RECENT_UNTIL = 45;
/** A year is looked back on from 10 December to the end of January. */
const YEAR_ENDS = { month: 11, day: 10 };
const LEAST_IN_YEAR = 20;
const LEAST_DAYS_IN_YEAR = 5;

/** The memories of a day, the most telling first. */
export function memoriesOn(
  today: number,
  rows: readonly Row[],
  options: MemoryOptions,
): readonly Memory[] {
  const shown = remembered(rows, options.hidden);
  const byDay = Map.groupBy(shown, dayOf);
  const trips = tripsOf(shown, dayOf);
  const found: Memory[] = [];
  const taken = new Set<string>();
  const add = (kind: Memory["kind"], days: Days | number, year: number) => {
    const id = typeof days === "number" ? String(days) : idOf(days);
    if (taken.has(id)) return;
    taken.add(id);
    const within = photosIn(shown, id, options);
    found.push({ kind, id, years: yearOf(today) - year, rows: within });
  };

  for (const year of yearsBefore(today, byDay)) {
    const day = sameDay(today, year);
    const week = { from: day - AROUND, until: day + AROUND };
    const trip = trips.find(({ from, until }) => from <= day && day <= until);
    // 29 February is a day of its own, once in four years.
    const isDay = isSameDate(today, day) &&
      (byDay.get(day)?.length ?? 0) >= LEAST_ON_DAY;
    if (trip !== undefined) add("trip", trip, year);
    else if (isDay) add("day", { from: day, until: day }, year);
    else if (countIn(byDay, week) >= LEAST_IN_WEEK) add("week", week, year);
  }
  for (const trip of trips) {
    const ago = today - trip.until;
    // A trip at the end of December was not a year ago in January.
    if (ago >= RECENT_FROM && ago <= RECENT_UNTIL) {
      add("trip", trip, yearOf(today));
    }
  }
  const year = yearToLookBackOn(today);
  if (year !== undefined && hasYear(byDay, year)) add("year", year, year);
  // One of the other trips each week, in turn.
  const past = trips.filter(({ until }) => today - until > RECENT_UNTIL);
  const turn = past[Math.floor(today / 7) % Math.max(1, past.length)];
  if (turn !== undefined && found.length < MOST) {
    add("trip", turn, yearOf(turn.until));
  }
  return found.slice(0, MOST);
}

/** The photos of a memory by its id, newest first; none for a wrong id. */
export function rowsOfMemory(
  id: string,
  rows: readonly Row[],
  options: MemoryOptions,
): readonly Row[] {
  return photosIn(remembered(rows, options.hidden), id, options);
}

function photosIn(
  shown: readonly Row[],
  id: string,
  { isFavourite }: MemoryOptions,
): readonly Row[] {
  const days = daysOf(id);
  if (days === undefined) return [];
  const within = shown.filter((row) => isWithin(days, dayOf(row)));
  return isYear(id) ? bestOf(within, dayOf, isFavourite) : within;
}

const days = new WeakMap<Row, number>();

/** The local day of a row; rows are asked again with every change. */
function dayOf(row: Row): number {
  let day = days.get(row);
  if (day === undefined) {
    day = Math.floor(localDay(row).getTime() / DAY_MS);
    days.set(row, day);
  }
  return day;
}

/**
 * The rows that memories are made of: pictures and films whose time is known. A
 * file's own date is that of a copy as often as not.
 */
function remembered(
  rows: readonly Row[],
  { spans, places }: HiddenMemories,
): readonly Row[] {
  return rows.filter((row) => {
    const { metadata } = row;
    return metadata?.taken_at !== undefined &&
      metadata.taken_source !== "mtime" &&
      /^(image|video)\//.test(metadata.mime) &&
      !isScreenshotName(`${metadata.path ?? ""}/${metadata.name}`) &&
      !spans.some((span) => isWithin(span, dayOf(row))) &&
      !isNearAny(metadata.place, places);
  });
}

function isNearAny(
  place: Position | undefined,
  places: readonly Position[],
): boolean {
  return place !== undefined && places.some((one) => isNear(one, place));
}

/**
 * The years before that of a day in which there are photos, latest first. The
 * week of a day may lie in the year before or after.
 */
function yearsBefore(
  today: number,
  byDay: ReadonlyMap<number, unknown>,
): number[] {
  const years = new Set(
    [...byDay.keys()].flatMap((
      day,
    ) => [yearOf(day - AROUND), yearOf(day + AROUND)]),
  );
  return [...years].filter((year) => year < yearOf(today))
    .toSorted((a, b) => b - a);
}

function sameDay(day: number, year: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(year, date.getUTCMonth(), date.getUTCDate()) / DAY_MS;
}

function isSameDate(one: number, other: number): boolean {
  return dateOf(one).slice(5) === dateOf(other).slice(5);
}

function countIn(
  byDay: ReadonlyMap<number, readonly Row[]>,
  { from, until }: Days,
): number {
  let count = 0;
  for (let day = from; day <= until; day++) {
    count += byDay.get(day)?.length ?? 0;
  }
  return count;
}

function yearToLookBackOn(today: number): number | undefined {
  const date = new Date(today * DAY_MS);
  const [month, year] = [date.getUTCMonth(), date.getUTCFullYear()];
  if (month === 0) return year - 1;
  const isEnding = month === YEAR_ENDS.month &&
    date.getUTCDate() >= YEAR_ENDS.day;
  return isEnding ? year : undefined;
}

function hasYear(
  byDay: ReadonlyMap<number, readonly Row[]>,
  year: number,
): boolean {
  const within = [...byDay].filter(([day]) => yearOf(day) === year);
  const count = within.reduce((sum, [, rows]) => sum + rows.length, 0);
  return count >= LEAST_IN_YEAR && within.length >= LEAST_DAYS_IN_YEAR;
}

/** More is no selection. */
const MOST_OF_BEST = 60;
/** Stars of a photo that is liked. */
const LIKED = 4;

/**
 * The best of many rows: those that the person likes, and one of each other
 * day; in their order, and the same on every device.
 */
function bestOf(
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
    ...spread(liked, MOST_OF_BEST),
    ...spread(others, MOST_OF_BEST - Math.min(liked.length, MOST_OF_BEST)),
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
