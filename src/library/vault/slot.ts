/**
 * A document of the account in a state slot, with this device's copy of it
 * (protocol/client-cryptography.md#state-slots). Copies are merged, never
 * replaced, so a server cannot undo a change with an older blob.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { persist } from "../../client/api/send.ts";
import { openSlot, sealSlot } from "../../client/documents/state.ts";
import { StreamError } from "../../client/stream/stream.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Space, Store } from "../base/store.ts";
import type { Vault } from "./vault.ts";

/** The kind of document that a slot holds. */
interface SlotDocument<T> {
  readonly slot: string;
  readonly empty: () => T;
  readonly encode: (value: T) => Bytes;
  /** Throws a DocumentError. */
  readonly decode: (bytes: Uint8Array) => T;
  /** Both orders give the same; merging again changes nothing. */
  readonly merge: (one: T, other: T) => T;
  /** The value as it is written to the slot. */
  readonly written?: (value: T) => T;
}

/** A document in a slot. */
export interface HeldSlot<T> {
  /** The document as this device last saw it; makes no request. */
  readonly held: T;
  /** Whether it was read or changed since the program was started. */
  readonly fresh: boolean;
  /** Whether this device had a copy when it was opened. */
  readonly known: boolean;
  /** The document in the slot as last seen; undefined if there was none. */
  readonly shown: T | undefined;
  /** Fetches the document from the server; empty if there is none yet. */
  read(): Promise<T>;
  /** Changes this device's copy alone. */
  note(change: (value: T) => T): Promise<T>;
  /**
   * Changes the document. `change` gets the present one, and is called again if
   * another program changed it first. What no device of the account wrote is
   * written over with `overForeign`; otherwise it throws a StreamError.
   */
  change(
    change: (value: T) => T,
    options?: { readonly overForeign?: boolean },
  ): Promise<T>;
}

const MOST_TRIES = 8;

/**
 * Opens the document of a slot; this device's copy has a key of a space of the
 * store.
 */
export async function openHeldSlot<T>(
  { session, identity }: Vault,
  store: Store,
  document: SlotDocument<T>,
  { space, key }: { readonly space: Space; readonly key: string },
): Promise<HeldSlot<T>> {
  const { account, platform } = session;
  const { slot, empty, encode, decode, merge } = document;
  const written = document.written ?? ((value: T) => value);
  const primitives = primitivesOf(platform);
  const slotKey = () => identity.stateKey(slot);
  const first = await store.get(space, key);
  const remembers = remembered(first);
  let held = remembers ?? empty();
  /** The value that this device's store has. */
  let stored = remembers;
  let fresh = false;
  let shown: T | undefined;
  /** This device's copy; it is fetched again if this program cannot read it. */
  function remembered(value: Uint8Array | undefined): T | undefined {
    try {
      return value && decode(value);
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }
  const hold = async (value: T): Promise<T> => {
    held = value;
    // A page of megabytes is read often, and seldom changed by that.
    if (value === stored) return value;
    await store.write([{ space, key, value: encode(value) }]);
    stored = value;
    return value;
  };
  const atServer = async (overForeign = false) => {
    try {
      const { bytes, etag } = await persist(
        account,
        () => account.slot(slot),
        {},
      );
      let plain: Bytes;
      try {
        plain = await openSlot(bytes, slotKey(), primitives);
      } catch (error) {
        if (!overForeign || !(error instanceof StreamError)) throw error;
        shown = undefined;
        return { value: held, etag };
      }
      shown = decode(plain);
      return { value: merge(held, shown), etag };
    } catch (error) {
      const none = error instanceof ApiProblem &&
        error.code === "error.state.not_found";
      if (!none) throw error;
      shown = undefined;
      return { value: held, etag: null };
    }
  };
  return {
    get held() {
      return held;
    },
    get fresh() {
      return fresh;
    },
    get shown() {
      return shown;
    },
    known: first !== undefined,
    async read() {
      const { value } = await atServer();
      fresh = true;
      // Merged again, because this device may have noted something meanwhile.
      return await hold(merge(held, value));
    },
    note: (change) => hold(merge(held, change(held))),
    async change(change, { overForeign = false } = {}) {
      for (let tries = 1;; tries++) {
        const { value, etag } = await atServer(overForeign);
        const next = written(merge(value, change(value)));
        const bytes = await sealSlot(
          encode(next),
          slotKey(),
          platform.random,
          primitives,
        );
        try {
          await account.putSlot(slot, bytes, etag);
        } catch (error) {
          const first = error instanceof ApiProblem &&
            error.code === "error.state.version_conflict";
          if (!first || tries === MOST_TRIES) throw error;
          continue;
        }
        [fresh, shown] = [true, next];
        return await hold(merge(held, next));
      }
    },
  };
}
