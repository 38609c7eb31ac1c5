/**
 * What an account's programs share and no other place holds: collections, flags,
 * names of links, settings (protocol/client-cryptography.md#state-slots).
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

/** The account's state, at the server. */
export interface SharedState {
  /** As this device saw it last; no request is made. */
  readonly held: LibraryState;
  /** Whether it was read or changed since the program started. */
  readonly fresh: boolean;
  /** As it stands at the server; empty where there is none yet. */
  read(): Promise<LibraryState>;
  /**
   * Changes it: `change` is given what stands now, and again where another
   * program was first. Entries that both changed are merged, the newest wins.
   */
  change(
    change: (state: LibraryState) => LibraryState,
  ): Promise<LibraryState>;
}

const MOST_TRIES = 8;
/** Where a device keeps what it saw, in the space `index`. */
const HELD = "state";

/** The state of a vault's account, and what a store remembers of it. */
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
      // What this device saw, a server that shows an older one cannot undo.
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

/** What does not read, of an older program or a newer one, is asked for again. */
function remembered(value: Uint8Array | undefined): LibraryState {
  try {
    return value === undefined ? emptyState() : decodeState(value);
  } catch (error) {
    if (error instanceof DocumentError) return emptyState();
    throw error;
  }
}
