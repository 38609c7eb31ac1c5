/**
 * Verifying custody receipts offline, against a saved copy of the server's
 * attestation-keys record (protocol/receipts.md#verifying-one).
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, equalBytes, fromBase64 } from "../core/bytes.ts";
import { isBlobHash } from "../core/ids.ts";
import { parseRfc3339 } from "../core/time.ts";
import { isEd25519PublicKey } from "./ed25519_strict.ts";
import { verifyEnvelope } from "./envelope.ts";
import {
  ED25519_PUBLIC_KEY_BYTES,
  HYBRID_ALGORITHM,
  HYBRID_PUBLIC_KEY_BYTES,
  type HybridBackend,
  keyId,
} from "./hybrid.ts";
import {
  type OpenedReceipt,
  openReceipt,
  RECEIPT_TYPE,
  ReceiptError,
  receiptHash,
  type ReceiptPayload,
} from "./receipt.ts";

/** An attestation key and the time in which it signed. */
export interface PublishedKey {
  /** Fingerprint, lowercase hex. */
  readonly keyId: string;
  /** Ed25519 ‖ ML-DSA-65, 1,984 bytes. */
  readonly publicKey: Uint8Array;
  /** Milliseconds since the epoch; inclusive. */
  readonly activeFrom: number;
  /** Milliseconds since the epoch, inclusive; null while active. */
  readonly activeTo: number | null;
  /** The signature of the previous key, saying that this one follows it. */
  readonly succession?: Uint8Array | undefined;
}

/** The server's published keys, oldest first. */
export interface PublishedKeys {
  readonly serverId: string;
  /** Origins that the same server had earlier, with the same keys. */
  readonly formerIds?: readonly string[];
  readonly keys: readonly PublishedKey[];
}

/** The faults of a receipt, by itself or in its chain. */
export type ReceiptFault =
  | "unreadable"
  | "foreign_server"
  | "key_unknown"
  | "key_outside_window"
  | "signature_invalid"
  | "sequence_not_increasing"
  | "prior_hash_mismatch";

/** Whether one receipt holds; `detail` is a sentence for people. */
export type ReceiptVerdict =
  | { readonly ok: true; readonly receipt: ReceiptPayload }
  | {
    readonly ok: false;
    readonly fault: ReceiptFault;
    readonly detail: string;
  };

/** Whether a whole chain holds; a fault names the first receipt that fails. */
export type ReceiptChainVerdict =
  | {
    readonly ok: true;
    /** Receipts verified. */
    readonly count: number;
    /** The last receipt; null for an empty chain. */
    readonly last: ReceiptPayload | null;
  }
  | {
    readonly ok: false;
    readonly fault: ReceiptFault;
    readonly detail: string;
    /** Position in the chain, from 0. */
    readonly index: number;
    /** The receipt's sequence number; null if it could not be read. */
    readonly receiptSeq: number | null;
  };

/** Makes a parse fail with this message. */
function noting(context: z.core.ParsePayload, message: string): never {
  context.issues.push({ code: "custom", message, input: context.value });
  return z.NEVER;
}
const instant = z.pipe(
  z.string(),
  z.transform((text, context) =>
    parseRfc3339(text) ?? noting(context, "not an RFC 3339 time")
  ),
);
const publicKey = z.pipe(
  z.string(),
  z.transform((text, context): Bytes => {
    const bytes = fromBase64(text);
    if (bytes?.length !== HYBRID_PUBLIC_KEY_BYTES) {
      noting(context, `not ${HYBRID_PUBLIC_KEY_BYTES} bytes in base64`);
    }
    // Before it is pinned: anybody signs for a key of small order.
    return isEd25519PublicKey(bytes.subarray(0, ED25519_PUBLIC_KEY_BYTES))
      ? bytes
      : noting(context, "its Ed25519 half is not a key");
  }),
);
const signature = z.pipe(
  z.string(),
  z.transform((text, context): Bytes =>
    fromBase64(text) ?? noting(context, "not base64")
  ),
);
// Unknown members are ignored: the record may come from another program.
const attestationKeys = z.object({
  server_id: z.string().check(z.minLength(1)),
  server_ids: z._default(
    z.array(z.object({ server_id: z.string().check(z.minLength(1)) })),
    [],
  ),
  keys: z.array(
    z.object({
      key_id: z.string().check(z.refine(isBlobHash)),
      public: publicKey,
      algorithm: z.literal(HYBRID_ALGORITHM),
      active_from: instant,
      active_to: z.nullish(instant),
      succession: z.optional(signature),
    }).check(z.refine((key) => keyId(key.public) === key.key_id, {
      // A wrong fingerprint would let one key pose as another.
      message: "key_id is not the fingerprint of public",
    })),
  ),
});

/** Keys, and ids of a server, that are read of a record. */
const MOST_PUBLISHED = 1_024;
/** Looked at before any key is, which takes a hash and a point each. */
const bounds = z.object({
  server_ids: z.optional(
    z.array(z.unknown()).check(z.maxLength(MOST_PUBLISHED)),
  ),
  keys: z.array(z.unknown()).check(z.maxLength(MOST_PUBLISHED)),
});

/**
 * Reads an attestation-keys record as the server publishes it (parsed JSON).
 * Throws {@link ReceiptError} for any other shape, for more than 1,024 keys or
 * ids, for an unknown algorithm, for a `key_id` that is not its key's
 * fingerprint, and for a key whose Ed25519 half is no point of the curve or of
 * small order.
 */
export function parsePublishedKeys(record: unknown): PublishedKeys {
  if (bounds.safeParse(record).error?.issues[0]?.code === "too_big") {
    throw new ReceiptError("attestation keys: too many");
  }
  const parsed = attestationKeys.safeParse(record);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ReceiptError(
      `attestation keys ${issue?.path.join(".") ?? ""}: ${
        issue?.message ?? ""
      }`,
    );
  }
  return {
    serverId: parsed.data.server_id,
    formerIds: parsed.data.server_ids.map((one) => one.server_id)
      .filter((id) => id !== parsed.data.server_id),
    keys: parsed.data.keys.map((key) => ({
      keyId: key.key_id,
      publicKey: key.public,
      activeFrom: key.active_from,
      activeTo: key.active_to ?? null,
      ...(key.succession === undefined ? {} : { succession: key.succession }),
    })),
  };
}

/**
 * Whether a receipt was issued by that server, under a key that it published
 * and within the time in which the key signed. Its place in the chain is left
 * to {@link verifyReceiptChain}.
 */
export async function verifyReceipt(
  bytes: Uint8Array,
  published: PublishedKeys,
  backend?: HybridBackend,
): Promise<ReceiptVerdict> {
  let opened: OpenedReceipt;
  try {
    opened = openReceipt(bytes);
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    return refused("unreadable", error.message);
  }
  return await verifyOpened(opened, published, backend);
}

/** The same for a receipt that was read already. */
export async function verifyOpened(
  { payload: receipt, envelope }: OpenedReceipt,
  published: PublishedKeys,
  backend?: HybridBackend,
): Promise<ReceiptVerdict> {
  const { serverId, formerIds = [] } = published;
  if (
    receipt.server_id !== serverId && !formerIds.includes(receipt.server_id)
  ) {
    return refused("foreign_server", `it is of ${receipt.server_id}`);
  }
  const key = published.keys.find((one) => one.keyId === receipt.server_key_id);
  // The caller's record may not have come through parsePublishedKeys.
  if (key === undefined || keyId(key.publicKey) !== receipt.server_key_id) {
    return refused(
      "key_unknown",
      `key ${receipt.server_key_id} is not published`,
    );
  }
  const receivedAt = parseRfc3339(receipt.received_at) ?? Number.NaN;
  const inWindow = receivedAt >= key.activeFrom &&
    (key.activeTo === null || receivedAt <= key.activeTo);
  if (!inWindow) {
    return refused(
      "key_outside_window",
      `key ${key.keyId} did not sign at ${receipt.received_at}`,
    );
  }
  const signed = await verifyEnvelope(
    envelope,
    key.publicKey,
    RECEIPT_TYPE,
    backend,
  );
  return signed
    ? { ok: true, receipt }
    : refused("signature_invalid", `it is not signed by key ${key.keyId}`);
}

/** Options of {@link verifyReceiptChain}. */
export interface ReceiptChainOptions {
  /**
   * True if the chain starts in the middle, so that the first receipt may name
   * a prior one. By default the first receipt is the server's first ever.
   */
  readonly partial?: boolean;
  readonly backend?: HybridBackend;
}

/**
 * Verifies receipts in order: each by itself, sequence numbers strictly rising
 * (gaps are allowed: a restore leaves one), and each naming the hash of the one
 * before. Stops at the first fault. Takes any number in constant memory.
 */
export async function verifyReceiptChain(
  receipts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  published: PublishedKeys,
  options: ReceiptChainOptions = {},
): Promise<ReceiptChainVerdict> {
  let index = 0;
  let last: ReceiptPayload | null = null;
  let lastHash: Bytes | null = null;
  for await (const bytes of receipts) {
    const verdict = await verifyReceipt(bytes, published, options.backend);
    if (!verdict.ok) {
      return { ...verdict, index, receiptSeq: readableSeq(bytes) };
    }
    const { receipt } = verdict;
    const startsAnywhere = index === 0 && options.partial === true;
    const misplaced = misplacement(receipt, last, lastHash, startsAnywhere);
    if (misplaced !== undefined) {
      return { ...misplaced, index, receiptSeq: receipt.receipt_seq };
    }
    last = receipt;
    lastHash = receiptHash(bytes);
    index++;
  }
  return { ok: true, count: index, last };
}

type Refusal = Extract<ReceiptVerdict, { ok: false }>;

function misplacement(
  receipt: ReceiptPayload,
  last: ReceiptPayload | null,
  lastHash: Bytes | null,
  startsAnywhere: boolean,
): Refusal | undefined {
  if (last !== null && receipt.receipt_seq <= last.receipt_seq) {
    return refused(
      "sequence_not_increasing",
      `${receipt.receipt_seq} comes after ${last.receipt_seq}`,
    );
  }
  if (startsAnywhere) return undefined;
  const prior = receipt.prior_receipt_hash;
  const linked = prior === null || lastHash === null
    ? prior === lastHash
    : equalBytes(prior, lastHash);
  return linked ? undefined : refused(
    "prior_hash_mismatch",
    "prior_receipt_hash is not the hash of the receipt before",
  );
}

function refused(fault: ReceiptFault, detail: string): Refusal {
  return { ok: false, fault, detail };
}

function readableSeq(bytes: Uint8Array): number | null {
  try {
    return openReceipt(bytes).payload.receipt_seq;
  } catch {
    return null;
  }
}
