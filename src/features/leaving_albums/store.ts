import { sql } from "kysely";
import type { AlbumId, UserId } from "../../core/ids.ts";
import type { Tx } from "../../store/sqlite/database.ts";
import { leftTrash, type TrashHorizon } from "../trash.ts";

/** Sessions that are ended in one transaction. */
export const OPEN_AT_ONCE = 200;

/** Takes a member off an album's roster; false where it names them no more. */
export async function deleteMember(
  tx: Tx,
  albumId: AlbumId,
  userId: UserId,
): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("roster_member")
    .where("album_id", "=", albumId)
    .where(sql<string>`member`, "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Open sessions of an account to an album, some of them. */
export function listOpenUploads(tx: Tx, albumId: AlbumId, userId: UserId) {
  return tx.selectFrom("upload")
    .select(["upload_id", "user_id", "size", "state", "heals"])
    .where("album_id", "=", albumId)
    .where("state", "=", "open")
    .where("user_id", "=", userId)
    .limit(sql.lit(OPEN_AT_ONCE))
    .execute();
}

/** Whether a live or deleted asset is in an album; one that left the trash is not. */
export async function isAnythingIn(
  tx: Tx,
  albumId: AlbumId,
  trash: TrashHorizon,
): Promise<boolean> {
  const { rows } = await sql<{ found: 0 | 1 }>`select exists (
    select 1 from asset where album_id = ${albumId}
      and not coalesce(${leftTrash(trash)}, false)) as found`.execute(tx);
  return rows[0]?.found === 1;
}

/** Whether a session to an album is open, or brought what waits for a manifest. */
export async function isAnythingOnItsWay(
  tx: Tx,
  albumId: AlbumId,
  now: number,
): Promise<boolean> {
  const { rows } = await sql<{ found: 0 | 1 }>`select exists (
    select 1 from upload
    where album_id = ${albumId} and expires_at > ${now}
      and (state = 'open' or exists (
        select 1 from holding
        where holding.owner_id = upload.user_id
          and holding.asset_id = upload.asset_id and applied = 0))) as found`
    .execute(tx);
  return rows[0]?.found === 1;
}

/** Tombstones an album that has no successor. */
export async function tombstoneEmpty(
  tx: Tx,
  albumId: AlbumId,
  now: number,
): Promise<void> {
  await tx.updateTable("album")
    .set({ tombstoned_at: now })
    .where("album_id", "=", albumId)
    .where("tombstoned_at", "is", null)
    .execute();
}
