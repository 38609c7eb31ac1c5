/**
 * `lost/<day>/`: files of `blobs/` that the database does not know. They can be
 * put back, for the database may be the one that is wrong.
 *
 * @module
 */
import type { BlobHash } from "../core/ids.ts";
import type { Tx } from "./database.ts";
import { type Files, makeDirectoryDurably } from "./files.ts";
import type { BlobFile } from "./inventory.ts";

/** A file in `lost/`. */
export interface LostFile {
  /** When it was set aside: a directory's name, YYYY-MM-DD. */
  readonly day: string;
  readonly name: string;
  /** It is an object of a bucket, and lies where it lay. */
  readonly isObject?: true;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Where blobs have their files. */
interface Places {
  blobPath(hash: BlobHash): string;
  filePath(file: BlobFile): string;
}

export class LostDirectory {
  readonly #root: string;

  /** `root` is the data directory. */
  constructor(
    private readonly files: Files,
    root: string,
    private readonly places: Places,
  ) {
    this.#root = `${root}/lost`;
  }

  isApart(): boolean {
    return true;
  }

  async setAside(_tx: Tx, file: BlobFile, day: string): Promise<void> {
    const from = this.places.filePath(file);
    await this.files.makeDirectory(this.#root);
    await this.files.makeDirectory(`${this.#root}/${day}`);
    const name = from.slice(from.lastIndexOf("/") + 1);
    await this.files.rename(from, this.#pathOf({ day, name }));
  }

  /** Everything that was set aside. */
  async *list(): AsyncGenerator<LostFile> {
    for await (const day of this.files.list(this.#root)) {
      if (!DAY.test(day)) continue;
      for await (const name of this.files.list(`${this.#root}/${day}`)) {
        yield { day, name };
      }
    }
  }

  /** Where a blob's file was set aside, if it was. */
  async find(hash: BlobHash): Promise<LostFile | undefined> {
    for await (const day of this.files.list(this.#root)) {
      const file: LostFile = { day, name: hash };
      if (!DAY.test(day)) continue;
      if (await this.files.stat(this.#pathOf(file))) return file;
    }
    return undefined;
  }

  async bytesOf(file: LostFile): Promise<number> {
    return (await this.files.stat(this.#pathOf(file)))?.size ?? 0;
  }

  /** Removes a file, and its day with the last of it. */
  async remove(_tx: Tx, file: LostFile): Promise<void> {
    await this.files.remove(this.#pathOf(file));
    const day = `${this.#root}/${file.day}`;
    for await (const _ of this.files.list(day)) return;
    await this.files.remove(day);
  }

  /** Gives a file a place, unless another has that. */
  async putBack(_tx: Tx, file: LostFile, hash: BlobHash): Promise<void> {
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

  #pathOf({ day, name }: LostFile): string {
    return `${this.#root}/${day}/${name}`;
  }
}
