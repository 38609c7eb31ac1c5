/**
 * Making the proof that a photo is the one whose receipt stands in the server's
 * public log (protocol/logs.md#the-proof-of-a-photo).
 *
 * @module
 */
import { concatBytes } from "../../core/bytes.ts";
import { formatReceiptProof } from "../../crypto/receipt_proof.ts";
import {
  type PhotoVerdict,
  verifyPhotoProof,
} from "../../client/documents/photo_proof.ts";
import type { PlainSource } from "../../client/stream/sealer.ts";
import { SALT_BYTES } from "../../client/stream/stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import type { HeldReceipt } from "../trust/custody.ts";
import type { Library } from "../library.ts";
import { sealerOn } from "../base/platform.ts";
import { DamagedBlob, fetchBlob, readableOf } from "../rows/pull.ts";
import { proveReceipt } from "./receipt_proof.ts";
import type { Row } from "../rows/rows.ts";

/** A proof that was verified with the photo. */
type ProvenPhoto = Extract<PhotoVerdict, { ok: true }> & {
  /** The text of its file. */
  readonly file: string;
};

/** Options of {@link provePhoto}. */
interface ProvePhotoOptions {
  readonly signal?: AbortSignal;
  /** The photo itself, where it is at hand; otherwise the server sends it. */
  readonly photo?: PlainSource | undefined;
}

/**
 * Makes the proof of a photo, and verifies it with the photo's bytes. It has the
 * key of the original, and no other: not the file's, from which those of its
 * description and previews follow. Undefined as long as no checkpoint covers
 * the receipt. Throws DamagedBlob where the server has other bytes, and what
 * {@link proveReceipt} throws.
 */
export async function provePhoto(
  library: Library,
  row: Row,
  held: HeldReceipt,
  { signal, photo }: ProvePhotoOptions = {},
): Promise<ProvenPhoto | undefined> {
  const { vault, albums: keys, logs } = library;
  const { account, platform } = vault.session;
  const proven = await proveReceipt(library, held);
  if (proven === undefined) return undefined;
  const { key, hash } = await readableOf({ vault, keys }, row, "original");
  const part = { first: 0, last: SALT_BYTES - 1 };
  const salt: Uint8Array[] = [];
  for await (const piece of fetchBlob(account, row.id, hash, signal, part)) {
    salt.push(piece.slice());
  }
  const opening = {
    key: new Uint8Array(key.fileKey),
    salt: concatBytes(...salt),
    chunkSize: key.chunkSize ?? DEFAULT_CHUNK_SIZE,
  };
  const proof = { ...proven.proof, opening, policy: logs.policy };
  const verdict = await verifyPhotoProof(
    proof,
    photo ?? await sourceOf(library, row.id),
    { trusted: proof.published, sealer: sealerOn(platform), signal },
  );
  if (!verdict.ok) throw new DamagedBlob(verdict.detail);
  return { ...verdict, file: formatReceiptProof(proof) };
}

/** The original as the server has it. */
async function sourceOf(library: Library, id: string): Promise<PlainSource> {
  const { size, read } = await library.ranges(id);
  return {
    size,
    read: (offset, length) =>
      length === 0
        ? Promise.resolve(new Uint8Array())
        : read({ first: offset, last: offset + length - 1 }),
  };
}
