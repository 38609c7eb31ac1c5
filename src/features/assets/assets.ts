/**
 * Reading assets and their blobs (completions.md section 6, Read).
 *
 * @module
 */
import { z } from "zod";
import { fromHex, toBase64 } from "../../core/bytes.ts";
import type { AssetId, BlobHash, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { toRfc3339 } from "../../core/time.ts";
import { BLOB_ROLES } from "../../crypto/receipt.ts";
import type { App } from "../app.ts";
import { route } from "../app.ts";
import { blobReply, blobSuccess } from "../blob_reply.ts";
import {
  count,
  hashParameter,
  instant,
  integer,
  text,
  uuidParameter,
} from "../wire.ts";
import { findAttachedBlob, findOwnAsset, listAttached } from "./store.ts";

const AssetResponse = z.strictObject({
  asset_id: text,
  album_id: text.optional(),
  owner: text,
  state: z.enum(["live", "deleted"]),
  chain_head: text,
  sync_seq: integer(1),
  blobs: z.array(z.strictObject({
    hash: text,
    role: z.enum(BLOB_ROLES),
    size: count,
  })),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.optional(),
});

/** An asset in its wire form; pending and foreign ones are not there. */
export async function readAsset(
  app: App,
  userId: UserId,
  assetId: AssetId,
  raise: Raise<"error.asset.not_found">,
) {
  const asset = await findOwnAsset(app.db, userId, assetId);
  if (asset === undefined) throw raise("error.asset.not_found");
  return {
    asset_id: assetId,
    ...(asset.album_id === null ? {} : { album_id: asset.album_id }),
    owner: asset.owner_id,
    state: asset.state,
    chain_head: asset.chain_head,
    sync_seq: asset.sync_seq,
    blobs: await listAttached(app.db, userId, assetId),
    created_at: toRfc3339(asset.created_at),
    updated_at: toRfc3339(asset.updated_at),
    ...(asset.deleted_at === null
      ? {}
      : { deleted_at: toRfc3339(asset.deleted_at) }),
  };
}

/** The headers of an asset's blob beside those of every blob. */
function privateHeaders(hash: BlobHash) {
  const digest = toBase64(fromHex(hash) ?? new Uint8Array());
  return {
    "Repr-Digest": `sha-256=:${digest}:`,
    // A content address always names the same bytes.
    "Cache-Control": "private, immutable, max-age=31536000",
    "X-Content-Type-Options": "nosniff",
  } as const;
}

const assetParameter = uuidParameter<AssetId>("Asset id");

export const assetRoutes = [
  route({
    operation: "readAsset",
    method: "GET",
    path: "/v1/assets/{asset_id}",
    summary: "An asset and the blobs that it holds",
    credential: "session",
    params: { asset_id: assetParameter },
    success: { 200: { kind: "json", schema: AssetResponse } },
    problems: ["error.asset.not_found"],
  }).by(async ({ app, caller, params, raise }) => ({
    status: 200,
    json: await readAsset(app, caller.userId, params.asset_id, raise),
  })),

  route({
    operation: "readAssetBlob",
    method: "GET",
    path: "/v1/assets/{asset_id}/blobs/{hash}",
    summary: "A blob of an asset, whole or in part",
    credential: "session",
    params: { asset_id: assetParameter, hash: hashParameter },
    success: blobSuccess([
      "Repr-Digest",
      "Cache-Control",
      "X-Content-Type-Options",
    ]),
    problems: ["error.asset.not_found"],
  }).by(async ({ app, caller, params, request, raise }) => {
    const { asset_id, hash } = params;
    const blob = await findAttachedBlob(app.db, caller.userId, asset_id, hash);
    if (blob === undefined) throw raise("error.asset.not_found");
    const reply = await blobReply(
      app.blobs,
      request,
      { hash, size: blob.size, storedAt: blob.stored_at },
      privateHeaders(hash),
    );
    if (reply === undefined) throw new Error(`blob ${hash} is damaged`);
    return reply;
  }),
];
