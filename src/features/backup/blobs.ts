/**
 * Directories of blobs that a backup or a restore fills, and walks over the
 * blobs that are referenced.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import { BlobDirectory } from "../../store/blobs/blobs.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { inventory } from "../../store/blobs/inventory.ts";
import { heldAmong, type HeldBlob, pageOfHeld } from "./store.ts";

/** Blobs that are brought at the same time: each waits for the disk. */
const AT_ONCE = 8;
const BLOB_NAME = /^[0-9a-f]{64}(\.new)?$/;

/** Called with what is done so far. */
type OnProgress = (done: Amount) => void;

/** Directories of blobs that one run fills. */
export class BlobDirectories {
  readonly #made = new Set<string>();
  readonly #touched = new Set<string>();
  readonly #blobs: BlobDirectory;

  constructor(private readonly files: Files, private readonly root: string) {
    this.#blobs = new BlobDirectory(files, root);
  }

  pathOf(hash: BlobHash): string {
    return this.#blobs.blobPath(hash);
  }

  /** Makes room for a blob; its name is durable after {@link sync}. */
  async prepare(hash: BlobHash): Promise<string> {
    const path = this.pathOf(hash);
    const leaf = path.slice(0, path.lastIndexOf("/"));
    const above = leaf.slice(0, leaf.lastIndexOf("/"));
    for (const directory of [`${this.root}/blobs`, above, leaf]) {
      if (this.#made.has(directory)) continue;
      await this.files.makeDirectory(directory);
      this.#made.add(directory);
      this.#touched.add(directory.slice(0, directory.lastIndexOf("/")));
    }
    this.#touched.add(leaf);
    return path;
  }

  /**
   * Returns once the names of all that was brought are on the disk, and those
   * of the directories, each synced once: that takes longer than linking.
   */
  async sync(): Promise<void> {
    const waiting = this.#touched.values();
    await inParallel(async () => {
      for (const directory of waiting) {
        await this.files.syncDirectory(directory);
      }
    });
    this.#touched.clear();
  }

  /** Removes the files of some blobs; returns how many there were. */
  async remove(hashes: Iterable<BlobHash>): Promise<number> {
    let removed = 0;
    for (const hash of hashes) {
      const path = this.pathOf(hash);
      if (await this.files.stat(path) === undefined) continue;
      await this.files.remove(path);
      removed += 1;
    }
    return removed;
  }

  /**
   * Removes the files of blobs that a database does not have: this looks into
   * every directory there is.
   */
  async removeUnheld(db: Db): Promise<number> {
    let removed = 0;
    for await (const { directory, names } of inventory(this.files, this.root)) {
      const ours = names.filter((name) => BLOB_NAME.test(name));
      const held = await heldAmong(db, ours);
      for (const name of ours.filter((one) => !held.has(one))) {
        await this.files.remove(`${this.root}/${directory}/${name}`);
        removed += 1;
      }
    }
    return removed;
  }
}

/** Several workers at one task; throws once all of them have ended. */
export async function inParallel(work: () => Promise<void>): Promise<void> {
  const workers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, work),
  );
  for (const worker of workers) {
    if (worker.status === "rejected") throw worker.reason;
  }
}

/** Visits every blob in use, a few at the same time. */
export async function eachHeld(
  db: Db,
  visit: (blob: HeldBlob) => Promise<void>,
  onProgress: OnProgress = () => {},
): Promise<void> {
  let [count, bytes] = [0, 0];
  let page = await pageOfHeld(db, undefined);
  while (page.length > 0) {
    const waiting = page.values();
    await inParallel(async () => {
      for (const blob of waiting) {
        await visit(blob);
        count += 1;
        bytes += blob.size;
        onProgress({ count, bytes });
      }
    });
    page = await pageOfHeld(db, page.at(-1));
  }
}
