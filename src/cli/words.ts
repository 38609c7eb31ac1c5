/**
 * How the operator's commands put things into words.
 *
 * @module
 */
import { OperatorFault } from "../core/operator.ts";
import { SIZE_UNITS } from "../core/sizes.ts";

/** Bytes in the unit in which they are read best, such as `1.5 GiB`. */
export function bytesInWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${SIZE_UNITS[unit]}`;
}

/** A number with the noun it counts: `1 album`, `1,204 assets`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A text that somebody else wrote, on one line and without what would steer
 * the terminal or hide a part of it.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** The same between quotation marks. */
export function quoted(text: string): string {
  return `"${printable(text)}"`;
}

/** The part of a command line's option that says why, as it was given. */
export interface ReasonOptions {
  readonly reason?: string;
}

/** What the option of a reason says in `--help`. */
export const REASON_HELP =
  "why, in words that the account reads in its moderation record";

/** Refuses what is not done without its being said twice. */
export function refuseUnsaid(what: string): OperatorFault {
  return new OperatorFault(`${what}: if that is meant, say so with --yes`);
}
