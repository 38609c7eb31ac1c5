/**
 * The trash: an asset is moved there and brought back
 * (protocol/manifests.md#trash). Its bytes move between the counters of its
 * owner in the same transaction; the quota counts both, so that restoring needs
 * no room.
 *
 * @module
 */
import type { AssetId } from "../../core/ids.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import { AssetResponse } from "../../wire/answers/assets.ts";
import { viewAlbum } from "../albums/access.ts";
import { route } from "../app.ts";
import type { CallBy } from "../call.ts";
import { appendFeed } from "../feed.ts";
import { flagParameter, uuidParameter } from "../parameters.ts";
import { assetToWire } from "./assets.ts";
import { purgeAsset } from "./purging.ts";
import {
  attachLateDerivatives,
  countAs,
  findReadableAsset,
  type ReadableAsset,
  setState,
} from "./store.ts";
import { hasLeftTrash } from "./retention.ts";

/**
 * Moves an asset to the trash; returns its wire form. Its owner may, and the
 * owner of its album; one that is in the trash already stays there as it is.
 * Neither a suspension nor a tombstone keeps anybody from deleting
 * (protocol/transport.md#suspended-accounts).
 */
async function deleteAsset(
  call: CallBy<
    "session",
    | "error.asset.not_found"
    | "error.album.role_forbidden"
    | "error.asset.retained"
    | "error.asset.held"
  >,
  assetId: AssetId,
) {
  const { app, caller, now, raise } = call;
  const { userId } = caller;
  const { moved, json } = await transaction(app.db, async (tx) => {
    const asset = await requireMovable(call, tx, assetId);
    if (asset.state === "deleted") {
      return { moved: false, json: await assetToWire(tx, caller, asset) };
    }
    if (asset.held_at !== null) throw raise("error.asset.held");
    if ((asset.retention_until ?? 0) > now) throw raise("error.asset.retained");
    await countAs(tx, asset.owner_id, "deleted");
    const syncSeq = await tell(tx, asset, "delete", now);
    const change = {
      state: "deleted",
      deleted_at: now,
      deleted_by: userId,
      updated_at: now,
      sync_seq: syncSeq,
    } as const;
    await setState(tx, assetId, change);
    const json = await assetToWire(tx, caller, { ...asset, ...change });
    return { moved: true, json };
  });
  if (moved) app.signals.feedNotifier.notify();
  return json;
}

/**
 * Brings an asset back from the trash with its chain. Only who deleted it may,
 * while the album gives that account a writer's role. A tombstone is no reason
 * to refuse: the asset is the album's own, and nothing else could save it.
 */
async function restoreAsset(
  call: CallBy<
    "session",
    "error.asset.not_found" | "error.album.role_forbidden"
  >,
  assetId: AssetId,
) {
  const { app, caller, now, raise } = call;
  const { userId } = caller;
  const { moved, json } = await transaction(app.db, async (tx) => {
    const asset = await requireMovable(call, tx, assetId);
    if (asset.state === "live") {
      return { moved: false, json: await assetToWire(tx, caller, asset) };
    }
    if (asset.deleted_by !== userId) throw raise("error.album.role_forbidden");
    if (asset.album_id !== null) {
      // It comes back for everybody who reads the album: that is a write.
      const album = await viewAlbum(tx, userId, asset.album_id, now);
      if (album === undefined || album.role === "viewer") {
        throw raise("error.album.role_forbidden");
      }
    }
    await countAs(tx, asset.owner_id, "live");
    const syncSeq = await tell(tx, asset, "restore", now);
    const change = {
      state: "live",
      deleted_at: null,
      deleted_by: null,
      updated_at: now,
      sync_seq: syncSeq,
    } as const;
    await setState(tx, assetId, change);
    await attachLateDerivatives(tx, asset.owner_id, assetId);
    const json = await assetToWire(tx, caller, { ...asset, ...change });
    return { moved: true, json };
  });
  if (moved) app.signals.feedNotifier.notify();
  return json;
}

/**
 * The asset, for those who may delete it. Its other readers know that it is
 * there and are told that it is not theirs; for all others it is not there.
 */
async function requireMovable(
  call: CallBy<
    "session",
    "error.asset.not_found" | "error.album.role_forbidden"
  >,
  tx: Tx,
  assetId: AssetId,
): Promise<ReadableAsset> {
  const { app, caller: { userId }, now, raise } = call;
  const asset = await findReadableAsset(tx, userId, assetId);
  if (
    asset === undefined ||
    hasLeftTrash(asset, now, app.limits.trashMs)
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
    summary: "Move an asset to the trash, or end it there for good",
    credential: "session",
    params,
    query: { forever: flagParameter("End it for good, from the trash") },
    success: {
      200: { kind: "json", schema: AssetResponse },
      204: { kind: "empty" },
    },
    problems: [
      "error.asset.not_found",
      "error.album.role_forbidden",
      "error.asset.not_deleted",
      "error.asset.retained",
      "error.asset.held",
    ],
  }).by(async ({ params, query, ...call }) => {
    const { asset_id } = params;
    if (query.forever) {
      await purgeAsset(call, asset_id);
      return { status: 204 };
    }
    return { status: 200, json: await deleteAsset(call, asset_id) };
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
    ],
  }).by(async ({ params, ...call }) => {
    const json = await restoreAsset(call, params.asset_id);
    return { status: 200, json };
  }),
];
