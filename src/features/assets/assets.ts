/**
 * Reading assets and their blobs (protocol/manifests.md#reading).
 *
 * @module
 */
import type { Selectable } from "kysely";
import type { z } from "zod";
import type { CapabilityCaller, SessionCaller } from "../../core/caller.ts";
import type { AssetId, BlobHash } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import { type AssetBlob, AssetResponse } from "../../wire/answers/assets.ts";
import { route } from "../app.ts";
import {
  blobReply,
  blobSuccess,
  PRIVATE_HEADERS,
  privateHeaders,
  type ReadableBlob,
} from "../blob_reply.ts";
import type { CallBy } from "../call.ts";
import { hashParameter, uuidParameter } from "../parameters.ts";
import { hasLeftTrash } from "./retention.ts";
import {
  findAlbumAsset,
  findReadableAsset,
  listAttached,
  listAttachedAs,
} from "./store.ts";

type HeldBlob = z.output<typeof AssetBlob>;

/** An asset as its readers may see it; for all others it is not there. */
async function requireAsset(
  { app, caller, now, raise }: CallBy<"reader", "error.asset.not_found">,
  assetId: AssetId,
) {
  const asset = caller.kind === "session"
    ? await findReadableAsset(app.db, caller.userId, assetId)
    : await findAlbumAsset(app.db, assetId, caller.albumId);
  if (
    asset === undefined ||
    hasLeftTrash(asset, now, app.limits.trashMs)
  ) throw raise("error.asset.not_found");
  return asset;
}

/**
 * Whether a caller sees the originals too (protocol/federation.md#capability).
 */
export function seesOriginals(
  caller: SessionCaller | CapabilityCaller,
): boolean {
  return caller.kind === "session" || caller.scope === "read";
}

/** An asset as a caller sees it. */
async function readAsset(
  call: CallBy<"reader", "error.asset.not_found">,
  assetId: AssetId,
) {
  const { app, caller } = call;
  const asset = await requireAsset(call, assetId);
  return await assetToWire(app.db, caller, asset);
}

/** An asset that a caller was found to be allowed to read, in its wire form. */
export async function assetToWire(
  db: Db,
  caller: SessionCaller | CapabilityCaller,
  asset: Selectable<Schema["asset"]>,
) {
  const blobs = await listAttached(db, asset.owner_id, asset.asset_id);
  return wireOf(caller, asset, blobs);
}

/** The wire form of an asset that holds these blobs, for a caller. */
export function wireOf(
  caller: SessionCaller | CapabilityCaller,
  asset: Selectable<Schema["asset"]>,
  blobs: readonly HeldBlob[],
) {
  return {
    asset_id: asset.asset_id,
    ...(asset.album_id === null ? {} : { album_id: asset.album_id }),
    owner: asset.owner_id,
    state: asset.state,
    chain_head: asset.chain_head,
    sync_seq: asset.sync_seq,
    blobs: seesOriginals(caller)
      ? [...blobs]
      : blobs.filter(({ role }) => role !== "original"),
    created_at: toRfc3339(asset.created_at),
    updated_at: toRfc3339(asset.updated_at),
    ...(asset.deleted_at === null
      ? {}
      : { deleted_at: toRfc3339(asset.deleted_at) }),
  };
}

/** A blob that a caller may read; those in the trash are the owner's alone. */
async function requireBlob(
  call: CallBy<"reader", "error.asset.not_found">,
  assetId: AssetId,
  hash: BlobHash,
): Promise<ReadableBlob> {
  const { app, caller, raise } = call;
  const asset = await requireAsset(call, assetId);
  const isOwner = caller.kind === "session" &&
    caller.userId === asset.owner_id;
  const attached = asset.state === "live" || isOwner
    ? await listAttachedAs(app.db, asset.owner_id, assetId, hash)
    : [];
  const blob = attached.find(({ role }) =>
    role !== "original" || seesOriginals(caller)
  );
  if (blob === undefined) throw raise("error.asset.not_found");
  return { hash, size: blob.size, storedAt: blob.stored_at };
}

const assetParameter = uuidParameter<AssetId>("Asset id");

export const assetRoutes = [
  route({
    operation: "readAsset",
    anyOrigin: "capabilities",
    method: "GET",
    path: "/v1/assets/{asset_id}",
    summary: "An asset and the blobs that it holds",
    credential: "reader",
    params: { asset_id: assetParameter },
    success: { 200: { kind: "json", schema: AssetResponse } },
    problems: ["error.asset.not_found"],
  }).by(async ({ params, ...call }) => ({
    status: 200,
    json: await readAsset(call, params.asset_id),
  })),

  route({
    operation: "readAssetBlob",
    anyOrigin: "capabilities",
    method: "GET",
    path: "/v1/assets/{asset_id}/blobs/{hash}",
    summary: "A blob of an asset, whole or in part",
    credential: "reader",
    params: { asset_id: assetParameter, hash: hashParameter },
    success: blobSuccess(PRIVATE_HEADERS),
    problems: ["error.asset.not_found"],
  }).by(async ({ params, request, ...call }) => {
    const { asset_id, hash } = params;
    const blob = await requireBlob(call, asset_id, hash);
    const reply = await blobReply(
      call.app,
      request,
      blob,
      privateHeaders(hash),
    );
    if (reply === undefined) {
      // Let go of since the check, or else lost, which its owner is told.
      throw call.raise("error.asset.not_found", { cause: `lost blob ${hash}` });
    }
    return reply;
  }),
];
