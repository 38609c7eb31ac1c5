/**
 * The blob directory: `uploads/<upload_id>` while bytes arrive, and
 * `blobs/ab/cd/<hash>` once they have their content address.
 *
 * A file has its content address only after its hash was computed here, so a
 * name in `blobs/` is a statement about the bytes behind it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BlobHash, UploadId } from "../core/ids.ts";
import { reasonOf } from "../core/reason.ts";
import { digestFile, linkOrCopy, syncFile } from "./copies.ts";
import { mayPass, readNow } from "./descriptors.ts";
import {
  type FileFacts,
  type Files,
  makeDirectoryDurably,
  type StoredFile,
  streamFile,
  together,
} from "./files.ts";
import {
  type BlobFile,
  inventory,
  type Leaf,
  type TopDirectory,
} from "./inventory.ts";
import { LostDirectory } from "./lost.ts";
import { takesWrites } from "./writable.ts";

/** A blob up to this size is read at once (bytes). */
const SMALL_BYTES = 256 * 1024;

export class BlobDirectory {
  readonly lost: LostDirectory;
  /** Directories whose own entries this process knows to be on the disk. */
  readonly #durable = new Set<string>();
  /** Those whose entries are being synced. */
  readonly #syncing = new Map<string, Promise<void>>();
  /** Why nobody knows any more what is on the disk. */
  #doubted: Error | undefined;

  constructor(
    private readonly files: Files,
    /** Absolute path of the data directory. */
    private readonly root: string,
    /** Is told once nobody knows any more what is on the disk. */
    private readonly onDoubt: (why: Error) => void = () => {},
  ) {
    this.lost = new LostDirectory(files, root);
  }

  /** Makes the directories; idempotent. */
  async prepare(): Promise<void> {
    await makeDirectoryDurably(this.files, `${this.root}/blobs`);
    await makeDirectoryDurably(this.files, `${this.root}/uploads`);
  }

  uploadPath(uploadId: UploadId): string {
    return `${this.root}/uploads/${uploadId}`;
  }

  blobPath(hash: BlobHash): string {
    return `${this.root}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
  }

  /** Bytes that an upload holds; 0 before the first. */
  async heldBytes(uploadId: UploadId): Promise<number> {
    return (await this.files.stat(this.uploadPath(uploadId)))?.size ?? 0;
  }

  /**
   * Opens an upload's file to write at `offset`, where it is cut off. From the
   * start it is a new file: the old one may be placed already, as somebody
   * else's blob too, though the session that brought it was not finalized.
   */
  async openUpload(uploadId: UploadId, offset: number): Promise<StoredFile> {
    const path = this.uploadPath(uploadId);
    if (offset === 0) return await this.#createAnew(path);
    const file = await this.files.open(path, "write") ??
      await this.#createAnew(path);
    try {
      await file.truncate(offset);
      await file.seek(offset);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  async #createAnew(path: string): Promise<StoredFile> {
    const made = await this.files.open(path, "create");
    if (made !== undefined) return made;
    await this.files.remove(path);
    const anew = await this.files.open(path, "create");
    if (anew === undefined) throw new Error(`cannot create ${path}`);
    return anew;
  }

  /** Returns once an upload's bytes are on the disk, its name too if `isNew`. */
  async syncUpload(uploadId: UploadId, isNew: boolean): Promise<void> {
    await together(
      syncFile(this.files, this.uploadPath(uploadId)),
      ...isNew ? [this.#syncDirectory(`${this.root}/uploads`)] : [],
    );
    this.#refuseInDoubt();
  }

  /** Drops an upload's bytes. */
  discard(uploadId: UploadId): Promise<void> {
    return this.files.remove(this.uploadPath(uploadId));
  }

  /** SHA-256 of an upload's bytes, read back from the file. */
  async hashUpload(uploadId: UploadId): Promise<string> {
    const digest = await digestFile(this.files, this.uploadPath(uploadId));
    return digest?.sha256 ?? createHash("sha256").digest("hex");
  }

  /**
   * SHA-256 of a stored blob's bytes, read back from the file: the blob's own
   * name, if they are whole. Undefined if there is no file.
   */
  async hashBlob(hash: BlobHash): Promise<string | undefined> {
    return (await digestFile(this.files, this.blobPath(hash)))?.sha256;
  }

  /**
   * Gives an upload's bytes their content address, durably. The upload keeps
   * its own name until {@link discard}: a crash in between loses nothing, and
   * the call can be repeated. The caller has verified the hash. The two names
   * are one file, which nothing may write to from then on: a placed upload is
   * complete, and is only ever begun anew ({@link openUpload}). After a sync
   * that failed it is dropped, to be asked for again: what the system holds of
   * it may not be what is on the disk, and a later sync need not tell.
   */
  async place(uploadId: UploadId, hash: BlobHash): Promise<void> {
    const from = this.uploadPath(uploadId);
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
    await orDrop(this.#syncDirectory(directory));
    this.#refuseInDoubt();
  }

  /** Drops an upload's bytes where they cannot be made durable. */
  async #orDrop(uploadId: UploadId, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      await this.#dropOrDoubt(uploadId);
      throw cause;
    }
  }

  async #dropOrDoubt(uploadId: UploadId): Promise<void> {
    try {
      await this.discard(uploadId);
    } catch (cause) {
      this.#doubt(this.uploadPath(uploadId), cause);
    }
  }

  /** What a directory holds after a sync that failed nobody knows. */
  async #syncDirectory(path: string): Promise<void> {
    try {
      await this.files.syncDirectory(path);
    } catch (cause) {
      if (!mayPass(cause)) this.#doubt(path, cause);
      throw cause;
    }
  }

  #doubt(path: string, cause: unknown): void {
    this.#doubted ??= new Error(
      `${path} cannot be brought to the disk: ${reasonOf(cause)}`,
      { cause },
    );
    this.onDoubt(this.#doubted);
  }

  /** Nothing is promised of a disk that has broken such a promise. */
  #refuseInDoubt(): void {
    if (this.#doubted !== undefined) throw this.#doubted;
  }

  /**
   * Stores bytes that came whole under their content address, durably. The
   * caller has computed the hash; `uploadId` names the file until then.
   */
  async put(
    uploadId: UploadId,
    hash: BlobHash,
    bytes: Uint8Array,
  ): Promise<void> {
    try {
      const file = await this.openUpload(uploadId, 0);
      try {
        file.write(bytes);
      } finally {
        file.close();
      }
      await this.place(uploadId, hash);
    } finally {
      await this.discard(uploadId);
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
    const syncing = this.#syncDirectory(path.slice(0, path.lastIndexOf("/")))
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

  /** Removes a blob's file. What references it is the caller's to know. */
  removeBlob(hash: BlobHash): Promise<void> {
    return this.files.remove(this.blobPath(hash));
  }

  /** Facts of an upload's file; undefined when there is none. */
  statUpload(uploadId: UploadId): Promise<FileFacts | undefined> {
    return this.files.stat(this.uploadPath(uploadId));
  }

  /** Bytes of a file of the {@link inventory}; 0 when it is there no more. */
  async fileBytes(file: BlobFile): Promise<number> {
    return (await this.files.stat(this.filePath(file)))?.size ?? 0;
  }

  /** Path of a file of the {@link inventory}. */
  filePath({ hash, uploadId }: BlobFile): string {
    const path = this.blobPath(hash);
    return uploadId === undefined ? path : temporaryPath(path, uploadId);
  }

  /** False where the file system has gone read-only; nothing is written. */
  takesWrites(): Promise<boolean> {
    return takesWrites(this.files, this.root);
  }

  /** Bytes free for uploads on the file system. */
  freeBytes(): Promise<number> {
    return this.files.freeBytes(this.root);
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
  ): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined> {
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

  /** Whether a blob's file is there with its size; its bytes are not read. */
  async isPresent(hash: BlobHash, size: number): Promise<boolean> {
    return await this.sizeOf(hash) === size;
  }

  /** Bytes of a blob's file; undefined if it is not there. */
  async sizeOf(hash: BlobHash): Promise<number | undefined> {
    return (await this.files.stat(this.blobPath(hash)))?.size;
  }

  /** What lies in the directory, or one of the two in it, a leaf at a time. */
  inventory(only?: TopDirectory): AsyncGenerator<Leaf> {
    return inventory(this.files, this.root, only);
  }

  /** Whether something lies at a place of the {@link inventory}. */
  async liesAt(place: string): Promise<boolean> {
    return await this.files.stat(`${this.root}/${place}`) !== undefined;
  }
}

function temporaryPath(path: string, uploadId: UploadId): string {
  return `${path}.${uploadId}`;
}
