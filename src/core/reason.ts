/**
 * What was thrown, in its own words.
 *
 * @module
 */

/** Without its class and its stack, for a log or for the operator. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
