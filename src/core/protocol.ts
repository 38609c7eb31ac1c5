/**
 * Protocol dates, and the window of dates that the server accepts
 * (protocol/transport.md#handshake).
 *
 * @module
 */
import { isCalendarDate } from "./time.ts";

/** A calendar date `YYYY-MM-DD`; such dates compare as text. */
export type ProtocolDate = string & { readonly brand: "ProtocolDate" };

/** Nearly every request presents the same date as the one before. */
let lastParsed: ProtocolDate | undefined;

/** Oldest protocol date accepted for writes. */
export const PROTOCOL_MIN = date("2026-06-01");
/** Newest protocol date spoken. */
export const PROTOCOL_MAX = date("2026-11-01");

/** Crypto suites that this server implements. */
export const CRYPTO_SUITES: readonly number[] = [1];
/** Newest sidecar schema that this server indexes. */
export const SIDECAR_SCHEMA_MAX = 1;

/** An announced cutoff (protocol/transport.md#deprecation); instants in ms. */
export interface Deprecation {
  readonly minProtocolVersion: ProtocolDate;
  readonly announcedAt: number;
  readonly cutoff: number;
  readonly detailUrl: string | null;
}

/** Both ends are inclusive. */
export interface ProtocolWindow {
  readonly min: ProtocolDate;
  readonly max: ProtocolDate;
}

/** Reads a protocol date; undefined unless it is a real calendar date. */
export function parseProtocolDate(text: string): ProtocolDate | undefined {
  if (text === lastParsed) return lastParsed;
  if (!isProtocolDate(text)) return undefined;
  return lastParsed = text;
}

function isProtocolDate(text: string): text is ProtocolDate {
  return isCalendarDate(text);
}

function date(text: string): ProtocolDate {
  const parsed = parseProtocolDate(text);
  if (parsed === undefined) throw new Error(`not a date: ${text}`);
  return parsed;
}

/**
 * The window in force at an instant. Announced cutoffs that have passed raise
 * its lower end (protocol/transport.md#deprecation).
 */
export function windowAt(
  announcements: readonly Deprecation[],
  now: number,
): ProtocolWindow {
  let min = PROTOCOL_MIN;
  for (const { minProtocolVersion, cutoff } of announcements) {
    if (cutoff <= now && minProtocolVersion > min) min = minProtocolVersion;
  }
  return { min, max: PROTOCOL_MAX };
}

/**
 * The announcement of which a request with this date should be warned: of those
 * that will refuse the date, the one whose cutoff comes next.
 */
export function pendingDeprecation(
  announcements: readonly Deprecation[],
  now: number,
  presented: ProtocolDate,
): Deprecation | undefined {
  if (announcements.length === 0) return undefined;
  return announcements
    .filter((one) => one.cutoff > now && presented < one.minProtocolVersion)
    .toSorted((a, b) => a.cutoff - b.cutoff)[0];
}

/** Whether the date lies inside the window. */
export function inWindow(
  presented: ProtocolDate,
  window: ProtocolWindow,
): boolean {
  return presented >= window.min && presented <= window.max;
}
