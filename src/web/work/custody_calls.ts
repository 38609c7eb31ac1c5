/**
 * What is proven of what the server keeps; the trash.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `custody`. */
export function custodyCalls(context: VaultContext) {
  return {
    ready: () => context.library !== undefined,
  };
}
