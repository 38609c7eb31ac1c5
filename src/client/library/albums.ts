/**
 * The own albums and those of others that the account is a member of. Rosters
 * are verified against pinned identities, the keys of every epoch are opened,
 * and the server cannot go back to a roster older than this device has seen
 * (protocol/albums.md, protocol/client-cryptography.md#album-key).
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { PROTOCOL_MAX } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { AlbumEntry } from "../account_answers.ts";
import { type AlbumInfo, sealAlbumInfo, sealHistory } from "../album_keys.ts";
import { DocumentError } from "../fields.ts";
import {
  type Roster,
  type RosterMember,
  sealAmk,
  signRoster,
} from "../roster.ts";
import type { AlbumKeys } from "./album_keys.ts";
import { type HeldAlbum, openHeldAlbums } from "./held_albums.ts";
import type { People } from "./people.ts";
import { primitivesOf } from "./platform.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

/** The role of a member in an album. */
export type AlbumRole = RosterMember["role"];

/** An album as this device knows it. */
export interface Album {
  readonly id: string;
  readonly role: AlbumEntry["role"];
  /** The owner's user id. */
  readonly owner: string;
  readonly title: string | undefined;
  readonly info: AlbumInfo | undefined;
  readonly epoch: number;
  /** All members, the owner included. */
  readonly members: readonly {
    readonly userId: string;
    readonly role: AlbumRole;
  }[];
  readonly tombstoned: boolean;
  /** Why it cannot be opened here, as a text for people. */
  readonly fault: string | undefined;
}

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
): Promise<Albums> {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const primitives = primitivesOf(platform);
  const albums = await openHeldAlbums(vault, people, store);
  const { held, take, keep, drop } = albums;

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
    const entry: AlbumEntry = {
      ...held.get(albumId)?.entry ?? newEntry(albumId, platform.now()),
      roster_version: next.version,
      amk_epoch: amkEpoch,
    };
    await take(entry, bytes, held.get(albumId)?.read ?? true);
    return shown(albumId);
  };
  /**
   * Publishes a roster of the same epoch with other members or another title.
   */
  const amend = (
    albumId: string,
    members: ReadonlyMap<string, AlbumRole>,
    info: AlbumInfo | undefined,
  ) => {
    const { roster, amk, keys } = ownAlbum(albumId);
    return publish(albumId, {
      version: roster.roster_version + 1,
      epoch: roster.amk_epoch,
      amk,
      before: withoutEpoch(keys, roster.amk_epoch),
      members,
      info,
    });
  };
  /** Publishes a roster of the next epoch, whose key these members get. */
  const renewKey = (
    albumId: string,
    members: ReadonlyMap<string, AlbumRole>,
  ) => {
    const { roster, keys, info } = ownAlbum(albumId);
    return publish(albumId, {
      version: roster.roster_version + 1,
      epoch: roster.amk_epoch + 1,
      amk: new Uint8Array(platform.random(32)),
      before: keys,
      members,
      info,
    });
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
      const entries = await account.albums();
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
    describe: (albumId, info) =>
      amend(albumId, rolesOf(ownAlbum(albumId).roster), info),
    async invite(albumId, member, role) {
      const { roster, info } = ownAlbum(albumId);
      return await amend(albumId, rolesOf(roster).set(member, role), info);
    },
    async remove(albumId, member) {
      const members = rolesOf(ownAlbum(albumId).roster);
      if (member === userId || !members.delete(member)) {
        throw new DocumentError(`${member} cannot be removed`);
      }
      return await renewKey(albumId, members);
    },
    async shutOutAll(albumId) {
      const members = rolesOf(ownAlbum(albumId).roster);
      const others = [...members.keys()].filter((one) => one !== userId);
      if (others.length === 0) return shown(albumId);
      for (const other of others) members.delete(other);
      return await renewKey(albumId, members);
    },
    async leave(albumId) {
      await account.leaveAlbum(albumId);
      await drop(albumId);
    },
    async end(albumId) {
      await account.endAlbum(albumId);
      await drop(albumId);
    },
  };
}

function rolesOf({ members }: Roster): Map<string, AlbumRole> {
  return new Map(members.map(({ member, role }) => [member, role]));
}

function withoutEpoch(
  keys: ReadonlyMap<number, Bytes>,
  epoch: number,
): ReadonlyMap<number, Bytes> {
  return new Map([...keys].filter(([one]) => one !== epoch));
}

function newEntry(albumId: string, now: number): AlbumEntry {
  return {
    album_id: albumId,
    role: "owner",
    protocol_version: PROTOCOL_MAX,
    roster_version: 0,
    amk_epoch: 0,
    tombstoned: false,
    created_at: toRfc3339(now),
  };
}

function albumOf(
  { entry, roster, info, fault }: HeldAlbum,
  userId: string,
): Album {
  return {
    id: entry.album_id,
    role: entry.role,
    owner: roster?.owner ?? (entry.role === "owner" ? userId : ""),
    title: info?.title,
    info,
    epoch: roster?.amk_epoch ?? entry.amk_epoch,
    members: (roster?.members ?? [])
      .map(({ member, role }) => ({ userId: member, role })),
    tombstoned: entry.tombstoned,
    fault,
  };
}
