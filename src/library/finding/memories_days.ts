/**
 * Days of memories, and memories' ids, which are addresses in the app.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";

/** Days, both included: local days since 1970. */
export interface Days {
  readonly from: number;
  readonly until: number;
}

/** The days of a memory; undefined for what is no id of one. */
export function daysOf(id: string): Days | undefined {
  if (isYear(id)) {
    const [from, next] = [id, String(Number(id) + 1)].map((year) =>
      dayIn(`${year}-01-01`)
    );
    if (from === undefined || next === undefined) return undefined;
    return { from, until: next - 1 };
  }
  const [first = "", last = first, ...more] = id.split("_");
  const [from, until] = [dayIn(first), dayIn(last)];
  if (from === undefined || until === undefined || more.length > 0) {
    return undefined;
  }
  return from <= until ? { from, until } : undefined;
}

/** The id of a memory of some days. */
export function idOf({ from, until }: Days): string {
  return from === until ? dateOf(from) : `${dateOf(from)}_${dateOf(until)}`;
}

/** Whether an id is that of a year. */
export function isYear(id: string): boolean {
  return /^\d{4}$/.test(id);
}

function dayIn(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at / DAY_MS;
}

/** A day as text: `2024-06-12`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a day is one of them. */
export function isWithin({ from, until }: Days, day: number): boolean {
  return from <= day && day <= until;
}

/** The year of a day. */
export function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}
