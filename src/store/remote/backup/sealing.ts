/**
 * Sealed objects (backup-off-site/format.md). An object is a salt, and then
 * the content in chunks of 64 KiB, sealed by ChaCha20-Poly1305. Each object has
 * a key of its own. The chunks are numbered and the last one is marked, as in
 * STREAM and in age. The key is derived from the salt and the object's name, so
 * an object that lies in another's place does not open. The ciphers are Node's
 * native ones, because a library has terabytes.
 *
 * @module
 */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { letGo } from "../../../core/bytes.ts";

const CIPHER = "chacha20-poly1305";
const VERSION = 1;
const SALT_BYTES = 32;
const HEAD_BYTES = 1 + SALT_BYTES;
const TAG_BYTES = 16;
/** Content in one chunk (bytes). */
const CHUNK_BYTES = 64 * 1024;
/** The content's length stands before it. */
const LENGTH_BYTES = 8;

/** The object is not what was sealed under its name. */
export class Unsealable extends Error {
  override readonly name = "Unsealable";
}

/** The size of the sealed object of so much content (bytes). */
export function sealedSize(size: number): number {
  const padded = paddedSize(size);
  const chunks = Math.ceil(padded / CHUNK_BYTES);
  return HEAD_BYTES + padded + chunks * TAG_BYTES;
}

/**
 * The size of length, content and padding. It is one of few sizes (Padmé, at
 * most 12 % more), so that the size of an object says little of its content.
 */
function paddedSize(size: number): number {
  const length = LENGTH_BYTES + size;
  const exponent = Math.floor(Math.log2(length));
  const bits = Math.floor(Math.log2(exponent)) + 1;
  const unit = 2 ** Math.max(0, exponent - bits);
  return Math.ceil(length / unit) * unit;
}

/**
 * Seals content of a known size. If the content has another size, it throws
 * before the last chunk. A piece is good until the next one is asked for: its
 * memory is then freed, because the collector lets hundreds of megabytes stand.
 */
export async function* seal(
  { master, name, salt }: {
    readonly master: Uint8Array;
    readonly name: string;
    readonly salt: Uint8Array;
  },
  size: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const head = new Uint8Array(HEAD_BYTES);
  head[0] = VERSION;
  head.set(salt, 1);
  yield head;
  const key = keyOf(master, name, salt);
  let number = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of chunksOf(padded(size, content), CHUNK_BYTES)) {
    if (held !== undefined) {
      const sealed = sealChunk(key, number++, false, held);
      letGo(held);
      yield sealed;
      letGo(sealed);
    }
    held = chunk;
  }
  if (held !== undefined) yield sealChunk(key, number, true, held);
}

/** The content of a sealed object; throws {@link Unsealable}. */
export async function* unseal(
  master: Uint8Array,
  name: string,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  let key: Uint8Array | undefined;
  let number = 0;
  let left: number | undefined;
  let padding = 0;
  let held: Uint8Array | undefined;
  const opened = (chunk: Uint8Array, isLast: boolean) => {
    if (key === undefined) throw new Unsealable("it is cut off");
    let content = openChunk(key, number++, isLast, chunk);
    if (left === undefined) {
      if (content.length < LENGTH_BYTES) throw new Unsealable("it is cut off");
      left = Number(
        new DataView(content.buffer, content.byteOffset).getBigUint64(0),
      );
      padding = paddedSize(left) - LENGTH_BYTES - left;
      content = content.subarray(LENGTH_BYTES);
    }
    const own = content.subarray(0, Math.min(left, content.length));
    left -= own.length;
    padding -= content.length - own.length;
    return own;
  };
  const pieces = split(sealed, HEAD_BYTES, CHUNK_BYTES + TAG_BYTES);
  for await (const piece of pieces) {
    if (key === undefined) {
      if (piece.length < HEAD_BYTES || piece[0] !== VERSION) {
        throw new Unsealable("it does not begin as a sealed object does");
      }
      key = keyOf(master, name, piece.subarray(1));
      continue;
    }
    if (held !== undefined) yield opened(held, false);
    held = piece;
  }
  if (held === undefined) throw new Unsealable("it is cut off");
  yield opened(held, true);
  if (left !== 0 || padding !== 0) throw new Unsealable("it is cut off");
}

function keyOf(
  master: Uint8Array,
  name: string,
  salt: Uint8Array,
): Uint8Array {
  const info = `strongroom backup object 1\n${name}`;
  return new Uint8Array(hkdfSync("sha256", master, salt, info, 32));
}

/** The chunk's number in eleven bytes, and a byte that marks the last chunk. */
function nonceOf(number: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(3, BigInt(number));
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function sealChunk(
  key: Uint8Array,
  number: number,
  isLast: boolean,
  chunk: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast), {
    authTagLength: TAG_BYTES,
  });
  const sealed = new Uint8Array(chunk.length + TAG_BYTES);
  const body = cipher.update(chunk);
  sealed.set(body);
  sealed.set(cipher.final(), body.length);
  letGo(body);
  sealed.set(cipher.getAuthTag(), chunk.length);
  return sealed;
}

function openChunk(
  key: Uint8Array,
  number: number,
  isLast: boolean,
  sealed: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const size = sealed.length - TAG_BYTES;
  if (size < 0) throw new Unsealable("it is cut off");
  const cipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAuthTag(sealed.subarray(size));
  try {
    const chunk = new Uint8Array(size);
    const body = cipher.update(sealed.subarray(0, size));
    chunk.set(body);
    chunk.set(cipher.final(), body.length);
    letGo(body);
    return chunk;
  } catch {
    throw new Unsealable("it is not what was sealed under this name");
  }
}

/** The plaintext of an object: length, content, and zeros. */
async function* padded(
  size: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setBigUint64(0, BigInt(size));
  yield length;
  let left = size;
  for await (const piece of content) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error("content of another size than was said");
  let zeros = paddedSize(size) - LENGTH_BYTES - size;
  while (zeros > 0) {
    const some = new Uint8Array(Math.min(zeros, CHUNK_BYTES));
    zeros -= some.length;
    yield some;
  }
}

/** Cuts pieces into chunks of one size; the last may be shorter. */
export function chunksOf(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  return split(pieces, size, size);
}

/** The same with another size for the first chunk. */
async function* split(
  pieces: AsyncIterable<Uint8Array>,
  firstSize: number,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  let chunk = new Uint8Array(firstSize);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + chunk.length - filled);
      chunk.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < chunk.length) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
