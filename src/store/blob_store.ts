/**
 * Where blobs lie once they have their content address: the port that features
 * work with. None of them knows what stands behind it.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../core/ids.ts";
import type { FileDigest } from "./copies.ts";
import type { Tx } from "./database.ts";
import type { BlobFile, Leaf } from "./inventory.ts";
import type { LostFile } from "./lost.ts";

/** The bytes of a blob, or a part: one array where they are few. */
export type BlobBytes = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A blob, and how long it is. */
export interface SizedHash {
  readonly hash: BlobHash;
  readonly size: number;
}

export interface BlobStore {
  /**
   * Gives an upload's bytes their content address: they are durable there on
   * return, and the call can be repeated. The caller has verified the hash, and
   * a committed row says that this blob is expected. The upload stays in the
   * spool until it is discarded. Throws a `BlobsUnavailable` where it cannot be
   * placed for now, but where `mustTake` says that the caller has no answer for
   * that: then it is placed nearer.
   */
  place(
    uploadId: UploadId,
    hash: BlobHash,
    size: number,
    options?: { readonly mustTake?: boolean },
  ): Promise<void>;
  /**
   * A blob's bytes from `first` to `last` (inclusive); undefined when it is not
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
   * Whether a read of it would find it: for readers, who may be told of what
   * was there a moment ago. What is promised goes by {@link sizeOf}.
   */
  isReadable(hash: BlobHash, size: number): Promise<boolean>;
  /** Says that these are about to be read: small ones are brought near. */
  warm(blobs: readonly SizedHash[]): Promise<void>;
  /**
   * Length and SHA-256 of a blob's bytes, read back, each piece handed to
   * `visit`; undefined if it is not there.
   */
  digest(
    hash: BlobHash,
    visit?: (piece: Uint8Array) => void,
  ): Promise<FileDigest | undefined>;
  /**
   * Lets go of a blob, in the transaction that found it to be nobody's. What
   * waits for the commit is done by {@link settle}.
   */
  remove(tx: Tx, hash: BlobHash): Promise<void>;
  /**
   * Does what committed removals have left to do, now and from before; returns
   * how many could not be done, and stay for the next time.
   */
  settle(): Promise<number>;
  /** What lies there, whoever put it there, some names at a time. */
  list(): AsyncGenerator<Leaf>;
  /** Bytes of something that {@link list} named; 0 when it is there no more. */
  bytesOf(file: BlobFile): Promise<number>;
  /** Whether something lies at a place that {@link list} named. */
  liesAt(place: string): Promise<boolean>;
  /** What the database does not know, for a week. */
  readonly aside: Aside;
}

/**
 * Blobs that the database does not know, set aside. They can be put back, for
 * the database may be the one that is wrong.
 */
export interface Aside {
  /**
   * Whether what is set aside lies in another place than blobs do, so that the
   * same blob may lie in its own meanwhile.
   */
  isApart(file: LostFile): boolean;
  setAside(tx: Tx, file: BlobFile, day: string): Promise<void>;
  /** Everything that was set aside. */
  list(): AsyncGenerator<LostFile>;
  /** Where a blob was set aside, if it was. */
  find(hash: BlobHash): Promise<LostFile | undefined>;
  bytesOf(file: LostFile): Promise<number>;
  remove(tx: Tx, file: LostFile): Promise<void>;
  /** Gives it its place, unless another has that. */
  putBack(tx: Tx, file: LostFile, hash: BlobHash): Promise<void>;
}

/** Whether a blob is there with its size; its bytes are not read. */
export async function isPresent(
  blobs: Pick<BlobStore, "sizeOf">,
  hash: BlobHash,
  size: number,
): Promise<boolean> {
  return await blobs.sizeOf(hash) === size;
}
