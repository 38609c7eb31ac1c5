/**
 * The trust record as this device holds it: in the device's store, and mirrored
 * sealed in the account's state slot `trust`. The rules are in
 * `trust_rules.ts`.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { takingTurns } from "../../core/turns.ts";
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
import { type HeldSlot, openHeldSlot } from "../vault/slot.ts";
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
import type { Arrival } from "../vault/profile.ts";
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

/** The account's state, and this device's copy of it. */
interface StateHere {
  readonly state: SharedState;
  readonly copy: StateCopy;
}

/** Opens the trust record of a vault's account over this device's store. */
export async function openTrust(
  vault: Vault,
  store: Store,
  here: StateHere,
): Promise<Trust> {
  const slot = await openHeldSlot(vault, store, {
    slot: TRUST_SLOT,
    empty: emptyTrust,
    encode: encodeTrust,
    decode: decodeTrust,
    merge: mergeTrust,
    written: (record) => ({ ...record, writes: record.writes + 1 }),
  }, { space: "pins", key: TRUST_SLOT });
  const trust = new AccountTrust(vault, slot, here);
  await trust.arrive();
  return trust;
}

/** The trust record in the store and in the slot, and what changes it. */
class AccountTrust implements Trust {
  #damage: TrustDamage | undefined;
  /** Not in the record yet: every upload would rewrite it. */
  #newest: NewestReceipt | undefined;
  /** One after another, so that no change of this program is lost. */
  readonly #inTurn = takingTurns();

  constructor(
    private readonly vault: Vault,
    private readonly slot: HeldSlot<TrustRecord>,
    private readonly here: StateHere,
  ) {
    this.#newest = slot.held.server.receipt;
  }

  get record(): TrustRecord {
    return this.slot.held;
  }

  get known(): boolean {
    return this.slot.known;
  }

  get shown(): TrustRecord | undefined {
    return this.slot.shown;
  }

  get fresh(): boolean {
    return this.slot.fresh;
  }

  get server(): TrustedServer {
    return this.record.server;
  }

  get damage(): TrustDamage | undefined {
    return this.#damage;
  }

  get receipt(): NewestReceipt | undefined {
    return newestReceipt(this.server.receipt, this.#newest);
  }

  get status(): TrustStatus {
    return trustStatusOf(this.record, this.vault.session.device.device_id);
  }

  get library(): LibraryStatus {
    const { copy, state } = this.here;
    return libraryStatusOf(this.record, state.held, copy.id);
  }

  get mayMissHidden(): boolean {
    const { library } = this;
    return library === "behind" || (library === "unconfirmed" &&
      hidesPhotos(this.record, this.here.state.held));
  }

  /**
   * Takes in how this device came to the account: what *old* handed over, that
   * the keys came by words alone, and that a copy of the state begins here.
   */
  async arrive(): Promise<void> {
    const arrival = this.vault.session.arrival();
    if (arrival !== undefined) await this.#noteArrival(arrival);
    if (this.here.copy.isNew) await this.#beginCopy(arrival);
    if (arrival !== undefined) await this.vault.session.holdArrival(undefined);
  }

  async #noteArrival({ came, trust }: Arrival): Promise<void> {
    const { device, platform } = this.vault.session;
    const at = toRfc3339(platform.now());
    await this.change((record) => {
      if (came === "first") {
        const begun = { seen: {}, evidence: {}, ...record.logs, begun_at: at };
        return { ...record, logs: begun };
      }
      const merged = mergeTrust(record, handedBy(trust));
      const devices = { ...merged.devices, [device.device_id]: { came, at } };
      return { ...merged, devices };
    });
  }

  /** Notes that no device vouches yet for this device's copy of the state. */
  async #beginCopy(arrival: Arrival | undefined): Promise<void> {
    const { copy } = this.here;
    const { device, platform } = this.vault.session;
    const isSure = arrival?.came === "first" ||
      (arrival?.came === "enrolled" && vouchesByHand(handedBy(arrival.trust)));
    if (!isSure) {
      await this.change((record) =>
        beginCopy(record, copy.id, device.device_id, platform.now())
      );
    }
    await copy.keep();
  }

  async change(
    next: (record: TrustRecord) => TrustRecord,
  ): Promise<TrustRecord> {
    return await this.#inTurn(() => {
      const changed = next(this.record);
      return changed === this.record
        ? Promise.resolve(changed)
        : this.slot.note(() => changed);
    });
  }

  async read(): Promise<TrustRecord> {
    return await this.#inTurn(async () => {
      try {
        const record = await this.slot.read();
        if (this.#damage === "unreadable") this.#damage = undefined;
        return record;
      } catch (error) {
        // What cannot be read costs what it says, and nothing else.
        if (isOfEverything(error)) throw error;
        if (isUnreadable(error)) this.#damage = "unreadable";
        return this.record;
      }
    });
  }

  noteReceipt(seen: NewestReceipt): void {
    this.#newest = newestReceipt(this.#newest, seen);
  }

  async settle(): Promise<void> {
    await this.#inTurn(() => this.#tell());
    await this.#arm();
  }

  async vouch(): Promise<void> {
    const { state } = this.here;
    const { now } = this.vault.session.platform;
    const isSure = state.fresh && this.status !== "behind" &&
      this.library === "whole";
    if (!isSure) return;
    await this.change((record) =>
      seeWrites(vouchFor(record, this.#own(), now()), state.held)
    );
  }

  async attend(): Promise<void> {
    const { device, platform } = this.vault.session;
    if (this.record.directory === undefined || this.status === "behind") {
      try {
        await this.#readDirectory();
      } catch (error) {
        // It is asked for again; meanwhile nothing is better known.
        if (isOfEverything(error)) throw error;
      }
    }
    await this.change((record) =>
      confirmDevices(record, device.device_id, platform.now())
    );
  }

  async goOn(only?: "people" | "library"): Promise<void> {
    const { copy, state } = this.here;
    const { now } = this.vault.session.platform;
    if (only !== "library") {
      await this.change((record) => ({
        ...record,
        writes: Math.max(record.writes, record.directory?.state_counter ?? 0),
      }));
    }
    if (only === "people") return await this.settle();
    if (this.library === "behind") {
      const known = knownWrites(this.record);
      await state.change((held) => withWrites(held, known, now()));
    }
    await this.change((record) =>
      vouchFor(record, this.#own(), now(), (id) => id === copy.id)
    );
    await this.settle();
  }

  async handOver(
    publish: (known: KnownState) => Promise<Directory>,
  ): Promise<string> {
    const { copy, state } = this.here;
    await this.change((record) => seeWrites(record, state.held, copy.id));
    await this.settle();
    const version = this.record.directory?.version ?? 0;
    const counter = stateCounter(this.record);
    await this.#noteDirectory(await publish({ version, counter }));
    return handedTrust(this.record, copy.id);
  }

  isPinned(origin: string): boolean {
    return isTrusted(this.server.origins, origin);
  }

  async pinOrigin(origin: string, how: "opened" | "confirmed"): Promise<void> {
    if (this.isPinned(origin)) return;
    const pinned = { how, at: toRfc3339(this.vault.session.platform.now()) };
    await this.change((record) => ({
      ...record,
      server: {
        ...record.server,
        origins: { ...record.server.origins, [origin]: pinned },
      },
    }));
  }

  /** Writes the slot if this device knows more than it says. */
  async #tell(): Promise<void> {
    await this.#noteSeen();
    // Its own writes would make up for those that it does not know.
    if (this.status === "behind") return;
    const { held, shown = emptyTrust() } = this.slot;
    const isTold = worthOf(mergeTrust(shown, held)) === worthOf(shown);
    // A device that no one vouches for yet may know less than was there.
    const overForeign = this.#damage === "unreadable" &&
      this.status === "whole";
    if (isTold && !overForeign) return;
    try {
      await this.slot.change((record) => record, { overForeign });
      if (this.#damage === "unreadable") this.#damage = "stored_again";
    } catch (error) {
      if (!isForLater(error)) throw error;
    }
  }

  /** Puts the newest receipt and the writes of the state into the record. */
  async #noteSeen(): Promise<void> {
    const { slot } = this;
    const { state } = this.here;
    const seen = this.receipt;
    if (seen !== undefined && seen !== slot.held.server.receipt) {
      await slot.note((record) => seeReceipt(record, seen));
    }
    const next = seeWrites(slot.held, state.held);
    if (next !== slot.held) {
      await slot.note((record) => seeWrites(record, state.held));
    }
  }

  /**
   * Has the directory say how much the slots hold by now. That asks no one for
   * a password: a session that is older does it after its next sign-in.
   */
  async #arm(): Promise<void> {
    const { held, shown } = this.slot;
    const counter = shown === undefined ? 0 : stateCounter(shown);
    const { version = 0, state_counter = 0 } = held.directory ?? {};
    const isDue = counter > state_counter && this.status !== "behind";
    if (!isDue || !this.vault.session.isRecent()) return;
    try {
      const known = { version, counter };
      await this.#noteDirectory(await raiseCounter(this.vault, known));
    } catch (error) {
      if (!isForLater(error)) throw error;
    }
  }

  /** Reads and verifies the account's own directory, if there is one. */
  async #readDirectory(): Promise<void> {
    const { session, identity } = this.vault;
    const bytes = await directoryOf(session);
    if (bytes === undefined) return;
    await this.#noteDirectory(
      await verifyDirectory(
        bytes,
        identity.signer.publicKey,
        session.userId,
        session.platform.hybrid,
      ),
    );
  }

  async #noteDirectory(directory: Directory): Promise<void> {
    await this.change((record) =>
      seeDirectory(record, {
        version: directory.directory_version,
        state_counter: directory.state_counter ?? 0,
      })
    );
  }

  #own() {
    const { device } = this.vault.session;
    return { copyId: this.here.copy.id, device: device.device_id };
  }
}

/**
 * What a write to the slot is worth. The highest receipt and the newest
 * checkpoints change with every upload, the numbers of the state with every
 * change of it, and each device reads the directory by itself: they go along
 * with the next other change.
 */
function worthOf(record: TrustRecord): string {
  const { receipt: _receipt, ...server } = record.server;
  const { directory: _directory, logs, ...rest } = record;
  const { seen: _seen, ...told } = logs ?? {};
  const slots = otherSlots(record);
  return canonicalText({ ...rest, writes: 0, slots, server, logs: told });
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
