/**
 * Sealing a blob for sending: a small one in memory, a large one in two passes
 * while it is read.
 *
 * @module
 */
import { letGo, toHex } from "../../core/bytes.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import {
  type PlainSource,
  type SealedSource,
  sealedSource,
  SourceChanged,
} from "../sealed_source.ts";
import { doneWith, sourceOf } from "../send.ts";
import { type BlobKey, chunkSealer, ciphertextSize } from "../stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../suite.ts";
import { heldHash, noteHash } from "./held.ts";

/** A plaintext up to this size is sealed in memory (bytes). */
export const IN_MEMORY_BYTES = 32 * 1024 * 1024;
/** Bytes that are read at a time. */
const READ_BYTES = 1024 * 1024;

/** A sealed blob and the size of its plaintext. */
export interface Part extends SealedSource {
  readonly plaintextSize: number;
}

/** One that was sealed here. */
export interface SealedPart extends Part {
  /** Frees its memory: it cannot be read any more. */
  release(): void;
}

/**
 * Seals a plaintext. Throws SourceChanged if its hash is not `sha256` or it
 * changes while it is read.
 */
export async function sealPart(
  source: PlainSource,
  key: BlobKey,
  salt: Uint8Array,
  sha256: string,
  onProgress?: (plaintextBytes: number) => void,
): Promise<SealedPart> {
  const known = heldHash(source);
  const { observed, digest } = known === undefined
    ? observing(source, key)
    : { observed: source, digest: () => known };
  const sealed = source.size <= IN_MEMORY_BYTES
    ? await inMemory(observed, key, salt)
    : {
      ...await sealedSource(observed, key, salt, onProgress),
      release: () => {},
    };
  if (digest() !== sha256) throw new SourceChanged("it was changed");
  onProgress?.(source.size);
  return { ...sealed, plaintextSize: source.size };
}

async function inMemory(
  source: PlainSource,
  key: BlobKey,
  salt: Uint8Array,
): Promise<Omit<SealedPart, "plaintextSize">> {
  const { chunkSize = DEFAULT_CHUNK_SIZE } = key;
  const seal = chunkSealer(key, salt);
  const hash = (key.primitives ?? portablePrimitives).sha256();
  const blob = new Uint8Array(ciphertextSize(source.size, chunkSize));
  blob.set(salt);
  hash.update(salt);
  let at = salt.length;
  const chunks = Math.max(1, Math.ceil(source.size / chunkSize));
  const step = Math.max(1, Math.floor(READ_BYTES / chunkSize));
  // Piece by piece, so that the whole plaintext is never in memory beside the
  // blob.
  for (let first = 0; first < chunks; first += step) {
    const length = Math.min(step * chunkSize, source.size - first * chunkSize);
    const plaintext = await source.read(first * chunkSize, length);
    if (plaintext.length !== length) {
      throw new SourceChanged("it is shorter now");
    }
    const before = at;
    for (let i = first; i < Math.min(first + step, chunks); i++) {
      const start = (i - first) * chunkSize;
      const chunk = plaintext.subarray(start, start + chunkSize);
      const sealed = seal(chunk, i, i === chunks - 1);
      blob.set(sealed, at);
      at += sealed.length;
      letGo(sealed);
    }
    hash.update(blob.subarray(before, at));
    doneWith(source, plaintext);
  }
  return {
    ...sourceOf(blob),
    hash: toHex(hash.digest()),
    size: blob.length,
    release: () => letGo(blob),
  };
}

/**
 * A source that hashes its bytes while they are read in order for the first
 * time.
 */
function observing(source: PlainSource, key: BlobKey) {
  const hash = (key.primitives ?? portablePrimitives).sha256();
  let next = 0;
  let digest: string | undefined;
  const observed: PlainSource = {
    size: source.size,
    ...(source.isFresh && { isFresh: true }),
    async read(offset, length) {
      const bytes = await source.read(offset, length);
      if (offset === next && digest === undefined) {
        hash.update(bytes);
        next += bytes.length;
      }
      return bytes;
    },
  };
  return { observed, digest: () => digest ??= toHex(hash.digest()) };
}

/**
 * SHA-256 of a plaintext in hex, which is read once. Throws SourceChanged if it
 * is shorter than its stated size.
 */
export async function hashSource(
  source: PlainSource,
  primitives: Primitives,
  { signal, onProgress }: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: (bytes: number) => void;
  } = {},
): Promise<string> {
  const known = heldHash(source);
  if (known !== undefined) return known;
  const hash = primitives.sha256();
  for (let at = 0; at < source.size; at += READ_BYTES) {
    signal?.throwIfAborted();
    const length = Math.min(READ_BYTES, source.size - at);
    const bytes = await source.read(at, length);
    if (bytes.length !== length) throw new SourceChanged("it is shorter now");
    hash.update(bytes);
    doneWith(source, bytes);
    onProgress?.(at + length);
  }
  const digest = toHex(hash.digest());
  noteHash(source, digest);
  return digest;
}
