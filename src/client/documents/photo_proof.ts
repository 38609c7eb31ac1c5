/**
 * Verifying that a file is the one whose receipt a proof has, without a server
 * (protocol/logs.md#the-proof-of-a-photo). The command line and the page
 * `/prove` use the same.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import {
  type LogPolicy,
  parseLogPolicy,
  type PolicyVerdict,
} from "../../crypto/logs/log_policy.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import {
  MAX_PROOF_BYTES,
  type ProofFault,
  type ProofVerdict,
  readReceiptProof,
  type ReceiptProof,
  verifyReceiptProof,
  witnessesOf,
} from "../../crypto/receipt_proof.ts";
import { followSuccession } from "../../crypto/succession.ts";
import { type PlainSource, type Sealer, sealerOf } from "../stream/sealer.ts";
import { quickPrimitives } from "../keys/portable_primitives.ts";
import { ciphertextSize, streamKey } from "../stream/stream.ts";

/** The faults of a photo's proof, in addition to those of its receipt. */
type PhotoFault =
  | ProofFault
  /** The file proves a receipt, and does not open its blob. */
  | "no_opening"
  /** The photo is not what the server signed for. */
  | "other_photo"
  /** No key of the file is the pinned one, or follows it. */
  | "key_not_pinned";

/** Whether a photo is proven; `detail` is a sentence for people. */
export type PhotoVerdict =
  | (Extract<ProofVerdict, { ok: true }> & {
    /** Who cosigned the checkpoint. */
    readonly witnessed: PolicyVerdict;
    /** Whether the reader chose the witnesses, or the file names them. */
    readonly isOwnPolicy: boolean;
    /** Whether the reader named a key, or the file's own count. */
    readonly isPinned: boolean;
  })
  | {
    readonly ok: false;
    readonly fault: PhotoFault;
    readonly detail: string;
  };

/** Whom the reader of a proof believes. */
interface ProofReader {
  /** The keys of the server, as the reader has them. */
  readonly trusted?: PublishedKeys | undefined;
  /** The id of an attestation key that is trusted, with those that follow. */
  readonly pinned?: string | undefined;
  /** Whose witnesses count; otherwise those that the file names are shown. */
  readonly policy?: LogPolicy | undefined;
}

/** Options of {@link verifyPhotoProof}. */
export interface PhotoProofOptions extends ProofReader {
  readonly sealer?: Sealer | undefined;
  readonly onProgress?: ((plaintextBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the file of a proof; undefined for anything else. */
export function readPhotoProof(file: Uint8Array): ReceiptProof | undefined {
  return file.length > MAX_PROOF_BYTES ? undefined : readReceiptProof(file);
}

/**
 * Whether a photo is the plaintext of the blob that the server signed for. The
 * photo is encrypted again with the key in the proof, which has to make the
 * very blob whose hash the receipt names.
 */
export async function verifyPhotoProof(
  proof: ReceiptProof,
  photo: PlainSource,
  {
    trusted,
    pinned,
    policy,
    sealer = sealerOf(quickPrimitives),
    ...options
  }: PhotoProofOptions = {},
): Promise<PhotoVerdict> {
  const { opening } = proof;
  const published = trusted ?? proof.published;
  const keys = pinned === undefined
    ? published
    : (await followSuccession(published, pinned))?.published;
  if (keys === undefined) {
    return refused(
      "key_not_pinned",
      `no key in the proof is ${pinned}, so it is another server's`,
    );
  }
  const verdict = await verifyReceiptProof(proof, keys);
  if (!verdict.ok) return verdict;
  const { receipt } = verdict;
  if (receipt.blob_role !== "original") {
    return refused(
      "other_photo",
      `the receipt is for the ${receipt.blob_role} of a photo`,
    );
  }
  if (opening === undefined) {
    return refused(
      "no_opening",
      "the file proves a receipt, but not for which photo: " +
        "`strongroom proof` writes one that does",
    );
  }
  // The sizes tell most other files apart before anything is encrypted.
  const { key: fileKey, salt, chunkSize } = opening;
  const stream = streamKey({ fileKey, chunkSize }, salt);
  const isSame = ciphertextSize(photo.size, chunkSize) === receipt.size &&
    (await sealer.address(photo, stream, { ...options, sha256: "" })).hash ===
      toHex(receipt.ciphertext_hash);
  if (!isSame) {
    return refused(
      "other_photo",
      "this is not the file that the server signed for, or it was changed",
    );
  }
  const named = proof.policy === undefined
    ? undefined
    : parseLogPolicy(proof.policy);
  const believed = policy ?? named;
  return {
    ...verdict,
    witnessed: believed === undefined
      ? { isMet: false, by: [] }
      : await witnessesOf(proof, believed),
    isOwnPolicy: policy !== undefined,
    isPinned: trusted !== undefined || pinned !== undefined,
  };
}

function refused(fault: PhotoFault, detail: string) {
  return { ok: false, fault, detail } as const;
}
