/**
 * The albums as this device last saw them. A roster counts only if the album's
 * owner signed it and it takes nothing back of what the trust record remembers
 * (protocol/client-cryptography.md#rosters). An album whose roster does not
 * count is frozen: it shows what it had, with the reason, and takes nothing new.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import {
  type AlbumInfo,
  openAlbum,
} from "../../client/documents/album_keys.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { type Roster, verifyRoster } from "../../client/documents/roster.ts";
import {
  type AlbumRecord,
  decodeRecord,
  encodeRecord,
  unverifiedOwner,
} from "./album_record.ts";
import { isOfEverything } from "../base/faults.ts";
import { entryOf } from "../base/merging.ts";
import type { People } from "../trust/people.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import {
  claimInForce,
  isAccepted,
  judgeRoster,
  type RosterFault,
  type SeenRoster,
  seeRoster,
} from "../trust/trust_rules.ts";
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

/** Why an album is frozen, as texts for people. */
const ROSTER_FAULTS: Readonly<Record<RosterFault, string>> = {
  another_owner: "the server shows another owner than before",
  another_identity: "its owner shows another identity than before",
  older_version: "the server shows an older list of members than before",
  older_epoch: "the server shows an older key than before",
  other_bytes: "the server showed two lists of members of the same number",
};

/** Own ids are looked for this far beyond the last one known. */
const OWN_GAP = 256;

/** Reads the albums that are recorded in a store. */
export async function openHeldAlbums(
  vault: Vault,
  people: People,
  store: Store,
  trust: Trust,
): Promise<HeldAlbums> {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const primitives = primitivesOf(platform);
  const held = new Map<string, HeldAlbum>();
  /** Ids that are derived from the master key, by their number. */
  const derived = new Map<string, number>();
  let due = 0;
  const isDerived = (albumId: string): boolean => {
    for (;;) {
      const number = derived.get(albumId);
      if (number !== undefined) {
        due = Math.max(due, number + 1);
        return true;
      }
      if (derived.size >= due + OWN_GAP) return false;
      derived.set(identity.albumId(derived.size), derived.size);
    }
  };
  const isOwn = (albumId: string): boolean =>
    claimInForce(entryOf(trust.record.albums, albumId))?.own === true ||
    isDerived(albumId);
  /** What is remembered of an album; of an own one, own rosters alone. */
  const claimOf = (albumId: string) => {
    const claim = claimInForce(entryOf(trust.record.albums, albumId));
    return claim?.own !== true && isDerived(albumId) ? undefined : claim;
  };

  const isForked = (albumId: string, bytes?: Bytes): boolean => {
    const { amk_epoch, forks = [], roster = "" } = claimOf(albumId) ?? {};
    if (forks.length === 0 || bytes === undefined) return forks.length > 0;
    return [roster, ...forks].includes(sha256Hex(bytes)) &&
      held.get(albumId)?.roster?.amk_epoch === amk_epoch;
  };

  interface Verified {
    readonly roster: Roster;
    readonly seen: SeenRoster;
    readonly fault: RosterFault | undefined;
  }
  /** Throws a DocumentError for a roster of which nothing is believed. */
  const verified = async (albumId: string, bytes: Bytes): Promise<Verified> => {
    const named = unverifiedOwner(bytes);
    const owner = isOwn(albumId) ? userId : claimOf(albumId)?.owner ?? named;
    if (named !== owner) throw new DocumentError(ROSTER_FAULTS.another_owner);
    const anchor = await people.anchorOf(owner);
    const roster = await verifyRoster(bytes, anchor, platform.hybrid);
    if (roster.album_id !== albumId || roster.owner !== owner) {
      throw new DocumentError("the roster is another album's");
    }
    const seen = {
      owner,
      anchor: keyId(anchor),
      version: roster.roster_version,
      epoch: roster.amk_epoch,
      sha256: sha256Hex(bytes),
    };
    const fault = claimOf(albumId) === undefined
      ? undefined
      : judgeRoster(trust.record, albumId, seen);
    if (fault === "another_owner" || fault === "another_identity") {
      throw new DocumentError(ROSTER_FAULTS[fault]);
    }
    return { roster, seen, fault };
  };
  const opened = async (
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    read: boolean,
  ): Promise<{ readonly album: HeldAlbum; readonly of?: Verified }> => {
    const bare = { entry, read, bytes, info: undefined };
    const none = { ...bare, roster: undefined, keys: new Map() };
    if (bytes === undefined) return { album: { ...none, fault: undefined } };
    try {
      const of = await verified(entry.album_id, bytes);
      const { roster } = of;
      const fault = of.fault && ROSTER_FAULTS[of.fault];
      const given = await openAlbum(
        roster,
        userId,
        identity.sealing,
        primitives,
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
  };
  /** Who cannot be asked about an album's owner has a fault of that album. */
  const openedOr = async (
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    read: boolean,
    { isOpening = false }: { readonly isOpening?: boolean } = {},
  ) => {
    try {
      return { ...await opened(entry, bytes, read), mayPass: false };
    } catch (error) {
      const mayPass = isOfEverything(error);
      const isOfOne = isOpening || !mayPass;
      if (!isOfOne || !(error instanceof Error)) throw error;
      const { album } = await opened(entry, undefined, read);
      return { album: { ...album, bytes, fault: error.message }, mayPass };
    }
  };
  const remember = async (albumId: string, { seen }: Verified) => {
    const own = seen.owner === userId;
    await trust.change((record) =>
      seeRoster(record, albumId, seen, { own, now: platform.now() })
    );
  };
  const keep = async (album: HeldAlbum): Promise<void> => {
    const { entry, read, bytes, roster, unopened } = album;
    const out = new Set([
      ...held.get(entry.album_id)?.leftOut ?? [],
      ...album.leftOut ?? [],
    ]);
    for (const { member } of roster?.members ?? []) out.delete(member);
    const leftOut = [...out];
    held.set(entry.album_id, { ...album, leftOut });
    // Another day it may open.
    const { fault } = unopened ?? album;
    const value = encodeRecord({ entry, read, roster: bytes, fault, leftOut });
    const key = entry.album_id;
    await store.write([{ space: "albums", key, value }]);
  };
  const drop = async (albumId: string): Promise<void> => {
    held.delete(albumId);
    await store.write([{ space: "albums", key: albumId, value: null }]);
  };
  /** Opens an album as it is recorded; whether it could be. */
  const openKept = async (
    { entry, roster, read, fault, leftOut }: AlbumRecord,
  ): Promise<boolean> => {
    const { album_id: albumId } = entry;
    const before = held.get(albumId);
    const { album, mayPass } = await openedOr(entry, roster, read, {
      isOpening: true,
    });
    // A sync has judged it meanwhile.
    if (held.get(albumId) !== before) return false;
    held.set(albumId, {
      ...album,
      leftOut,
      fault: album.fault ?? fault,
      ...(mayPass ? { unopened: { fault } } : {}),
    });
    return !mayPass;
  };
  for (const { value } of await store.list("albums")) {
    await openKept(decodeRecord(value));
  }
  const openAgain = async (): Promise<boolean> => {
    let isOpened = false;
    for (const album of [...held.values()]) {
      const { entry, bytes, read, unopened, leftOut = [] } = album;
      if (unopened === undefined) continue;
      const { fault } = unopened;
      const record = { entry, roster: bytes, read, fault, leftOut };
      if (await openKept(record)) isOpened = true;
    }
    return isOpened;
  };
  /** One at a time, however many photos are waited for. */
  let opening: Promise<boolean> | undefined;

  /** The album as it was, with a reason; what is shown of it does not count. */
  const frozen = async (
    entry: AlbumEntry,
    fault: string,
  ): Promise<boolean> => {
    const before = held.get(entry.album_id);
    if (before?.roster !== undefined) {
      await keep({ ...before, entry, fault });
      return false;
    }
    if (before?.unopened !== undefined) {
      await keep({ ...frozenAs(before, fault), entry });
      return before.fault !== fault;
    }
    const { album } = await opened(entry, undefined, before?.read ?? false);
    await keep({ ...album, fault });
    return before?.fault !== fault;
  };
  const renew = async (entry: AlbumEntry): Promise<boolean> => {
    const { album_id: albumId, roster_version: listed } = entry;
    const before = held.get(albumId);
    const had = before?.roster?.roster_version ?? 0;
    const known = Math.max(had, claimOf(albumId)?.roster_version ?? 0);
    if (listed < known) {
      return await frozen(entry, ROSTER_FAULTS.older_version);
    }
    const same = before !== undefined && before.fault === undefined &&
      listed === had && had === known && !isForked(albumId);
    if (same) {
      await keep({ ...before, entry });
      return false;
    }
    let bytes: Bytes | undefined;
    try {
      bytes = listed === 0 ? undefined : await account.roster(albumId);
    } catch (error) {
      if (isOfEverything(error) || !(error instanceof Error)) throw error;
      const gone = error instanceof ApiProblem && error.status === 404;
      const fault = gone ? ROSTER_FAULTS.older_version : error.message;
      return await frozen(entry, fault);
    }
    const { album, of } = await openedOr(entry, bytes, before?.read ?? false);
    if (bytes !== undefined) {
      if (of === undefined || of.fault !== undefined) {
        return await frozen(entry, album.fault ?? "its roster is not valid");
      }
      if (of.seen.version < listed) {
        return await frozen(entry, ROSTER_FAULTS.older_version);
      }
      await remember(albumId, of);
    }
    const isSame = before !== undefined && before.fault === album.fault &&
      bytes !== undefined && before.bytes !== undefined &&
      equalBytes(before.bytes, bytes);
    await keep(album);
    return !isSame;
  };
  return {
    held,
    isOwn,
    isJoined: (albumId) =>
      isOwn(albumId) || isAccepted(entryOf(trust.record.albums, albumId)),
    keep,
    drop,
    reopen: () => opening ??= openAgain().finally(() => opening = undefined),
    renew,
    isForked,
    async take(entry, roster, read, leftOut) {
      const { album, of } = await opened(entry, roster, read);
      if (of !== undefined && of.fault === undefined) {
        await remember(entry.album_id, of);
      }
      await keep({ ...album, leftOut });
    },
    async freeze(albumId, fault) {
      const album = held.get(albumId);
      if (album !== undefined) await keep(frozenAs(album, fault));
    },
  };
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
