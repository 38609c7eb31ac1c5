import { type Insertable, type Selectable, sql } from "kysely";
import type { AlbumId, IntentId } from "../../core/ids.ts";
import { CLOCK_SLACK_MS } from "../../core/time.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

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

/** The intents that an album ever saw. */
export async function countIntents(db: Db, albumId: AlbumId): Promise<number> {
  const { count } = await db.selectFrom("upgrade")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("album_id", "=", albumId)
    .executeTakeFirstOrThrow();
  return count;
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

/** Ends the live ceremony of this intent; false without one. */
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

/**
 * Notes the files that a ceremony lets arrive: those with a session of the
 * album that is open or belongs to an asset that never lived, and the pending
 * ones of all who may write to the album.
 */
export async function noteUnderWay(
  tx: Tx,
  albumId: AlbumId,
  now: number,
): Promise<void> {
  await tx.deleteFrom("upgrade_file").where("album_id", "=", albumId).execute();
  await sql`
    insert into upgrade_file (album_id, owner_id, asset_id)
    select ${albumId}, user_id, asset_id from upload
      where album_id = ${albumId} and expires_at > ${now}
        and (state = 'open' or asset_id not in (select asset_id from asset))
    union
    select ${albumId}, owner_id, asset_id from holding
      where applied = 0 and asset_id not in (select asset_id from asset)
        and owner_id in (
          select owner_id from album where album_id = ${albumId}
          union
          select member from roster_member
            where album_id = ${albumId} and role = 'contributor'
        )
  `.execute(tx);
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

/** Lets ceremonies of the future have begun now: their windows keep length. */
export async function repairCeremonyDates(db: Db, now: number): Promise<void> {
  await db.updateTable("upgrade")
    .set(({ eb, ref }) => ({
      begun_at: now,
      expires_at: eb(eb(ref("expires_at"), "-", ref("begun_at")), "+", now),
    }))
    .where("state", "=", "live")
    .where("begun_at", ">", now + CLOCK_SLACK_MS)
    .execute();
}
