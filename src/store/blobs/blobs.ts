/**
 * The blob directory: `blobs/ab/cd/<hash>`.
 *
 * A file gets its content address only after its hash was computed here, so
 * each name in `blobs/` vouches for the bytes of its file.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../../core/ids.ts";
import type { BlobBytes, BlobStore, PlaceOptions } from "./blob_store.ts";
import {
  type FileDigest,
  linkOrCopy,
  readThrough,
  syncFile,
} from "../files/copies.ts";
import type { Tx } from "../sqlite/database.ts";
import { readNow } from "../files/descriptors.ts";
import { FsyncGuard } from "../files/fsync_guard.ts";
import {
  type Files,
  makeDirectoryDurably,
  streamFile,
  together,
} from "../files/files.ts";
import { type BlobFile, inventory, type Leaf } from "./inventory.ts";
import { QuarantineDirectory } from "./quarantine_directory.ts";
import { Staging } from "./staging.ts";

/** A blob up to this size is read at once (bytes). */
const SMALL_BYTES = 256 * 1024;

/** The staging area and the blob directory of a data directory. */
export interface Directories {
  readonly staging: Staging;
  readonly blobs: BlobDirectory;
}

/**
 * Opens the staging area and the blob directory of a data directory.
 * `onFailure` is called when a failed sync leaves it unknown what is on the
 * disk.
 */
export function directoriesOf(
  files: Files,
  root: string,
  onFailure?: (why: Error) => void,
): Directories {
  const guard = new FsyncGuard(files, onFailure);
  const staging = new Staging(files, root, guard);
  return { staging, blobs: new BlobDirectory(files, root, staging, guard) };
}

export class BlobDirectory implements BlobStore {
  readonly quarantine: QuarantineDirectory;
  /** Directories whose own entries are known to be on the disk. */
  readonly #durable = new Set<string>();
  /** Directories whose own entries are being synced. */
  readonly #syncing = new Map<string, Promise<void>>();

  constructor(
    private readonly files: Files,
    /** Absolute path of the data directory. */
    private readonly root: string,
    private readonly staging: Staging = new Staging(files, root),
    private readonly guard: FsyncGuard = new FsyncGuard(files),
  ) {
    this.quarantine = new QuarantineDirectory(files, root, this);
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
   * its own name until {@link Staging.discard}: a crash in between loses
   * nothing, and the call can be repeated. The caller has verified the hash.
   * The two names are one file, to which nothing may write from then on: an
   * upload that is complete can only start over, in a new file ({@link
   * Staging.openUpload}). After a failed sync the upload is dropped, and the
   * client has to send it again: the page cache may differ from the disk, and a
   * later sync need not say so.
   */
  async place(
    uploadId: UploadId,
    hash: BlobHash,
    _size?: number,
    { synced }: Pick<PlaceOptions, "synced"> = {},
  ): Promise<void> {
    const from = this.staging.uploadPath(uploadId);
    const to = this.blobPath(hash);
    const directory = to.slice(0, to.lastIndexOf("/"));
    const orDrop = (work: Promise<void>) => this.#orDrop(uploadId, work);
    await together(
      orDrop(synced ?? syncFile(this.files, from)),
      this.#ensureDirectories(directory, orDrop),
    );
    if (!await this.#takesName(from, to) && !await this.#isPlaced(from, to)) {
      // Replaces the file that is there, which repairs a damaged one. The
      // temporary name is this upload's own: another may bring the same bytes.
      const temporary = temporaryPath(to, uploadId);
      await linkOrCopy(this.files, from, temporary);
      await orDrop(this.files.rename(temporary, to));
    }
    // Also if it was placed before: that call may have failed at this point.
    await orDrop(this.guard.syncDirectory(directory));
    this.guard.refuse();
  }

  /** Drops an upload's bytes if `work`, which makes them durable, fails. */
  async #orDrop(uploadId: UploadId, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      await this.staging.drop(uploadId);
      throw cause;
    }
  }

  /**
   * Makes a leaf directory and its parent durable, once in the life of this
   * process.
   */
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
      // The directory is removed so that the next call writes its entry again:
      // a later sync of the old entry could succeed without writing it. A
      // directory with files stays.
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
    const syncing = this.guard.syncDirectory(
      path.slice(0, path.lastIndexOf("/")),
    )
      .then(() => {
        this.#durable.add(path);
      })
      .finally(() => this.#syncing.delete(path));
    this.#syncing.set(path, syncing);
    return syncing;
  }

  /**
   * Gives an upload's file its address where nothing lies there, as for nearly
   * every blob; false where something does, or where a file has one name only.
   */
  async #takesName(from: string, to: string): Promise<boolean> {
    try {
      return await this.files.link(from, to);
    } catch {
      // What is wrong with the disk, the longer way says.
      return false;
    }
  }

  /**
   * Whether both names are one file already, so that renaming would do nothing.
   */
  async #isPlaced(from: string, to: string): Promise<boolean> {
    const target = await this.files.stat(to);
    if (target === undefined || target.inode === null) return false;
    const source = await this.files.stat(from);
    return source?.inode === target.inode;
  }

  /**
   * Removes the file at once: nothing can come to rely on it before the
   * transaction ends.
   */
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
   * A stored blob's bytes from `first` to `last` (inclusive), as one array if
   * they are few and as a stream otherwise; undefined if the file is not there
   * or is not `size` bytes long.
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
    // The runtime itself sends the rest of a file, without copying it through
    // the JavaScript heap.
    return last === size - 1 ? file.rest() : streamFile(file, last - first + 1);
  }

  async isReadable(hash: BlobHash, size: number): Promise<boolean> {
    return await this.sizeOf(hash) === size;
  }

  /** Does nothing: files of the directory need no cache. */
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
