/**
 * Taking files in: the queue of what is being sent.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `intake`. */
export function intakeCalls(context: VaultContext) {
  return {
    ready: () => context.library !== undefined,
  };
}
