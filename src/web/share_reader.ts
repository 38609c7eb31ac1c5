/**
 * Reading a share: blobs come in pieces, are checked against their address, and
 * leave as plaintext only. A broken connection costs what was not read yet.
 *
 * @module
 */
import { toHex } from "../core/bytes.ts";
import type { ShareCalls } from "../client/links.ts";
import { quickPrimitives } from "../client/quick.ts";
import {
  decodeShareIndex,
  type ShareIndex,
  type ShareItem,
  type SharePicture,
} from "../client/share.ts";
import {
  type BlobKey,
  ciphertextSize,
  decryptBlob,
  decryptBytes,
  piecesOf,
  StreamError,
} from "../client/stream.ts";
import { ConnectionError } from "../client/transport.ts";
import { DEFAULT_CHUNK_SIZE } from "../client/suite.ts";
import { sleep } from "./browser.ts";

/** One request asks for as much (bytes). */
const PIECE_BYTES = 8 * 1024 * 1024;
/** Where nothing says a blob's size; an index of 10,000 items has 5 MB. */
const UNSAID_MAX_BYTES = 64 * 1024 * 1024;
const MOST_FAILURES = 5;
/** Plaintext becomes a Blob in parts of this size, which a browser may keep on
 * disk instead of in memory. */
const PART_BYTES = 8 * 1024 * 1024;

export type Item = ShareItem;

/** A blob of a share, and what opens it. */
export interface SharedPart {
  readonly hash: string;
  readonly key: Uint8Array;
  readonly chunkSize: number;
  /** Plaintext bytes, where the index says so. */
  readonly size?: number;
}

/** How a reading reports, and is ended. */
export interface Reading {
  readonly onProgress?: (plaintextBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** The key does not open the link's index. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/** An item's original. */
export function originalOf(item: Item): SharedPart {
  const { hash, key, size, chunk_size: chunkSize } = item;
  return { hash, key, size, chunkSize };
}

/** An item's thumbnail, where it has one. */
export function thumbnailOf({ thumbnail }: Item): SharedPart | undefined {
  return pictureOf(thumbnail);
}

/** A picture of an item that fills a window, where it has one. */
export function previewOf({ preview }: Item): SharedPart | undefined {
  return pictureOf(preview);
}

function pictureOf(picture: SharePicture | undefined): SharedPart | undefined {
  if (picture === undefined) return undefined;
  const { hash, key } = picture;
  return { hash, key, chunkSize: DEFAULT_CHUNK_SIZE };
}

/** A link that is open. */
export class ShareReader {
  constructor(
    private readonly calls: ShareCalls,
    private readonly opaqueId: string,
  ) {}

  /**
   * Fetches and opens the link's index. Throws {@link WrongKey} where it arrived
   * as it was stored and the secret does not open it.
   */
  async readIndex(hash: string, secret: Uint8Array): Promise<ShareIndex> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of this.#ciphertext(hash, undefined, {})) {
      pieces.push(new Uint8Array(piece));
    }
    const blob = await new Blob(pieces).arrayBuffer();
    try {
      const key = { fileKey: secret };
      const plaintext = await decryptBytes(key, new Uint8Array(blob));
      return decodeShareIndex(plaintext);
    } catch (cause) {
      if (!(cause instanceof StreamError)) throw cause;
      throw new WrongKey("the secret opens another index", { cause });
    }
  }

  /**
   * The plaintext of a part, in pieces. Whoever reads must do nothing with them
   * before the end: only there it is known that all of it was right.
   */
  async *read(
    part: SharedPart,
    reading: Reading = {},
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { key: fileKey, chunkSize, size } = part;
    const expected = size === undefined
      ? undefined
      : ciphertextSize(size, chunkSize);
    const key: BlobKey = { fileKey, chunkSize };
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
   * A blob's bytes; throws a StreamError when it has another size or, at its
   * end, another address than it was asked by. `bytes` is its size where that
   * is known, and otherwise nothing is taken over {@link UNSAID_MAX_BYTES}.
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
          running.update(rest);
          offset += rest.length;
          if (rest.length > 0) failures = 0;
          yield rest;
        }
        if (offset === before) throw new ConnectionError("nothing came");
      } catch (error) {
        const passes = error instanceof ConnectionError;
        if (!passes || ++failures === MOST_FAILURES) throw error;
        await sleep(250 * 2 ** failures, signal);
      }
    }
    if (toHex(running.digest()) !== hash) {
      throw new StreamError("corrupt", "another blob than was asked for");
    }
  }
}

function checkSize(size: number, expected: number | undefined): void {
  const fits = expected === undefined
    ? size <= UNSAID_MAX_BYTES
    : size === expected;
  if (!fits) throw new StreamError("corrupt", "a blob of another size");
}

/** The pieces of a body; where it breaks off, a {@link ConnectionError}. */
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
