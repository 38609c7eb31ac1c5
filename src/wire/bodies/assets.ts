/**
 * Bodies about many assets (protocol/manifests.md#many-at-once,
 * protocol/receipts.md).
 *
 * @module
 */
import { z } from "zod";
import type { AssetId } from "../../core/ids.ts";
import { QUERIED_MAX } from "../answers/assets.ts";
import { blobHash, uuid } from "./fields.ts";

/** So many blobs may be asked for at once. */
export const BLOBS_MAX = 100;

export const QueryRequest = z.strictObject({
  asset_ids: z.array(uuid<AssetId>()).min(1).max(QUERIED_MAX),
  include: z.array(z.enum(["metadata", "provenance"])).max(2).nullish(),
});
export type QueryRequest = z.output<typeof QueryRequest>;

export const BlobsRequest = z.strictObject({
  blobs: z.array(z.strictObject({ asset_id: uuid<AssetId>(), hash: blobHash }))
    .min(1).max(BLOBS_MAX),
});

const ASSETS_MAX = 100;
const HASHES_MAX = 1_000;

const AssetVerifyRequest = z.strictObject({
  asset_id: uuid<AssetId>(),
  blob_hashes: z.array(blobHash).min(1).max(HASHES_MAX),
});
export type AssetVerifyRequest = z.output<typeof AssetVerifyRequest>;

export const StorageVerifyRequest = z.strictObject({
  assets: z.array(AssetVerifyRequest).min(1).max(ASSETS_MAX).refine(
    (assets) =>
      assets.reduce((sum, { blob_hashes }) => sum + blob_hashes.length, 0) <=
        HASHES_MAX,
    `at most ${HASHES_MAX} hashes in all`,
  ),
  deep: z.boolean().optional(),
});
export type StorageVerifyRequest = z.output<typeof StorageVerifyRequest>;
