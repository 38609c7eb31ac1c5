/**
 * A secret in a file or on standard input: one rule for all of them, so that
 * what a file encrypts, a person can type.
 *
 * @module
 */
import { OperatorFault } from "./operator.ts";

/**
 * The first line of a text, without the byte order mark that some editors put
 * first; empty if the text is. Throws an {@link OperatorFault} where it has
 * white space at either end, which no one would see on paper. `place` names the
 * file.
 */
export function secretLine(text: string, place: string): string {
  const [line = ""] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (line === line.trim()) return line;
  throw new OperatorFault(
    `the first line of ${place} has white space at its start or end: ` +
      "remove it",
  );
}
