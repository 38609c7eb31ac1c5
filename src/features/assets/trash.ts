/**
 * The trash: an asset is moved there and brought back (completions.md section
 * 6, Delete). Its bytes move between the counters of its owner in the same
 * transaction; the quota counts both, so that restoring needs no room.
 *
 * @module
 */
import type { AssetId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { transaction, type Tx } from "../../store/database.ts";
import { assertWritable, viewAlbum } from "../albums/access.ts";
import { type App, route } from "../app.ts";
import { appendFeed } from "../feed.ts";
import { uuidParameter } from "../wire.ts";
import { AssetResponse, readAsset } from "./assets.ts";
import {
  attachLateDerivatives,
  findReadableAsset,
  moveBytes,
  type ReadableAsset,
  setState,
} from "./store.ts";
import { hasAged } from "./retention.ts";

/**
 * Moves an asset to the trash. Its owner may, and the owner of its album; one
 * that is in the trash already stays there as it is. Neither a suspension nor
 * a tombstone keeps anybody from deleting (completions.md 1.7).
 */
export async function deleteAsset(
  app: App,
  userId: UserId,
  assetId: AssetId,
  raise: Raise<
    | "error.asset.not_found"
    | "error.album.role_forbidden"
    | "error.asset.retained"
    | "error.asset.held"
  >,
): Promise<void> {
  const now = app.platform.now();
  const moved = await transaction(app.db, async (tx) => {
    const asset = await requireMovable(app, tx, userId, assetId, raise);
    if (asset.state === "deleted") return false;
    if (asset.held_at !== null) throw raise("error.asset.held");
    if ((asset.retention_until ?? 0) > now) throw raise("error.asset.retained");
    await moveBytes(tx, asset.owner_id, assetId, "trash");
    const syncSeq = await tell(tx, asset, "delete", now);
    await setState(tx, assetId, {
      state: "deleted",
      deleted_at: now,
      deleted_by: userId,
      updated_at: now,
      sync_seq: syncSeq,
    });
    return true;
  });
  if (moved) app.feedBell.ring();
}

/**
 * Brings an asset back from the trash with its chain. Only who deleted it may,
 * where the album still takes the writes of that account.
 */
export async function restoreAsset(
  app: App,
  userId: UserId,
  assetId: AssetId,
  raise: Raise<
    | "error.asset.not_found"
    | "error.album.role_forbidden"
    | "error.album.tombstoned"
  >,
): Promise<void> {
  const now = app.platform.now();
  const moved = await transaction(app.db, async (tx) => {
    const asset = await requireMovable(app, tx, userId, assetId, raise);
    if (asset.state === "live") return false;
    if (asset.deleted_by !== userId) throw raise("error.album.role_forbidden");
    if (asset.album_id !== null) {
      // It comes back for everybody who reads the album: that is a write.
      const album = await viewAlbum(tx, userId, asset.album_id, now);
      if (album === undefined) throw raise("error.album.role_forbidden");
      assertWritable(album, raise);
    }
    await moveBytes(tx, asset.owner_id, assetId, "used");
    const syncSeq = await tell(tx, asset, "restore", now);
    await setState(tx, assetId, {
      state: "live",
      deleted_at: null,
      deleted_by: null,
      updated_at: now,
      sync_seq: syncSeq,
    });
    await attachLateDerivatives(tx, asset.owner_id, assetId);
    return true;
  });
  if (moved) app.feedBell.ring();
}

/**
 * The asset, for those who may delete it. Its other readers know that it is
 * there and are told that it is not theirs; for all others it is not there.
 */
async function requireMovable(
  app: App,
  tx: Tx,
  userId: UserId,
  assetId: AssetId,
  raise: Raise<"error.asset.not_found" | "error.album.role_forbidden">,
): Promise<ReadableAsset> {
  const asset = await findReadableAsset(tx, userId, assetId);
  if (
    asset === undefined || asset.withheld_at !== null ||
    hasAged(asset, app.platform.now(), app.limits.trashMs)
  ) throw raise("error.asset.not_found");
  if (asset.owner_id === userId || asset.album_owner_id === userId) {
    return asset;
  }
  throw raise("error.album.role_forbidden");
}

/** Tells the asset's owner, its album's owner and all who read the album. */
function tell(
  tx: Tx,
  asset: ReadableAsset,
  action: "delete" | "restore",
  at: number,
): Promise<number> {
  const { owner_id: userId, album_owner_id: albumOwnerId } = asset;
  return appendFeed(tx, {
    userId,
    action,
    albumId: asset.album_id,
    albumOwnerId: albumOwnerId === userId ? null : albumOwnerId,
    assetId: asset.asset_id,
    chainHead: asset.chain_head,
    at,
  });
}

const params = { asset_id: uuidParameter<AssetId>("Asset id") };

export const trashRoutes = [
  route({
    operation: "deleteAsset",
    method: "DELETE",
    path: "/v1/assets/{asset_id}",
    summary: "Move an asset to the trash",
    credential: "session",
    params,
    success: { 200: { kind: "json", schema: AssetResponse } },
    problems: [
      "error.asset.not_found",
      "error.album.role_forbidden",
      "error.asset.retained",
      "error.asset.held",
    ],
  }).by(async ({ app, caller, params, raise }) => {
    await deleteAsset(app, caller.userId, params.asset_id, raise);
    const json = await readAsset(app, caller, params.asset_id, raise);
    return { status: 200, json };
  }),

  route({
    operation: "restoreAsset",
    method: "POST",
    path: "/v1/assets/{asset_id}/restore",
    summary: "Bring an asset back from the trash",
    credential: "session",
    params,
    success: { 200: { kind: "json", schema: AssetResponse } },
    problems: [
      "error.asset.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
    ],
  }).by(async ({ app, caller, params, raise }) => {
    await restoreAsset(app, caller.userId, params.asset_id, raise);
    const json = await readAsset(app, caller, params.asset_id, raise);
    return { status: 200, json };
  }),
];
