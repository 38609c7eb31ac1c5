/**
 * Answers about uploads and lifecycle writes (protocol/uploads.md,
 * protocol/manifests.md).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  blobRole,
  count,
  flag,
  hash,
  instant,
  ordinal,
  upTo,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";
import { ReceiptResponse } from "./receipts.ts";

export const UploadResponse = z.strictObject({
  upload_id: uuid,
  state: z.enum(["open", "finalized"]),
  asset_id: uuid,
  album_id: z.optional(uuid),
  blob_role: blobRole,
  ciphertext_hash: hash,
  offset: count,
  size: count,
  expires_at: instant,
  receipt: z.optional(ReceiptResponse),
});

/** A guest's session is of no asset, and of no album that the guest knows. */
export const GuestUploadResponse = z.extend(
  z.omit(UploadResponse, { album_id: true }),
  { asset_id: z.null() },
);

/** The state of an upload session. */
export type Upload = OfAssetOrNone<Opened<typeof UploadResponse>>;

/** What a guest sends is of no asset. */
type OfAssetOrNone<T extends { readonly asset_id: string }> =
  & Omit<T, "asset_id">
  & { readonly asset_id: string | null };

export const ListUploadsResponse = z.strictObject({
  uploads: z.array(UploadResponse),
  next_after: z.optional(uuid),
});

export const FinalizeResponse = z.strictObject({
  upload_id: uuid,
  asset_id: uuid,
  blob_role: blobRole,
  ciphertext_hash: hash,
  size: count,
  receipt: ReceiptResponse,
  /** Where it applied a manifest. */
  sync_seq: z.optional(ordinal),
  replayed: flag,
});

export const GuestFinalizeResponse = z.extend(
  z.omit(FinalizeResponse, { sync_seq: true }),
  { asset_id: z.null() },
);

/** A finalized blob; `sync_seq` is set if it applied a manifest. */
export type Finalized = OfAssetOrNone<Opened<typeof FinalizeResponse>>;

/** Blobs that one write may take from where they are, and one inline. */
const RECEIPTS_MAX = 64;

export const OpResponse = z.strictObject({
  asset_id: uuid,
  sync_seq: ordinal,
  action: z.enum(["create", "replace"]),
  replayed: flag,
  /** Those that the manifest was given with. */
  receipts: upTo(RECEIPTS_MAX, ReceiptResponse),
});
