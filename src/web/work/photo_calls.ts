/**
 * What the timeline shows of the library.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `photos`. */
export function photoCalls(context: VaultContext) {
  return {
    count: () => context.opened().list().length,
  };
}
