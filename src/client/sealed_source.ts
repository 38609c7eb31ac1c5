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
import { type Bytes, equalBytes, letGo, toHex } from "../core/bytes.ts";
import { portablePrimitives } from "../crypto/primitives.ts";
import {
  type BlobKey,
  chunkSealer,
  ciphertextSize,
  SALT_BYTES,
} from "./stream.ts";
import { DEFAULT_CHUNK_SIZE, TAG_BYTES } from "./suite.ts";
import { type BlobSource, doneWith } from "./send.ts";

/** About this much is read at once (bytes). */
const PASS_BYTES = 1024 * 1024;

/** A plaintext of which any part can be read. */
export interface PlainSource extends BlobSource {
  /** Bytes of the whole plaintext. */
  readonly size: number;
}

/** A blob of which any part can be read, with its content address. */
export interface SealedSource extends BlobSource {
  readonly hash: string;
  /** Bytes of the blob. */
  readonly size: number;
}

/** The plaintext has changed since the blob got its address. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
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
  onProgress: (plaintextBytes: number) => void = () => {},
): Promise<SealedSource> {
  const chunkSize = key.chunkSize ?? DEFAULT_CHUNK_SIZE;
  const seal = chunkSealer(key, salt);
  const size = ciphertextSize(plain.size, chunkSize);
  const chunks = Math.max(1, Math.ceil(plain.size / chunkSize));
  const tags = new Uint8Array(chunks * TAG_BYTES);
  const step = Math.max(1, Math.floor(PASS_BYTES / chunkSize));

  /** The sealed chunks from `first` up to but not including `end`. */
  async function* sealed(first: number, end: number): AsyncGenerator<Bytes> {
    for (let at = first; at < end; at += step) {
      const until = Math.min(at + step, end);
      const from = at * chunkSize;
      const length = Math.min(until * chunkSize, plain.size) - from;
      const bytes = await plain.read(from, length);
      if (bytes.length !== length) throw new SourceChanged("it is shorter now");
      for (let i = at; i < until; i++) {
        const start = i * chunkSize - from;
        const chunk = bytes.subarray(start, start + chunkSize);
        yield seal(chunk, i, i === chunks - 1);
      }
      doneWith(plain, bytes);
    }
  }

  const hash = (key.primitives ?? portablePrimitives).sha256();
  hash.update(salt);
  for (let first = 0; first < chunks; first += step) {
    const end = Math.min(first + step, chunks);
    let i = first;
    for await (const chunk of sealed(first, end)) {
      hash.update(chunk);
      tags.set(chunk.subarray(-TAG_BYTES), TAG_BYTES * i++);
      letGo(chunk);
    }
    onProgress(Math.min(end * chunkSize, plain.size));
  }

  return {
    hash: toHex(hash.digest()),
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
      copy(salt, 0);
      const stride = chunkSize + TAG_BYTES;
      const chunkAt = (position: number) =>
        Math.floor(Math.max(0, position - SALT_BYTES) / stride);
      let i = chunkAt(offset);
      const end = Math.min(chunkAt(offset + length - 1) + 1, chunks);
      for await (const chunk of sealed(i, end)) {
        const tag = tags.subarray(TAG_BYTES * i, TAG_BYTES * (i + 1));
        if (!equalBytes(chunk.subarray(-TAG_BYTES), tag)) {
          throw new SourceChanged("it was changed");
        }
        copy(chunk, SALT_BYTES + stride * i++);
        letGo(chunk);
      }
      return out;
    },
  };
}
