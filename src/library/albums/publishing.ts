/**
 * Signing and publishing the rosters of own albums.
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { sha256 } from "../../crypto/sha256.ts";
import {
  type AlbumInfo,
  ANCHORS_MAX,
  hasRoomForEpoch,
  sealAlbumInfo,
  sealHistory,
} from "../../client/documents/album_keys.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { isOfEverything } from "../base/faults.ts";
import {
  amkCommitment,
  type Roster,
  type RosterMember,
  sealMember,
  signRoster,
} from "../../client/documents/roster.ts";
import {
  type Album,
  albumOf,
  type AlbumRole,
  newEntry,
  rolesOf,
  withoutEpoch,
} from "./album_shown.ts";
import type { HeldAlbums } from "./held_albums.ts";
import type { Leavers } from "./departed_members.ts";
import { isAbroad } from "../trust/members_abroad.ts";
import { NoCard, type People, Unsealable } from "../trust/people.ts";
import { loaded } from "../base/lazy_loading.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Vault } from "../vault/vault.ts";

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
  /** Whether the next epoch's key can be sealed to all members abroad. */
  const hasCards = async (members: Roster["members"]): Promise<boolean> => {
    for (const { member } of abroadIn({ members })) {
      try {
        await people.sealingKeyOf(member);
      } catch (error) {
        if (isOfEverything(error)) throw error;
        return false;
      }
    }
    return true;
  };
  /**
   * Whether an entry of a member abroad is sealed to another key than the one
   * on their card: their identity was another one, and whoever had that knows
   * this epoch's key.
   */
  const isOfOther = async (
    { member, sealed_to }: RosterMember,
  ): Promise<boolean> => {
    try {
      return !equalBytes(sha256(await people.sealingKeyOf(member)), sealed_to);
    } catch (error) {
      if (error instanceof NoCard) return false;
      throw error;
    }
  };
  const hasOther = async (
    roster: Roster,
    members: ReadonlyMap<string, AlbumRole>,
  ): Promise<boolean> => {
    for (const entry of abroadIn(roster)) {
      if (members.has(entry.member) && await isOfOther(entry)) return true;
    }
    return false;
  };
  /** The identities of those who add, for members who cannot ask about them. */
  const anchorsOf = async (
    members: ReadonlyMap<string, AlbumRole>,
  ): Promise<Record<string, string>> => {
    const anchors: Record<string, string> = {};
    for (const [member, role] of members) {
      if (role !== "contributor" || isAbroad(member)) continue;
      if (Object.keys(anchors).length === ANCHORS_MAX) break;
      anchors[member] = keyId(await people.anchorOf(member));
    }
    return anchors;
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
      /** Those who were found to be without a key already. */
      readonly without?: readonly string[];
    },
  ): Promise<Album> => {
    const { epoch: amkEpoch, amk } = next;
    const of = { albumId, amkEpoch };
    const { random } = platform;
    const before = held.get(albumId)?.roster;
    const members: RosterMember[] = [];
    const without = [...next.without ?? []];
    const cardless: string[] = [];
    // The key of an entry abroad is only on the contact card, which this
    // program may not have. It never changes under one identity.
    const kept = before?.amk_epoch === amkEpoch ? abroadIn(before) : [];
    const copied = new Map<string, RosterMember>();
    for (const one of kept) {
      if (!next.members.has(one.member) || await isOfOther(one)) continue;
      copied.set(one.member, one);
    }
    for (const [member, role] of next.members) {
      const entry = copied.get(member);
      if (entry !== undefined) {
        members.push({ ...entry, role: "viewer" });
        continue;
      }
      try {
        if (isAbroad(member) && role === "contributor") {
          throw new DocumentError(
            `${member} is on another server: they can see the album, and not ` +
              "add to it",
          );
        }
        const key = await people.sealingKeyOf(member);
        const context = { ...of, member, role };
        members.push(
          await sealMember(amk, key, context, random, primitives)
            .catch((cause) => {
              if (isOfEverything(cause)) throw cause;
              throw new Unsealable(member, { cause });
            }),
        );
      } catch (error) {
        // One who was invited just now is refused, others are let go.
        if (error instanceof NoCard) {
          cardless.push(member);
          continue;
        }
        const isIn = before?.members.some((one) => one.member === member);
        if (!isIn || !(error instanceof Unsealable)) throw error;
        without.push(member);
      }
    }
    if (cardless.length > 0) throw new NoCard(cardless);
    if (without.length > (next.without?.length ?? 0)) {
      const keys = withoutEpoch(
        held.get(albumId)?.keys ?? new Map(),
        amkEpoch + 1,
      );
      if (
        before?.amk_epoch === amkEpoch && hasRoomForEpoch(keys) &&
        await hasCards(members)
      ) {
        // They know this key.
        const epoch = amkEpoch + 1;
        return await publish(albumId, {
          ...next,
          epoch,
          amk: new Uint8Array(random(32)),
          before: keys,
          members: new Map(members.map(({ member, role }) => [member, role])),
          without,
        });
      }
    }
    const isShown = members.some(({ member }) => isAbroad(member));
    const info = isShown
      ? { title: "", ...next.info, anchors: await anchorsOf(next.members) }
      : next.info;
    const bytes = await signRoster(identity.signer, {
      album_id: albumId,
      owner: userId,
      roster_version: next.version,
      amk_epoch: amkEpoch,
      amk_commitment: amkCommitment(amk, of, primitives),
      members,
      ...(amkEpoch === 0 ? {} : {
        sealed_history: sealHistory(amk, of, next.before, random, primitives),
      }),
      ...(info === undefined ? {} : {
        sealed_info: sealAlbumInfo(amk, of, info, random, primitives),
      }),
      signed_at: toRfc3339(platform.now()),
    });
    const { notePublishing } = await loaded(import("../vault/published.ts"));
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
    await take(entry, bytes, held.get(albumId)?.read ?? true, without);
    return shownOf(albumId);
  };
  /**
   * Publishes the next roster: of the next epoch if `renew` is set or someone
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
    // Without room for another key they stay on the list, which they cannot
    // read.
    const gone = renew || hasRoomForEpoch(keys) &&
        await hasCards(roster.members)
      ? await leavers.among(albumId, members.keys())
      : new Set<string>();
    for (const member of gone) members.delete(member);
    change(members);
    const renewed = renew || gone.size > 0 || await hasOther(roster, members);
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
  /** Begins a new epoch if a member abroad has another identity by now. */
  const sealAnew = async (albumId: string): Promise<void> => {
    const { roster } = ownAlbum(albumId);
    if (await hasOther(roster, rolesOf(roster))) await amend(albumId, {});
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
      // Another program came first, or someone's identity has changed: the
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
   * are signed by this account, and both have the newest epoch, so no one whom
   * either of them removed is in it. The key is new, because someone may be in
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
      // Another device came first, or someone's identity has changed.
      if (error instanceof ApiProblem || error instanceof DocumentError) {
        return false;
      }
      throw error;
    }
  };
  return { amend, dropLeavers, ownAlbum, publish, sealAnew, supersede };
}

/** The entries of members who are on other servers. */
function abroadIn({ members }: Pick<Roster, "members">): RosterMember[] {
  return members.filter(({ member }) => isAbroad(member));
}
