/**
 * The text of something that was thrown.
 *
 * @module
 */

/** The message without class and stack, for a log or for the operator. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
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
