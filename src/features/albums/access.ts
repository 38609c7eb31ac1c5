/**
 * Who may do what in an album (protocol/albums.md#access): its owner, and those
 * whom its roster names.
 *
 * @module
 */
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { ProtocolDate } from "../../core/protocol.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Call, CallBy } from "../call.ts";
import { findAlbumFor } from "./store.ts";

export type AlbumRole = "owner" | "contributor" | "viewer";

/** An album as one account sees it. */
export interface AlbumView {
  readonly ownerId: UserId;
  readonly role: AlbumRole;
  readonly protocolVersion: ProtocolDate;
  readonly rosterVersion: number;
  readonly amkEpoch: number;
  readonly tombstoned: boolean;
  /** The live upgrade ceremony; undefined in normal operation. */
  readonly quiescence: { readonly endsAt: number } | undefined;
}

/** The album, for its owner and those on its roster; undefined for others. */
export async function viewAlbum(
  db: Db,
  userId: UserId,
  albumId: AlbumId,
  now: number,
): Promise<AlbumView | undefined> {
  const album = await findAlbumFor(db, userId, now, albumId);
  if (album === undefined) return undefined;
  const role = album.owner_id === userId ? "owner" : album.role;
  if (role === null) return undefined;
  const { expires_at: endsAt } = album;
  return {
    ownerId: album.owner_id,
    role,
    protocolVersion: album.protocol_version,
    rosterVersion: album.roster_version,
    amkEpoch: album.amk_epoch,
    tombstoned: album.tombstoned_at !== null,
    quiescence: endsAt === null ? undefined : { endsAt },
  };
}

/** The album; one that the caller is not named in is one that is not there. */
export async function requireAlbum(
  { now, raise }: Call<"error.album.not_found">,
  db: Db,
  userId: UserId,
  albumId: AlbumId,
): Promise<AlbumView> {
  const album = await viewAlbum(db, userId, albumId, now);
  if (album === undefined) throw raise("error.album.not_found");
  return album;
}

/** The album, for its owner alone. */
export async function requireOwnAlbum(
  call: CallBy<
    "session",
    "error.album.not_found" | "error.album.role_forbidden"
  >,
  db: Db,
  albumId: AlbumId,
): Promise<AlbumView> {
  const { caller: { userId }, raise } = call;
  const album = await requireAlbum(call, db, userId, albumId);
  if (album.role !== "owner") throw raise("error.album.role_forbidden");
  return album;
}

/** Refuses viewers, and everybody where the album is tombstoned. */
export function assertWritable(
  call: Call<"error.album.role_forbidden" | "error.album.tombstoned">,
  album: Pick<AlbumView, "role" | "tombstoned">,
): void {
  if (album.role === "viewer") throw call.raise("error.album.role_forbidden");
  assertLives(call, album);
}

/** Refuses writes to a tombstoned album. */
export function assertLives(
  { raise }: Call<"error.album.tombstoned">,
  album: Pick<AlbumView, "tombstoned">,
): void {
  if (album.tombstoned) throw raise("error.album.tombstoned");
}
