/**
 * The end of an asset, for good (protocol/manifests.md#collection): its
 * manifests and all that it holds are deleted, whoever reads it is told, and
 * its receipts and its id stay.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { AlbumId, AssetId, UserId } from "../core/ids.ts";
import type { Amount } from "../core/sizes.ts";
import { change, type Tx } from "../store/sqlite/database.ts";
import { appendFeed } from "./feed.ts";

/** An owner's blobs under one asset id. */
export interface OwnedAsset {
  readonly owner_id: UserId;
  readonly asset_id: AssetId;
}

/**
 * Ends an asset of the trash of which a condition over its row still holds.
 * Undefined, and nothing is done, where it does not.
 */
export async function endAsset(
  tx: Tx,
  { asset_id, owner_id }: OwnedAsset,
  condition: RawBuilder<boolean>,
  now: number,
): Promise<Amount | undefined> {
  const asset = await tx.deleteFrom("asset")
    .where("asset_id", "=", asset_id)
    .where("owner_id", "=", owner_id)
    .where("state", "=", "deleted")
    .where(condition)
    .returning(["album_id", "chain_head"])
    .executeTakeFirst();
  if (asset === undefined) return undefined;
  await change(
    tx,
    tx.insertInto("gone_asset").values({ asset_id, owner_id, gone_at: now }),
  );
  await change(tx, tx.deleteFrom("manifest").where("asset_id", "=", asset_id));
  const held = await tx.deleteFrom("holding")
    .where("owner_id", "=", owner_id)
    .where("asset_id", "=", asset_id)
    .returning(["size", "applied"])
    .execute();
  const bytes = sum(held.filter(({ applied }) => applied === 1));
  const unapplied = sum(held) - bytes;
  await appendFeed(tx, {
    userId: owner_id,
    action: "purge",
    albumId: asset.album_id,
    albumOwnerId: await findOtherOwner(tx, asset.album_id, owner_id),
    assetId: asset_id,
    chainHead: asset.chain_head,
    at: now,
  });
  return { count: 1, bytes: bytes + unapplied };
}

/** The owner of an album, where that is not the one of the asset. */
async function findOtherOwner(
  tx: Tx,
  albumId: AlbumId | null,
  ownerId: UserId,
): Promise<UserId | null> {
  if (albumId === null) return null;
  const album = await tx.selectFrom("album")
    .select("owner_id")
    .where("album_id", "=", albumId)
    .where("owner_id", "!=", ownerId)
    .executeTakeFirst();
  return album?.owner_id ?? null;
}

/** Neither a hold nor a retention floor keeps it, and nothing withholds it. */
export function isFree(now: number): RawBuilder<boolean> {
  return sql`(asset.held_at is null and asset.withheld_at is null
    and coalesce(asset.retention_until, 0) <= ${now})`;
}

function sum(sized: readonly { readonly size: number }[]): number {
  return sized.reduce((bytes, { size }) => bytes + size, 0);
}
