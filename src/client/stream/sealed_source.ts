/**
 * A blob that is encrypted while it is read, without storing the ciphertext:
 * for browsers, which have no file for it. An upload names its hash before its
 * first byte, so the plaintext is read at least twice.
 *
 * If the plaintext changed between two readings, two plaintexts would be sealed
 * under one key stream, which reveals both. So the tags of the first pass are
 * kept (16 bytes for each chunk), and a chunk with another tag is never
 * returned. A changed chunk has the same tag with a probability of about 2^-90.
 *
 * @module
 */
import { type Bytes, equalBytes, letGo } from "../../core/bytes.ts";
import { portablePrimitives } from "../../crypto/primitives.ts";
import {
  type Addressed,
  chunksOf,
  type PlainSource,
  type Sealer,
  sealerOf,
  SourceChanged,
  stepOf,
} from "./sealer.ts";
import {
  type BlobKey,
  ciphertextSize,
  HEAD_BYTES,
  type StreamKey,
  streamKey,
} from "./stream.ts";
import { TAG_BYTES } from "../documents/suite.ts";
import type { BlobSource } from "../api/send.ts";

export { type PlainSource, SourceChanged };

/** A blob of which any part can be read, with its content address. */
export interface SealedSource extends BlobSource {
  readonly hash: string;
  /** Bytes of the blob. */
  readonly size: number;
}

/**
 * Reads a plaintext once to compute its blob's hash; `onProgress` gets the
 * number of plaintext bytes read. Reading the blob later throws
 * {@link SourceChanged} if the plaintext has changed. The salt is 16 random
 * bytes that are never used again.
 */
export async function sealedSource(
  plain: PlainSource,
  key: BlobKey,
  salt: Uint8Array,
  onProgress?: (plaintextBytes: number) => void,
): Promise<SealedSource> {
  const sealer = sealerOf(key.primitives ?? portablePrimitives);
  const stream = streamKey(key, salt);
  // The plaintext's own hash is not needed.
  const options = { onProgress, sha256: "" };
  const found = await sealer.address(plain, stream, options);
  return addressedSource(plain, stream, sealer, found);
}

/** A blob whose plaintext was read once. */
export function addressedSource(
  plain: PlainSource,
  key: StreamKey,
  sealer: Sealer,
  { hash, tags }: Pick<Addressed, "hash"> & { readonly tags: Bytes },
): SealedSource {
  const chunks = chunksOf(plain.size, key);
  const stride = key.chunkSize + TAG_BYTES;
  const size = ciphertextSize(plain.size, key.chunkSize);
  /** Whether these are the sealed chunks from `first` on of the first pass. */
  const isSame = (sealed: Bytes, first: number, end: number): boolean => {
    const until = end === chunks ? size : HEAD_BYTES + stride * end;
    if (sealed.length !== until - HEAD_BYTES - stride * first) return false;
    for (let i = first; i < end; i++) {
      const at = Math.min(stride * (i + 1 - first), sealed.length);
      const tag = sealed.subarray(at - TAG_BYTES, at);
      const kept = tags.subarray(TAG_BYTES * i, TAG_BYTES * (i + 1));
      if (!equalBytes(tag, kept)) return false;
    }
    return true;
  };
  return {
    hash,
    size,
    isFresh: true,
    async read(offset, length) {
      const out = new Uint8Array(length);
      /**
       * Copies into `out` the wanted part of bytes that are at `at` in the
       * blob.
       */
      const copy = (bytes: Uint8Array, at: number) => {
        const from = Math.max(offset, at);
        const to = Math.min(offset + length, at + bytes.length);
        if (from < to) {
          out.set(bytes.subarray(from - at, to - at), from - offset);
        }
      };
      copy(key.head, 0);
      const chunkAt = (position: number) =>
        Math.floor(Math.max(0, position - HEAD_BYTES) / stride);
      const end = Math.min(chunkAt(offset + length - 1) + 1, chunks);
      for (let at = chunkAt(offset); at < end; at += stepOf(key)) {
        const until = Math.min(at + stepOf(key), end);
        const sealed = await sealer.chunks(plain, key, at, until);
        if (!isSame(sealed, at, until)) {
          throw new SourceChanged("it was changed");
        }
        copy(sealed, HEAD_BYTES + stride * at);
        letGo(sealed);
      }
      return out;
    },
  };
}
