import { sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { endGrants } from "./closing_store.ts";

/** Rows of an album that are taken out of it at once. */
const AT_ONCE = 500;
const LIMIT = sql.lit(AT_ONCE);

/** An album of an account; undefined when none is left. */
export async function findOwnAlbum(
  db: Db,
  ownerId: UserId,
): Promise<AlbumId | undefined> {
  const row = await db.selectFrom("album")
    .select("album_id")
    .where("owner_id", "=", ownerId)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row?.album_id;
}

/**
 * Takes a batch of assets out of an album; false when more are left. The assets
 * and their owners stay the same. An asset that the album's owner had moved to
 * the trash can be restored by its own owner, and by no one else.
 */
export async function takeAssetsOut(
  tx: Tx,
  albumId: AlbumId,
  ownerId: UserId,
  now: number,
): Promise<boolean> {
  const { rows } = await sql<{ owner_id: UserId }>`update asset
    set album_id = null, deleted_by = case deleted_by
      when ${ownerId} then owner_id else deleted_by end
    where asset_id in (
      select asset_id from asset where album_id = ${albumId} limit ${LIMIT})
    returning owner_id`.execute(tx);
  // The roster's members are told at the end. Who was removed from it before
  // is told now: an entry makes a client look at what it has there.
  const owners = new Set(rows.map(({ owner_id }) => owner_id));
  owners.delete(ownerId);
  await sql`insert into feed (user_id, action, album_id, personal, at)
    select value, 'roster', ${albumId}, 1, ${now}
    from json_each(${JSON.stringify([...owners])})
    where value not in (
      select member from roster_member where album_id = ${albumId})`
    .execute(tx);
  return rows.length < AT_ONCE;
}

/** Open upload sessions of an album, of all accounts, a batch of them. */
export function listOpenUploads(tx: Tx, albumId: AlbumId) {
  return tx.selectFrom("upload")
    .select(["upload_id", "user_id", "size", "state", "heals"])
    .where("album_id", "=", albumId)
    .where("state", "=", "open")
    .limit(LIMIT)
    .execute();
}

/** Takes a batch of finalized sessions out of an album; false: more are left. */
export async function takeUploadsOut(
  tx: Tx,
  albumId: AlbumId,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update upload set album_id = null
    where upload_id in (
      select upload_id from upload
      where album_id = ${albumId} and state = 'finalized' limit ${LIMIT})`
    .execute(tx);
  return Number(numAffectedRows ?? 0n) < AT_ONCE;
}

/** What goes with an album and belongs to nothing else. */
const PARTS = [
  "upgrade",
  "upgrade_file",
  "roster",
  "roster_member",
  "album",
] as const;

/**
 * Deletes an empty album. Its members are told in the same way as members who
 * are removed from a roster. The id is never used again, and the tokens for it
 * are listed as revoked.
 */
export async function deleteAlbum(
  tx: Tx,
  albumId: AlbumId,
  ownerId: UserId,
  now: number,
): Promise<void> {
  await sql`insert into feed (user_id, action, album_id, personal, at)
    select user_id, 'roster', album_id, 1, ${now}
    from roster_member join account on account.user_id = member
    where album_id = ${albumId} and user_id != ${ownerId}`.execute(tx);
  await endGrants(tx, sql`album_id = ${albumId}`, now);
  await sql`insert or ignore into gone_album (album_id) values (${albumId})`
    .execute(tx);
  // Guests go on bringing what they bring to the link's owner, album or not.
  await tx.updateTable("upload_link")
    .set({ album_id: null })
    .where("album_id", "=", albumId)
    .execute();
  for (const table of PARTS) {
    await tx.deleteFrom(table).where("album_id", "=", albumId).execute();
  }
}
