import { z } from "zod";
import type { AssetId } from "../../core/ids.ts";
import { BLOB_ROLES } from "../../crypto/receipt.ts";
import { blobHash, count, instant, text, uuid } from "../wire.ts";

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

const BlobVerdictResponse = z.strictObject({
  hash: text,
  role: z.enum([...BLOB_ROLES, "unknown"]),
  stored: z.boolean(),
  indexed: z.boolean(),
  retrievable: z.boolean(),
  deep: z.enum(["intact", "corrupt", "rate_limited"]).optional(),
});
export type BlobVerdict = z.input<typeof BlobVerdictResponse>;

export const StorageVerifyResponse = z.strictObject({
  verdicts: z.array(z.strictObject({
    asset_id: text,
    durable: z.boolean(),
    blobs: z.array(BlobVerdictResponse),
    checked_at: instant,
  })),
});

export const UsageResponse = z.strictObject({
  used_bytes: count,
  reserved_bytes: count,
  trash_bytes: count,
  quota_bytes: count.optional(),
  assets: count,
  blobs: count,
});
