/**
 * Signing and publishing the rosters of own albums.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import { type AlbumInfo, sealAlbumInfo, sealHistory } from "../album_keys.ts";
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import { type RosterMember, sealAmk, signRoster } from "../roster.ts";
import {
  type Album,
  albumOf,
  type AlbumRole,
  newEntry,
  rolesOf,
  withoutEpoch,
} from "./album_shown.ts";
import type { HeldAlbums } from "./held_albums.ts";
import type { Leavers } from "./leavers.ts";
import type { People } from "./people.ts";
import { loaded } from "./lazy_loading.ts";
import { primitivesOf } from "./platform.ts";
import type { Vault } from "./vault.ts";

/** What publishes the rosters of own albums. */
/** The functions of {@link openPublishing}. */
export type Publishing = ReturnType<typeof openPublishing>;

export function openPublishing(
  vault: Vault,
  people: People,
  { held, isOwn, isForked, take }: HeldAlbums,
  leavers: Leavers,
) {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const primitives = primitivesOf(platform);
  const shownOf = (albumId: string): Album => {
    const album = held.get(albumId);
    if (album !== undefined) return albumOf(album, { userId, own: true });
    throw new DocumentError(`album ${albumId} is not known here`);
  };

  /** An own album with its present key. */
  const ownAlbum = (albumId: string) => {
    const album = held.get(albumId);
    const amk = album?.keys.get(album.roster?.amk_epoch ?? 0);
    if (album?.roster === undefined || amk === undefined) {
      throw new DocumentError(`album ${albumId} does not open here`);
    }
    if (!isOwn(albumId)) {
      throw new DocumentError(`album ${albumId} is somebody else's`);
    }
    if (album.fault !== undefined) {
      throw new DocumentError(`album ${albumId}: ${album.fault}`);
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
      const wrapped = await sealAmk(amk, key, context, random, primitives);
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
    const { notePublishing } = await loaded(import("./published.ts"));
    await notePublishing(vault, "roster", bytes);
    await leavers.publishes(
      albumId,
      () => account.publishRoster(albumId, bytes),
    );
    const entry: AlbumEntry = {
      ...held.get(albumId)?.entry ?? newEntry(albumId, platform.now()),
      roster_version: next.version,
      amk_epoch: amkEpoch,
    };
    await take(entry, bytes, held.get(albumId)?.read ?? true);
    return shownOf(albumId);
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
    const mine = album !== undefined && isOwn(albumId) &&
      !album.entry.tombstoned &&
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
  /**
   * Ends a fork: where devices of this account saw two rosters of the newest
   * version, publishes the next one from the roster that this device has. Both
   * are signed by this account, and both have the newest epoch, so nobody whom
   * either of them removed is in it. The key is new, because somebody may be in
   * the other one alone.
   */
  const supersede = async (albumId: string): Promise<boolean> => {
    const { entry, bytes, keys, roster, info } = held.get(albumId) ?? {};
    const isReady = entry?.tombstoned === false && isOwn(albumId) &&
      bytes !== undefined && roster !== undefined && isForked(albumId, bytes);
    if (!isReady || keys === undefined) return false;
    const epoch = roster.amk_epoch + 1;
    try {
      await publish(albumId, {
        version: roster.roster_version + 1,
        epoch,
        amk: new Uint8Array(platform.random(32)),
        before: withoutEpoch(keys, epoch),
        members: rolesOf(roster),
        info,
      });
      return true;
    } catch (error) {
      // Another device came first, or somebody's identity has changed.
      if (error instanceof ApiProblem || error instanceof DocumentError) {
        return false;
      }
      throw error;
    }
  };
  return { amend, dropLeavers, ownAlbum, publish, supersede };
}
