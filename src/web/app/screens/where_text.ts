/**
 * Where and when photos were taken, as a line of text.
 *
 * @module
 */
import { countryName } from "../../../library/finding/place_names.ts";
import type { WhereWhen } from "../../../library/finding/where_when.ts";
import { locale } from "../messages.ts";

const DAY_MS = 86_400_000;
/** Within so many days, the days are named; within so many, the months. */
const MOST_DAYS = 62;
const MOST_MONTHS = 2 * 365;

/** `Bellagio, Varenna`. */
export function placesText({ where }: WhereWhen): string {
  return where.map((one) =>
    "town" in one ? one.town : countryName(one.country, locale.value)
  ).join(", ");
}

/** `12 – 15 Jun 2024`, `Mar – Sept 2024`, `2019 – 2024`. */
export function spanText({ from, until }: WhereWhen): string {
  if (from === undefined || until === undefined) return "";
  const days = (until - from) / DAY_MS;
  return new Intl.DateTimeFormat(locale.value, {
    timeZone: "UTC",
    year: "numeric",
    ...(days <= MOST_MONTHS ? { month: "short" } : {}),
    ...(days <= MOST_DAYS ? { day: "numeric" } : {}),
  }).formatRange(from, until);
}

/** `Bellagio · 12 – 15 Jun 2024`; empty where nothing is known. */
export function whereWhenText(known: WhereWhen): string {
  return [placesText(known), spanText(known)].filter((one) => one !== "")
    .join(" · ");
}
