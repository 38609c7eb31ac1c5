/**
 * The dates of a search: numbers, months, days of the week, seasons, feasts,
 * and what is told from today, in the languages of `search_words.ts`. Words
 * come without marks on their letters. Seasons are those of the northern half
 * of the earth, in whole months.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";
import { plainText } from "../../media/plain_text.ts";
import {
  type Meaning,
  means,
  namesFor,
  SEARCH_LANGUAGES,
  SEARCH_WORDS,
  wordsFor,
} from "./search_words.ts";

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

/** Names of months in every language of queries, without marks on letters. */
export const MONTH_NAMES: readonly (readonly string[])[] = namesFor("months");

/** From Monday. */
const WEEKDAYS: readonly (readonly string[])[] = namesFor("weekdays");

/** The names of months that people shorten to three letters. */
const SHORTENED: readonly (readonly string[])[] = MONTH_NAMES.map((_, at) =>
  (["en", "de"] as const).map((language) =>
    plainText(SEARCH_WORDS[language].months).split(" ")[at] ?? ""
  )
);

/** Parts of a year: the first day, and the first day after. */
type PartOfYear = (year: number) => readonly [from: number, to: number];

const season = (month: number): PartOfYear => (year) => [
  dayOf(year, month),
  dayOf(year, month + 3),
];
const WINTER = season(11);
const PARTS: readonly (readonly [meaning: Meaning, part: PartOfYear])[] = [
  ["spring", season(2)],
  ["summer", season(5)],
  ["autumn", season(8)],
  ["winter", WINTER],
  ["christmas", (year) => [dayOf(year, 11, 24), dayOf(year, 11, 27)]],
  ["christmasEve", (year) => [dayOf(year, 11, 24), dayOf(year, 11, 25)]],
  // From Good Friday to Easter Monday.
  ["easter", (year) => [easterOf(year) - 2, easterOf(year) + 2]],
];
/** The names of the parts, as they are written. */
const WRITTEN_PARTS = SEARCH_LANGUAGES.flatMap((language) =>
  PARTS.flatMap(([meaning, part]) =>
    SEARCH_WORDS[language][meaning].split(" ").filter(Boolean).map((name) =>
      [name, part] as const
    )
  )
);
const PARTS_OF_YEAR: ReadonlyMap<string, PartOfYear> = new Map(
  PARTS.flatMap(([meaning, part]) =>
    [...wordsFor(meaning)].map((word) => [word, part] as const)
  ),
);

/**
 * The least that a month is recognised by; of most languages one letter more.
 */
const MONTH_LETTERS = 3;

/** All words of dates that may be mistyped. */
export const DATE_WORDS: readonly string[] = [
  ...MONTH_NAMES.flat(),
  ...WEEKDAYS.flat(),
  ...PARTS_OF_YEAR.keys(),
  ...(["today", "yesterday", "month", "week"] as const)
    .flatMap((meaning) => [...wordsFor(meaning)]),
];

/** A date of several words, and how many they are. */
interface DatePhrase {
  readonly test: DayTest;
  readonly length: number;
}

/**
 * The date that some words begin with: `last summer`, `été dernier`,
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
  const test = (means(first, "last") ? lastOf(second, today) : undefined) ??
    (means(second, "last") ? lastOf(first, today) : undefined) ??
    (means(first, "this") ? presentOf(second, today, 0) : undefined);
  return test && { test, length: 2 };
}

/** Years that a suggestion looks back. */
const MOST_YEARS = 30;

/**
 * Seasons and feasts that a typed text begins, each with its last years that
 * have one of the days: `chri` is `Christmas 2022`. A year that was typed is
 * the only one.
 */
export function partsOfYearLike(
  typed: string,
  days: ReadonlySet<number>,
): readonly string[] {
  const [, word = "", asked = ""] =
    /^\s*(\p{L}{2,})\s*(\d{0,4})\s*$/u.exec(typed) ?? [];
  if (word === "" || days.size === 0) return [];
  const begin = plainText(word);
  const { year: newest } = dayAt(Math.max(...days) * DAY_MS);
  const years = Array.from({ length: MOST_YEARS }, (_, back) => newest - back)
    .filter((year) => `${year}`.startsWith(asked));
  const offered = new Set<PartOfYear>();
  const found: string[] = [];
  for (const [name, part] of WRITTEN_PARTS) {
    if (offered.has(part) || !plainText(name).startsWith(begin)) continue;
    offered.add(part);
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    for (const year of years) {
      const [from, to] = part(year);
      const has = [...days].some((day) => day >= from && day < to);
      if (has) found.push(`${title} ${year}`);
    }
  }
  return found;
}

/** What a single word says of the date. */
export function dateOfWord(
  word: string,
  now: number | undefined,
): DayTest | undefined {
  if (now !== undefined) {
    const { day: today } = dayAt(now);
    if (means(word, "today")) return ({ day }) => day === today;
    if (means(word, "yesterday")) return ({ day }) => day === today - 1;
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

/** The place of a month's name, or of its beginning; -1 for other words. */
export function monthNamed(word: string): number {
  if (word.length < MONTH_LETTERS) return -1;
  const whole = placeOf(word, MONTH_NAMES);
  if (whole >= 0) return whole;
  const names = word.length === MONTH_LETTERS ? SHORTENED : MONTH_NAMES;
  return names.findIndex((forms) =>
    forms.some((name) => name.startsWith(word))
  );
}

/** Whether the first of some words says nothing, because a date follows. */
export function leadsToDate([word = "", ...rest]: readonly string[]): boolean {
  const [next, after = ""] = rest;
  if (next === undefined || !means(word, "beforeDates")) return false;
  return (datePhrase(rest, 0) ?? datesOfNumber(next) ?? dateOfWord(next, 0)) !==
      undefined ||
    (DAY_OF_MONTH.test(next) && monthNamed(after.replace(/\.$/, "")) >= 0);
}

/** The day before a month's name: `15`, `15.`, `31st`, `1er`. */
export const DAY_OF_MONTH: RegExp = /^(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?$/;

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
  if (means(name, "week")) {
    const monday = today - weekdayOf(today) + 7 * later;
    return ({ day }) => day >= monday && day < monday + 7;
  }
  if (means(name, "month")) {
    const wanted = year * 12 + month + later;
    return (at) => at.year * 12 + at.month === wanted;
  }
  if (!means(name, "year")) return undefined;
  return (at) => at.year === year + later;
}

function placeOf(word: string, names: readonly (readonly string[])[]): number {
  return names.findIndex((forms) => forms.includes(word));
}

/** Easter Sunday, by the anonymous Gregorian computus. */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.trunc(year / 100);
  const leaps = Math.trunc(century / 4);
  const moon = (19 * golden + century - leaps -
    Math.trunc((century - Math.trunc((century + 8) / 25) + 1) / 3) + 15) % 30;
  const week = (32 + 2 * (century % 4) + 2 * Math.trunc(year % 100 / 4) - moon -
    year % 4) % 7;
  const late = Math.trunc((golden + 11 * moon + 22 * week) / 451);
  return dayOf(year, 2, 22 + moon + week - 7 * late);
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
