/**
 * The account: security, sessions, devices, profile.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** The calls of the group `settings`. */
export function settingsCalls(context: VaultContext) {
  return {
    ready: () => context.library !== undefined,
  };
}
