/**
 * The trust record as this device holds it: in the device's store, and mirrored
 * sealed in the account's state slot `trust`. The rules are in
 * `trust_rules.ts`.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/api.ts";
import {
  type Directory,
  verifyDirectory,
} from "../../client/documents/directory.ts";
import { directoryOf, type KnownState, raiseCounter } from "../vault/naming.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { canonicalText } from "../../client/documents/json.ts";
import { StreamError } from "../../client/stream/stream.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { isOfEverything, UnconfirmedState } from "../base/faults.ts";
import { entryOf } from "../base/merging.ts";
import { openHeldSlot } from "../vault/slot.ts";
import type { Store } from "../base/store.ts";
import {
  decodeTrust,
  emptyTrust,
  encodeTrust,
  mergeTrust,
  type NewestReceipt,
  TRUST_SLOT,
  type TrustedServer,
  type TrustRecord,
} from "./trust_record.ts";
import { newestReceipt, seeDirectory, seeReceipt } from "./trust_rules.ts";
import type { SharedState } from "../vault/shared_state.ts";
import {
  beginCopy,
  hidesPhotos,
  knownWrites,
  type LibraryStatus,
  libraryStatusOf,
  otherSlots,
  seeWrites,
  type StateCopy,
  vouchesByHand,
  vouchFor,
  withWrites,
} from "../vault/state_copies.ts";
import {
  confirmDevices,
  handedTrust,
  stateCounter,
  type TrustStatus,
  trustStatusOf,
} from "./trust_status.ts";
import type { Vault } from "../vault/vault.ts";

/** The account's trust record. */
export interface Trust {
  /** What this device knows; makes no request. */
  readonly record: TrustRecord;
  /** Whether this device had a record when the program was started. */
  readonly known: boolean;
  /**
   * What stands in the slot as last read; undefined if nothing stands there.
   */
  readonly shown: TrustRecord | undefined;
  /** Whether the slot was read since the program was started. */
  readonly fresh: boolean;
  /**
   * Changes this device's record. Changes only ever add: what `change` leaves
   * out stays. {@link Trust.settle} tells the other devices.
   */
  change(change: (record: TrustRecord) => TrustRecord): Promise<TrustRecord>;
  /**
   * Merges what the account's other devices wrote. Nothing is merged from a
   * slot that no device of this account wrote.
   */
  read(): Promise<TrustRecord>;
  /**
   * Set where the slot was unreadable since the program was started: the server
   * showed something that no device of this account wrote, or a newer program
   * wrote it.
   */
  readonly damage: TrustDamage | undefined;
  /** The newest receipt that any device of this account is known to have. */
  readonly receipt: NewestReceipt | undefined;
  /** Notes a verified receipt; {@link Trust.settle} keeps it. */
  noteReceipt(receipt: NewestReceipt): void;
  /**
   * Writes what the slot does not have yet. What keeps the slot from being
   * written (no connection, no room, a suspended account) keeps no one from
   * anything: it is written another time.
   */
  settle(): Promise<void>;
  /** How far this device can vouch for what it knows. */
  readonly status: TrustStatus;
  /**
   * How far it can believe the account's state, such as which photos are
   * hidden.
   */
  readonly library: LibraryStatus;
  /**
   * Whether photos that are hidden elsewhere may be visible here: the state is
   * behind, or is unconfirmed and the account has ever hidden a photo.
   */
  readonly mayMissHidden: boolean;
  /**
   * Vouches for the copies of the state that other devices began with, once
   * this one has read the state. {@link Trust.settle} tells them.
   */
  vouch(): Promise<void>;
  /**
   * Looks into the account's own directory for how much its devices knew, where
   * this device cannot know by itself, and confirms devices that came by words.
   */
  attend(): Promise<void>;
  /**
   * Goes on without what other devices knew of other people and of the library,
   * or of one of these, and the server does not have any more; the person
   * decided so.
   */
  goOn(only?: "people" | "library"): Promise<void>;
  /**
   * Publishes the directory, given what this device knows, and makes the record
   * that another device is handed, as JSON.
   */
  handOver(
    publish: (known: KnownState) => Promise<Directory>,
  ): Promise<string>;
  /** The section of the server. */
  readonly server: TrustedServer;
  /** Whether the person opened an origin, or confirmed it once. */
  isPinned(origin: string): boolean;
  /** Notes an origin that the person opened or confirmed. */
  pinOrigin(origin: string, how: "opened" | "confirmed"): Promise<void>;
}

/**
 * What became of an unreadable slot: nothing yet, or this device has stored its
 * own record there again.
 */
export type TrustDamage = "unreadable" | "stored_again";

/**
 * Opens the trust record of a vault's account over this device's store. `state`
 * is the account's state, and `copy` this device's copy of it.
 */
export async function openTrust(
  vault: Vault,
  store: Store,
  { state, copy }: {
    readonly state: SharedState;
    readonly copy: StateCopy;
  },
): Promise<Trust> {
  const { device, platform } = vault.session;
  const slot = await openHeldSlot(vault, store, {
    slot: TRUST_SLOT,
    empty: emptyTrust,
    encode: encodeTrust,
    decode: decodeTrust,
    merge: mergeTrust,
    written: (record) => ({ ...record, writes: record.writes + 1 }),
  }, { space: "pins", key: TRUST_SLOT });
  let damage: TrustDamage | undefined;
  /** Not in the record yet: every upload would rewrite it. */
  let newest = slot.held.server.receipt;
  const receipt = () => newestReceipt(slot.held.server.receipt, newest);
  // One after another, so that no change of this program is lost.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  /**
   * What a write to the slot is worth. The highest receipt and the newest
   * checkpoints change with every upload, the numbers of the state with every
   * change of it, and each device reads the directory by itself: they go along
   * with the next other change.
   */
  const worthOf = (record: TrustRecord): string => {
    const { receipt: _receipt, ...server } = record.server;
    const { directory: _directory, logs, ...rest } = record;
    const { seen: _seen, ...told } = logs ?? {};
    const slots = otherSlots(record);
    return canonicalText({ ...rest, writes: 0, slots, server, logs: told });
  };
  const change = async (
    next: (record: TrustRecord) => TrustRecord,
  ): Promise<TrustRecord> =>
    await inTurn(() => {
      const changed = next(slot.held);
      return changed === slot.held
        ? Promise.resolve(changed)
        : slot.note(() => changed);
    });
  const status = () => trustStatusOf(slot.held, device.device_id);
  const library = () => libraryStatusOf(slot.held, state.held, copy.id);
  const own = { copyId: copy.id, device: device.device_id };
  const noteWrites = async () => {
    const next = seeWrites(slot.held, state.held);
    if (next !== slot.held) {
      await slot.note((record) => seeWrites(record, state.held));
    }
  };
  const noteDirectory = async (directory: Directory) => {
    await change((record) =>
      seeDirectory(record, {
        version: directory.directory_version,
        state_counter: directory.state_counter ?? 0,
      })
    );
  };
  const told = async () => {
    const seen = receipt();
    if (seen !== undefined && seen !== slot.held.server.receipt) {
      await slot.note((record) => seeReceipt(record, seen));
    }
    await noteWrites();
    // Its own writes would make up for those that it does not know.
    if (status() === "behind") return;
    const { held, shown } = slot;
    const before = worthOf(shown ?? emptyTrust());
    const isTold = worthOf(mergeTrust(shown ?? emptyTrust(), held)) === before;
    // A device that no one vouches for yet may know less than was there.
    const overForeign = damage === "unreadable" && status() === "whole";
    if (isTold && !overForeign) return;
    try {
      await slot.change((record) => record, { overForeign });
      if (damage === "unreadable") damage = "stored_again";
    } catch (error) {
      if (!isForLater(error)) throw error;
    }
  };
  /**
   * Has the directory say how much the slots hold by now. That asks no one for
   * a password: a session that is older does it after its next sign-in.
   */
  const arm = async () => {
    const { held, shown } = slot;
    const counter = shown === undefined ? 0 : stateCounter(shown);
    const { version = 0, state_counter = 0 } = held.directory ?? {};
    const isDue = counter > state_counter && status() !== "behind";
    if (!isDue || !vault.session.isRecent()) return;
    try {
      await noteDirectory(await raiseCounter(vault, { version, counter }));
    } catch (error) {
      if (!isForLater(error)) throw error;
    }
  };
  const settle = async () => {
    await inTurn(told);
    await arm();
  };
  // What *old* handed over, and that the keys came by words alone.
  const arrival = vault.session.arrival();
  if (arrival !== undefined && arrival.came !== "first") {
    const { came, trust } = arrival;
    const entry = { came, at: toRfc3339(platform.now()) };
    await change((record) => {
      const merged = mergeTrust(record, handedBy(trust));
      const devices = { ...merged.devices, [device.device_id]: entry };
      return { ...merged, devices };
    });
  }
  if (arrival?.came === "first") {
    const begun_at = toRfc3339(platform.now());
    await change((record) => ({
      ...record,
      logs: { seen: {}, evidence: {}, ...record.logs, begun_at },
    }));
  }
  if (copy.isNew) {
    const isSure = arrival?.came === "first" ||
      (arrival?.came === "enrolled" &&
        vouchesByHand(handedBy(arrival.trust)));
    if (!isSure) {
      await change((record) =>
        beginCopy(record, copy.id, device.device_id, platform.now())
      );
    }
    await copy.keep();
  }
  if (arrival !== undefined) await vault.session.holdArrival(undefined);

  return {
    get record() {
      return slot.held;
    },
    get shown() {
      return slot.shown;
    },
    get fresh() {
      return slot.fresh;
    },
    get server() {
      return slot.held.server;
    },
    get status() {
      return status();
    },
    get library() {
      return library();
    },
    get mayMissHidden() {
      return library() === "behind" ||
        (library() === "unconfirmed" && hidesPhotos(slot.held, state.held));
    },
    async vouch() {
      if (!state.fresh || status() === "behind" || library() !== "whole") {
        return;
      }
      await change((record) =>
        seeWrites(vouchFor(record, own, platform.now()), state.held)
      );
    },
    async attend() {
      if (slot.held.directory === undefined || status() === "behind") {
        try {
          const bytes = await directoryOf(vault.session);
          const { publicKey } = vault.identity.signer;
          if (bytes !== undefined) {
            await noteDirectory(
              await verifyDirectory(
                bytes,
                publicKey,
                vault.session.userId,
                platform.hybrid,
              ),
            );
          }
        } catch (error) {
          // It is asked for again; meanwhile nothing is better known.
          if (isOfEverything(error)) throw error;
        }
      }
      await change((record) =>
        confirmDevices(record, device.device_id, platform.now())
      );
    },
    async goOn(only) {
      if (only !== "library") {
        await change((record) => ({
          ...record,
          writes: Math.max(record.writes, record.directory?.state_counter ?? 0),
        }));
      }
      if (only === "people") return await settle();
      if (library() === "behind") {
        const known = knownWrites(slot.held);
        await state.change((held) => withWrites(held, known, platform.now()));
      }
      await change((record) =>
        vouchFor(record, own, platform.now(), (id) => id === copy.id)
      );
      await settle();
    },
    async handOver(publish) {
      await change((record) => seeWrites(record, state.held, copy.id));
      await settle();
      const { directory } = slot.held;
      await noteDirectory(
        await publish({
          version: directory?.version ?? 0,
          counter: stateCounter(slot.held),
        }),
      );
      return handedTrust(slot.held, copy.id);
    },
    known: slot.known,
    change,
    get damage() {
      return damage;
    },
    get receipt() {
      return receipt();
    },
    noteReceipt(seen) {
      newest = newestReceipt(newest, seen);
    },
    read: () =>
      inTurn(async () => {
        try {
          const record = await slot.read();
          if (damage === "unreadable") damage = undefined;
          return record;
        } catch (error) {
          // What cannot be read costs what it says, and nothing else.
          if (isOfEverything(error)) throw error;
          if (isUnreadable(error)) damage = "unreadable";
          return slot.held;
        }
      }),
    settle,
    isPinned: (origin) => isTrusted(slot.held.server.origins, origin),
    async pinOrigin(origin, how) {
      const { origins } = slot.held.server;
      if (isTrusted(origins, origin)) return;
      const pinned = { how, at: toRfc3339(platform.now()) };
      await change((record) => ({
        ...record,
        server: {
          ...record.server,
          origins: { ...record.server.origins, [origin]: pinned },
        },
      }));
    },
  };
}

/** What {@link mayMissHiddenOnceRead} looks at. */
interface Doubted {
  readonly trust: Pick<Trust, "library" | "mayMissHidden" | "fresh" | "read">;
  readonly state: Pick<SharedState, "fresh" | "read">;
}

/**
 * Whether a list on this device may have photos that are hidden elsewhere.
 * Reads the slots first that were not read since the program was started.
 */
export async function mayMissHiddenOnceRead(
  { trust, state }: Doubted,
): Promise<boolean> {
  if (trust.library === "whole") return false;
  if (!state.fresh) await state.read();
  if (!trust.fresh) await trust.read();
  return trust.mayMissHidden;
}

/**
 * Throws {@link UnconfirmedState} where {@link mayMissHiddenOnceRead} is true.
 */
export async function assertHiddenKnown(doubted: Doubted): Promise<void> {
  if (await mayMissHiddenOnceRead(doubted)) throw new UnconfirmedState();
}

/** Whether an origin is trusted, in a way that this program knows. */
function isTrusted(origins: TrustedServer["origins"], origin: string): boolean {
  const how = entryOf(origins, origin)?.how;
  return how === "opened" || how === "confirmed";
}

/** The record that another device handed over, as far as it can be read. */
function handedBy(trust: string | undefined): TrustRecord {
  try {
    return trust === undefined ? emptyTrust() : decodeTrust(utf8(trust));
  } catch (error) {
    if (error instanceof DocumentError) return emptyTrust();
    throw error;
  }
}

/** Whether it is what the slot holds that is wrong. */
function isUnreadable(error: unknown): boolean {
  return error instanceof StreamError || error instanceof DocumentError;
}

/** Whether the slot cannot be written, or holds what was not written here. */
function isForLater(error: unknown): boolean {
  return error instanceof ApiProblem || error instanceof ConnectionError ||
    isUnreadable(error) || error instanceof RangeError;
}
