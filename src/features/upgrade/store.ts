/** @module */
import { type Insertable, type Selectable, sql } from "kysely";
import type { AlbumId, IntentId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { Schema } from "../../store/schema.ts";

export type UpgradeRow = Selectable<Schema["upgrade"]>;

/** The ceremony that an album is in. */
export function findLive(
  db: Db,
  albumId: AlbumId,
  now: number,
): Promise<UpgradeRow | undefined> {
  return db.selectFrom("upgrade")
    .selectAll()
    .where("album_id", "=", albumId)
    .where("state", "=", "live")
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

export function findIntent(
  db: Db,
  albumId: AlbumId,
  intentId: IntentId,
): Promise<UpgradeRow | undefined> {
  return db.selectFrom("upgrade")
    .selectAll()
    .where("album_id", "=", albumId)
    .where("intent_id", "=", intentId)
    .executeTakeFirst();
}

/** Notes that a ceremony's window has closed, before another begins. */
export async function endExpired(
  tx: Tx,
  albumId: AlbumId,
  now: number,
): Promise<void> {
  await tx.updateTable("upgrade")
    .set({ state: "ended" })
    .where("album_id", "=", albumId)
    .where("state", "=", "live")
    .where("expires_at", "<=", now)
    .execute();
}

export async function insertIntent(
  tx: Tx,
  upgrade: Insertable<Schema["upgrade"]>,
): Promise<void> {
  await tx.insertInto("upgrade").values(upgrade).execute();
}

/** Ends the live ceremony of this intent; false where there is none. */
export async function endIntent(
  db: Db,
  albumId: AlbumId,
  intentId: IntentId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("upgrade")
    .set({ state: "ended" })
    .where("album_id", "=", albumId)
    .where("intent_id", "=", intentId)
    .where("state", "=", "live")
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Cuts the expiry of the album's open sessions to the window. */
export async function cutExpiry(
  tx: Tx,
  albumId: AlbumId,
  windowEnd: number,
): Promise<void> {
  await tx.updateTable("upload")
    .set({ expires_at: sql<number>`min(expires_at, ${windowEnd})` })
    .where("album_id", "=", albumId)
    .where("state", "=", "open")
    .execute();
}

/** Upload sessions still in flight against an album. */
export async function countInFlight(
  db: Db,
  albumId: AlbumId,
  now: number,
): Promise<number> {
  const { inFlight } = await db.selectFrom("upload")
    .select((where) => where.fn.countAll<number>().as("inFlight"))
    .where("album_id", "=", albumId)
    .where("state", "=", "open")
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return inFlight;
}

/** Turns a live ceremony into a tombstone that names its successor. */
export async function tombstone(
  tx: Tx,
  { album_id, intent_id, successor_id }: UpgradeRow,
  now: number,
): Promise<void> {
  await tx.updateTable("upgrade")
    .set({ state: "committed", committed_at: now })
    .where("album_id", "=", album_id)
    .where("intent_id", "=", intent_id)
    .execute();
  await tx.updateTable("album")
    .set({ tombstoned_at: now, successor_id })
    .where("album_id", "=", album_id)
    .execute();
}
