import { sql, type Updateable } from "kysely";
import type { AlbumId, AssetId, BlobHash, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import { moveUsage } from "../usage.ts";

const findWithReaders = compiledOnce(
  (db, userId: UserId, assetId: AssetId) =>
    db.selectFrom("asset")
      .leftJoin("album", "album.album_id", "asset.album_id")
      .leftJoin("roster_member", (join) =>
        join.onRef("roster_member.album_id", "=", "asset.album_id")
          .on(sql<string>`roster_member.member`, "=", userId))
      .selectAll("asset")
      .select(["album.owner_id as album_owner_id", "roster_member.role"])
      .where("asset.asset_id", "=", assetId)
      .where("asset.withheld_at", "is", null),
);

/**
 * An asset that an account reads: its own, or one of an album it is in. What
 * was taken down is withheld from its owner too.
 */
export async function findReadableAsset(
  db: Db,
  userId: UserId,
  assetId: AssetId,
) {
  const asset = await findWithReaders(db, userId, assetId);
  return asset !== undefined &&
      (asset.owner_id === userId || asset.album_owner_id === userId ||
        asset.role !== null)
    ? asset
    : undefined;
}

/** An asset with what tells who its reader is. */
export type ReadableAsset = NonNullable<
  Awaited<ReturnType<typeof findReadableAsset>>
>;

/** An asset of this album that nothing withholds. */
export const findAlbumAsset = compiledOnce(
  (db, assetId: AssetId, albumId: AlbumId) =>
    db.selectFrom("asset")
      .selectAll()
      .where("asset_id", "=", assetId)
      .where("album_id", "=", albumId)
      .where("withheld_at", "is", null),
);

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

/** A blob of an asset, in each role that the asset holds it in. */
export function listAttachedAs(
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
  hash: BlobHash,
) {
  return db.selectFrom("holding")
    .innerJoin("blob", "blob.hash", "holding.hash")
    .select(["holding.role", "blob.size", "blob.stored_at"])
    .where("holding.owner_id", "=", ownerId)
    .where("holding.asset_id", "=", assetId)
    .where("holding.hash", "=", hash)
    .where("holding.applied", "=", 1)
    .execute();
}

/** Moves an asset to the trash or back. */
export async function setState(
  tx: Tx,
  assetId: AssetId,
  change: Updateable<Schema["asset"]>,
): Promise<void> {
  await tx.updateTable("asset")
    .set(change)
    .where("asset_id", "=", assetId)
    .execute();
}

/** Counts an asset as deleted, or as live again. */
export async function countAs(
  tx: Tx,
  ownerId: UserId,
  state: "deleted" | "live",
): Promise<void> {
  await moveUsage(tx, ownerId, { liveAssets: state === "deleted" ? -1 : 1 });
}

/** Attaches the derivatives that were finalized while an asset was deleted. */
export async function attachLateDerivatives(
  tx: Tx,
  ownerId: UserId,
  assetId: AssetId,
): Promise<void> {
  await tx.updateTable("holding")
    .set({ applied: 1 })
    .where("owner_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .where("role", "=", "derivative")
    // Older ones were let go of and stay for a legal hold alone.
    .where("receipt_seq", ">", (select) =>
      select.selectFrom("asset")
        .innerJoin("manifest", (join) =>
          join.onRef("manifest.asset_id", "=", "asset.asset_id")
            .onRef("manifest.manifest_hash", "=", "asset.chain_head"))
        .select("manifest.receipt_seq")
        .where("asset.asset_id", "=", assetId))
    .execute();
}
