/**
 * Favourites, hidden and archived photos: an account's marks on photos, its own
 * and others'. They are in the account's state
 * (protocol/client-cryptography.md#state-slots), where one request changes any
 * number of them and no one else sees them. Without a mark in the state, the
 * metadata counts.
 *
 * @module
 */
import { changedAt } from "../../client/documents/state.ts";
import type { Row } from "../rows/rows.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** The marks of a photo. */
export interface Flags {
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly archived?: boolean | undefined;
}

/** The marks of a photo, as they count. */
export type Marks = Readonly<Record<keyof Flags, boolean>>;

/** Whether the timeline shows a photo: neither a hidden nor an archived one. */
export function isInTimeline({ hidden, archived }: Flags): boolean {
  return hidden !== true && archived !== true;
}

/**
 * Whether the archive shows a photo. Albums and searches show it, too; one that
 * is hidden as well is only among the hidden ones.
 */
export function isInArchive({ hidden, archived }: Flags): boolean {
  return archived === true && hidden !== true;
}

/** The flags of an account's photos. */
export interface PhotoFlags {
  /** The flags as this device last saw them; makes no request. */
  of(row: Row): Marks;
  /** Sets the given flags on every one of the photos. */
  change(assetIds: readonly string[], flags: Flags): Promise<void>;
}

/**
 * Opens the flags in an account's state. As long as `isSure` says no, this
 * device may not know that a photo was hidden: then a change undoes nothing but
 * what it knows, unless it hides.
 */
export function openFlags(
  state: SharedState,
  now: () => number,
  isSure: () => boolean = () => true,
): PhotoFlags {
  return {
    of({ id, metadata }) {
      const said = state.held.flags[id];
      return {
        favourite: said?.favourite ?? metadata?.favourite ?? false,
        hidden: said?.hidden ?? metadata?.hidden ?? false,
        archived: said?.archived ?? metadata?.archived ?? false,
      };
    },
    async change(assetIds, flags) {
      const given = Object.fromEntries(
        Object.entries(flags).filter(([, value]) => value !== undefined),
      );
      await state.change((held) => {
        const next = { ...held.flags };
        // Just later than what is known; what is not known stays the newest.
        const then = isSure() || flags.hidden === true ? now() : 0;
        for (const id of assetIds) {
          const at = changedAt(held.flags[id], then);
          next[id] = { ...held.flags[id], ...given, at };
        }
        return { ...held, flags: next };
      });
    },
  };
}
