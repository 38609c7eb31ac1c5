/**
 * The proof that a receipt stands in a server's public log, as one file that
 * needs no server: C2SP tlog-proof v1 with the receipt and the server's keys as
 * its extra data (protocol/logs.md#the-proof-of-a-receipt).
 *
 * @module
 */
import * as z from "zod/mini";
import { fromBase64, fromUtf8, toBase64, utf8 } from "../core/bytes.ts";
import { toRfc3339 } from "../core/time.ts";
import { HYBRID_ALGORITHM } from "./hybrid.ts";
import {
  judgeNote,
  type LogPolicy,
  LogPolicyError,
  MAX_POLICY_BYTES,
  parseLogPolicy,
  type PolicyVerdict,
} from "./logs/log_policy.ts";
import {
  leafHash,
  MAX_PROOF_HASHES,
  TREE_HASH_BYTES,
  verifyInclusion,
} from "./logs/merkle.ts";
import { isChunkSize } from "./primitives.ts";
import { ReceiptError, receiptHash, type ReceiptPayload } from "./receipt.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
  type ReceiptFault,
  verifyReceipt,
} from "./receipt_chain.ts";
import {
  type Checkpoint,
  noteKey,
  parseCheckpoint,
  parseNote,
  readSize,
  verifyNote,
} from "./logs/signed_note.ts";

/** The first line of a proof. */
export const PROOF_HEADER = "c2sp.org/tlog-proof@v1";
/** A receipt, some keys and a checkpoint are some tens of kilobytes. */
export const MAX_PROOF_BYTES = 1024 * 1024;

/**
 * What makes the blob of a receipt out of its plaintext. The blob commits to
 * the key, so no other opening makes the same blob out of another plaintext.
 */
interface ProofOpening {
  /** The file key, which opens the original alone. */
  readonly key: Uint8Array<ArrayBuffer>;
  readonly salt: Uint8Array<ArrayBuffer>;
  /** Plaintext bytes in every chunk but the last; a power of two. */
  readonly chunkSize: number;
}

/** What a file of a proof has. Nothing of it is verified. */
export interface ReceiptProof {
  readonly receipt: Uint8Array;
  /** The attestation keys as the author of the file knew them. */
  readonly published: PublishedKeys;
  /** The place of the receipt in the log, from 0. */
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint of the log with its signatures, as it was served. */
  readonly note: string;
  /** Absent where the file is to prove the receipt and open nothing. */
  readonly opening?: ProofOpening | undefined;
  /** The witnesses whom its author believes, as text of tlog-policy. */
  readonly policy?: string | undefined;
}

/** The faults of a proof, in addition to those of its receipt. */
export type ProofFault =
  | ReceiptFault
  | "foreign_log"
  | "checkpoint_unsigned"
  | "not_in_log";

/** Whether a proof holds; `detail` is a sentence for people. */
export type ProofVerdict =
  | {
    readonly ok: true;
    readonly receipt: ReceiptPayload;
    readonly checkpoint: Checkpoint;
    readonly index: number;
  }
  | {
    readonly ok: false;
    readonly fault: ProofFault;
    readonly detail: string;
  };

const OPENING_KEY_BYTES = 32;
const SALT_BYTES = 16;

const extraData = z.object({
  receipt_cbor: z.base64(),
  attestation_keys: z.unknown(),
  opening: z.optional(z.object({
    key: z.base64(),
    salt: z.base64(),
    chunk_size: z.int().check(z.refine(isChunkSize)),
  })),
  policy: z.optional(z.string().check(z.maxLength(MAX_POLICY_BYTES))),
});

/** Writes a proof as a file. */
export function formatReceiptProof(proof: ReceiptProof): string {
  const extra = JSON.stringify({
    receipt_cbor: toBase64(proof.receipt),
    attestation_keys: recordOfKeys(proof.published),
    ...openingRecord(proof.opening),
    ...proof.policy === undefined ? {} : { policy: proof.policy },
  });
  return [
    PROOF_HEADER,
    `extra ${toBase64(utf8(extra))}`,
    `index ${proof.index}`,
    ...proof.hashes.map(toBase64),
    "",
    proof.note,
  ].join("\n");
}

function openingRecord(opening: ProofOpening | undefined) {
  if (opening === undefined) return {};
  const { key, salt, chunkSize } = opening;
  return {
    opening: {
      key: toBase64(key),
      salt: toBase64(salt),
      chunk_size: chunkSize,
    },
  };
}

/** A record that {@link parsePublishedKeys} reads. */
export function recordOfKeys(
  { serverId, formerIds = [], keys }: PublishedKeys,
) {
  return {
    server_id: serverId,
    server_ids: formerIds.map((id) => ({ server_id: id })),
    keys: keys.map((key) => ({
      key_id: key.keyId,
      public: toBase64(key.publicKey),
      algorithm: HYBRID_ALGORITHM,
      active_from: toRfc3339(key.activeFrom),
      active_to: key.activeTo === null ? null : toRfc3339(key.activeTo),
      ...(key.succession === undefined
        ? {}
        : { succession: toBase64(key.succession) }),
    })),
  };
}

/** Reads a file of a proof; undefined for anything malformed or cut off. */
export function readReceiptProof(file: Uint8Array): ReceiptProof | undefined {
  const text = fromUtf8(file) ?? "";
  const end = text.indexOf("\n\n");
  if (end < 0) return undefined;
  const note = text.slice(end + 2);
  const [header, extraLine = "", indexLine = "", ...base64] = text.slice(0, end)
    .split("\n");
  const extra = readExtra(after("extra ", extraLine));
  const index = readSize(after("index ", indexLine));
  const hashes = base64.flatMap((one) => fromBase64(one) ?? []);
  const isWhole = header === PROOF_HEADER && extra !== undefined &&
    index !== undefined && parseNote(note) !== undefined &&
    hashes.length === base64.length && hashes.length <= MAX_PROOF_HASHES &&
    hashes.every((hash) => hash.length === TREE_HASH_BYTES);
  return isWhole ? { ...extra, index, hashes, note } : undefined;
}

function after(start: string, line: string): string {
  return line.startsWith(start) ? line.slice(start.length) : "";
}

function readExtra(
  base64: string,
):
  | Pick<ReceiptProof, "receipt" | "published" | "opening" | "policy">
  | undefined {
  try {
    const text = fromUtf8(fromBase64(base64) ?? new Uint8Array());
    const { data } = extraData.safeParse(JSON.parse(text ?? ""));
    const receipt = fromBase64(data?.receipt_cbor ?? "");
    if (data === undefined || receipt === undefined) return undefined;
    const opening = data.opening && readOpening(data.opening);
    if (data.opening !== undefined && opening === undefined) return undefined;
    if (data.policy !== undefined) parseLogPolicy(data.policy);
    const published = parsePublishedKeys(data.attestation_keys);
    return { receipt, published, opening, policy: data.policy };
  } catch (error) {
    const isOfFile = error instanceof SyntaxError ||
      error instanceof ReceiptError || error instanceof LogPolicyError;
    if (isOfFile) return undefined;
    throw error;
  }
}

function readOpening(
  { key: keyText, salt: saltText, chunk_size: chunkSize }: {
    readonly key: string;
    readonly salt: string;
    readonly chunk_size: number;
  },
): ProofOpening | undefined {
  const key = fromBase64(keyText);
  const salt = fromBase64(saltText);
  return key?.length === OPENING_KEY_BYTES && salt?.length === SALT_BYTES
    ? { key, salt, chunkSize }
    : undefined;
}

/**
 * Whether a proof holds under keys that the caller trusts: the receipt is
 * signed by one of them, so is the checkpoint, it is of the custody log of that
 * server, and the receipt is in its tree. The keys in the file count for
 * nothing here.
 */
export async function verifyReceiptProof(
  { receipt: bytes, index, hashes, note: whole }: ReceiptProof,
  trusted: PublishedKeys,
): Promise<ProofVerdict> {
  const verdict = await verifyReceipt(bytes, trusted);
  if (!verdict.ok) return verdict;
  const { receipt } = verdict;
  const note = parseNote(whole);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === undefined || checkpoint === undefined) {
    return refused("unreadable", "the checkpoint cannot be read");
  }
  const { origin, size } = checkpoint;
  if (!isLogOf(origin, "custody", trusted)) {
    return refused(
      "foreign_log",
      `the checkpoint is of ${origin}, which is no log of receipts of ${trusted.serverId}`,
    );
  }
  const keys = trusted.keys.map((key) =>
    noteKey(origin, "hybrid", key.publicKey)
  );
  const signed = await verifyNote(note, keys);
  if (signed === undefined || signed.length === 0) {
    return refused(
      "checkpoint_unsigned",
      "no trusted key of the server signed the checkpoint",
    );
  }
  const hash = leafHash(receiptHash(bytes));
  if (!verifyInclusion(hashes, { index, hash }, checkpoint)) {
    return refused(
      "not_in_log",
      `receipt ${receipt.receipt_seq} is not entry ${index} of the ${size} that the checkpoint signs`,
    );
  }
  return { ok: true, receipt, checkpoint, index };
}

/**
 * Who of a policy's witnesses cosigned the checkpoint of a proof, and whether
 * they suffice.
 */
export async function witnessesOf(
  { note: whole }: Pick<ReceiptProof, "note">,
  policy: LogPolicy,
): Promise<PolicyVerdict> {
  const note = parseNote(whole);
  return note === undefined
    ? { isMet: false, by: [] }
    : await judgeNote(policy, note);
}

/** Whether an origin is that of a log of a server. */
export function isLogOf(
  origin: string,
  log: "custody" | "keys",
  { serverId, formerIds = [] }: PublishedKeys,
): boolean {
  return [serverId, ...formerIds].filter((id) => URL.canParse(id))
    .some((id) => isBelow(origin, `${new URL(id).host}/${log}/`));
}

function isBelow(origin: string, start: string): boolean {
  return origin.startsWith(start) && origin.length > start.length &&
    !origin.slice(start.length).includes("/");
}

function refused(fault: ProofFault, detail: string) {
  return { ok: false, fault, detail } as const;
}
