/**
 * Uploads in flight: `uploads/<upload_id>`. They are always on this machine,
 * even if finished blobs go to a bucket.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { concatBytes } from "../../core/bytes.ts";
import type { UploadId } from "../../core/ids.ts";
import { digestFile, readThrough, syncFile } from "../files/copies.ts";
import { FsyncGuard } from "../files/fsync_guard.ts";
import {
  type FileFacts,
  type Files,
  makeDirectoryDurably,
  type StoredFile,
  together,
  writeDurably,
} from "../files/files.ts";
import { inventory, type Leaf } from "./inventory.ts";
import { isDiskFull } from "../failure.ts";
import { takesWrites } from "../files/writable.ts";

export class Staging {
  constructor(
    private readonly files: Files,
    /** Absolute path of the data directory. */
    private readonly root: string,
    private readonly guard = new FsyncGuard(files),
  ) {}

  /** Makes the directory; idempotent. */
  async prepare(): Promise<void> {
    await makeDirectoryDurably(this.files, `${this.root}/uploads`);
  }

  uploadPath(uploadId: UploadId): string {
    return `${this.root}/uploads/${uploadId}`;
  }

  /** Size of an upload so far; 0 before the first byte. */
  async heldBytes(uploadId: UploadId): Promise<number> {
    return (await this.statUpload(uploadId))?.size ?? 0;
  }

  /** Facts of an upload's file; undefined if it does not exist. */
  statUpload(uploadId: UploadId): Promise<FileFacts | undefined> {
    return this.files.stat(this.uploadPath(uploadId));
  }

  /**
   * Opens an upload's file to write at `offset`, and truncates it there. At
   * offset 0 a new file is made, because the old one may already be a placed
   * blob, even if its session was not finalized.
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

  /**
   * Returns once an upload's bytes are on the disk, and with `isNew` its name
   * too.
   */
  async syncUpload(uploadId: UploadId, isNew: boolean): Promise<void> {
    await together(
      syncFile(this.files, this.uploadPath(uploadId)),
      ...isNew ? [this.guard.syncDirectory(`${this.root}/uploads`)] : [],
    );
    this.guard.refuse();
  }

  /** Removes an upload's file. */
  discard(uploadId: UploadId): Promise<void> {
    return this.files.remove(this.uploadPath(uploadId));
  }

  /**
   * Removes an upload's file that could not be synced; if that fails too, the
   * disk's state is unknown.
   */
  async drop(uploadId: UploadId): Promise<void> {
    try {
      await this.discard(uploadId);
    } catch (cause) {
      this.guard.fail(this.uploadPath(uploadId), cause);
    }
  }

  /** SHA-256 of an upload's bytes, read back from the file. */
  async hashUpload(uploadId: UploadId): Promise<string> {
    const digest = await digestFile(this.files, this.uploadPath(uploadId));
    return digest?.sha256 ?? createHash("sha256").digest("hex");
  }

  /** All bytes of an upload, which are few; empty if there are none. */
  async readUpload(uploadId: UploadId): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    const visit = (piece: Uint8Array) => {
      pieces.push(piece.slice());
    };
    await readThrough(this.files, this.uploadPath(uploadId), visit);
    return concatBytes(...pieces);
  }

  /**
   * Writes the bytes of an upload that arrived whole. They are on the disk when
   * `synced` resolves; the caller has to wait for it.
   */
  async fill(
    uploadId: UploadId,
    bytes: Uint8Array,
  ): Promise<{ readonly synced: Promise<void> }> {
    const file = await this.openUpload(uploadId, 0);
    try {
      file.write(bytes);
    } catch (cause) {
      file.close();
      throw cause;
    }
    return { synced: file.sync().finally(() => file.close()) };
  }

  /** The names in staging, some at a time. */
  list(): AsyncGenerator<Leaf> {
    return inventory(this.files, this.root, "uploads");
  }

  /** Whether a file of that name is in staging. */
  async holds(name: string): Promise<boolean> {
    return await this.files.stat(`${this.root}/uploads/${name}`) !== undefined;
  }

  /** False if the file system has become read-only; writes nothing. */
  takesWrites(): Promise<boolean> {
    return takesWrites(this.files, this.root);
  }

  /** Files that may still be made; Infinity where there is no limit. */
  freeInodes(): Promise<number> {
    return this.files.freeInodes(this.root);
  }

  /**
   * Why no file can be made although bytes are free: tried with a small one.
   * Undefined where it can.
   */
  async obstacle(): Promise<"inodes" | "quota" | undefined> {
    const path = `${this.root}/room-for-a-file`;
    try {
      await writeDurably(this.files, path, new Uint8Array(4_096));
      return undefined;
    } catch (error) {
      // What else is wrong with the disk is another notice's.
      if (!isDiskFull(error)) return undefined;
      return await this.freeInodes() === 0 ? "inodes" : "quota";
    } finally {
      await this.files.remove(path);
      await this.files.remove(`${path}.new`);
    }
  }

  /** Free bytes of the file system. */
  freeBytes(): Promise<number> {
    return this.files.freeBytes(this.root);
  }
}
