/**
 * The state that an account's programs share and that is stored nowhere else:
 * collections, flags, names of links, settings
 * (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import { persist } from "../send.ts";
import {
  decodeState,
  emptyState,
  encodeState,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
  openState,
  sealState,
} from "../state.ts";
import { primitivesOf } from "./platform.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

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
}

const MOST_TRIES = 8;
/** The key of this device's copy, in the space `index`. */
const HELD = "state";

/**
 * Opens the state of a vault's account, with this device's copy of it in a
 * store.
 */
export async function openSharedState(
  { session, identity }: Vault,
  store: Store,
): Promise<SharedState> {
  const { account, platform } = session;
  const primitives = primitivesOf(platform);
  const key = () => identity.stateKey(LIBRARY_SLOT);
  let held = remembered(await store.get("index", HELD));
  let fresh = false;
  const hold = async (state: LibraryState): Promise<LibraryState> => {
    [held, fresh] = [state, true];
    const value = encodeState(state);
    await store.write([{ space: "index", key: HELD, value }]);
    return state;
  };
  const atServer = async () => {
    try {
      const value = await persist(
        account,
        () => account.slot(LIBRARY_SLOT),
        {},
      );
      const shown = await openState(value.bytes, key(), primitives);
      // Merged with this device's copy, so that a server cannot undo changes
      // with an older state.
      return { state: mergeStates(held, shown), etag: value.etag };
    } catch (error) {
      const none = error instanceof ApiProblem &&
        error.code === "error.state.not_found";
      if (!none) throw error;
      return { state: held, etag: null };
    }
  };
  return {
    get held() {
      return held;
    },
    get fresh() {
      return fresh;
    },
    read: async () => await hold((await atServer()).state),
    async change(change) {
      for (let tries = 1;; tries++) {
        const { state, etag } = await atServer();
        const next = mergeStates(state, change(state));
        const bytes = await sealState(
          next,
          key(),
          platform.random,
          primitives,
        );
        try {
          await account.putSlot(LIBRARY_SLOT, bytes, etag);
          return await hold(next);
        } catch (error) {
          const first = error instanceof ApiProblem &&
            error.code === "error.state.version_conflict";
          if (!first || tries === MOST_TRIES) throw error;
        }
      }
    },
  };
}

/**
 * This device's copy; empty, until it is fetched again, if this program cannot
 * read it.
 */
function remembered(value: Uint8Array | undefined): LibraryState {
  try {
    return value === undefined ? emptyState() : decodeState(value);
  } catch (error) {
    if (error instanceof DocumentError) return emptyState();
    throw error;
  }
}
