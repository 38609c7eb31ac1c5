/**
 * Spans of time as people type them.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** A time from now as it is typed: `45m`, `12h`, `7d`, `2w` (ms). */
export function spanOf(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (count !== undefined && length !== undefined) {
    return Number(count) * length;
  }
  throw new OperatorFault(`${text} is not a time: write 45m, 12h, 7d or 2w`);
}
