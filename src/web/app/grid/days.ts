/**
 * Days and months as texts of headings. All times here are local times of
 * photos, treated as if they were UTC.
 *
 * @module
 */
import { now } from "../../browser.ts";
import { language, locale } from "../first_messages.ts";

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** Days since 1970. */
export function dayOf(taken: number): number {
  return Math.floor(taken / DAY_MS);
}

/** Months since the year 0. */
export function monthOf(taken: number): number {
  const date = new Date(taken);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

const FORMATS = {
  day: { weekday: "short", day: "numeric", month: "short" },
  dayOfYear: {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  },
  days: { day: "numeric", month: "short" },
  daysOfYear: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
  shortMonth: { month: "short", year: "numeric" },
  monthName: { month: "long" },
  moment: { dateStyle: "long", timeStyle: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Made once: they cost more than what they format, and tiles are many. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${locale.value} ${name}`;
  let format = formats.get(key);
  if (format === undefined) {
    const options = { ...FORMATS[name], timeZone: "UTC" };
    format = new Intl.DateTimeFormat(locale.value, options);
    formats.set(key, format);
  }
  return format;
}

function said(taken: number, name: keyof typeof FORMATS): string {
  return formatOf(name).format(taken);
}

/** The local time of this browser, as if it were UTC. */
function here(): number {
  const at = now();
  return at - new Date(at).getTimezoneOffset() * 60_000;
}

const isThisYear = (taken: number) =>
  new Date(here()).getUTCFullYear() === new Date(taken).getUTCFullYear();

/** `Today`, `Yesterday`, `Sat, 12 Jun`, and the year where it is another. */
function dayText(taken: number): string {
  const ago = dayOf(here()) - dayOf(taken);
  if (ago === 0 || ago === 1) {
    const text = new Intl.RelativeTimeFormat(language.value, {
      numeric: "auto",
    }).format(-ago, "day");
    return text.slice(0, 1).toLocaleUpperCase(language.value) + text.slice(1);
  }
  return said(taken, isThisYear(taken) ? "day" : "dayOfYear");
}

/** `12 – 15 Jun`, with the year where it is another. */
export function daysText(first: number, last: number): string {
  if (dayOf(first) === dayOf(last)) return dayText(first);
  const name = isThisYear(first) && isThisYear(last) ? "days" : "daysOfYear";
  return formatOf(name).formatRange(first, last);
}

/** `June 2024`. */
export function monthText(month: number): string {
  const taken = Date.UTC(Math.floor(month / 12), month % 12, 1);
  return said(taken, "month");
}

/** `Jun 2024`. */
export function shortMonthText(month: number): string {
  const taken = Date.UTC(Math.floor(month / 12), month % 12, 1);
  return said(taken, "shortMonth");
}

/** `12 June 2024, 14:03`. */
export function momentText(taken: number): string {
  return said(taken, "moment");
}

/** `0:07`, `1:02:30`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [h, m, s] = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    String(seconds % 60).padStart(2, "0"),
  ];
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

/** The names of the twelve months in the person's language. */
export function monthNames(): readonly string[] {
  return Array.from(
    { length: 12 },
    (_, month) => said(Date.UTC(2024, month, 1), "monthName"),
  );
}
