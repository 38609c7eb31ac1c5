/**
 * STREAM over ChaCha20-Poly1305 (protocol/client-cryptography.md#blob; as in
 * age's payload, C2SP age.md):
 * `salt (16) ‖ commitment (32) ‖ chunk ‖ … ‖ last chunk`.
 *
 * ChaCha20-Poly1305 commits to no key: a blob could be made that opens under
 * two keys to two files. The commitment is derived from the key, so at most one
 * key fits a blob.
 *
 * A chunk's nonce consists of its number and whether it is the last, so a blob
 * with a chunk dropped, added, moved or cut is refused. Each chunk's plaintext
 * is returned as soon as that chunk is authentic. Only the end of the iteration
 * shows that nothing was missing, so a reader must not act on a file before
 * that.
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  equalBytes,
  fromHex,
} from "../../core/bytes.ts";
import {
  isChunkSize,
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { type ByteSource, type Chunk, cut, recut } from "./chunks.ts";
import {
  assertKey,
  DEFAULT_CHUNK_SIZE,
  deriveKey,
  NONCE_BYTES,
  TAG_BYTES,
} from "../documents/suite.ts";

export type { ByteSource };

/** Bytes of salt that a blob begins with. */
export const SALT_BYTES = 16;
/** Bytes before the first chunk: the salt and the commitment. */
export const HEAD_BYTES = 48;

const LABEL = "service-stream/v1";
const COMMITMENT_LABEL = "service-stream-commit/v1";
const SALT_LABEL = "service-stream-salt/v1";

/** The key and the chunk size of a blob. */
export interface BlobKey {
  /** 32 bytes; one key may seal many blobs, each under its own salt. */
  readonly fileKey: Uint8Array;
  /**
   * Plaintext bytes in every chunk but the last, a power of two from 4 KiB to
   * 16 MiB; default 65,536.
   */
  readonly chunkSize?: number;
  readonly primitives?: Primitives;
}

/** The key of one blob alone, and what the blob begins with. */
export interface StreamKey {
  readonly key: Bytes;
  /** The salt and the commitment. */
  readonly head: Bytes;
  /** Plaintext bytes in every chunk but the last. */
  readonly chunkSize: number;
}

/**
 * The salt of a blob whose plaintext is known before: whoever has the key and
 * the plaintext again can make the same blob again, byte for byte, and give it
 * back to a server that lost it. Another plaintext or chunk size has another
 * salt, so no key stream is used twice.
 */
export function saltOf(
  { fileKey, chunkSize = DEFAULT_CHUNK_SIZE, primitives = portablePrimitives }:
    BlobKey,
  plaintextSha256: string,
): Bytes {
  const digest = fromHex(plaintextSha256);
  if (digest === undefined) throw new RangeError("not a SHA-256 in hex");
  return deriveKey(
    primitives,
    fileKey,
    digest,
    `${SALT_LABEL}/${chunkSize}`,
    SALT_BYTES,
  );
}

/** Why a blob was refused. */
export type StreamFault = "corrupt" | "truncated" | "extended";

/** The blob was changed, or encrypted with another key. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  constructor(readonly fault: StreamFault, message: string) {
    super(message);
  }
}

/** The size of a blob from the size of its plaintext, in bytes. */
export function ciphertextSize(
  plaintextBytes: number,
  chunkSize: number = DEFAULT_CHUNK_SIZE,
): number {
  assertChunkSize(chunkSize);
  if (!Number.isSafeInteger(plaintextBytes) || plaintextBytes < 0) {
    throw new RangeError("a size is a whole number from 0");
  }
  const chunks = Math.max(1, Math.ceil(plaintextBytes / chunkSize));
  return HEAD_BYTES + plaintextBytes + chunks * TAG_BYTES;
}

/**
 * The size of the plaintext from the size of its blob, in bytes; undefined for
 * a size that no blob has.
 */
export function plaintextSize(
  ciphertextBytes: number,
  chunkSize: number = DEFAULT_CHUNK_SIZE,
): number | undefined {
  assertChunkSize(chunkSize);
  const sealed = ciphertextBytes - HEAD_BYTES;
  const chunks = Math.max(1, Math.ceil(sealed / (chunkSize + TAG_BYTES)));
  const size = sealed - chunks * TAG_BYTES;
  const possible = Number.isSafeInteger(size) && size >= 0 &&
    ciphertextSize(size, chunkSize) === ciphertextBytes;
  return possible ? size : undefined;
}

/**
 * Encrypts plaintext into a blob, piece by piece: first the head, then one
 * piece for each chunk. The salt is {@link saltOf} the plaintext, or 16 random
 * bytes that are never used again. Throws a RangeError for a salt, key or chunk size out of bounds.
 */
export async function* encryptBlob(
  key: BlobKey,
  salt: Uint8Array,
  plaintext: ByteSource,
): AsyncGenerator<Bytes, void> {
  const cipher = openCipher(key, salt);
  yield cipher.head;
  let counter = 0;
  for await (const chunk of recut(plaintext, cipher.chunkSize)) {
    yield cipher.seal(chunk.bytes, counter++, chunk.last);
  }
}

/** Encrypts a plaintext that comes piece by piece and may stop for a while. */
export interface BlobWriter {
  /** Plaintext bytes so far. */
  readonly size: number;
  /** The next plaintext; what of the blob is complete by it. */
  push(plaintext: Uint8Array): Bytes[];
  /** The last chunk; the writer takes nothing more. */
  end(): Bytes;
}

/**
 * The same as {@link encryptBlob} for a caller who is given the plaintext, and
 * does not ask for it. The first pieces begin with the head. At most a chunk of
 * plaintext is held back. Throws a RangeError for a salt, key or chunk size out
 * of bounds.
 */
export function blobWriter(key: BlobKey, salt: Uint8Array): BlobWriter {
  const cipher = openCipher(key, salt);
  const held = new Uint8Array(cipher.chunkSize);
  let [filled, counter, size] = [0, 0, 0];
  let pieces: Bytes[] = [cipher.head];
  const given = () => {
    const all = pieces;
    pieces = [];
    return all;
  };
  return {
    get size() {
      return size;
    },
    push(plaintext) {
      for (let at = 0; at < plaintext.length;) {
        // A full chunk is sealed once another byte shows that it is not last.
        if (filled === held.length) {
          pieces.push(cipher.seal(held, counter++, false));
          filled = 0;
        }
        const part = plaintext.subarray(at, at + held.length - filled);
        held.set(part, filled);
        filled += part.length;
        at += part.length;
      }
      size += plaintext.length;
      return given();
    },
    end() {
      pieces.push(cipher.seal(held.subarray(0, filled), counter++, true));
      held.fill(0);
      return concatBytes(...given());
    },
  };
}

/**
 * Decrypts a blob, one piece for each chunk. Throws a {@link StreamError} at
 * the first chunk that is not authentic, and at the end if chunks are missing.
 */
export async function* decryptBlob(
  key: BlobKey,
  blob: ByteSource,
): AsyncGenerator<Bytes, void> {
  const chunkSize = checkedChunkSize(key);
  const open = opener(key);
  for await (const chunk of recut(blob, chunkSize + TAG_BYTES, HEAD_BYTES)) {
    const plaintext = open(chunk);
    if (plaintext !== undefined) yield plaintext;
  }
}

/**
 * Seals single chunks of a blob, in any order. Two plaintexts sealed with the
 * same number share a key stream, so at most one of them may ever be released.
 * Throws a RangeError for a salt, key or chunk size out of bounds.
 */
export function chunkSealer(
  key: BlobKey,
  salt: Uint8Array,
): (chunk: Uint8Array, counter: number, last: boolean) => Bytes {
  return openCipher(key, salt).seal;
}

/**
 * Opens single chunks of a blob, in any order; undefined for one that is not
 * authentic, or not the one of that number. `head` is the first 48 bytes of the
 * blob. Throws a {@link StreamError} if the blob belongs to another key, a
 * RangeError for a key or chunk size out of bounds.
 */
export function chunkOpener(
  key: BlobKey,
  head: Uint8Array,
): (
  chunk: Uint8Array,
  counter: number,
  last: boolean,
) => Bytes | undefined {
  return openCommitted(key, head).open;
}

/**
 * The key of the blob with that salt. Throws a RangeError for a salt, key or
 * chunk size out of bounds.
 */
export function streamKey(blobKey: BlobKey, salt: Uint8Array): StreamKey {
  const { fileKey, primitives = portablePrimitives } = blobKey;
  assertKey(fileKey, "a file key");
  if (salt.length !== SALT_BYTES) {
    throw new RangeError(`a salt has ${SALT_BYTES} bytes`);
  }
  return {
    key: deriveKey(primitives, fileKey, salt, LABEL),
    head: concatBytes(
      salt,
      deriveKey(primitives, fileKey, salt, COMMITMENT_LABEL),
    ),
    chunkSize: checkedChunkSize(blobKey),
  };
}

/** Like {@link chunkSealer}, with the key of the blob alone. */
export function streamSealer(
  { key }: StreamKey,
  primitives: Primitives,
): ReturnType<typeof chunkSealer> {
  return (chunk, counter, last) =>
    primitives.seal(key, chunkNonce(counter, last), chunk);
}

/** Encrypts bytes in memory into a whole blob. */
export function encryptBytes(
  key: BlobKey,
  salt: Uint8Array,
  plaintext: Uint8Array,
): Promise<Bytes> {
  const sealed = () => {
    const cipher = openCipher(key, salt);
    const pieces = [cipher.head];
    let counter = 0;
    for (const { bytes, last } of cut(plaintext, cipher.chunkSize)) {
      pieces.push(cipher.seal(bytes, counter++, last));
    }
    return concatBytes(...pieces);
  };
  return new Promise((resolve) => resolve(sealed()));
}

/** Decrypts a whole blob in memory. Throws a {@link StreamError}. */
export function decryptBytes(
  key: BlobKey,
  blob: Uint8Array,
): Promise<Bytes> {
  const plain = () => {
    const open = opener(key);
    const size = checkedChunkSize(key) + TAG_BYTES;
    const pieces: Bytes[] = [];
    for (const chunk of cut(blob, size, HEAD_BYTES)) {
      const plaintext = open(chunk);
      if (plaintext !== undefined) pieces.push(plaintext);
    }
    return concatBytes(...pieces);
  };
  return new Promise((resolve) => resolve(plain()));
}

interface Cipher {
  readonly chunkSize: number;
  readonly head: Bytes;
  seal(chunk: Uint8Array, counter: number, last: boolean): Bytes;
  open(chunk: Uint8Array, counter: number, last: boolean): Bytes | undefined;
}

function openCipher(blobKey: BlobKey, salt: Uint8Array): Cipher {
  const { primitives = portablePrimitives } = blobKey;
  const stream = streamKey(blobKey, salt);
  return {
    chunkSize: stream.chunkSize,
    head: stream.head,
    seal: streamSealer(stream, primitives),
    open: (chunk, counter, last) =>
      primitives.open(stream.key, chunkNonce(counter, last), chunk),
  };
}

/**
 * The cipher of a blob that begins with `head`. Throws a {@link StreamError} if
 * another key made it.
 */
function openCommitted(key: BlobKey, head: Uint8Array): Cipher {
  const cipher = openCipher(key, head.subarray(0, SALT_BYTES));
  if (!equalBytes(cipher.head, head)) {
    throw new StreamError("corrupt", "the blob belongs to another key");
  }
  return cipher;
}

/**
 * Opens the chunks of a blob in their order, its head first; undefined for one
 * that gives no piece. Throws a {@link StreamError}.
 */
function opener(key: BlobKey): (chunk: Chunk) => Bytes | undefined {
  let cipher: Cipher | undefined;
  let counter = 0;
  return ({ bytes, last }) => {
    if (cipher === undefined) {
      if (last) throw new StreamError("truncated", "no chunk at all");
      cipher = openCommitted(key, bytes);
      return undefined;
    }
    const plaintext = cipher.open(bytes, counter, last);
    if (plaintext === undefined) throw refusal(cipher, bytes, counter, last);
    if (plaintext.length === 0 && counter > 0) {
      throw new StreamError("corrupt", "an empty chunk after another");
    }
    counter++;
    // The one empty chunk of an empty plaintext gives no piece.
    return plaintext.length > 0 ? plaintext : undefined;
  };
}

/** 11-byte big-endian counter ‖ 1 byte that is 1 on the last chunk only. */
function chunkNonce(counter: number, last: boolean): Bytes {
  const nonce = new Uint8Array(NONCE_BYTES);
  // A safe integer fills 7 of the 11 bytes; no file reaches the 8th.
  new DataView(nonce.buffer).setBigUint64(3, BigInt(counter));
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

/**
 * Finds out what happened to a blob, by trying the chunk with the other flag.
 */
function refusal(
  cipher: Cipher,
  chunk: Uint8Array,
  counter: number,
  last: boolean,
): StreamError {
  if (cipher.open(chunk, counter, !last) === undefined) {
    // A last chunk that was cut looks the same.
    return new StreamError("corrupt", `chunk ${counter} is not authentic`);
  }
  return last
    ? new StreamError("truncated", `no chunk after ${counter}`)
    : new StreamError("extended", `bytes after the last chunk, ${counter}`);
}

function checkedChunkSize(key: BlobKey): number {
  const chunkSize = key.chunkSize ?? DEFAULT_CHUNK_SIZE;
  assertChunkSize(chunkSize);
  return chunkSize;
}

function assertChunkSize(chunkSize: number): void {
  if (!isChunkSize(chunkSize)) {
    throw new RangeError("a chunk size is a power of two, 4 KiB to 16 MiB");
  }
}
