/**
 * Share links, upload links and the inbox.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `sharing`. */
export function sharingCalls(context: VaultContext) {
  return {
    ready: () => context.library !== undefined,
  };
}
