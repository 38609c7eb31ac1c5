/**
 * Custody receipts (protocol/receipts.md#receipts): the server's signed promise
 * that it holds a blob, each naming the hash of the one before.
 * `receipt_chain.ts` verifies them without the server.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../core/bytes.ts";
import { isBlobHash } from "../core/ids.ts";
import { parseRfc3339 } from "../core/time.ts";
import { BLOB_ROLES, type BlobRole } from "./blob_role.ts";
import {
  EnvelopeError,
  type OpenedEnvelope,
  openEnvelope,
  signEnvelope,
} from "./envelope.ts";
import type { HybridSigner } from "./hybrid.ts";
import { sha256 } from "./sha256.ts";

export { BLOB_ROLES, type BlobRole };

/** The payload's type and signing domain. */
export const RECEIPT_TYPE = "service-custody-receipt/v1";

/** The signed fields of a receipt; hashes are 32 bytes. */
export interface ReceiptPayload {
  readonly type: typeof RECEIPT_TYPE;
  /** Strictly monotonic per server, from 1. */
  readonly receipt_seq: number;
  readonly server_id: string;
  /** Fingerprint of the signing attestation key, lowercase hex. */
  readonly server_key_id: string;
  /** SHA-256 of the previous receipt's whole envelope; null for the first. */
  readonly prior_receipt_hash: Uint8Array | null;
  readonly upload_id: string;
  /** Null for a guest's contribution that is not adopted yet. */
  readonly asset_id: string | null;
  readonly blob_role: BlobRole;
  readonly ciphertext_hash: Uint8Array;
  /** Bytes of the blob. */
  readonly size: number;
  /** SHA-256 of the signed manifest; on a provenance receipt alone. */
  readonly envelope_hash: Uint8Array | null;
  /** RFC 3339, the server's clock at the finalization commit. */
  readonly received_at: string;
}

/** A receipt that was read; its signature is not verified yet. */
export interface OpenedReceipt {
  readonly payload: ReceiptPayload;
  readonly envelope: OpenedEnvelope;
}

/** What the issuer decides; the type and the key id follow from the signer. */
type ReceiptFields = Omit<ReceiptPayload, "type" | "server_key_id">;

/** Bytes that are not a receipt; the message says why. */
export class ReceiptError extends Error {
  override readonly name = "ReceiptError";
}

const digest = z.instanceof(Uint8Array).check(
  z.refine((bytes) => bytes.length === 32),
);
const receiptPayload = z.strictObject({
  type: z.literal(RECEIPT_TYPE),
  receipt_seq: z.int().check(z.gte(1)),
  server_id: z.string().check(z.minLength(1)),
  server_key_id: z.string().check(z.refine(isBlobHash)),
  prior_receipt_hash: z.nullable(digest),
  upload_id: z.string().check(z.minLength(1)),
  asset_id: z.nullable(z.string().check(z.minLength(1))),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: digest,
  size: z.int().check(z.gte(0)),
  envelope_hash: z.nullable(digest),
  received_at: z.string().check(
    z.refine((text) => parseRfc3339(text) !== undefined),
  ),
});

/**
 * Signs a receipt and returns the whole envelope: the receipt's bytes, as
 * `receipt_cbor` carries them.
 */
export async function signReceipt(
  signer: HybridSigner,
  fields: ReceiptFields,
): Promise<Bytes> {
  return await signEnvelope(signer, {
    ...fields,
    type: RECEIPT_TYPE,
    server_key_id: signer.keyId,
  });
}

/**
 * Reads the fields of a receipt without verifying its signature. Throws
 * {@link ReceiptError} for anything that is not a receipt of this version.
 */
export function readReceipt(bytes: Uint8Array): ReceiptPayload {
  return openReceipt(bytes).payload;
}

/**
 * The time of issue that a receipt states (ms); undefined for bytes that are no
 * receipt.
 */
export function receivedAtOf(bytes: Uint8Array): number | undefined {
  try {
    return parseRfc3339(readReceipt(bytes).received_at);
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}

/**
 * Reads the fields together with the envelope that verifying needs. Throws
 * {@link ReceiptError} like {@link readReceipt}.
 */
export function openReceipt(bytes: Uint8Array): OpenedReceipt {
  let envelope: OpenedEnvelope;
  try {
    envelope = openEnvelope(bytes, { maxDepth: 1 });
  } catch (cause) {
    if (!(cause instanceof EnvelopeError)) throw cause;
    throw new ReceiptError(cause.message, { cause });
  }
  const parsed = receiptPayload.safeParse(envelope.payload);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ReceiptError(
      `receipt field ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
    );
  }
  return { payload: parsed.data, envelope };
}

/**
 * SHA-256 over the whole envelope, 32 bytes: the next receipt's
 * `prior_receipt_hash`.
 */
export function receiptHash(bytes: Uint8Array): Bytes {
  return sha256(bytes);
}
