/**
 * The choices of when a link ends.
 *
 * @module
 */
import { readTime } from "../../../../core/time.ts";
import { now } from "../../../browser.ts";

const DAY_MS = 86_400_000;

/** The number of days of each choice; null for never. */
const DAYS = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 89,
  never: null,
} as const;

/** A choice of when a link ends. */
export type Ending = keyof typeof DAYS;

/** The end as RFC 3339; null if the link never ends. */
export function endOf(ending: Ending): string | null {
  const days = DAYS[ending];
  return days === null ? null : new Date(now() + days * DAY_MS).toISOString();
}

/** Whether a time has passed. */
export function isPast(instant: string | undefined): boolean {
  return instant !== undefined && (readTime(instant) ?? 0) <= now();
}
