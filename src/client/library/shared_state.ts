/**
 * What an account's programs share and no other place holds: collections, flags,
 * names of links, settings (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import { persist } from "../send.ts";
import {
  emptyState,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
  openState,
  sealState,
} from "../state.ts";
import { primitivesOf } from "./platform.ts";
import type { Vault } from "./vault.ts";

/** The account's state, at the server. */
export interface SharedState {
  /** As it stands; empty where there is none yet. */
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

/** The state of a vault's account. */
export function openSharedState({ session, identity }: Vault): SharedState {
  const { account, platform } = session;
  const primitives = primitivesOf(platform);
  const key = () => identity.stateKey(LIBRARY_SLOT);
  const held = async () => {
    try {
      const value = await persist(
        account,
        () => account.slot(LIBRARY_SLOT),
        {},
      );
      const state = await openState(value.bytes, key(), primitives);
      return { state, etag: value.etag };
    } catch (error) {
      const none = error instanceof ApiProblem &&
        error.code === "error.state.not_found";
      if (!none) throw error;
      return { state: emptyState(), etag: null };
    }
  };
  return {
    read: async () => (await held()).state,
    async change(change) {
      for (let tries = 1;; tries++) {
        const { state, etag } = await held();
        const next = mergeStates(state, change(state));
        const bytes = await sealState(
          next,
          key(),
          platform.random,
          primitives,
        );
        try {
          await account.putSlot(LIBRARY_SLOT, bytes, etag);
          return next;
        } catch (error) {
          const first = error instanceof ApiProblem &&
            error.code === "error.state.version_conflict";
          if (!first || tries === MOST_TRIES) throw error;
        }
      }
    },
  };
}
