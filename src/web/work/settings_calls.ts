/**
 * The account: security, sessions, devices, profile.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";
import { sealBrowser } from "./phrases.ts";

/** The calls of the group `settings`. */
export function settingsCalls(context: VaultContext) {
  return {
    /** Seals what this browser keeps under a phrase, or no longer under one. */
    async sealBrowser(phrase: string | undefined) {
      await sealBrowser(context, phrase);
      context.tell("standing", await context.standing());
    },
  };
}
