/**
 * The albums as this device last saw them. A roster counts only if the album's
 * owner signed it and it takes nothing back of what the trust record remembers
 * (protocol/client-cryptography.md#rosters). An album whose roster does not
 * count is frozen: it shows what it had, with the reason, and takes nothing new.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import {
  type AlbumInfo,
  openAlbum,
} from "../../client/documents/album_keys.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { Roster } from "../../client/documents/roster.ts";
import {
  type AlbumRecord,
  decodeRecord,
  encodeRecord,
} from "./album_record.ts";
import { isOfEverything } from "../base/faults.ts";
import type { People } from "../trust/people.ts";
import { primitivesOf } from "../base/platform.ts";
import {
  ROSTER_FAULTS,
  RosterJudge,
  type VerifiedRoster,
} from "./roster_judge.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import type { Vault } from "../vault/vault.ts";

/** An album as last seen. */
export interface HeldAlbum {
  /** What the server says of it. */
  readonly entry: AlbumEntry;
  readonly read: boolean;
  /** The signed roster, verbatim. */
  readonly bytes: Bytes | undefined;
  readonly roster: Roster | undefined;
  readonly keys: ReadonlyMap<number, Bytes>;
  readonly info: AlbumInfo | undefined;
  /** Why it is frozen, as a text for people. */
  readonly fault: string | undefined;
  /**
   * Members who are out because nothing could be encrypted for them, until they
   * are in again; of an album that is kept.
   */
  readonly leftOut?: readonly string[];
  /**
   * Only while it could not be opened for a reason that may pass, such as no
   * connection: the fault that it has once it is opened.
   */
  readonly unopened?: { readonly fault: string | undefined };
}

/** The albums that this device knows. */
export interface HeldAlbums {
  readonly held: ReadonlyMap<string, HeldAlbum>;
  /** Whether an album is the account's own, whatever a server says. */
  isOwn(albumId: string): boolean;
  /** Whether it is the account's own or the person accepted to be in it. */
  isJoined(albumId: string): boolean;
  /**
   * Opens a roster that this device published, and stores the album with the
   * members whom the roster leaves out.
   */
  take(
    entry: AlbumEntry,
    roster: Bytes,
    read: boolean,
    leftOut: readonly string[],
  ): Promise<void>;
  keep(album: HeldAlbum): Promise<void>;
  drop(albumId: string): Promise<void>;
  /**
   * Opens the albums again that could not be opened for a reason that may have
   * passed; whether one of them was opened.
   */
  reopen(): Promise<boolean>;
  /**
   * Fetches an album's roster if it may have changed; true if it has. An album
   * whose roster does not count is frozen.
   */
  renew(entry: AlbumEntry): Promise<boolean>;
  /**
   * Whether devices of this account saw two rosters of its newest version, of
   * which `bytes` are one.
   */
  isForked(albumId: string, bytes?: Bytes): boolean;
  /** Freezes an album; the text is for people. */
  freeze(albumId: string, fault: string): Promise<void>;
}

/** Reads the albums that are recorded in a store. */
export async function openHeldAlbums(
  vault: Vault,
  people: People,
  store: Store,
  trust: Trust,
): Promise<HeldAlbums> {
  const judge = new RosterJudge(vault, people, trust);
  const albums = new AlbumsHere(vault, store, judge);
  for (const { value } of await store.list("albums")) {
    await albums.openKept(decodeRecord(value));
  }
  return albums;
}

/** An album as it was opened; see {@link HeldAlbum.fault}. */
interface OpenedAlbum {
  readonly album: HeldAlbum;
  /** Absent if nothing of its roster is believed, or it has none. */
  readonly of?: VerifiedRoster;
}

/** The albums as they are held in memory and recorded in a store. */
class AlbumsHere implements HeldAlbums {
  readonly held = new Map<string, HeldAlbum>();
  /** One at a time, however many photos are waited for. */
  #reopening: Promise<boolean> | undefined;

  constructor(
    private readonly vault: Vault,
    private readonly store: Store,
    private readonly judge: RosterJudge,
  ) {}

  isOwn(albumId: string): boolean {
    return this.judge.isOwn(albumId);
  }

  isJoined(albumId: string): boolean {
    return this.judge.isJoined(albumId);
  }

  isForked(albumId: string, bytes?: Bytes): boolean {
    const { amk_epoch, forks = [], roster = "" } =
      this.judge.claimOf(albumId) ?? {};
    if (forks.length === 0 || bytes === undefined) return forks.length > 0;
    return [roster, ...forks].includes(sha256Hex(bytes)) &&
      this.held.get(albumId)?.roster?.amk_epoch === amk_epoch;
  }

  async keep(album: HeldAlbum): Promise<void> {
    const { entry, read, bytes, roster, unopened } = album;
    const out = new Set([
      ...this.held.get(entry.album_id)?.leftOut ?? [],
      ...album.leftOut ?? [],
    ]);
    for (const { member } of roster?.members ?? []) out.delete(member);
    const leftOut = [...out];
    this.held.set(entry.album_id, { ...album, leftOut });
    // Another day it may open.
    const { fault } = unopened ?? album;
    const value = encodeRecord({ entry, read, roster: bytes, fault, leftOut });
    const key = entry.album_id;
    await this.store.write([{ space: "albums", key, value }]);
  }

  async drop(albumId: string): Promise<void> {
    this.held.delete(albumId);
    await this.store.write([{ space: "albums", key: albumId, value: null }]);
  }

  async take(
    entry: AlbumEntry,
    roster: Bytes,
    read: boolean,
    leftOut: readonly string[],
  ): Promise<void> {
    const { album, of } = await this.#opened(entry, roster, read);
    if (of !== undefined && of.fault === undefined) {
      await this.judge.remember(entry.album_id, of);
    }
    await this.keep({ ...album, leftOut });
  }

  async freeze(albumId: string, fault: string): Promise<void> {
    const album = this.held.get(albumId);
    if (album !== undefined) await this.keep(frozenAs(album, fault));
  }

  reopen(): Promise<boolean> {
    return this.#reopening ??= this.#openAgain().finally(() =>
      this.#reopening = undefined
    );
  }

  async renew(entry: AlbumEntry): Promise<boolean> {
    const { album_id: albumId, roster_version: listed } = entry;
    const before = this.held.get(albumId);
    const had = before?.roster?.roster_version ?? 0;
    const claim = this.judge.claimOf(albumId);
    const known = Math.max(had, claim?.roster_version ?? 0);
    if (listed < known) {
      return await this.#frozen(entry, ROSTER_FAULTS.older_version);
    }
    const same = before !== undefined && before.fault === undefined &&
      listed === had && had === known && !this.isForked(albumId);
    if (same) {
      await this.keep({ ...before, entry });
      return false;
    }
    let bytes: Bytes | undefined;
    try {
      const { account } = this.vault.session;
      bytes = listed === 0 ? undefined : await account.roster(albumId);
    } catch (error) {
      if (isOfEverything(error) || !(error instanceof Error)) throw error;
      const gone = error instanceof ApiProblem && error.status === 404;
      const fault = gone ? ROSTER_FAULTS.older_version : error.message;
      return await this.#frozen(entry, fault);
    }
    return await this.#renewTo(entry, bytes, before);
  }

  /** Opens an album as it is recorded; whether it could be. */
  async openKept(
    { entry, roster, read, fault, leftOut }: AlbumRecord,
  ): Promise<boolean> {
    const { album_id: albumId } = entry;
    const before = this.held.get(albumId);
    const { album, mayPass } = await this.#openedOr(entry, roster, read, {
      isOpening: true,
    });
    // A sync has judged it meanwhile.
    if (this.held.get(albumId) !== before) return false;
    this.held.set(albumId, {
      ...album,
      leftOut,
      fault: album.fault ?? fault,
      ...(mayPass ? { unopened: { fault } } : {}),
    });
    return !mayPass;
  }

  async #openAgain(): Promise<boolean> {
    let isOpened = false;
    for (const album of [...this.held.values()]) {
      const { entry, bytes, read, unopened, leftOut = [] } = album;
      if (unopened === undefined) continue;
      const { fault } = unopened;
      const record = { entry, roster: bytes, read, fault, leftOut };
      if (await this.openKept(record)) isOpened = true;
    }
    return isOpened;
  }

  /** Holds an album with the roster that was fetched, if that one counts. */
  async #renewTo(
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    before: HeldAlbum | undefined,
  ): Promise<boolean> {
    const isRead = before?.read ?? false;
    const { album, of } = await this.#openedOr(entry, bytes, isRead);
    if (bytes !== undefined) {
      if (of === undefined || of.fault !== undefined) {
        const fault = album.fault ?? "its roster is not valid";
        return await this.#frozen(entry, fault);
      }
      if (of.seen.version < entry.roster_version) {
        return await this.#frozen(entry, ROSTER_FAULTS.older_version);
      }
      await this.judge.remember(entry.album_id, of);
    }
    const isSame = before !== undefined && before.fault === album.fault &&
      bytes !== undefined && before.bytes !== undefined &&
      equalBytes(before.bytes, bytes);
    await this.keep(album);
    return !isSame;
  }

  /** Who cannot be asked about an album's owner has a fault of that album. */
  async #openedOr(
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    read: boolean,
    { isOpening = false }: { readonly isOpening?: boolean } = {},
  ): Promise<OpenedAlbum & { readonly mayPass: boolean }> {
    try {
      return { ...await this.#opened(entry, bytes, read), mayPass: false };
    } catch (error) {
      const mayPass = isOfEverything(error);
      const isOfOne = isOpening || !mayPass;
      if (!isOfOne || !(error instanceof Error)) throw error;
      const { album } = await this.#opened(entry, undefined, read);
      return { album: { ...album, bytes, fault: error.message }, mayPass };
    }
  }

  /** Verifies an album's roster and opens its keys; the faults are its own. */
  async #opened(
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    read: boolean,
  ): Promise<OpenedAlbum> {
    const { identity, session: { platform, userId } } = this.vault;
    const bare = { entry, read, bytes, info: undefined };
    const none = { ...bare, roster: undefined, keys: new Map() };
    if (bytes === undefined) return { album: { ...none, fault: undefined } };
    try {
      const of = await this.judge.verified(entry.album_id, bytes);
      const { roster } = of;
      const fault = of.fault && ROSTER_FAULTS[of.fault];
      const given = await openAlbum(
        roster,
        userId,
        identity.sealing,
        primitivesOf(platform),
      );
      if (given === undefined) {
        const keys = new Map();
        const closed = fault ?? "it names no key";
        return { album: { ...bare, roster, keys, fault: closed }, of };
      }
      const { keys, info } = given;
      return { album: { ...bare, roster, keys, info, fault }, of };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return { album: { ...none, fault: error.message } };
    }
  }

  /** The album as it was, with a reason; what is shown of it does not count. */
  async #frozen(entry: AlbumEntry, fault: string): Promise<boolean> {
    const before = this.held.get(entry.album_id);
    if (before?.roster !== undefined) {
      await this.keep({ ...before, entry, fault });
      return false;
    }
    if (before?.unopened !== undefined) {
      await this.keep({ ...frozenAs(before, fault), entry });
      return before.fault !== fault;
    }
    const isRead = before?.read ?? false;
    const { album } = await this.#opened(entry, undefined, isRead);
    await this.keep({ ...album, fault });
    return before?.fault !== fault;
  }
}

/** Whether an own album was cut off before its first roster. */
export function isBegun({ entry, bytes }: HeldAlbum): boolean {
  return entry.role === "owner" && entry.roster_version === 0 &&
    bytes === undefined;
}

/** An album with a fault, which it has also once it can be opened. */
function frozenAs(album: HeldAlbum, fault: string): HeldAlbum {
  const { unopened } = album;
  return { ...album, fault, ...(unopened && { unopened: { fault } }) };
}
