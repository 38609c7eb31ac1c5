/**
 * The port through which features keep blobs that have their content address.
 * Features do not know which implementation is behind it.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../../core/ids.ts";
import type { FileDigest } from "../files/copies.ts";
import type { Tx } from "../sqlite/database.ts";
import type { BlobFile, Leaf } from "./inventory.ts";
import type { QuarantinedFile } from "./quarantine_directory.ts";

/** The bytes of a blob or of a part of it: one array if they are few. */
export type BlobBytes = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A blob's hash and its size in bytes. */
export interface SizedHash {
  readonly hash: BlobHash;
  readonly size: number;
}

/** How a blob is placed. */
export interface PlaceOptions {
  /**
   * For callers that cannot answer that it is unavailable: the blob is then
   * placed in the directory.
   */
  readonly mustTake?: boolean;
  /** Its bytes are on their way to the disk: they are there when this resolves. */
  readonly synced?: Promise<void>;
}

export interface BlobStore {
  /**
   * Gives an upload's bytes their content address: they are durable there on
   * return, and the call can be repeated. The caller has verified the hash, and
   * a committed row says that this blob is expected. The upload stays in the
   * staging until it is discarded. Throws a `BlobsUnavailable` while it cannot
   * be placed.
   */
  place(
    uploadId: UploadId,
    hash: BlobHash,
    size: number,
    options?: PlaceOptions,
  ): Promise<void>;
  /**
   * A blob's bytes from `first` to `last` (inclusive); undefined if it is not
   * there or is not `size` bytes long.
   */
  read(
    hash: BlobHash,
    size: number,
    first: number,
    last: number,
  ): Promise<BlobBytes | undefined>;
  /** Bytes of a blob; undefined if it is not there. */
  sizeOf(hash: BlobHash): Promise<number | undefined>;
  /**
   * Whether a read would find the blob. The answer may come from a cache and be
   * a moment old, which suffices for readers; promises need {@link sizeOf}.
   */
  isReadable(hash: BlobHash, size: number): Promise<boolean>;
  /**
   * Announces that these blobs are about to be read, so that small ones can be
   * cached.
   */
  warm(blobs: readonly SizedHash[]): Promise<void>;
  /**
   * Reads a blob's bytes back: their length and SHA-256; undefined if it is not
   * there. `visit` is given each piece.
   */
  digest(
    hash: BlobHash,
    visit?: (piece: Uint8Array) => void,
  ): Promise<FileDigest | undefined>;
  /**
   * Removes a blob, in the transaction that found that nothing refers to it. A
   * part of the removal may wait for the commit; {@link settle} does it.
   */
  remove(tx: Tx, hash: BlobHash): Promise<void>;
  /**
   * Does what committed removals have left to do. Returns the number of
   * removals that failed and stay for the next call.
   */
  settle(): Promise<number>;
  /** Everything that lies there, also foreign files, some names at a time. */
  list(): AsyncGenerator<Leaf>;
  /** Size of a file that {@link list} named; 0 if it is gone. */
  bytesOf(file: BlobFile): Promise<number>;
  /** Whether a file lies at a place that {@link list} named. */
  liesAt(place: string): Promise<boolean>;
  /** Blobs that the database does not know, kept for a week. */
  readonly quarantine: Quarantine;
}

/**
 * Blobs that the database does not know, in quarantine. They can be put back,
 * because the mistake may be the database's.
 */
export interface Quarantine {
  /**
   * Whether a quarantined file has been moved to another place, so that
   * the same blob can have been placed again since.
   */
  isApart(file: QuarantinedFile): boolean;
  /**
   * Whether nothing is to be removed: a newer database, which knows other
   * files, is kept after a rollback.
   */
  keepsAll(): Promise<boolean>;
  add(tx: Tx, file: BlobFile, day: string): Promise<void>;
  /** Everything in quarantine. */
  list(): AsyncGenerator<QuarantinedFile>;
  /** The file of a blob in quarantine; undefined if it is not there. */
  find(hash: BlobHash): Promise<QuarantinedFile | undefined>;
  bytesOf(file: QuarantinedFile): Promise<number>;
  remove(tx: Tx, file: QuarantinedFile): Promise<void>;
  /** Puts a file back to its blob's place; a blob that lies there stays. */
  putBack(tx: Tx, file: QuarantinedFile, hash: BlobHash): Promise<void>;
}

/** Whether a blob is there with its size; its bytes are not read. */
export async function isPresent(
  blobs: Pick<BlobStore, "sizeOf">,
  hash: BlobHash,
  size: number,
): Promise<boolean> {
  return await blobs.sizeOf(hash) === size;
}
