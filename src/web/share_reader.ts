/**
 * Reading a share. Blobs are fetched in pieces, checked against their content
 * address, and returned as plaintext. After a broken connection, reading
 * continues where it was.
 *
 * @module
 */
import { toHex } from "../core/bytes.ts";
import type { ShareCalls } from "../client/api/links.ts";
import { quickPrimitives } from "../client/keys/portable_primitives.ts";
import {
  decodeShareIndex,
  type ShareIndex,
  type ShareItem,
  type SharePicture,
} from "../client/documents/share.ts";
import { piecesOf } from "../client/stream/chunks.ts";
import {
  type BlobKey,
  ciphertextSize,
  decryptBlob,
  decryptBytes,
  StreamError,
} from "../client/stream/stream.ts";
import {
  ApiProblem,
  ConnectionError,
  UnexpectedAnswer,
} from "../client/api/transport.ts";
import { DEFAULT_CHUNK_SIZE } from "../client/documents/suite.ts";
import { sleep } from "./browser.ts";
import { swiftPrimitives } from "./workers/sealing/lazy_libsodium.ts";

/** Bytes of one request. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** The first request of a blob. */
export const FIRST_PIECE = { first: 0, last: PIECE_BYTES - 1 };
/** Largest blob of unknown size; an index of 10,000 items has 5 MB. */
const UNSAID_MAX_BYTES = 16 * 1024 * 1024;
const MOST_FAILURES = 5;
/**
 * Plaintext is put into a Blob in parts of this size, which a browser can keep
 * on disk instead of in memory.
 */
const PART_BYTES = 8 * 1024 * 1024;

type Item = ShareItem;

/** A blob of a share and the key that opens it. */
export interface SharedPart {
  readonly hash: string;
  readonly key: Uint8Array;
  readonly chunkSize: number;
  /** Plaintext bytes, if the index states them. */
  readonly size?: number;
}

/** Options of reading. */
interface Reading {
  readonly onProgress?: (plaintextBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** The link does not show it any more: its owner may have deleted it. */
export class NotShared extends Error {
  override readonly name = "NotShared";
}

/** The key does not open the link's index. */
class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/** The server shows an older index of the link than was seen here. */
class OlderIndex extends Error {
  override readonly name = "OlderIndex";
}

/** The original of an item. */
export function originalOf(item: Item): SharedPart {
  const { hash, key, size, chunk_size: chunkSize } = item;
  return { hash, key, size, chunkSize };
}

/** The thumbnail of an item, if it has one. */
export function thumbnailOf({ thumbnail }: Item): SharedPart | undefined {
  return pictureOf(thumbnail);
}

/** The preview of an item, which fills a window, if it has one. */
export function previewOf({ preview }: Item): SharedPart | undefined {
  return pictureOf(preview);
}

function pictureOf(picture: SharePicture | undefined): SharedPart | undefined {
  if (picture === undefined) return undefined;
  const { hash, key } = picture;
  return { hash, key, chunkSize: DEFAULT_CHUNK_SIZE };
}

/** Reads the blobs of one link. */
export class ShareReader {
  constructor(
    private readonly calls: ShareCalls,
    private readonly opaqueId: string,
    /** Waits that many milliseconds before a failed piece is tried again. */
    private readonly wait: typeof sleep = sleep,
  ) {}

  /**
   * Fetches and opens the link's index. Throws {@link WrongKey} if the secret
   * does not open an index that arrived unchanged, and {@link OlderIndex} if
   * its number is below `seen`.
   */
  async readIndex(
    hash: string,
    secret: Uint8Array,
    seen = 0,
  ): Promise<ShareIndex> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of this.#ciphertext(hash, undefined, {})) {
      pieces.push(new Uint8Array(piece));
    }
    const blob = await new Blob(pieces).arrayBuffer();
    try {
      const key = { fileKey: secret };
      const plaintext = await decryptBytes(key, new Uint8Array(blob));
      const index = decodeShareIndex(plaintext);
      if (index.n >= seen) return index;
      throw new OlderIndex(`index ${index.n} after ${seen}`);
    } catch (cause) {
      if (!(cause instanceof StreamError)) throw cause;
      throw new WrongKey("the secret opens another index", { cause });
    }
  }

  /**
   * Yields the plaintext of a part in pieces. They must not be used before the
   * end of the iteration, which alone shows that everything was right.
   */
  async *read(
    part: SharedPart,
    reading: Reading = {},
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { key: fileKey, chunkSize, size } = part;
    const expected = size === undefined
      ? undefined
      : ciphertextSize(size, chunkSize);
    const key: BlobKey = { fileKey, chunkSize, primitives: swiftPrimitives };
    let done = 0;
    const ciphertext = this.#ciphertext(part.hash, expected, reading);
    for await (const piece of decryptBlob(key, ciphertext)) {
      done += piece.length;
      reading.onProgress?.(done);
      yield piece;
    }
  }

  /** The whole plaintext of a part. */
  async readBlob(
    part: SharedPart,
    type: string,
    reading: Reading = {},
  ): Promise<Blob> {
    const parts: Blob[] = [];
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let gathered = 0;
    for await (const piece of this.read(part, reading)) {
      pieces.push(piece);
      gathered += piece.length;
      if (gathered < PART_BYTES) continue;
      parts.push(new Blob(pieces));
      [pieces, gathered] = [[], 0];
    }
    return new Blob([...parts, ...pieces], { type });
  }

  /**
   * Yields a blob's bytes. Throws a StreamError if its size or, at the end, its
   * hash is wrong. `bytes` is its size if that is known; otherwise at most
   * {@link UNSAID_MAX_BYTES} are accepted.
   */
  async *#ciphertext(
    hash: string,
    bytes: number | undefined,
    { signal }: Reading,
  ): AsyncGenerator<Uint8Array, void> {
    const running = quickPrimitives.sha256();
    let [offset, size, failures] = [0, Infinity, 0];
    while (offset < size) {
      signal?.throwIfAborted();
      try {
        const body = await this.calls.sharedBlob(this.opaqueId, hash, {
          first: offset,
          last: offset + PIECE_BYTES - 1,
        });
        size = body.size;
        checkSize(size, bytes);
        const before = offset;
        let skip = offset - body.first;
        if (skip < 0) throw new StreamError("corrupt", "not what was asked");
        for await (const piece of unbroken(body.stream)) {
          signal?.throwIfAborted();
          const rest = piece.subarray(Math.min(skip, piece.length));
          skip -= piece.length - rest.length;
          // A body need not end where its headers say that it does.
          if (rest.length > size - offset) {
            throw new StreamError("corrupt", "more than the blob has");
          }
          running.update(rest);
          offset += rest.length;
          if (rest.length > 0) failures = 0;
          yield rest;
        }
        if (offset === before) throw new ConnectionError("nothing came");
      } catch (error) {
        if (isGone(error)) {
          throw new NotShared("the link shows it no more", { cause: error });
        }
        const passes = error instanceof ConnectionError;
        if (!passes || ++failures === MOST_FAILURES) throw error;
        await this.wait(250 * 2 ** failures, signal);
      }
    }
    if (toHex(running.digest()) !== hash) {
      throw new StreamError("corrupt", "another blob than was asked for");
    }
  }
}

function isGone(error: unknown): boolean {
  return (error instanceof ApiProblem || error instanceof UnexpectedAnswer) &&
    error.status === 404;
}

function checkSize(size: number, expected: number | undefined): void {
  const fits = expected === undefined
    ? size <= UNSAID_MAX_BYTES
    : size === expected;
  if (!fits) throw new StreamError("corrupt", "a blob of another size");
}

/**
 * Yields the pieces of a body; throws a {@link ConnectionError} if it breaks
 * off.
 */
async function* unbroken(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const pieces = piecesOf(stream);
  try {
    while (true) {
      const next = await pieces.next().catch((cause) => {
        throw new ConnectionError("the answer broke off", { cause });
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await pieces.return().catch(() => {});
  }
}
