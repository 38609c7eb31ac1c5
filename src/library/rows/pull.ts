/**
 * Reading blobs: they arrive in pieces over connections that may break, are
 * decrypted chunk by chunk, and at the end are compared with their content
 * address and the plaintext's hash.
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import type { Account } from "../../client/api/api.ts";
import type { ReadingCalls } from "../../client/api/asset_calls.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { derivedFileKey } from "../../client/documents/file_key.ts";
import { persist } from "../../client/api/send.ts";
import { piecesOf } from "../../client/stream/chunks.ts";
import {
  type BlobKey,
  chunkOpener,
  decryptBlob,
  HEAD_BYTES,
  plaintextSize,
  StreamError,
} from "../../client/stream/stream.ts";
import { DEFAULT_CHUNK_SIZE, TAG_BYTES } from "../../client/documents/suite.ts";
import { type BlobBody, type Range } from "../../client/api/blob_body.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import type { AlbumKeys } from "./album_keys.ts";
import { type LibraryPlatform, primitivesOf } from "../base/platform.ts";
import { isFilmKind } from "./film_kinds.ts";
import { blobOf, type Row } from "./rows.ts";
import type { Vault } from "../vault/vault.ts";

/** A blob of an asset: the original, or one of its derivatives. */
export type Wanted =
  | "original"
  | { readonly derivative: string };

/** Options of reading. */
export interface Reading {
  readonly onProgress?: (plaintextBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** What the server served is not what was stored. */
export class DamagedBlob extends Error {
  override readonly name = "DamagedBlob";
}

/** What reading works with. */
export interface PullContext {
  readonly vault: Vault;
  readonly keys: AlbumKeys;
}

/**
 * Who reads: an account with its vault, or a member of another server with a
 * capability.
 */
export interface Reader {
  readonly session: {
    readonly account: ReadingCalls & Pick<Account, "pause">;
    readonly platform: LibraryPlatform;
    readonly userId: string;
  };
  readonly libraryAlbumId: string;
}

/** The part of {@link PullContext} that any reader has. */
export interface ReaderContext {
  readonly vault: Reader;
  readonly keys: AlbumKeys;
}

/** A blob and the key that opens it. */
export interface Readable {
  readonly hash: string;
  /** Ciphertext bytes. */
  readonly size: number;
  readonly key: BlobKey;
  /** SHA-256 of the plaintext, if it is known. */
  readonly sha256?: string;
}

/**
 * Finds a blob of a row and its key. Throws DocumentError if the row has no
 * such blob or its key is not here.
 */
export async function readableOf(
  context: ReaderContext,
  row: Row,
  wanted: Wanted,
): Promise<Readable> {
  const primitives = primitivesOf(context.vault.session.platform);
  if (wanted === "original") {
    const fileKey = await fileKeyOf(context, row);
    const blob = blobOf(row, "original");
    if (blob === undefined) throw new DocumentError("it has no original");
    // Readers decide by the size that the metadata says what they take into
    // memory, and whoever made the photo may have said anything.
    const size = plaintextSize(blob.size, row.chunk_size);
    if (row.metadata !== undefined && row.metadata.size !== size) {
      throw new DocumentError("its file is of another size than it says");
    }
    return {
      hash: blob.hash,
      size: blob.size,
      key: { fileKey, chunkSize: row.chunk_size, primitives },
      ...(row.metadata === undefined ? {} : { sha256: row.metadata.sha256 }),
    };
  }
  const derivative = row.metadata?.derivatives
    .find(({ kind }) => kind === wanted.derivative);
  const blob = row.blobs.find(({ hash }) => hash === derivative?.hash);
  if (derivative === undefined || blob === undefined) {
    throw new DocumentError(`it has no ${wanted.derivative}`);
  }
  // Films are read in parts.
  if (blob.size > DERIVATIVE_MAX_BYTES && !isFilmKind(derivative.kind)) {
    throw new DocumentError(`its ${wanted.derivative} is too large`);
  }
  return {
    hash: blob.hash,
    size: blob.size,
    key: { fileKey: derivative.key, primitives },
  };
}

/** Most bytes of a derivative that readers take into memory whole. */
export const DERIVATIVE_MAX_BYTES = 256 * 1024 * 1024;

/**
 * The file key of a row. Throws DocumentError if the album's key is not here.
 */
export async function fileKeyOf(
  { vault, keys }: ReaderContext,
  row: Row,
): Promise<Bytes> {
  if (row.key !== undefined) return new Uint8Array(row.key);
  const held = await keys.keysOf(row.album);
  const amk = held.find(({ epoch }) => epoch === row.epoch)?.amk;
  if (amk === undefined) throw new DocumentError("the album's key is missing");
  return derivedFileKey(amk, row.id, primitivesOf(vault.session.platform));
}

/**
 * Yields the plaintext of a blob, piece by piece. Only the end of the iteration
 * shows that it was complete. Throws {@link DamagedBlob} if it is not what was
 * stored.
 */
export function readWhole(
  context: ReaderContext,
  assetId: string,
  blob: Readable,
  reading: Reading = {},
): AsyncGenerator<Bytes, void> {
  const { account } = context.vault.session;
  const get = (range?: Range) => account.blob(assetId, blob.hash, range);
  return openBlob(context, get, blob, reading);
}

/** Like {@link readWhole}, for a blob that `get` fetches, by ranges. */
export async function* openBlob(
  { vault }: Pick<ReaderContext, "vault">,
  get: (range?: Range) => Promise<BlobBody>,
  blob: Readable,
  reading: Reading = {},
): AsyncGenerator<Bytes, void> {
  const { account, platform } = vault.session;
  const primitives = primitivesOf(platform);
  const outer = primitives.sha256();
  const inner = primitives.sha256();
  const fetched = ciphertext(ofItsSize(get, blob), account, reading.signal);
  const hashed = (async function* () {
    for await (const piece of fetched) {
      outer.update(piece);
      yield piece;
    }
  })();
  let done = 0;
  try {
    for await (const piece of decryptBlob(blob.key, hashed)) {
      inner.update(piece);
      done += piece.length;
      yield piece;
      reading.onProgress?.(done);
    }
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    throw new DamagedBlob(`what was served does not open: ${error.message}`);
  }
  if (toHex(outer.digest()) !== blob.hash) {
    throw new DamagedBlob("what was served is not the blob of that address");
  }
  if (blob.sha256 !== undefined && toHex(inner.digest()) !== blob.sha256) {
    throw new DamagedBlob("the plaintext is not what the metadata says");
  }
}

/** Refuses a blob of another size than its manifest says. */
function ofItsSize(
  get: (range?: Range) => Promise<BlobBody>,
  { size }: Pick<Readable, "size">,
): (range?: Range) => Promise<BlobBody> {
  return async (range) => {
    const body = await get(range);
    if (body.size === size) return body;
    await body.stream.cancel();
    throw new DamagedBlob("another size was served than was stored");
  };
}

/** A blob that is read in parts, for videos and for files that are mounted. */
export interface Ranges {
  /** Plaintext bytes. */
  readonly size: number;
  /**
   * Reads plaintext bytes `first` to `last`, both included; fewer at the end of
   * the blob. The chunks that are read are authentic; the others are not
   * checked.
   */
  read(range: Required<Range>, signal?: AbortSignal): Promise<Bytes>;
}

/** Opens a blob for reading in parts. Its head is fetched only once. */
export function rangesOf(
  context: ReaderContext,
  assetId: string,
  blob: Readable,
): Ranges {
  const { account } = context.vault.session;
  const get = (part?: Range) => account.blob(assetId, blob.hash, part);
  return rangesOfBlob(context, get, blob);
}

/** Like {@link rangesOf}, for a blob that `get` fetches, by ranges. */
export function rangesOfBlob(
  { vault }: Pick<ReaderContext, "vault">,
  get: (range?: Range) => Promise<BlobBody>,
  blob: Readable,
): Ranges {
  const { account } = vault.session;
  return rangesOver(
    blob,
    (range, signal) => ciphertext(ofItsSize(get, blob), account, signal, range),
  );
}

/**
 * Reads a blob in parts from any source: `get` yields the ciphertext of a range
 * in pieces.
 */
export function rangesOver(
  blob: Pick<Readable, "key" | "size">,
  get: (
    range: Required<Range>,
    signal?: AbortSignal,
  ) => AsyncIterable<Uint8Array>,
): Ranges {
  const chunkSize = blob.key.chunkSize ?? DEFAULT_CHUNK_SIZE;
  const stride = chunkSize + TAG_BYTES;
  const chunks = Math.max(1, Math.ceil((blob.size - HEAD_BYTES) / stride));
  const size = blob.size - HEAD_BYTES - chunks * TAG_BYTES;
  const fetched = async (range: Required<Range>, signal?: AbortSignal) => {
    const bytes = new Uint8Array(range.last - range.first + 1);
    let at = 0;
    for await (const piece of get(range, signal)) {
      if (at + piece.length > bytes.length) break;
      bytes.set(piece, at);
      at += piece.length;
    }
    if (at === bytes.length) return bytes;
    throw new DamagedBlob("another length was served than was asked for");
  };
  let opener: Promise<ReturnType<typeof chunkOpener>> | undefined;
  const opened = async () => {
    const head = await fetched({ first: 0, last: HEAD_BYTES - 1 });
    return chunkOpener(blob.key, head);
  };
  return {
    size,
    async read({ first, last }, signal) {
      const from = Math.floor(first / chunkSize);
      const to = Math.min(Math.floor(last / chunkSize), chunks - 1);
      if (from > to) return new Uint8Array();
      opener ??= opened().catch((error) => {
        opener = undefined;
        throw error;
      });
      const open = await opener;
      const sealed = await fetched({
        first: HEAD_BYTES + from * stride,
        last: Math.min(HEAD_BYTES + (to + 1) * stride, blob.size) - 1,
      }, signal);
      const out = new Uint8Array(last - first + 1);
      let length = 0;
      for (let i = from; i <= to; i++) {
        const start = (i - from) * stride;
        const chunk = open(
          sealed.subarray(start, start + stride),
          i,
          i === chunks - 1,
        );
        if (chunk === undefined) {
          throw new DamagedBlob(`chunk ${i} does not open`);
        }
        const at = i * chunkSize;
        const wanted = chunk.subarray(
          Math.max(0, first - at),
          Math.max(0, last + 1 - at),
        );
        out.set(wanted, Math.max(0, at - first));
        length = Math.max(length, Math.max(0, at - first) + wanted.length);
      }
      return out.subarray(0, length);
    },
  };
}

/** The ciphertext of a blob, or of a part, as the server sends it, unchecked. */
export function fetchBlob(
  account: Account,
  assetId: string,
  hash: string,
  signal?: AbortSignal,
  part?: Required<Range>,
): AsyncGenerator<Uint8Array, void> {
  const get = (range?: Range) => account.blob(assetId, hash, range);
  return ciphertext(get, account, signal, part);
}

/** The bytes of a blob, continued after a broken connection. */
async function* ciphertext(
  get: (range?: Range) => Promise<BlobBody>,
  target: { pause(ms: number): Promise<void> },
  signal: AbortSignal | undefined,
  { first: start, last }: Range = { first: 0 },
): AsyncGenerator<Uint8Array, void> {
  let at = start;
  for (let failures = 0;;) {
    signal?.throwIfAborted();
    const wanted = at === 0 && last === undefined
      ? undefined
      : { first: at, ...(last === undefined ? {} : { last }) };
    const body = await persist(target, () => get(wanted), {});
    if (body.first !== at) {
      await body.stream.cancel();
      throw new DamagedBlob("another part was served than was asked for");
    }
    const end = body.first + body.length;
    try {
      for await (const piece of piecesOf(body.stream)) {
        signal?.throwIfAborted();
        // A body need not end where its headers say that it does.
        if (at + piece.length > end) {
          throw new DamagedBlob("more was served than was announced");
        }
        at += piece.length;
        yield piece;
        failures = 0;
      }
    } catch (cause) {
      const isOver = signal?.aborted === true || cause instanceof DamagedBlob;
      if (isOver) throw cause;
      if (++failures === MOST_FAILURES) throw brokenOff(cause);
      await target.pause(RETRY_MS * failures);
      continue;
    }
    if (at >= end) return;
    if (++failures === MOST_FAILURES) throw brokenOff();
  }
}

function brokenOff(cause?: unknown): ConnectionError {
  return new ConnectionError(
    "the connection broke again and again while a file was downloaded",
    { cause },
  );
}

const MOST_FAILURES = 5;
const RETRY_MS = 500;
