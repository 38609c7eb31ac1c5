import { type Insertable, sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** Inserts an album; false when its id is taken, or was a deleted account's. */
export async function insertAlbum(
  tx: Tx,
  album: Insertable<Schema["album"]>,
): Promise<boolean> {
  if (await isGoneAlbum(tx, album.album_id)) return false;
  const { numInsertedOrUpdatedRows } = await tx.insertInto("album")
    .values(album)
    .onConflict((conflict) => conflict.column("album_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Whether an id was that of a deleted account's album: no account may use it.
 */
export async function isGoneAlbum(db: Db, albumId: AlbumId): Promise<boolean> {
  const row = await db.selectFrom("gone_album")
    .select("album_id")
    .where("album_id", "=", albumId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The albums that an account owns. */
export async function countAlbums(db: Db, ownerId: UserId): Promise<number> {
  const { count } = await db.selectFrom("album")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export function findAlbum(db: Db, albumId: AlbumId) {
  return db.selectFrom("album")
    .select(["owner_id", "protocol_version"])
    .where("album_id", "=", albumId)
    .executeTakeFirst();
}

/** An album with an account's role on its roster and its live ceremony. */
export const findAlbumFor = compiledOnce(
  (db, userId: UserId, now: number, albumId: AlbumId) =>
    db.selectFrom("album")
      .leftJoin("roster_member", (join) =>
        join.onRef("roster_member.album_id", "=", "album.album_id")
          // A member of this server is named by the bare user id.
          .on(sql<string>`roster_member.member`, "=", userId))
      .leftJoin("upgrade", (join) =>
        join.onRef("upgrade.album_id", "=", "album.album_id")
          .on("upgrade.state", "=", sql.lit("live"))
          .on("upgrade.expires_at", ">", now))
      .select([
        "album.owner_id",
        "album.protocol_version",
        "album.roster_version",
        "album.amk_epoch",
        "album.tombstoned_at",
        "roster_member.role",
        "upgrade.expires_at",
      ])
      .where("album.album_id", "=", albumId),
);

/** The albums of an account and those whose roster names it, oldest first. */
export function listAlbumsOf(db: Db, userId: UserId) {
  return db.selectFrom("album")
    .leftJoin(
      "roster_member",
      (join) =>
        join.onRef("roster_member.album_id", "=", "album.album_id")
          .on(sql<string>`roster_member.member`, "=", userId),
    )
    .select([
      "album.album_id",
      "album.owner_id",
      "roster_member.role",
      "album.protocol_version",
      "album.roster_version",
      "album.amk_epoch",
      "album.tombstoned_at",
      "album.successor_id",
      "album.created_at",
    ])
    .where((where) =>
      where.or([
        where("album.owner_id", "=", userId),
        where(
          "album.album_id",
          "in",
          db.selectFrom("roster_member").select("album_id")
            .where("member", "=", userId),
        ),
      ])
    )
    .orderBy("album.created_at")
    .orderBy("album.album_id")
    .execute();
}
