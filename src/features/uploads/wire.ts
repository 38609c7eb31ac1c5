import { z } from "zod";
import type { AlbumId, AssetId, UploadId } from "../../core/ids.ts";
import { BLOB_ROLES } from "../../crypto/receipt.ts";
import { ManifestEnvelope } from "../lifecycle/wire.ts";
import { AssetReceipt } from "../receipts/receipts.ts";
import { blobHash, count, instant, integer, text, uuid } from "../wire.ts";

export const UploadRequest = z.strictObject({
  album_id: uuid<AlbumId>().nullish(),
  crypto_suite_id: z.int(),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: blobHash,
  size: integer(1),
  manifest_envelope: ManifestEnvelope,
  /** A guest's contribution that becomes this blob. */
  adopts: uuid<UploadId>().nullish(),
  /** An asset of which this blob is one already. */
  copies: uuid<AssetId>().nullish(),
  /** An asset that has lost this blob and gets it back. */
  heals: uuid<AssetId>().nullish(),
}).refine(
  ({ adopts, copies }) =>
    (adopts ?? null) === null || (copies ?? null) === null,
  { path: ["copies"], message: "not together with adopts" },
).refine(
  ({ adopts, copies, heals }) =>
    (heals ?? null) === null || (adopts ?? copies ?? null) === null,
  { path: ["heals"], message: "not together with adopts or copies" },
).meta({ id: "UploadRequest" });
export type UploadRequest = Omit<
  z.output<typeof UploadRequest>,
  "adopts" | "copies" | "heals"
>;

export const UploadResponse = z.strictObject({
  upload_id: text,
  state: z.enum(["open", "finalized"]),
  asset_id: text,
  album_id: text.optional(),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: text,
  offset: count,
  size: count,
  expires_at: instant,
  receipt: AssetReceipt.optional(),
}).meta({ id: "UploadResponse" });

export const ListUploadsResponse = z.strictObject({
  uploads: z.array(UploadResponse),
  next_after: text.optional(),
});

export const FinalizeResponse = z.strictObject({
  upload_id: text,
  asset_id: text,
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: text,
  size: count,
  receipt: AssetReceipt,
  sync_seq: integer(1).optional(),
  replayed: z.boolean(),
}).meta({ id: "FinalizeResponse" });

/** The parts of a stored envelope that decide when it is applied. */
export const StoredEnvelope = z.object({
  action: z.enum(["create", "replace"]),
  prior_provenance_hash: z.string().nullish(),
  original_blob_hash: z.string().nullish(),
  metadata_blob_hash: z.string().nullish(),
  /** Milliseconds: what is stored was read already. */
  retention_until: z.number().nullish(),
});
