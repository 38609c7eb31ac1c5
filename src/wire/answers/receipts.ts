/**
 * Answers about receipts (protocol/receipts.md).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  base64,
  blobRole,
  count,
  flag,
  hash,
  instant,
  ordinal,
  text,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";

export const ReceiptResponse = z.strictObject({
  receipt_seq: ordinal,
  server_id: text,
  server_key_id: hash,
  prior_receipt_hash: z.optional(hash),
  upload_id: uuid,
  blob_role: blobRole,
  ciphertext_hash: hash,
  size: count,
  envelope_hash: z.optional(hash),
  received_at: instant,
  receipt_cbor: base64,
});
/** The fields of a receipt, and in `receipt_cbor` the receipt itself. */
export type AssetReceipt = Opened<typeof ReceiptResponse>;

export const AssetReceiptsResponse = z.strictObject({
  asset_id: uuid,
  receipts: z.array(ReceiptResponse),
});

export const ReceiptsResponse = z.strictObject({
  receipts: z.array(z.strictObject({
    receipt_seq: ordinal,
    sha256: hash,
    receipt_cbor: z.optional(base64),
    /** Its place in the public log of receipts, once a checkpoint covers it. */
    log_index: z.optional(count),
  })),
  next_after: count,
  more: flag,
});
/** A page of an account's receipts. */
export type ReceiptsPage = Opened<typeof ReceiptsResponse>;
