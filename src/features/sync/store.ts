/** @module */
import { sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Db } from "../../store/database.ts";

/** A part of the feed: so many entries at most, from above one position. */
export interface Slice {
  readonly after: number;
  /** The last position that it may reach. */
  readonly upTo: number;
  readonly limit: number;
}

function slice(db: Db, { after, upTo, limit }: Slice) {
  return db.selectFrom("feed")
    .select(["sync_seq", "action", "album_id", "asset_id", "chain_head", "at"])
    .where("sync_seq", ">", after)
    .where("sync_seq", "<=", upTo)
    .orderBy("sync_seq")
    // Written out: SQLite prepares a statement anew for a bound LIMIT.
    .limit(sql.lit(limit));
}

/** The newest position that is taken; 0 while none is. */
export async function readLastPosition(db: Db): Promise<number> {
  const { last } = await db.selectFrom("feed")
    .select((select) => select.fn.max("sync_seq").as("last"))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** An account's own entries. */
export function listOwn(db: Db, userId: UserId, from: Slice) {
  return slice(db, from).where("user_id", "=", userId).execute();
}

/** What others did in an account's albums. */
export function listInOwnAlbums(db: Db, ownerId: UserId, from: Slice) {
  return slice(db, from).where("album_owner_id", "=", ownerId).execute();
}

/** The entries of an album, for all who may read it. */
export function listOfAlbum(db: Db, albumId: AlbumId, from: Slice) {
  return slice(db, from)
    .where("album_id", "=", albumId)
    .where("personal", "=", 0)
    .execute();
}

/** The albums whose roster names an account. */
export async function listMemberAlbums(
  db: Db,
  userId: UserId,
): Promise<AlbumId[]> {
  const rows = await db.selectFrom("roster_member")
    .select("album_id")
    .where("member", "=", userId)
    .execute();
  return rows.map(({ album_id }) => album_id);
}

export async function readEpoch(db: Db): Promise<string> {
  const { feed_epoch } = await db.selectFrom("server")
    .select("feed_epoch")
    .executeTakeFirstOrThrow();
  return feed_epoch;
}
