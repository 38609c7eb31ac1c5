import type { Insertable } from "kysely";
import type { AssetId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** Suspends an active account; false if it is not active. */
export async function suspend(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({ suspended_at: now })
    .where("user_id", "=", userId)
    .where("suspended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lifts an account's suspension; false if it has none. */
export async function reinstate(tx: Tx, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({ suspended_at: null })
    .where("user_id", "=", userId)
    .where("suspended_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** An asset, whatever its state, with the owner of the album it is in. */
export function findAsset(tx: Tx, assetId: AssetId) {
  return tx.selectFrom("asset")
    .leftJoin("album", "album.album_id", "asset.album_id")
    .select([
      "asset.owner_id",
      "asset.album_id",
      "asset.chain_head",
      "album.owner_id as album_owner_id",
    ])
    .where("asset.asset_id", "=", assetId)
    .executeTakeFirst();
}

/** What the operator may lay on an asset: a take-down, or a legal hold. */
export type Mark = "withheld_at" | "held_at";

/** Lays a mark on an asset that does not bear it; false if it does. */
export async function mark(
  tx: Tx,
  assetId: AssetId,
  what: Mark,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("asset")
    .set({ [what]: now })
    .where("asset_id", "=", assetId)
    .where(what, "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes a mark off an asset that bears it; false if it does not. */
export async function unmark(
  tx: Tx,
  assetId: AssetId,
  what: Mark,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("asset")
    .set({ [what]: null })
    .where("asset_id", "=", assetId)
    .where(what, "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Moves an asset to the position of its newest feed entry. */
export async function setPosition(
  tx: Tx,
  assetId: AssetId,
  syncSeq: number,
): Promise<void> {
  await tx.updateTable("asset")
    .set({ sync_seq: syncSeq })
    .where("asset_id", "=", assetId)
    .execute();
}

export async function insertEvent(
  tx: Tx,
  event: Insertable<Schema["moderation_event"]>,
): Promise<void> {
  await tx.insertInto("moderation_event").values(event).execute();
}

/**
 * A row for each event of an account, oldest first, with the account's
 * standing; an account without events has one row. One read, so that the two
 * agree.
 */
export function readRecord(db: Db, userId: UserId) {
  return db.selectFrom("account")
    .leftJoin("moderation_event as event", "event.user_id", "account.user_id")
    .select([
      "account.suspended_at",
      "event.action",
      "event.asset_id",
      "event.at",
      "event.reason",
    ])
    .where("account.user_id", "=", userId)
    .orderBy("event.event_seq")
    .execute();
}

/** All that the operator sees of an asset, with whose it is and where. */
export function readWholeAsset(db: Db, assetId: AssetId) {
  return db.selectFrom("asset")
    .innerJoin("account as owner", "owner.user_id", "asset.owner_id")
    .leftJoin("album", "album.album_id", "asset.album_id")
    .selectAll("asset")
    .select([
      "owner.address as owner_address",
      "album.owner_id as album_owner_id",
    ])
    .where("asset.asset_id", "=", assetId)
    .executeTakeFirst();
}

/** When an asset has left the trash; undefined where none ever did. */
export function findGone(db: Db, assetId: AssetId) {
  return db.selectFrom("gone_asset")
    .select("gone_at")
    .where("asset_id", "=", assetId)
    .executeTakeFirst();
}

/** The blobs that an asset holds, in the order in which they came. */
export function listBlobs(db: Db, ownerId: UserId, assetId: AssetId) {
  return db.selectFrom("holding")
    .select(["hash", "role", "size"])
    .where("owner_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .where("applied", "=", 1)
    .orderBy("receipt_seq")
    .execute();
}

/** What happened to an asset, oldest first. */
export function listEventsOf(db: Db, ownerId: UserId, assetId: AssetId) {
  return db.selectFrom("moderation_event")
    .select(["action", "at", "reason"])
    .where("user_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .orderBy("event_seq")
    .execute();
}
