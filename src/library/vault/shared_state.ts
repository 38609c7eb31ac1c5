/**
 * The state that an account's programs share and that is stored nowhere else:
 * collections, flags, names of links, settings
 * (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import {
  decodeState,
  emptyState,
  encodeState,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import { openHeldSlot } from "./slot.ts";
import { withWrite } from "./state_copies.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "./vault.ts";

/** Begins the settings with rules of albums, by the ids of albums. */
export const FILL_RULE = "fill-album/";
/**
 * Begins those that say what was taken out of such an album by hand:
 * `<album_id>/<photo>`.
 */
export const TAKEN_OUT = "fill-out/";

/** Begins the settings of albums that the timeline shows, by their ids. */
export const IN_TIMELINE = "timeline-album/";

/**
 * Merges two states. What was taken out of an album goes with the album's rule:
 * the slot has room for no more than what is needed.
 */
function merged(one: LibraryState, other: LibraryState): LibraryState {
  const state = mergeStates(one, other);
  const { settings } = state;
  const isOver = (name: string) => {
    const [albumId] = name.slice(TAKEN_OUT.length).split("/");
    const rule = settings[`${FILL_RULE}${albumId}`];
    return rule !== undefined &&
      (rule.removed === true || (rule.value ?? null) === null);
  };
  const kept = Object.entries(settings)
    .filter(([name]) => !name.startsWith(TAKEN_OUT) || !isOver(name));
  return { ...state, settings: Object.fromEntries(kept) };
}

/** The account's state at the server. */
export interface SharedState {
  /** The state as this device last saw it; makes no request. */
  readonly held: LibraryState;
  /** Whether it was read or changed since the program was started. */
  readonly fresh: boolean;
  /** Fetches the state from the server; empty if there is none yet. */
  read(): Promise<LibraryState>;
  /**
   * Changes the state. `change` gets the present state, and is called again if
   * another program changed it first. Of entries that both changed, the newest
   * wins.
   */
  change(
    change: (state: LibraryState) => LibraryState,
  ): Promise<LibraryState>;
  /** Changes this device's copy alone; the next {@link change} sends it along. */
  note(change: (state: LibraryState) => LibraryState): Promise<LibraryState>;
  /** The state at the server as last read; undefined if there was none. */
  readonly shown: LibraryState | undefined;
  /** Whether this device had a copy when it was opened. */
  readonly known: boolean;
}

/**
 * Opens the state of a vault's account, with this device's copy of it in a
 * store. The writes of the copy are counted in the state.
 */
export async function openSharedState(
  vault: Vault,
  store: Store,
  copyId: string,
): Promise<SharedState> {
  const { platform } = vault.session;
  return await openHeldSlot(vault, store, {
    slot: LIBRARY_SLOT,
    empty: emptyState,
    encode: encodeState,
    decode: decodeState,
    merge: merged,
    written: (state) => withWrite(state, copyId, platform.now()),
  }, { space: "index", key: "state" });
}
