/**
 * The own albums and those of others that the account is a member of. Rosters
 * are verified against pinned identities, the keys of every epoch are opened,
 * and the server cannot go back to a roster older than this device has seen
 * (protocol/albums.md, protocol/client-cryptography.md#album-key).
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import type { AlbumEntry } from "../account_answers.ts";
import { ApiProblem } from "../api.ts";
import type { FeedEntry } from "../asset_answers.ts";
import { type AlbumInfo, sealAlbumInfo, sealHistory } from "../album_keys.ts";
import { DocumentError } from "../fields.ts";
import { type RosterMember, sealAmk, signRoster } from "../roster.ts";
import type { AlbumKeys } from "./album_keys.ts";
import {
  type Album,
  albumOf,
  type AlbumRole,
  newEntry,
  rolesOf,
  withoutEpoch,
} from "./album_shown.ts";
import { openHeldAlbums } from "./held_albums.ts";
import { isLeft, noteLeft, openLeavers } from "./leavers.ts";
import type { People } from "./people.ts";
import { primitivesOf } from "./platform.ts";
import type { SharedState } from "./shared_state.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

export type { Album, AlbumRole } from "./album_shown.ts";

/** The albums of an account. */
export interface Albums extends AlbumKeys {
  /** The albums known here, without the library; makes no request. */
  list(): readonly Album[];
  get(albumId: string): Album | undefined;
  /**
   * Fetches all albums from the server; returns those that changed and those
   * that are gone.
   */
  refresh(): Promise<AlbumChanges>;
  /** Albums whose feed has not been read from its beginning yet. */
  unread(): readonly string[];
  /** Notes that an album's feed was read. */
  markRead(albumId: string): Promise<void>;
  create(info: AlbumInfo): Promise<Album>;
  /** Changes title, cover, description or names. */
  describe(albumId: string, info: AlbumInfo): Promise<Album>;
  /** Adds a member, or changes a member's role. Throws IdentityChanged. */
  invite(albumId: string, userId: string, role: AlbumRole): Promise<Album>;
  /** Removes a member and makes a new key, which they do not get. */
  remove(albumId: string, userId: string): Promise<Album>;
  /** Removes all members but the owner and makes a new key. */
  shutOutAll(albumId: string): Promise<Album>;
  /** Leaves somebody else's album. */
  leave(albumId: string): Promise<void>;
  /** Looks in entries of the feed for signs that somebody left an album. */
  heard(entries: readonly FeedEntry[], fromStart: boolean): void;
  /**
   * Publishes rosters without the members who left: of the albums given, or of
   * those that the feed told of. Returns the albums that changed.
   */
  dropLeavers(albumIds?: readonly string[]): Promise<readonly string[]>;
  /** Ends an own, empty album for ever. */
  end(albumId: string): Promise<void>;
}

/** The differences that a refresh found. */
export interface AlbumChanges {
  /** Albums with a new or changed roster. */
  readonly changed: readonly string[];
  /** Albums that the account is no longer a member of. */
  readonly gone: readonly string[];
}

/** Album 1 is reserved for data that programs share. */
const FIRST_ALBUM = 2;

/** Opens the albums that are recorded in a store. */
export async function openAlbums(
  vault: Vault,
  people: People,
  store: Store,
  state: SharedState,
): Promise<Albums> {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const primitives = primitivesOf(platform);
  const albums = await openHeldAlbums(vault, people, store);
  const { held, take, keep, drop } = albums;
  const leavers = openLeavers(people, { now: platform.now, own: userId });

  /** An own album with its present key. */
  const ownAlbum = (albumId: string) => {
    const album = held.get(albumId);
    const amk = album?.keys.get(album.roster?.amk_epoch ?? 0);
    if (album?.roster === undefined || amk === undefined) {
      throw new DocumentError(`album ${albumId} does not open here`);
    }
    if (album.entry.role !== "owner") {
      throw new DocumentError(`album ${albumId} is somebody else's`);
    }
    return { ...album, roster: album.roster, amk };
  };
  /** Signs and publishes the next roster of an own album. */
  const publish = async (
    albumId: string,
    next: {
      readonly version: number;
      readonly epoch: number;
      readonly amk: Uint8Array;
      readonly before: ReadonlyMap<number, Uint8Array>;
      readonly members: ReadonlyMap<string, AlbumRole>;
      readonly info: AlbumInfo | undefined;
    },
  ): Promise<Album> => {
    const { epoch: amkEpoch, amk } = next;
    const of = { albumId, amkEpoch };
    const { random } = platform;
    const members: RosterMember[] = [];
    for (const [member, role] of next.members) {
      const key = await people.sealingKeyOf(member);
      const context = { ...of, member };
      const wrapped = sealAmk(amk, key, context, random, primitives);
      members.push({ member, role, wrapped_amk: wrapped });
    }
    const bytes = await signRoster(identity.signer, {
      album_id: albumId,
      owner: userId,
      roster_version: next.version,
      amk_epoch: amkEpoch,
      members,
      ...(amkEpoch === 0 ? {} : {
        sealed_history: sealHistory(amk, of, next.before, random, primitives),
      }),
      ...(next.info === undefined ? {} : {
        sealed_info: sealAlbumInfo(amk, of, next.info, random, primitives),
      }),
      signed_at: toRfc3339(platform.now()),
    });
    await account.publishRoster(albumId, bytes);
    leavers.published(albumId);
    const entry: AlbumEntry = {
      ...held.get(albumId)?.entry ?? newEntry(albumId, platform.now()),
      roster_version: next.version,
      amk_epoch: amkEpoch,
    };
    await take(entry, bytes, held.get(albumId)?.read ?? true);
    return shown(albumId);
  };
  /**
   * Publishes the next roster: of the next epoch if `renew` is set or somebody
   * left, who does not get its key.
   */
  const amend = async (
    albumId: string,
    { renew = false, info, members: change = () => {} }: {
      readonly renew?: boolean;
      readonly info?: AlbumInfo;
      readonly members?: (members: Map<string, AlbumRole>) => void;
    },
  ) => {
    const { roster, amk, keys, info: held } = ownAlbum(albumId);
    const members = rolesOf(roster);
    const gone = await leavers.among(albumId, members.keys());
    for (const member of gone) members.delete(member);
    change(members);
    const renewed = renew || gone.size > 0;
    const epoch = roster.amk_epoch + (renewed ? 1 : 0);
    return await publish(albumId, {
      version: roster.roster_version + 1,
      epoch,
      amk: renewed ? new Uint8Array(platform.random(32)) : amk,
      before: withoutEpoch(keys, epoch),
      members,
      info: info ?? held,
    });
  };
  const dropLeavers = async (albumId: string): Promise<boolean> => {
    const album = held.get(albumId);
    const mine = album?.entry.role === "owner" && !album.entry.tombstoned &&
      album.fault === undefined && album.roster !== undefined;
    if (!mine) return false;
    leavers.forget(albumId);
    try {
      const members = rolesOf(ownAlbum(albumId).roster);
      const gone = await leavers.among(albumId, members.keys());
      if (gone.size === 0) return false;
      await amend(albumId, {});
      return true;
    } catch (error) {
      // Another program came first, or somebody's identity has changed: the
      // next roster that is published leaves them out.
      if (error instanceof ApiProblem || error instanceof DocumentError) {
        return false;
      }
      throw error;
    }
  };
  /** Its owner named the account again without knowing that it left. */
  const leaveAgain = async ({ album_id }: AlbumEntry) => {
    try {
      await account.leaveAlbum(album_id);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
    }
  };
  const shown = (albumId: string): Album => {
    const album = held.get(albumId);
    if (album !== undefined) return albumOf(album, userId);
    throw new DocumentError(`album ${albumId} is not known here`);
  };
  const keysOf = (albumId: string | undefined) => {
    if (albumId === undefined || albumId === vault.libraryAlbumId) {
      return [{ epoch: 0, amk: vault.libraryKey }];
    }
    return [...held.get(albumId)?.keys ?? []]
      .map(([epoch, amk]) => ({ epoch, amk }))
      .sort((a, b) => b.epoch - a.epoch);
  };
  return {
    keysOf: (albumId) => Promise.resolve(keysOf(albumId)),
    newestOf(albumId) {
      const album = albumId === undefined ? undefined : held.get(albumId);
      const [newest] = keysOf(albumId);
      const fault = album?.fault ??
        (newest === undefined ? "it has no key here" : undefined);
      return newest === undefined || fault !== undefined
        ? Promise.reject(new DocumentError(`album ${albumId}: ${fault}`))
        : Promise.resolve(newest);
    },
    list: () =>
      [...held.keys()].filter((id) => id !== vault.libraryAlbumId).map(shown),
    get: (albumId) => held.has(albumId) ? shown(albumId) : undefined,
    async refresh() {
      const entries: AlbumEntry[] = [];
      for (const entry of await account.albums()) {
        if (isLeft(state, entry)) await leaveAgain(entry);
        else entries.push(entry);
      }
      const changed: string[] = [];
      for (const entry of entries) {
        if (entry.album_id === vault.libraryAlbumId) continue;
        if (await albums.renew(entry)) changed.push(entry.album_id);
      }
      const there = new Set(entries.map((entry) => entry.album_id));
      const gone = [...held.keys()].filter((id) => !there.has(id));
      for (const albumId of gone) await drop(albumId);
      return { changed, gone };
    },
    unread: () =>
      [...held].flatMap(([albumId, { read }]) => read ? [] : [albumId]),
    async markRead(albumId) {
      const album = held.get(albumId);
      if (album !== undefined) await keep({ ...album, read: true });
    },
    async create(info) {
      const taken = new Set(
        (await account.albums()).map((entry) => entry.album_id),
      );
      let index = FIRST_ALBUM;
      while (taken.has(identity.albumId(index))) index++;
      const albumId = identity.albumId(index);
      await account.provisionAlbum(albumId);
      return await publish(albumId, {
        version: 1,
        epoch: 0,
        amk: new Uint8Array(platform.random(32)),
        before: new Map(),
        members: new Map([[userId, "contributor"]]),
        info,
      });
    },
    describe: (albumId, info) => amend(albumId, { info }),
    invite: (albumId, member, role) =>
      amend(albumId, { members: (members) => members.set(member, role) }),
    async remove(albumId, member) {
      const { roster } = ownAlbum(albumId);
      if (member === userId || !rolesOf(roster).has(member)) {
        throw new DocumentError(`${member} cannot be removed`);
      }
      return await amend(albumId, {
        renew: true,
        members: (members) => members.delete(member),
      });
    },
    async shutOutAll(albumId) {
      const members = rolesOf(ownAlbum(albumId).roster);
      const others = [...members.keys()].filter((one) => one !== userId);
      if (others.length === 0) return shown(albumId);
      return await amend(albumId, {
        renew: true,
        members: (members) => others.forEach((one) => members.delete(one)),
      });
    },
    async leave(albumId) {
      const entry = held.get(albumId)?.entry;
      await account.leaveAlbum(albumId);
      await drop(albumId);
      if (entry !== undefined) await noteLeft(state, entry, platform.now());
    },
    heard: leavers.heard,
    async dropLeavers(albumIds = leavers.suspected()) {
      const changed: string[] = [];
      for (const albumId of albumIds) {
        if (await dropLeavers(albumId)) changed.push(albumId);
      }
      return changed;
    },
    async end(albumId) {
      await account.endAlbum(albumId);
      await drop(albumId);
    },
  };
}
