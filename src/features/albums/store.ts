/** @module */
import type { Insertable } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { Schema } from "../../store/schema.ts";

/** Inserts an album; false when its id is taken. */
export async function insertAlbum(
  tx: Tx,
  album: Insertable<Schema["album"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("album")
    .values(album)
    .onConflict((conflict) => conflict.column("album_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export function findAlbum(db: Db, albumId: AlbumId) {
  return db.selectFrom("album")
    .select(["owner_id", "protocol_version", "tombstoned_at"])
    .where("album_id", "=", albumId)
    .executeTakeFirst();
}

export function listOwnAlbums(db: Db, userId: UserId) {
  return db.selectFrom("album")
    .select([
      "album_id",
      "protocol_version",
      "roster_version",
      "amk_epoch",
      "tombstoned_at",
      "successor_id",
      "created_at",
    ])
    .where("owner_id", "=", userId)
    .orderBy("created_at")
    .orderBy("album_id")
    .execute();
}
