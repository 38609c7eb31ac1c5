/**
 * The own albums and those of others that the account is a member of. Rosters
 * are verified against pinned identities, the keys of every epoch are opened,
 * and the server cannot go back to a roster older than this device has seen
 * (protocol/albums.md, protocol/client-cryptography.md#album-key).
 *
 * @module
 */
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import type { Account } from "../../client/api/api.ts";
import type { FeedEntry } from "../../client/api/asset_calls.ts";
import type { AlbumInfo } from "../../client/documents/album_keys.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { AlbumKeys } from "../rows/album_keys.ts";
import { type Album, albumOf, type AlbumRole, rolesOf } from "./album_shown.ts";
import { type FormerAlbums, openFormerAlbums } from "./former_albums.ts";
import { type HeldAlbums, isBegun, openHeldAlbums } from "./held_albums.ts";
import {
  isLeft,
  leaveAgain,
  type Leavers,
  noteLeft,
  openLeavers,
} from "./departed_members.ts";
import { entryOf } from "../base/merging.ts";
import { loaded } from "../lazy_functions.ts";
import type { Publishing } from "./publishing.ts";
import type { AbroadSlot } from "../trust/abroad_state.ts";
import { revokeGrants } from "../trust/members_abroad.ts";
import type { People } from "../trust/people.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import { claimInForce, consentTo } from "../trust/trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

export type { Album, AlbumRole } from "./album_shown.ts";

/** The albums of an account. */
export interface Albums extends AlbumKeys {
  /**
   * The own albums and those that the person accepted, without the library;
   * makes no request.
   */
  list(): readonly Album[];
  get(albumId: string): Album | undefined;
  /**
   * The owner by the verified rosters, even of an album that the account is no
   * longer in; undefined if none was ever seen.
   */
  ownerOf(albumId: string): string | undefined;
  /**
   * Albums that others put the person on and that they have not accepted, but
   * those of people whom they blocked. Nothing of them is fetched or shown.
   */
  invitations(): readonly Album[];
  /** Whether an album is known here and not accepted. */
  isInvitation(albumId: string): boolean;
  /** Accepts an invitation; the next sync fetches its photos. */
  accept(albumId: string): Promise<void>;
  /**
   * Fetches all albums from the server; returns those that changed and those
   * that are gone. `answer` is the server's answer if it was asked already.
   */
  refresh(answer?: Promise<readonly AlbumEntry[]>): Promise<AlbumChanges>;
  /**
   * Opens the albums again that could not be opened for a reason that may have
   * passed, such as no connection; whether one of them was opened. Keys are
   * looked for in this way, too.
   */
  reopen(): Promise<boolean>;
  /** Whether an album is frozen, so that the server has to be asked again. */
  isDoubtful(): boolean;
  /** Albums whose feed has not been read from its beginning yet. */
  unread(): readonly string[];
  /** Notes that an album's feed was read. */
  markRead(albumId: string): Promise<void>;
  create(info: AlbumInfo): Promise<Album>;
  /** Changes title, cover, description or names. */
  describe(albumId: string, info: AlbumInfo): Promise<Album>;
  /**
   * Whether someone may have put an asset of an epoch into an album: they have
   * to be owner or contributor now. While the album is read for the first time,
   * earlier epochs may have had other contributors.
   */
  mayAdd(albumId: string, userId: string, epoch: number): boolean;
  /** Adds a member, or changes a member's role. Throws IdentityChanged. */
  invite(albumId: string, userId: string, role: AlbumRole): Promise<Album>;
  /**
   * Removes members and makes a new key, which they do not get. Throws NoCard
   * while others stay for whom it cannot be encrypted.
   */
  remove(albumId: string, ...members: readonly string[]): Promise<Album>;
  /** Removes all members but the owner and makes a new key. */
  shutOutAll(albumId: string): Promise<Album>;
  /**
   * Makes a new key for an own album if it is sealed to a member of another
   * server who has another identity by now.
   */
  sealAnew(albumId: string): Promise<void>;
  /** Leaves someone else's album, or declines the invitation to it. */
  leave(albumId: string): Promise<void>;
  /** Looks in entries of the feed for signs that someone left an album. */
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

const ownAlbums = () => loaded(import("./own_albums.ts"));

/** Opens the albums that are recorded in a store. */
export async function openAlbums(
  vault: Vault,
  people: People,
  store: Store,
  state: SharedState,
  trust: Trust,
  abroad: () => Promise<AbroadSlot>,
): Promise<Albums> {
  const { session } = vault;
  const { account, platform, userId } = session;
  const albums = await openHeldAlbums(vault, people, store, trust);
  const { held } = albums;
  const isOwn = (albumId: string) => albums.isOwn(albumId);
  const isJoined = (albumId: string) => albums.isJoined(albumId);
  const former = await openFormerAlbums(store, albums, state);
  const { drop } = former;
  const leavers = openLeavers(people, { now: platform.now, own: userId });

  let opening: Promise<Publishing> | undefined;
  /** Most visits publish no roster. */
  const publishing = () =>
    opening ??= loaded(import("./publishing.ts")).then(
      ({ Publishing }) => new Publishing(vault, people, albums, leavers),
      (error) => {
        opening = undefined;
        throw error;
      },
    );

  const shown = (albumId: string): Album => {
    const album = held.get(albumId);
    if (album !== undefined) {
      return albumOf(album, { userId, own: isOwn(albumId) });
    }
    throw new DocumentError(`album ${albumId} is not known here`);
  };
  const isInvitation = (albumId: string) =>
    held.has(albumId) && albumId !== vault.libraryAlbumId && !isJoined(albumId);
  /** Notes what the person decided about an album, for all devices. */
  const consents = async (albumId: string, consent: boolean) => {
    await trust.change((record) =>
      consentTo(record, albumId, consent, platform.now())
    );
    await trust.settle();
  };
  return {
    ...keysIn(vault, albums, former),
    reopen: () => albums.reopen(),
    list: () =>
      [...held].filter(([id, one]) =>
        id !== vault.libraryAlbumId && isJoined(id) && !isBegun(one)
      ).map(([id]) => shown(id)),
    get: (albumId) =>
      held.has(albumId) && isJoined(albumId) ? shown(albumId) : undefined,
    ownerOf: (albumId) =>
      claimInForce(entryOf(trust.record.albums, albumId))?.owner,
    invitations: () =>
      [...held.keys()].filter(isInvitation).map(shown).filter(
        ({ fault, owner, tombstoned }) =>
          fault === undefined && !tombstoned && !people.isBlocked(owner),
      ),
    isInvitation,
    async accept(albumId) {
      const album = held.get(albumId);
      if (album?.roster === undefined || album.fault !== undefined) {
        throw new DocumentError(`there is no invitation to album ${albumId}`);
      }
      // Its feed is read from the beginning, whatever was heard meanwhile.
      await albums.keep({ ...album, read: false });
      await consents(albumId, true);
    },
    async refresh(answer = account.albums()) {
      const own = { trust, leavers };
      const entries = await entriesOf({ account, state }, answer, isOwn);
      const changed: string[] = [];
      for (const entry of entries) {
        if (entry.album_id === vault.libraryAlbumId) continue;
        if (await albums.renew(entry)) changed.push(entry.album_id);
      }
      const there = new Set(entries.map((entry) => entry.album_id));
      const away = [...held.keys()].filter((id) => !there.has(id));
      const gone = away.filter((id) => !isOwn(id));
      for (const albumId of gone) await drop(albumId);
      for (const albumId of away.filter(isOwn)) {
        await albums.freeze(albumId, "the server no longer shows it");
      }
      changed.push(...await publishDue(vault, albums, own, publishing));
      return { changed, gone };
    },
    isDoubtful: () =>
      [...held].some(([id, { fault }]) =>
        fault !== undefined || albums.isForked(id)
      ),
    unread: () =>
      [...held].flatMap(([albumId, { read }]) =>
        read || !isJoined(albumId) ? [] : [albumId]
      ),
    async markRead(albumId) {
      const album = held.get(albumId);
      if (album !== undefined) await albums.keep({ ...album, read: true });
    },
    async create(info) {
      const { provisionNext } = await ownAlbums();
      const albumId = await provisionNext(vault, [
        ...[...held].flatMap(([id, one]) => isBegun(one) ? [] : [id]),
        ...Object.keys(trust.record.albums),
      ]);
      return await (await publishing()).publish(albumId, {
        version: 1,
        epoch: 0,
        amk: new Uint8Array(platform.random(32)),
        before: new Map(),
        members: new Map([[userId, "contributor"]]),
        info,
      });
    },
    describe: async (albumId, info) =>
      await (await publishing()).amend(albumId, { info }),
    mayAdd(albumId, author, epoch) {
      const { roster, read } = held.get(albumId) ?? {};
      if (author === userId || author === roster?.owner) return true;
      if (roster === undefined) return false;
      const role = rolesOf(roster).get(author);
      if (role !== undefined) return role === "contributor";
      return read !== true && epoch < roster.amk_epoch;
    },
    async invite(albumId, member, role) {
      return await (await publishing()).amend(albumId, {
        members: (members) => members.set(member, role),
      });
    },
    async remove(albumId, ...removed) {
      const rosters = await publishing();
      const { roster } = rosters.ownAlbum(albumId);
      for (const member of removed) {
        if (member === userId || !rolesOf(roster).has(member)) {
          throw new DocumentError(`${member} cannot be removed`);
        }
      }
      await revokeGrants(vault, abroad, albumId, removed);
      return await rosters.amend(albumId, {
        renew: true,
        members: (members) => removed.forEach((one) => members.delete(one)),
      });
    },
    async shutOutAll(albumId) {
      const rosters = await publishing();
      const members = rolesOf(rosters.ownAlbum(albumId).roster);
      const others = [...members.keys()].filter((one) => one !== userId);
      if (others.length === 0) return shown(albumId);
      await revokeGrants(vault, abroad, albumId, others);
      return await rosters.amend(albumId, {
        renew: true,
        members: (members) => others.forEach((one) => members.delete(one)),
      });
    },
    sealAnew: async (albumId) => await (await publishing()).sealAnew(albumId),
    async leave(albumId) {
      const entry = held.get(albumId)?.entry;
      await account.leaveAlbum(albumId);
      await drop(albumId);
      await consents(albumId, false);
      if (entry !== undefined) await noteLeft(state, entry, platform.now());
    },
    heard: leavers.heard,
    async dropLeavers(albumIds = leavers.suspected()) {
      const changed: string[] = [];
      for (const albumId of albumIds) {
        const rosters = await publishing();
        if (await rosters.dropLeavers(albumId)) changed.push(albumId);
      }
      return changed;
    },
    async end(albumId) {
      await account.endAlbum(albumId);
      await drop(albumId);
    },
  };
}

/** Finds the keys of albums, the newest first; {@link Albums} has them. */
function keysIn(
  vault: Vault,
  albums: HeldAlbums,
  former: FormerAlbums,
): AlbumKeys {
  const { held } = albums;
  const keysOf = (albumId: string | undefined) => {
    if (albumId === undefined || albumId === vault.libraryAlbumId) {
      return [{ epoch: 0, amk: vault.libraryKey }];
    }
    const joined = albums.isJoined(albumId)
      ? held.get(albumId)?.keys
      : undefined;
    const keys = joined ?? former.keysOf(albumId);
    return [...keys]
      .map(([epoch, amk]) => ({ epoch, amk }))
      .sort((a, b) => b.epoch - a.epoch);
  };
  /** The album as it is held, opened if it can be by now. */
  const openedOf = async (albumId: string | undefined) => {
    if (albumId === undefined) return undefined;
    const isUnopened = held.get(albumId)?.unopened !== undefined;
    if (isUnopened) await albums.reopen();
    return held.get(albumId);
  };
  return {
    async keysOf(albumId) {
      await openedOf(albumId);
      return keysOf(albumId);
    },
    async newestOf(albumId) {
      const album = await openedOf(albumId);
      const [newest] = keysOf(albumId);
      const isIn = albumId === undefined || albumId === vault.libraryAlbumId ||
        (album !== undefined && albums.isJoined(albumId));
      const fault = album?.fault ??
        (newest === undefined || !isIn ? "it has no key here" : undefined);
      if (newest === undefined || fault !== undefined) {
        throw new DocumentError(`album ${albumId}: ${fault}`);
      }
      return newest;
    },
  };
}

/** The albums that a server lists, without those that the account left. */
async function entriesOf(
  { account, state }: {
    readonly account: Pick<Account, "leaveAlbum">;
    readonly state: SharedState;
  },
  answer: Promise<readonly AlbumEntry[]>,
  isOwn: (albumId: string) => boolean,
): Promise<readonly AlbumEntry[]> {
  const entries: AlbumEntry[] = [];
  for (const entry of await answer) {
    const own = isOwn(entry.album_id);
    if (!own && isLeft(state, entry)) await leaveAgain(account, entry);
    else entries.push(entry);
  }
  return entries;
}

/**
 * Publishes rosters of own albums where the server shows two of one number, or
 * lost one; returns the albums that changed.
 */
async function publishDue(
  vault: Vault,
  albums: HeldAlbums,
  own: { readonly trust: Trust; readonly leavers: Leavers },
  publishing: () => Promise<Publishing>,
): Promise<readonly string[]> {
  const changed: string[] = [];
  const ids = [...albums.held.keys()].filter((id) => albums.isOwn(id));
  for (const albumId of ids) {
    if (albums.isForked(albumId)) {
      const rosters = await publishing();
      if (await rosters.supersede(albumId)) changed.push(albumId);
      continue;
    }
    const { publishAgain } = await ownAlbums();
    if (!await publishAgain(vault, albums, own, albumId)) continue;
    changed.push(albumId);
  }
  return changed;
}
