/**
 * An album as a program shows it, made from its record and its roster.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { PROTOCOL_MAX } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { AlbumEntry } from "../../wire/answers/albums.ts";
import type { AlbumInfo } from "../../client/documents/album_keys.ts";
import type { Roster, RosterMember } from "../../client/documents/roster.ts";
import { isAbroad } from "../trust/members_abroad.ts";
import type { HeldAlbum } from "./held_albums.ts";

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
  /**
   * Former members of an own album for whom nothing could be encrypted when
   * this device published its roster, until they are in it again.
   */
  readonly leftOut: readonly string[];
  readonly tombstoned: boolean;
  /** Why it cannot be opened here, as a text for people. */
  readonly fault: string | undefined;
  /** Whether that is for a reason that may pass, such as no connection. */
  readonly isUnopened: boolean;
}

/**
 * The members of a roster with their roles, in its order. Members of other
 * servers are viewers, whatever the roster says.
 */
export function rolesOf({ members }: Roster): Map<string, AlbumRole> {
  return new Map(
    members.map(({ member, role }) => [
      member,
      isAbroad(member) ? "viewer" : role,
    ]),
  );
}

/** The keys without that of one epoch. */
export function withoutEpoch(
  keys: ReadonlyMap<number, Bytes>,
  epoch: number,
): ReadonlyMap<number, Bytes> {
  return new Map([...keys].filter(([one]) => one !== epoch));
}

/** The entry of an own album that was just made. */
export function newEntry(albumId: string, now: number): AlbumEntry {
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

/**
 * An album as it is shown to the account `userId`. Its role is that of the
 * verified roster, not what the server says.
 */
export function albumOf(
  { entry, roster, info, fault, unopened, leftOut = [] }: HeldAlbum,
  { userId, own }: { readonly userId: string; readonly own: boolean },
): Album {
  const roles = roster === undefined ? undefined : rolesOf(roster);
  return {
    id: entry.album_id,
    role: own ? "owner" : roles?.get(userId) ?? "viewer",
    owner: roster?.owner ?? (own ? userId : ""),
    title: info?.title,
    info,
    epoch: roster?.amk_epoch ?? entry.amk_epoch,
    members: [...roles ?? []].map(([userId, role]) => ({ userId, role })),
    leftOut,
    tombstoned: entry.tombstoned,
    fault,
    isUnopened: unopened !== undefined && unopened.fault === undefined,
  };
}

/** Whether hearts and comments are shown in an album. */
export function takesRemarks(album: Album | undefined): boolean {
  return album !== undefined && !album.tombstoned &&
    album.fault === undefined && album.info?.remarks !== false;
}
