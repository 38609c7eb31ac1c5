/**
 * Days and months as texts of headings. All times here are local times of
 * photos, treated as if they were UTC.
 *
 * @module
 */
import { now } from "../../browser.ts";
import { language } from "../words.ts";

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

const formats = new Map<string, Intl.DateTimeFormat>();

function said(taken: number, options: Intl.DateTimeFormatOptions): string {
  const key = `${language.value} ${JSON.stringify(options)}`;
  const format = formats.get(key) ??
    new Intl.DateTimeFormat(language.value, { ...options, timeZone: "UTC" });
  formats.set(key, format);
  return format.format(taken);
}

/** The local time of this browser, as if it were UTC. */
function here(): number {
  const at = now();
  return at - new Date(at).getTimezoneOffset() * 60_000;
}

/**
 * `Today`, `Yesterday`, or `Sat, 12 June`, with the year if it is not the
 * present one; `narrow` abbreviates the month.
 */
export function dayText(taken: number, narrow = false): string {
  const ago = dayOf(here()) - dayOf(taken);
  if (ago === 0 || ago === 1) {
    const text = new Intl.RelativeTimeFormat(language.value, {
      numeric: "auto",
    }).format(-ago, "day");
    return text.slice(0, 1).toLocaleUpperCase(language.value) + text.slice(1);
  }
  const sameYear =
    new Date(here()).getUTCFullYear() === new Date(taken).getUTCFullYear();
  return said(taken, {
    weekday: "short",
    day: "numeric",
    month: narrow ? "short" : "long",
    ...(sameYear ? {} : { year: "numeric" }),
  });
}

/** `June 2024`. */
export function monthText(month: number): string {
  const taken = Date.UTC(Math.floor(month / 12), month % 12, 1);
  return said(taken, { month: "long", year: "numeric" });
}

/** `Jun 2024`. */
export function shortMonthText(month: number): string {
  const taken = Date.UTC(Math.floor(month / 12), month % 12, 1);
  return said(taken, { month: "short", year: "numeric" });
}

/** `12 June 2024, 14:03`. */
export function momentText(taken: number): string {
  return said(taken, { dateStyle: "long", timeStyle: "short" });
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
    (_, month) => said(Date.UTC(2024, month, 1), { month: "long" }),
  );
}
