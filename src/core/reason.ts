/**
 * The text of something that was thrown.
 *
 * @module
 */

import { SECOND_MS, toRfc3339 } from "./time.ts";

/** The message without class and stack, for a log or for the operator. */
export function reasonOf(thrown: unknown): string {
  return withDates(thrown instanceof Error ? thrown.message : String(thrown));
}

/** What the TLS library says of a certificate's dates, in seconds. */
const CERTIFICATE_DATES =
  /: verification time (\d{1,11}) \(UNIX\), but certificate is not valid (after|before) (\d{1,11})( \([^)]*\))?/;

/** The same with dates that a person reads. */
function withDates(text: string): string {
  return text.replace(CERTIFICATE_DATES, (_, now, side, limit) => {
    const [clock, end] = [now, limit].map((seconds) =>
      toRfc3339(Number(seconds) * SECOND_MS).replace(".000Z", "Z")
    );
    return ` (it is valid ${side === "after" ? "until" : "from"} ${end}, and ` +
      `this machine's clock says ${clock})`;
  });
}

/**
 * The message of the innermost cause: those around it, such as "fetch failed",
 * say nothing. Without the address that a network's error repeats.
 */
export function rootReasonOf(thrown: unknown): string {
  let inner = thrown;
  // Errors of one cause; a circle of them ends somewhere.
  for (let depth = 0; depth < 8; depth++) {
    if (inner instanceof AggregateError && inner.errors.length > 0) {
      [inner] = inner.errors;
    } else if (inner instanceof Error && inner.cause !== undefined) {
      inner = inner.cause;
    } else break;
  }
  return reasonOf(inner)
    .replace(/^error sending request for url \([^)]*\): /, "");
}
