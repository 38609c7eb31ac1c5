/**
 * Albums, collections and people.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `albums`. */
export function albumCalls(context: VaultContext) {
  return {
    ready: () => context.library !== undefined,
  };
}
