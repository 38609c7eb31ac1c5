/**
 * `lost/<day>/`: files from `blobs/` that the database does not know. They can
 * be put back, because the mistake may be the database's.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { Tx } from "../sqlite/database.ts";
import { type Files, makeDirectoryDurably } from "../files/files.ts";
import type { BlobFile } from "./inventory.ts";
import { keptPrefix } from "../data_paths.ts";

/** A file in `lost/`. */
export interface QuarantinedFile {
  /** The day on which it was quarantined, YYYY-MM-DD: the directory's name. */
  readonly day: string;
  readonly name: string;
  /** True if it is an object of a bucket, which was not moved. */
  readonly isObject?: true;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The paths of blobs and of their temporary files. */
interface Places {
  blobPath(hash: BlobHash): string;
  filePath(file: BlobFile): string;
}

export class QuarantineDirectory {
  readonly #root: string;
  readonly #data: string;

  /** `root` is the data directory. */
  constructor(
    private readonly files: Files,
    root: string,
    private readonly places: Places,
  ) {
    this.#root = `${root}/lost`;
    this.#data = root;
  }

  isApart(): boolean {
    return true;
  }

  async keepsAll(): Promise<boolean> {
    const prefix = keptPrefix(this.#data);
    const directory = prefix.slice(0, prefix.lastIndexOf("/"));
    for await (const name of this.files.list(directory)) {
      if (`${directory}/${name}`.startsWith(prefix)) return true;
    }
    return false;
  }

  async add(_tx: Tx, file: BlobFile, day: string): Promise<void> {
    const from = this.places.filePath(file);
    await this.files.makeDirectory(this.#root);
    await this.files.makeDirectory(`${this.#root}/${day}`);
    const name = from.slice(from.lastIndexOf("/") + 1);
    await this.files.rename(from, this.#pathOf({ day, name }));
  }

  /** Everything in quarantine. */
  async *list(): AsyncGenerator<QuarantinedFile> {
    for await (const day of this.files.list(this.#root)) {
      if (!DAY.test(day)) continue;
      for await (const name of this.files.list(`${this.#root}/${day}`)) {
        yield { day, name };
      }
    }
  }

  /** The file of a blob in quarantine; undefined if it is not there. */
  async find(hash: BlobHash): Promise<QuarantinedFile | undefined> {
    for await (const day of this.files.list(this.#root)) {
      const file: QuarantinedFile = { day, name: hash };
      if (!DAY.test(day)) continue;
      if (await this.files.stat(this.#pathOf(file))) return file;
    }
    return undefined;
  }

  async bytesOf(file: QuarantinedFile): Promise<number> {
    return (await this.files.stat(this.#pathOf(file)))?.size ?? 0;
  }

  /** Removes a file, and its day's directory when that is empty. */
  async remove(_tx: Tx, file: QuarantinedFile): Promise<void> {
    await this.files.remove(this.#pathOf(file));
    const day = `${this.#root}/${file.day}`;
    for await (const _ of this.files.list(day)) return;
    await this.files.remove(day);
  }

  /** Puts a file back to its blob's place; a file that lies there stays. */
  async putBack(_tx: Tx, file: QuarantinedFile, hash: BlobHash): Promise<void> {
    const to = this.places.blobPath(hash);
    const directory = to.slice(0, to.lastIndexOf("/"));
    const above = directory.slice(0, directory.lastIndexOf("/"));
    await makeDirectoryDurably(this.files, above);
    await makeDirectoryDurably(this.files, directory);
    if (await this.files.stat(to) === undefined) {
      await this.files.rename(this.#pathOf(file), to);
    }
    await this.files.syncDirectory(directory);
  }

  #pathOf({ day, name }: QuarantinedFile): string {
    return `${this.#root}/${day}/${name}`;
  }
}
