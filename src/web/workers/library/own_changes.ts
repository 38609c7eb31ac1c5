/**
 * The changes that this device sends by itself, of the library that is open.
 *
 * @module
 */
import { sleep } from "../../browser.ts";
import type { VaultContext } from "../vault/context.ts";
import { type PerLibrary, perLibrary } from "../vault/per_library.ts";
import { openOwnChanges, type OwnChanges } from "./unsent_changes.ts";

const opened = new WeakMap<VaultContext, PerLibrary<OwnChanges>>();

/** Those of the library that is open. */
export function ownChanges(context: VaultContext): Promise<OwnChanges> {
  let held = opened.get(context);
  if (held === undefined) {
    held = perLibrary((library) => {
      const { signal } = context.closing;
      return openOwnChanges({
        library,
        signal,
        now: context.platform.now,
        pause: (ms) => sleep(ms, signal),
        tellUnsent: (count) => context.tell("unsent", { count }),
        tellTakenBack: (fault) => context.tell("takenBack", fault),
        changed: () => context.changed(),
      });
    });
    opened.set(context, held);
  }
  return held.of(context.opened());
}
