/**
 * The dates of a search: numbers, months, days of the week, seasons, and what
 * is told from today, in English and German. Seasons are those of the northern
 * half of the earth, in whole months.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";

/** A local day. */
export interface LocalDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly year: number;
  /** From 0. */
  readonly month: number;
  /** Of the month, from 1. */
  readonly date: number;
}

/** Whether a day is meant. */
export type DayTest = (day: LocalDay) => boolean;

/** The local day of a time that is given as if it were UTC (ms). */
export function dayAt(ms: number): LocalDay {
  const at = new Date(ms);
  return {
    day: Math.floor(ms / DAY_MS),
    year: at.getUTCFullYear(),
    month: at.getUTCMonth(),
    date: at.getUTCDate(),
  };
}

/** Names of months in every language of queries. */
export const MONTH_NAMES: readonly (readonly string[])[] = [
  "january february march april may june july august september october november december",
  "januar februar märz april mai juni juli august september oktober november dezember",
].map((names) => names.split(" "));

/** From Monday. */
const WEEKDAYS: readonly (readonly string[])[] = [
  "monday tuesday wednesday thursday friday saturday sunday",
  "montag dienstag mittwoch donnerstag freitag samstag sonntag",
].map((names) => names.split(" "));

/** Parts of a year: the first day, and the first day after. */
type PartOfYear = (year: number) => readonly [from: number, to: number];

const season = (month: number): PartOfYear => (year) => [
  dayOf(year, month),
  dayOf(year, month + 3),
];
const WINTER = season(11);
const christmas: PartOfYear = (year) => [
  dayOf(year, 11, 24),
  dayOf(year, 11, 27),
];
const PARTS_OF_YEAR: ReadonlyMap<string, PartOfYear> = new Map([
  ["spring", season(2)],
  ["frühling", season(2)],
  ["frühjahr", season(2)],
  ["summer", season(5)],
  ["sommer", season(5)],
  ["autumn", season(8)],
  ["herbst", season(8)],
  ["winter", WINTER],
  ["christmas", christmas],
  ["xmas", christmas],
  ["weihnachten", christmas],
]);

const TODAY = ["today", "heute"];
const YESTERDAY = ["yesterday", "gestern"];
const LAST = /^(?:last|letzte[nrs]?|vorige[nrs]?)$/;
const THIS = /^(?:this|diese[nrs]?)$/;
const WEEK = ["week", "woche"];
const MONTH = ["month", "monat"];
const YEAR = ["year", "jahr"];
const BEFORE_DATES = /^(?:in|on|at|from|im|am|an|zu|von|vom)$/;

/** The least that a month is recognised by. */
const MONTH_LETTERS = 3;

/** All words of dates that may be mistyped. */
export const DATE_WORDS: readonly string[] = [
  ...MONTH_NAMES.flat(),
  ...WEEKDAYS.flat(),
  ...PARTS_OF_YEAR.keys(),
  ...TODAY,
  ...YESTERDAY,
  ...MONTH,
  ...WEEK,
];

/** A date of several words, and how many they are. */
export interface DatePhrase {
  readonly test: DayTest;
  readonly length: number;
}

/**
 * The date that some words begin with: `last summer`, `letzte Woche`,
 * `christmas 2022`, `2023 summer`. The winter of a year is what lies in it, and
 * the one that begins in it. `last` is the last that is over; of the days of
 * the week the last before today.
 */
export function datePhrase(
  words: readonly string[],
  now: number | undefined,
): DatePhrase | undefined {
  const [first = "", second = ""] = words;
  const inYear = partIn(first, second) ?? partIn(second, first);
  if (inYear !== undefined) return { test: inYear, length: 2 };
  if (now === undefined) return undefined;
  const today = dayAt(now);
  const test = LAST.test(first)
    ? lastOf(second, today)
    : THIS.test(first)
    ? presentOf(second, today, 0)
    : undefined;
  return test && { test, length: 2 };
}

/** What a single word says of the date. */
export function dateOfWord(
  word: string,
  now: number | undefined,
): DayTest | undefined {
  if (now !== undefined) {
    const { day: today } = dayAt(now);
    if (TODAY.includes(word)) return ({ day }) => day === today;
    if (YESTERDAY.includes(word)) return ({ day }) => day === today - 1;
  }
  const weekday = placeOf(word, WEEKDAYS);
  if (weekday >= 0) return ({ day }) => weekdayOf(day) === weekday;
  const part = PARTS_OF_YEAR.get(word);
  if (part !== undefined) {
    return ({ day, year }) =>
      within(part(year))(day) || within(part(year - 1))(day);
  }
  const month = monthOfWord(word);
  return month < 0 ? undefined : (day) => day.month === month;
}

function monthOfWord(word: string): number {
  if (word.length === MONTH_LETTERS) return monthNamed(word);
  return placeOf(word, MONTH_NAMES);
}

/** The place of a month's name, or of its beginning; -1 if it is none. */
export function monthNamed(word: string): number {
  if (word.length < MONTH_LETTERS) return -1;
  const named = (name: string) => name.startsWith(word);
  return Math.max(...MONTH_NAMES.map((names) => names.findIndex(named)));
}

/** Whether a word says nothing, because a date follows. */
export function leadsToDate(word: string, next: string | undefined): boolean {
  return next !== undefined && BEFORE_DATES.test(word) &&
    (LAST.test(next) || THIS.test(next) || datesOfNumber(next) !== undefined ||
      dateOfWord(next, 0) !== undefined);
}

const ISO = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})$/;
const MONTH_FIRST = /^(\d{1,2})[./-](\d{4})$/;
const DAY_FIRST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * What numbers say of the date: `2024`, `2024-06`, `2024-06-15`, `06/2024`,
 * `15.6.2024`. With slashes, as in `6/15/2024`, the month may come first; where
 * it may be either, both are meant.
 */
export function datesOfNumber(word: string): DayTest | undefined {
  const iso = ISO.exec(word) ?? YEAR_FIRST.exec(word);
  if (iso !== null) return onDate(iso[1], iso[2], iso[3]);
  const [, month, year] = MONTH_FIRST.exec(word) ?? [];
  if (year !== undefined) return onDate(year, month);
  const [, one, mark, two, of] = DAY_FIRST.exec(word) ?? [];
  if (of === undefined) return undefined;
  const european = onDate(of, two, one);
  const american = mark === "/" ? onDate(of, one, two) : undefined;
  if (european === undefined || american === undefined) {
    return european ?? american;
  }
  return (day) => european(day) || american(day);
}

function onDate(
  year: string | undefined,
  month?: string,
  date?: string,
): DayTest | undefined {
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(date ?? 1)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return undefined;
  return (day) =>
    day.year === y && (month === undefined || day.month === m - 1) &&
    (date === undefined || day.date === d);
}

/** A part of a named year. */
function partIn(name: string, year: string): DayTest | undefined {
  const part = PARTS_OF_YEAR.get(name);
  if (part === undefined || !/^\d{4}$/.test(year)) return undefined;
  const named = Number(year);
  const inside = within(part(named));
  return (at) =>
    inside(at.day) || (part === WINTER && at.year === named && at.month < 2);
}

/** The last of something that is over. */
function lastOf(name: string, today: LocalDay): DayTest | undefined {
  const weekday = placeOf(name, WEEKDAYS);
  if (weekday >= 0) {
    const back = (weekdayOf(today.day) - weekday + 6) % 7 + 1;
    return ({ day }) => day === today.day - back;
  }
  const part = PARTS_OF_YEAR.get(name);
  if (part === undefined) return presentOf(name, today, -1);
  const ended = [0, 1, 2].map((back) => part(today.year - back))
    .find(([, to]) => to <= today.day);
  const inside = within(ended ?? [0, 0]);
  return ({ day }) => inside(day);
}

/** The week, month or year of today, or so many later. */
function presentOf(
  name: string,
  { day: today, year, month }: LocalDay,
  later: number,
): DayTest | undefined {
  if (WEEK.includes(name)) {
    const monday = today - weekdayOf(today) + 7 * later;
    return ({ day }) => day >= monday && day < monday + 7;
  }
  if (MONTH.includes(name)) {
    const wanted = year * 12 + month + later;
    return (at) => at.year * 12 + at.month === wanted;
  }
  if (!YEAR.includes(name)) return undefined;
  return (at) => at.year === year + later;
}

function placeOf(word: string, names: readonly (readonly string[])[]): number {
  return Math.max(...names.map((of) => of.indexOf(word)));
}

/** The day of the week, from Monday; 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return ((day + 3) % 7 + 7) % 7;
}

function within(
  [from, to]: readonly [number, number],
): (day: number) => boolean {
  return (day) => day >= from && day < to;
}

function dayOf(year: number, month: number, date = 1): number {
  return Date.UTC(year, month, date) / DAY_MS;
}
