/**
 * How the operator's commands put things into words.
 *
 * @module
 */
import { OperatorFault } from "../core/operator.ts";

/**
 * A text that someone else wrote, on one line and without what would steer
 * the terminal or hide a part of it.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]+/gu,
    " ",
  );
}

/**
 * A value as JSON on one line, in which everything that {@link printable} takes
 * away is written as an escape.
 */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) =>
          `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}

/** What {@link printable} makes, between quotation marks. */
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

/** "1 witness", "3 witnesses". */
export function witnessesInWords(count: number): string {
  return count === 1 ? "1 witness" : `${count} witnesses`;
}
