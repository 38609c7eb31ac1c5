/**
 * The blob directory: `blobs/ab/cd/<hash>`.
 *
 * A file has its content address only after its hash was computed here, so a
 * name in `blobs/` is a statement about the bytes behind it.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../core/ids.ts";
import type { BlobBytes, BlobStore } from "./blob_store.ts";
import {
  type FileDigest,
  linkOrCopy,
  readThrough,
  syncFile,
} from "./copies.ts";
import type { Tx } from "./database.ts";
import { readNow } from "./descriptors.ts";
import { Doubt } from "./doubt.ts";
import {
  type Files,
  makeDirectoryDurably,
  streamFile,
  together,
} from "./files.ts";
import { type BlobFile, inventory, type Leaf } from "./inventory.ts";
import { LostDirectory } from "./lost.ts";
import { Spool } from "./spool.ts";

/** A blob up to this size is read at once (bytes). */
const SMALL_BYTES = 256 * 1024;

/** The spool and the blob directory of a data directory. */
export interface Directories {
  readonly spool: Spool;
  readonly blobs: BlobDirectory;
}

/**
 * The directories of a data directory; `onDoubt` is told once nobody knows any
 * more what is on its disk.
 */
export function directoriesOf(
  files: Files,
  root: string,
  onDoubt?: (why: Error) => void,
): Directories {
  const doubt = new Doubt(files, onDoubt);
  const spool = new Spool(files, root, doubt);
  return { spool, blobs: new BlobDirectory(files, root, spool, doubt) };
}

export class BlobDirectory implements BlobStore {
  readonly aside: LostDirectory;
  /** Directories whose own entries this process knows to be on the disk. */
  readonly #durable = new Set<string>();
  /** Those whose entries are being synced. */
  readonly #syncing = new Map<string, Promise<void>>();

  constructor(
    private readonly files: Files,
    /** Absolute path of the data directory. */
    private readonly root: string,
    private readonly spool: Spool = new Spool(files, root),
    private readonly doubt: Doubt = new Doubt(files),
  ) {
    this.aside = new LostDirectory(files, root, this);
  }

  /** Makes the directory; idempotent. */
  async prepare(): Promise<void> {
    await makeDirectoryDurably(this.files, `${this.root}/blobs`);
  }

  blobPath(hash: BlobHash): string {
    return `${this.root}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
  }

  digest(
    hash: BlobHash,
    visit: (piece: Uint8Array) => void = () => {},
  ): Promise<FileDigest | undefined> {
    return readThrough(this.files, this.blobPath(hash), visit);
  }

  /**
   * Gives an upload's bytes their content address, durably. The upload keeps
   * its own name until {@link Spool.discard}: a crash in between loses nothing, and
   * the call can be repeated. The caller has verified the hash. The two names
   * are one file, which nothing may write to from then on: a placed upload is
   * complete, and is only ever begun anew ({@link Spool.openUpload}). After a sync
   * that failed it is dropped, to be asked for again: what the system holds of
   * it may not be what is on the disk, and a later sync need not tell.
   */
  async place(uploadId: UploadId, hash: BlobHash): Promise<void> {
    const from = this.spool.uploadPath(uploadId);
    const to = this.blobPath(hash);
    const directory = to.slice(0, to.lastIndexOf("/"));
    const orDrop = (work: Promise<void>) => this.#orDrop(uploadId, work);
    await together(
      orDrop(syncFile(this.files, from)),
      this.#ensureDirectories(directory, orDrop),
    );
    if (!await this.#isPlaced(from, to)) {
      // Over whatever lies there: if that was damaged, it is mended now. The
      // name is this upload's own, for another may bring the same bytes.
      const temporary = temporaryPath(to, uploadId);
      await linkOrCopy(this.files, from, temporary);
      await orDrop(this.files.rename(temporary, to));
    }
    // Also for one that was placed before: that call may have failed here.
    await orDrop(this.doubt.syncDirectory(directory));
    this.doubt.refuse();
  }

  /** Drops an upload's bytes where they cannot be made durable. */
  async #orDrop(uploadId: UploadId, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      await this.spool.drop(uploadId);
      throw cause;
    }
  }

  /** Makes a leaf and what is above it, once in the life of this process. */
  async #ensureDirectories(
    leaf: string,
    orDrop: (work: Promise<void>) => Promise<void>,
  ): Promise<void> {
    const top = leaf.slice(0, leaf.lastIndexOf("/"));
    const missing = [top, leaf].filter((path) => !this.#durable.has(path));
    for (const path of missing) await this.files.makeDirectory(path);
    try {
      await orDrop(together(...missing.map((path) => this.#ensureEntry(path))));
    } catch (cause) {
      // Made anew, its entry is written anew: found there, it would be taken
      // for one that is on the disk. One that holds something stays.
      for (const path of missing.toReversed()) {
        await this.files.remove(path).catch(() => {});
      }
      throw cause;
    }
  }

  /** Returns once a directory's own entry is on the disk. */
  #ensureEntry(path: string): Promise<void> {
    const held = this.#syncing.get(path);
    if (held !== undefined) return held;
    const syncing = this.doubt.syncDirectory(
      path.slice(0, path.lastIndexOf("/")),
    )
      .then(() => {
        this.#durable.add(path);
      })
      .finally(() => this.#syncing.delete(path));
    this.#syncing.set(path, syncing);
    return syncing;
  }

  /** Whether both names are one file already: renaming would do nothing. */
  async #isPlaced(from: string, to: string): Promise<boolean> {
    const target = await this.files.stat(to);
    if (target === undefined || target.inode === null) return false;
    const source = await this.files.stat(from);
    return source?.inode === target.inode;
  }

  /** At once: nobody comes to rely on it before the transaction's end. */
  remove(_tx: Tx, hash: BlobHash): Promise<void> {
    return this.files.remove(this.blobPath(hash));
  }

  settle(): Promise<number> {
    return Promise.resolve(0);
  }

  async bytesOf(file: BlobFile): Promise<number> {
    return (await this.files.stat(this.filePath(file)))?.size ?? 0;
  }

  /** Path of a file of the {@link list}. */
  filePath({ hash, uploadId }: BlobFile): string {
    const path = this.blobPath(hash);
    return uploadId === undefined ? path : temporaryPath(path, uploadId);
  }

  /**
   * A stored blob's bytes from `first` to `last` (inclusive), as one array
   * when they are few and as a stream otherwise; undefined when the file is
   * not there or is not `size` bytes long.
   */
  async read(
    hash: BlobHash,
    size: number,
    first: number,
    last: number,
  ): Promise<BlobBytes | undefined> {
    const path = this.blobPath(hash);
    const whole = size <= SMALL_BYTES ? readNow(this.files, path) : "later";
    if (whole !== "later") {
      if (whole?.length !== size) return undefined;
      return whole.subarray(first, last + 1);
    }
    if ((await this.files.stat(path))?.size !== size) return undefined;
    const file = await this.files.open(path, "read");
    if (file === undefined) return undefined;
    await file.seek(first);
    // To its end the runtime sends a file itself, without a copy of it passing
    // through the collected heap.
    return last === size - 1 ? file.rest() : streamFile(file, last - first + 1);
  }

  async isReadable(hash: BlobHash, size: number): Promise<boolean> {
    return await this.sizeOf(hash) === size;
  }

  /** They are near. */
  warm(): Promise<void> {
    return Promise.resolve();
  }

  /** Bytes of a blob's file; undefined if it is not there. */
  async sizeOf(hash: BlobHash): Promise<number | undefined> {
    return (await this.files.stat(this.blobPath(hash)))?.size;
  }

  list(): AsyncGenerator<Leaf> {
    return inventory(this.files, this.root, "blobs");
  }

  async liesAt(place: string): Promise<boolean> {
    return await this.files.stat(`${this.root}/${place}`) !== undefined;
  }
}

function temporaryPath(path: string, uploadId: UploadId): string {
  return `${path}.${uploadId}`;
}
