/**
 * Receipts in their wire form: `receipt_cbor` is the receipt, the other fields
 * are a reading of it (protocol/receipts.md#receipts).
 *
 * @module
 */
import type { z } from "zod";
import { toBase64, toHex } from "../../core/bytes.ts";
import type { AssetId, UserId } from "../../core/ids.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import {
  AssetReceiptsResponse,
  ReceiptResponse,
} from "../../wire/answers/receipts.ts";
import { route } from "../app.ts";
import type { Call } from "../call.ts";
import { uuidParameter } from "../parameters.ts";
import { listByAsset } from "./store.ts";

/** Reads a stored receipt into its wire form; `receipt`, if it is read. */
export function receiptToWire(
  body: Uint8Array,
  receipt = readReceipt(body),
): z.input<typeof ReceiptResponse> {
  const { prior_receipt_hash: prior, envelope_hash: envelope } = receipt;
  return {
    receipt_seq: receipt.receipt_seq,
    server_id: receipt.server_id,
    server_key_id: receipt.server_key_id,
    ...(prior === null ? {} : { prior_receipt_hash: toHex(prior) }),
    upload_id: receipt.upload_id,
    blob_role: receipt.blob_role,
    ciphertext_hash: toHex(receipt.ciphertext_hash),
    size: receipt.size,
    ...(envelope === null ? {} : { envelope_hash: toHex(envelope) }),
    received_at: receipt.received_at,
    receipt_cbor: toBase64(body),
  };
}

/**
 * The caller's receipts for an asset. They are the owner's alone, and outlive
 * the asset; everyone else is told that there is no such asset.
 */
async function listReceipts(
  { app, raise }: Call<"error.asset.not_found">,
  userId: UserId,
  assetId: AssetId,
) {
  const bodies = await listByAsset(app.db, userId, assetId);
  if (bodies.length === 0) throw raise("error.asset.not_found");
  return {
    asset_id: assetId,
    receipts: bodies.map((body) => receiptToWire(body)),
  };
}

export const receiptRoutes = [
  route({
    operation: "listReceipts",
    method: "GET",
    path: "/v1/assets/{asset_id}/receipts",
    summary: "The custody receipts of the caller's asset",
    credential: "reader",
    params: { asset_id: uuidParameter<AssetId>("Asset id") },
    success: { 200: { kind: "json", schema: AssetReceiptsResponse } },
    problems: ["error.asset.not_found", "error.federation.capability_scope"],
  }).by(async ({ params, ...call }) => {
    // Receipts are the owner's alone (protocol/federation.md#capability).
    if (call.caller.kind === "capability") {
      throw call.raise("error.federation.capability_scope");
    }
    const json = await listReceipts(call, call.caller.userId, params.asset_id);
    return { status: 200, json };
  }),
];
