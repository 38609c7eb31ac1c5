/**
 * Instants. Inside the program an instant is a number of milliseconds since
 * the Unix epoch; on the wire it is RFC 3339 in UTC with a `Z`.
 *
 * @module
 */

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * How far a stored instant may lie ahead of now. The clock may have been set
 * back by a little; an instant further ahead was written by a wrong clock.
 */
export const CLOCK_SLACK_MS = MINUTE_MS;

/**
 * Whether something that lives for `lengthMs` and ends at `endsAt` is alive. A
 * clock that was ahead at its beginning and was set right since must not make
 * it live longer than its length.
 */
export function livesUntil(
  endsAt: number,
  lengthMs: number,
  now: number,
): boolean {
  return endsAt > now && endsAt - now <= lengthMs + CLOCK_SLACK_MS;
}

/** Renders an instant as RFC 3339 with milliseconds and `Z`. */
export function toRfc3339(instantMs: number): string {
  const whole = Math.trunc(instantMs);
  const day = Math.floor(whole / DAY_MS);
  const ms = whole - day * DAY_MS;
  const hour = digits(Math.floor(ms / HOUR_MS), 2);
  const minute = digits(Math.floor(ms / MINUTE_MS) % 60, 2);
  const second = digits(Math.floor(ms / SECOND_MS) % 60, 2);
  const fraction = digits(ms % SECOND_MS, 3);
  return `${toDay(day)}T${hour}:${minute}:${second}.${fraction}Z`;
}

/**
 * Formatting a date costs a microsecond, and many instants are of the same day.
 */
const days = new Map<number, string>();
const MAX_DAYS = 1_000;

/**
 * The date of a day counted from the Unix epoch; throws a RangeError if the day
 * is beyond what dates can express.
 */
function toDay(day: number): string {
  const held = days.get(day);
  if (held !== undefined) return held;
  const [date = ""] = new Date(day * DAY_MS).toISOString().split("T", 1);
  if (days.size >= MAX_DAYS) days.clear();
  days.set(day, date);
  return date;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

/**
 * Reads an RFC 3339 date-time with any offset (RFC 3339 section 5.6) to
 * milliseconds; further digits are cut off. A leap second counts as the second
 * after it. Undefined for anything else, also for a day that its month does not
 * have.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    return undefined;
  }
  const offset = parseOffset(zone ?? "Z");
  if (offset === undefined) return undefined;
  const milliseconds = Math.trunc(Number(`0${fraction ?? ""}`) * 1_000);
  const utc = new Date(0);
  utc.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  utc.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  return utc.getTime() - offset;
}

/** The years that a time of {@link readTime} lies in, with a day to spare. */
const FIRST_MS = Date.parse("0001-01-02T00:00:00.000Z");
const LAST_MS = Date.UTC(9_999, 11, 30);

/**
 * Reads a claimed time, which may be anything: RFC 3339 of the years 1 to 9999,
 * so that it has a date of four digits in every time zone. Undefined for
 * anything else, which counts as absent.
 */
export function readTime(text: string | undefined): number | undefined {
  const at = text === undefined ? undefined : parseRfc3339(text);
  return at === undefined || at < FIRST_MS || at > LAST_MS ? undefined : at;
}

function parseOffset(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  const offset = hours * HOUR_MS + minutes * MINUTE_MS;
  return zone.startsWith("-") ? -offset : offset;
}

/** Whether the text is `YYYY-MM-DD` and names a day that exists. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  return isDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : DAYS_OF_MONTHS[month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** HTTP-dates by their seconds: nearly all that are asked for were before. */
const httpDates = new Map<number, string>();
const MAX_HTTP_DATES = 1_000;

/** Renders an instant as an HTTP-date (RFC 9110 section 5.6.7). */
export function toHttpDate(instantMs: number): string {
  const second = Math.floor(instantMs / SECOND_MS);
  const held = httpDates.get(second);
  if (held !== undefined) return held;
  const date = new Date(instantMs).toUTCString();
  if (httpDates.size >= MAX_HTTP_DATES) httpDates.clear();
  httpDates.set(second, date);
  return date;
}

const HTTP_DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) [A-Z][a-z]{2} \d{4} (\d{2}):\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-[A-Z][a-z]{2}-\d{2} (\d{2}):\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} ([ \d]\d) (\d{2}):\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads an HTTP-date in any of its three forms (RFC 9110 section 5.6.7) to
 * milliseconds; undefined for anything else, also for a day that its month does
 * not have.
 */
export function parseHttpDate(text: string): number | undefined {
  for (const form of HTTP_DATES) {
    const match = form.exec(text);
    if (match === null) continue;
    // The asctime form names no zone and is UTC by definition.
    const instant = new Date(text.endsWith("GMT") ? text : `${text} GMT`);
    // The platform reads 30 February as 2 March, and 24:00 as the next day.
    const [day, hour] = [Number(match[1]), Number(match[2])];
    return instant.getUTCDate() === day && instant.getUTCHours() === hour
      ? instant.getTime()
      : undefined;
  }
  return undefined;
}
