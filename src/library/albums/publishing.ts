/**
 * Signing and publishing the rosters of own albums.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
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

/** What the next roster of an album says. */
interface NextRoster {
  readonly version: number;
  readonly epoch: number;
  readonly amk: Uint8Array;
  /** The keys of the epochs before. */
  readonly before: ReadonlyMap<number, Uint8Array>;
  readonly members: ReadonlyMap<string, AlbumRole>;
  readonly info: AlbumInfo | undefined;
  /** Those who were found to be without a key already. */
  readonly without?: readonly string[];
}

/** An album, and its newest roster before the next one. */
interface Renewing {
  readonly albumId: string;
  readonly before: Roster | undefined;
}

/** The entries of a roster, and the members who get none. */
interface SealedMembers {
  readonly members: readonly RosterMember[];
  readonly without: readonly string[];
}

/** Publishes rosters of own albums. */
export class Publishing {
  constructor(
    private readonly vault: Vault,
    private readonly people: People,
    private readonly albums: HeldAlbums,
    private readonly leavers: Leavers,
  ) {}

  /** An own album with its present key. */
  ownAlbum(albumId: string) {
    const album = this.albums.held.get(albumId);
    const amk = album?.keys.get(album.roster?.amk_epoch ?? 0);
    if (album?.roster === undefined || amk === undefined) {
      throw new DocumentError(`album ${albumId} does not open here`);
    }
    if (!this.albums.isOwn(albumId)) {
      throw new DocumentError(`album ${albumId} belongs to someone else`);
    }
    if (album.fault !== undefined) {
      throw new DocumentError(`album ${albumId}: ${album.fault}`);
    }
    return { ...album, roster: album.roster, amk };
  }

  /**
   * Signs and publishes the next roster of an own album
   * (protocol/client-cryptography.md#rosters). Throws NoCard for members of
   * other servers whose card this program does not have, and Unsealable for one
   * who was not in the album before.
   */
  async publish(albumId: string, next: NextRoster): Promise<Album> {
    const before = this.albums.held.get(albumId)?.roster;
    const of = { albumId, before };
    const { members, without } = await this.#sealedFor(of, next);
    if (without.length > (next.without?.length ?? 0)) {
      const renewed = await this.#withNewKey(of, next, members);
      if (renewed !== undefined) {
        return await this.publish(albumId, { ...renewed, without });
      }
    }
    const bytes = await this.#signed(albumId, next, members);
    await this.#send(albumId, bytes);
    return await this.#take(albumId, next, bytes, without);
  }

  /**
   * Publishes the next roster: of the next epoch if `renew` is set or someone
   * left, who does not get its key.
   */
  async amend(
    albumId: string,
    { renew = false, info, members: change = () => {} }: {
      readonly renew?: boolean;
      readonly info?: AlbumInfo;
      readonly members?: (members: Map<string, AlbumRole>) => void;
    },
  ): Promise<Album> {
    const { roster, amk, keys, info: held } = this.ownAlbum(albumId);
    const members = rolesOf(roster);
    // Without room for another key they stay on the list, which they cannot
    // read.
    const gone = renew || hasRoomForEpoch(keys) &&
        await this.#hasCards(roster.members)
      ? await this.leavers.among(albumId, members.keys())
      : new Set<string>();
    for (const member of gone) members.delete(member);
    change(members);
    const renewed = renew || gone.size > 0 ||
      await this.#hasOther(roster, members);
    const epoch = roster.amk_epoch + (renewed ? 1 : 0);
    return await this.publish(albumId, {
      version: roster.roster_version + 1,
      epoch,
      amk: renewed ? this.#newKey() : amk,
      before: withoutEpoch(keys, epoch),
      members,
      info: info ?? held,
    });
  }

  /** Begins a new epoch if a member abroad has another identity by now. */
  async sealAnew(albumId: string): Promise<void> {
    const { roster } = this.ownAlbum(albumId);
    if (await this.#hasOther(roster, rolesOf(roster))) {
      await this.amend(albumId, {});
    }
  }

  /** Publishes an own album's roster without those who left, if any did. */
  async dropLeavers(albumId: string): Promise<boolean> {
    const album = this.albums.held.get(albumId);
    const mine = album !== undefined && this.albums.isOwn(albumId) &&
      !album.entry.tombstoned &&
      album.fault === undefined && album.roster !== undefined;
    if (!mine) return false;
    this.leavers.forget(albumId);
    return await unlessOvertaken(async () => {
      const members = rolesOf(this.ownAlbum(albumId).roster);
      const gone = await this.leavers.among(albumId, members.keys());
      if (gone.size === 0) return false;
      await this.amend(albumId, {});
      return true;
    });
  }

  /**
   * Ends a fork: where devices of this account saw two rosters of the newest
   * version, publishes the next one from the roster that this device has. Both
   * are signed by this account, and both have the newest epoch, so no one whom
   * either of them removed is in it. The key is new, because someone may be in
   * the other one alone.
   */
  async supersede(albumId: string): Promise<boolean> {
    const { albums } = this;
    const { entry, bytes, keys, roster, info } = albums.held.get(albumId) ?? {};
    const isReady = entry?.tombstoned === false && albums.isOwn(albumId) &&
      bytes !== undefined && roster !== undefined &&
      albums.isForked(albumId, bytes);
    if (!isReady || keys === undefined) return false;
    const epoch = roster.amk_epoch + 1;
    return await unlessOvertaken(async () => {
      await this.publish(albumId, {
        version: roster.roster_version + 1,
        epoch,
        amk: this.#newKey(),
        before: withoutEpoch(keys, epoch),
        members: rolesOf(roster),
        info,
      });
      return true;
    });
  }

  /**
   * The entries of the next roster, the key sealed for each. Members of before
   * for whom it cannot be sealed get none. Throws as
   * {@link Publishing.publish}.
   */
  async #sealedFor(
    { albumId, before }: Renewing,
    { epoch, amk, members: roles, without: found = [] }: NextRoster,
  ): Promise<SealedMembers> {
    const members: RosterMember[] = [];
    const without = [...found];
    const cardless: string[] = [];
    const copied = before?.amk_epoch === epoch
      ? await this.#copied(before, roles)
      : new Map<string, RosterMember>();
    for (const [member, role] of roles) {
      const entry = copied.get(member);
      if (entry !== undefined) {
        members.push({ ...entry, role: "viewer" });
        continue;
      }
      try {
        const context = { albumId, amkEpoch: epoch, member, role };
        members.push(await this.#sealed(amk, context));
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
    return { members, without };
  }

  /**
   * Entries abroad of the roster before, which stay as they are. The key of one
   * is only on the contact card, which this program may not have. It never
   * changes under one identity.
   */
  async #copied(
    before: Roster,
    roles: ReadonlyMap<string, AlbumRole>,
  ): Promise<ReadonlyMap<string, RosterMember>> {
    const copied = new Map<string, RosterMember>();
    for (const one of abroadIn(before)) {
      if (!roles.has(one.member) || await this.#isOfOther(one)) continue;
      copied.set(one.member, one);
    }
    return copied;
  }

  /** The entry of one member. Throws NoCard and Unsealable. */
  async #sealed(
    amk: Uint8Array,
    context: {
      readonly albumId: string;
      readonly amkEpoch: number;
      readonly member: string;
      readonly role: AlbumRole;
    },
  ): Promise<RosterMember> {
    const { member, role } = context;
    if (isAbroad(member) && role === "contributor") {
      throw new DocumentError(
        `${member} is on another server: they can see the album, and not ` +
          "add to it",
      );
    }
    const { platform } = this.vault.session;
    const key = await this.people.sealingKeyOf(member);
    return await sealMember(
      amk,
      key,
      context,
      platform.random,
      primitivesOf(platform),
    ).catch((cause) => {
      if (isOfEverything(cause)) throw cause;
      throw new Unsealable(member, { cause });
    });
  }

  /**
   * The same roster with a new key, for those who stay: members who are let go
   * know the present one. Undefined where it is new already, or cannot be
   * renewed.
   */
  async #withNewKey(
    { albumId, before }: Renewing,
    next: NextRoster,
    members: readonly RosterMember[],
  ): Promise<NextRoster | undefined> {
    const epoch = next.epoch + 1;
    const held = this.albums.held.get(albumId)?.keys;
    const keys = withoutEpoch(held ?? new Map(), epoch);
    const isPossible = before?.amk_epoch === next.epoch &&
      hasRoomForEpoch(keys) && await this.#hasCards(members);
    if (!isPossible) return undefined;
    return {
      ...next,
      epoch,
      amk: this.#newKey(),
      before: keys,
      members: new Map(members.map(({ member, role }) => [member, role])),
    };
  }

  /** Signs a roster, with the album's history and what it says of itself. */
  async #signed(
    albumId: string,
    next: NextRoster,
    members: readonly RosterMember[],
  ): Promise<Bytes> {
    const { identity, session: { platform, userId } } = this.vault;
    const { random } = platform;
    const { epoch: amkEpoch, amk } = next;
    const primitives = primitivesOf(platform);
    const of = { albumId, amkEpoch };
    const isShown = members.some(({ member }) => isAbroad(member));
    const info = isShown
      ? {
        title: "",
        ...next.info,
        anchors: await this.#anchorsOf(next.members),
      }
      : next.info;
    return await signRoster(identity.signer, {
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
  }

  /** Notes that this account published a roster, and sends it. */
  async #send(albumId: string, bytes: Bytes): Promise<void> {
    const { account } = this.vault.session;
    const { notePublishing } = await loaded(import("../vault/published.ts"));
    await notePublishing(this.vault, "roster", bytes);
    await this.leavers.publishes(
      albumId,
      () => account.publishRoster(albumId, bytes),
    );
  }

  /** Holds an album as it was published. */
  async #take(
    albumId: string,
    { version, epoch }: NextRoster,
    bytes: Bytes,
    without: readonly string[],
  ): Promise<Album> {
    const { platform, userId } = this.vault.session;
    const { held } = this.albums;
    const entry: AlbumEntry = {
      ...held.get(albumId)?.entry ?? newEntry(albumId, platform.now()),
      roster_version: version,
      amk_epoch: epoch,
    };
    const isRead = held.get(albumId)?.read ?? true;
    await this.albums.take(entry, bytes, isRead, without);
    const album = held.get(albumId);
    if (album !== undefined) return albumOf(album, { userId, own: true });
    throw new DocumentError(`album ${albumId} is not known here`);
  }

  /** Whether the next epoch's key can be sealed to all members abroad. */
  async #hasCards(members: Roster["members"]): Promise<boolean> {
    for (const { member } of abroadIn({ members })) {
      try {
        await this.people.sealingKeyOf(member);
      } catch (error) {
        if (isOfEverything(error)) throw error;
        return false;
      }
    }
    return true;
  }

  async #hasOther(
    roster: Roster,
    members: ReadonlyMap<string, AlbumRole>,
  ): Promise<boolean> {
    for (const entry of abroadIn(roster)) {
      if (members.has(entry.member) && await this.#isOfOther(entry)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether an entry of a member abroad is sealed to another key than the one
   * on their card: their identity was another one, and whoever had that knows
   * this epoch's key.
   */
  async #isOfOther({ member, sealed_to }: RosterMember): Promise<boolean> {
    try {
      const key = await this.people.sealingKeyOf(member);
      return !equalBytes(sha256(key), sealed_to);
    } catch (error) {
      if (error instanceof NoCard) return false;
      throw error;
    }
  }

  /** The identities of those who add, for members who cannot ask about them. */
  async #anchorsOf(
    members: ReadonlyMap<string, AlbumRole>,
  ): Promise<Record<string, string>> {
    const anchors: Record<string, string> = {};
    for (const [member, role] of members) {
      if (role !== "contributor" || isAbroad(member)) continue;
      if (Object.keys(anchors).length === ANCHORS_MAX) break;
      anchors[member] = keyId(await this.people.anchorOf(member));
    }
    return anchors;
  }

  #newKey(): Uint8Array {
    return new Uint8Array(this.vault.session.platform.random(32));
  }
}

/**
 * False where another program came first, or someone's identity has changed: the
 * next roster that is published sees to it.
 */
async function unlessOvertaken(
  publish: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await publish();
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof DocumentError) {
      return false;
    }
    throw error;
  }
}

/** The entries of members who are on other servers. */
function abroadIn({ members }: Pick<Roster, "members">): RosterMember[] {
  return members.filter(({ member }) => isAbroad(member));
}
