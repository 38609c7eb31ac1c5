/**
 * Favourites and what is hidden: what an account thinks of photos, its own and
 * others'. They lie in its state (protocol/client-cryptography.md#state-slots),
 * where any number of them is one request and nobody else sees them; what the
 * metadata says counts where the state says nothing.
 *
 * @module
 */
import { changedAt } from "../state.ts";
import type { Row } from "./rows.ts";
import type { SharedState } from "./shared_state.ts";

/** What may be thought of a photo. */
export interface Flags {
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
}

/** The flags of an account's photos. */
export interface PhotoFlags {
  /** As this device saw them last; no request is made. */
  of(row: Row): { readonly favourite: boolean; readonly hidden: boolean };
  /** Changes those that are given, of every one of the photos. */
  change(assetIds: readonly string[], flags: Flags): Promise<void>;
}

/** The flags in an account's state. */
export function openFlags(state: SharedState, now: () => number): PhotoFlags {
  return {
    of({ id, metadata }) {
      const said = state.held.flags[id];
      return {
        favourite: said?.favourite ?? metadata?.favourite ?? false,
        hidden: said?.hidden ?? metadata?.hidden ?? false,
      };
    },
    async change(assetIds, flags) {
      const given = Object.fromEntries(
        Object.entries(flags).filter(([, value]) => value !== undefined),
      );
      await state.change((held) => {
        const next = { ...held.flags };
        for (const id of assetIds) {
          const at = changedAt(held.flags[id], now());
          next[id] = { ...held.flags[id], ...given, at };
        }
        return { ...held, flags: next };
      });
    },
  };
}
