/**
 * How the operator's commands put things into words.
 *
 * @module
 */
import { OperatorFault } from "../core/operator.ts";

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
