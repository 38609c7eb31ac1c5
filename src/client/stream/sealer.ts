/**
 * Sealing the chunks of a blob, which is most of the work of taking a file in.
 * A program can have another thread do it; the code is the same in both.
 *
 * @module
 */
import { type Bytes, letGo, toHex } from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import { type BlobSource, doneWith } from "../api/send.ts";
import {
  ciphertextSize,
  HEAD_BYTES,
  type StreamKey,
  streamSealer,
} from "./stream.ts";
import { TAG_BYTES } from "../documents/suite.ts";

/** About this much is read and sealed at once (bytes). */
const STEP_BYTES = 1024 * 1024;

/** A plaintext of which any part can be read. */
export interface PlainSource extends BlobSource {
  /** Bytes of the whole plaintext. */
  readonly size: number;
}

/** The plaintext has changed since the blob got its address. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

/** Options of reading a whole plaintext. */
export interface SealerOptions {
  /** Gets the number of plaintext bytes read. */
  readonly onProgress?: ((plaintextBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of the plaintext in hex, if it need not be computed. */
  readonly sha256?: string | undefined;
}

/** What is known of a blob once its plaintext was read. */
export interface Addressed {
  /** The blob's SHA-256 in hex. */
  readonly hash: string;
  /** The plaintext's. */
  readonly sha256: string;
}

/** What seals; throws {@link SourceChanged} for a plaintext that is shorter. */
export interface Sealer {
  /** Seals a plaintext in memory. */
  whole(
    plain: PlainSource,
    key: StreamKey,
    options?: SealerOptions,
  ): Promise<Addressed & { readonly blob: Bytes }>;
  /** Reads a plaintext once for its blob's address and its chunks' tags. */
  address(
    plain: PlainSource,
    key: StreamKey,
    options?: SealerOptions,
  ): Promise<Addressed & { readonly tags: Bytes }>;
  /** SHA-256 of a plaintext in hex; reads it once. */
  hash(plain: PlainSource, options?: SealerOptions): Promise<string>;
  /** The sealed chunks from number `first` up to but not including `end`. */
  chunks(
    plain: PlainSource,
    key: StreamKey,
    first: number,
    end: number,
  ): Promise<Bytes>;
}

/** The number of chunks of a plaintext. */
export function chunksOf(size: number, { chunkSize }: StreamKey): number {
  return Math.max(1, Math.ceil(size / chunkSize));
}

/** The number of chunks that are sealed at once. */
export function stepOf({ chunkSize }: StreamKey): number {
  return Math.max(1, Math.floor(STEP_BYTES / chunkSize));
}

/** SHA-256 of a plaintext in hex, which is read once. */
export async function hashPlain(
  plain: PlainSource,
  primitives: Primitives,
  { onProgress, signal }: SealerOptions = {},
): Promise<string> {
  const hash = primitives.sha256();
  for (let at = 0; at < plain.size; at += STEP_BYTES) {
    signal?.throwIfAborted();
    const length = Math.min(STEP_BYTES, plain.size - at);
    const bytes = await plain.read(at, length);
    if (bytes.length !== length) throw new SourceChanged("it is shorter now");
    hash.update(bytes);
    doneWith(plain, bytes);
    onProgress?.(at + length);
  }
  return toHex(hash.digest());
}

/** Seals in this thread. */
export function sealerOf(primitives: Primitives): Sealer {
  /** Gives each sealed chunk to `take`, and frees it. */
  const seal = async (
    plain: PlainSource,
    key: StreamKey,
    [first, end]: readonly [number, number],
    take: (chunk: Bytes) => void,
    { onProgress, signal }: SealerOptions = {},
    seen: (plaintext: Bytes) => void = () => {},
  ): Promise<void> => {
    const { chunkSize } = key;
    const last = chunksOf(plain.size, key) - 1;
    const sealChunk = streamSealer(key, primitives);
    for (let at = first; at < end; at += stepOf(key)) {
      signal?.throwIfAborted();
      const until = Math.min(at + stepOf(key), end);
      const from = at * chunkSize;
      const length = Math.min(until * chunkSize, plain.size) - from;
      const bytes = await plain.read(from, length);
      if (bytes.length !== length) throw new SourceChanged("it is shorter now");
      seen(bytes);
      for (let i = at; i < until; i++) {
        const start = i * chunkSize - from;
        const chunk = sealChunk(
          bytes.subarray(start, start + chunkSize),
          i,
          i === last,
        );
        take(chunk);
        letGo(chunk);
      }
      doneWith(plain, bytes);
      onProgress?.(from + length);
    }
  };
  const through = async (
    plain: PlainSource,
    key: StreamKey,
    options: SealerOptions,
    take: (chunk: Bytes) => void,
  ): Promise<Addressed> => {
    const known = options.sha256;
    const whole = primitives.sha256();
    const hash = primitives.sha256();
    hash.update(key.head);
    await seal(
      plain,
      key,
      [0, chunksOf(plain.size, key)],
      (chunk) => {
        hash.update(chunk);
        take(chunk);
      },
      options,
      known === undefined ? whole.update : undefined,
    );
    return {
      hash: toHex(hash.digest()),
      sha256: known ?? toHex(whole.digest()),
    };
  };
  return {
    async whole(plain, key, options = {}) {
      const blob = new Uint8Array(ciphertextSize(plain.size, key.chunkSize));
      blob.set(key.head);
      let at = HEAD_BYTES;
      const addressed = await through(plain, key, options, (chunk) => {
        blob.set(chunk, at);
        at += chunk.length;
      });
      return { ...addressed, blob };
    },
    async address(plain, key, options = {}) {
      const tags = new Uint8Array(chunksOf(plain.size, key) * TAG_BYTES);
      let at = 0;
      const addressed = await through(plain, key, options, (chunk) => {
        tags.set(chunk.subarray(-TAG_BYTES), at);
        at += TAG_BYTES;
      });
      return { ...addressed, tags };
    },
    hash: (plain, options) => hashPlain(plain, primitives, options),
    async chunks(plain, key, first, end) {
      const { chunkSize } = key;
      const length = Math.min(end * chunkSize, plain.size) - first * chunkSize;
      const out = new Uint8Array(length + (end - first) * TAG_BYTES);
      let at = 0;
      await seal(plain, key, [first, end], (chunk) => {
        out.set(chunk, at);
        at += chunk.length;
      });
      return out;
    },
  };
}
