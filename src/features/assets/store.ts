/** @module */
import type { AssetId, BlobHash, UserId } from "../../core/ids.ts";
import type { Db } from "../../store/database.ts";

export function findOwnAsset(db: Db, ownerId: UserId, assetId: AssetId) {
  return db.selectFrom("asset")
    .selectAll()
    .where("asset_id", "=", assetId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
}

/** The blobs that an asset holds, in the order in which they came. */
export function listAttached(db: Db, ownerId: UserId, assetId: AssetId) {
  return db.selectFrom("holding")
    .select(["hash", "role", "size"])
    .where("owner_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .where("applied", "=", 1)
    .orderBy("receipt_seq")
    .execute();
}

/** A blob that the owner's asset holds, in whatever role. */
export function findAttachedBlob(
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
  hash: BlobHash,
) {
  return db.selectFrom("holding")
    .innerJoin("asset", "asset.asset_id", "holding.asset_id")
    .innerJoin("blob", "blob.hash", "holding.hash")
    .select(["blob.size", "blob.stored_at"])
    .where("holding.owner_id", "=", ownerId)
    .where("holding.asset_id", "=", assetId)
    .where("holding.hash", "=", hash)
    .where("holding.applied", "=", 1)
    .where("asset.owner_id", "=", ownerId)
    .executeTakeFirst();
}
