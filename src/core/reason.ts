/**
 * The text of something that was thrown.
 *
 * @module
 */

/** The message without class and stack, for a log or for the operator. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
