/**
 * The blobs of a backup: those that are missing are brought, those that nobody
 * holds any more are removed.
 *
 * @module
 */
import type { BlobHash } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import { BlobDirectory } from "../../store/blobs.ts";
import {
  bringBlob,
  digestFile,
  fetchBlob,
  UnreadableFile,
} from "../../store/copies.ts";
import type { Db } from "../../store/database.ts";
import type { Files } from "../../store/files.ts";
import { inventory } from "../../store/inventory.ts";
import { heldAmong, type HeldBlob, pageOfHeld } from "./store.ts";
import type {
  Elsewhere,
  LostBecause,
  LostBlob,
  OwnBlobs,
} from "./own_blobs.ts";
import type { ScrubSchedule } from "./scrub_schedule.ts";

/** Blobs that are brought at the same time: each waits for the disk. */
const AT_ONCE = 8;
const BLOB_NAME = /^[0-9a-f]{64}(\.new)?$/;

/** Called with what is done so far. */
export type OnProgress = (done: Amount) => void;

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

/** Visits every blob that somebody holds, a few at the same time. */
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

/** What became of the blobs of a backup. */
export interface BlobTally {
  linked: number;
  copied: number;
  /** Were there already. */
  kept: number;
  /** Of those brought: instead of a damaged one that was there. */
  replaced: number;
  readonly lost: LostBlob[];
  /** Are in the backup, and not whole on the server. */
  readonly faulty: LostBlob[];
}

/** What {@link bringHeld} works with. */
export interface Bringing {
  readonly files: Files;
  /** The server's own blobs. */
  readonly from: BlobDirectories;
  /** Where blobs are that have no file there. */
  readonly elsewhere: Elsewhere | undefined;
  readonly own: OwnBlobs;
  /** Whether the server's files are read too. */
  readonly readOwn: boolean;
  readonly to: BlobDirectories;
  /** Every blob as a copy, none as a second name for the server's file. */
  readonly copy: boolean;
  /** Which of those that are there are read again. */
  readonly schedule: ScrubSchedule;
  /** Whether the server, as it is now, still holds a blob. */
  readonly isHeld: (hash: BlobHash) => Promise<boolean>;
}

/**
 * Brings every blob that a copy of the database holds, unless it is there.
 * False where the server has collected one meanwhile: that copy is stale.
 */
export async function bringHeld(
  db: Db,
  bringing: Bringing,
  tally: BlobTally,
  onProgress?: OnProgress,
): Promise<boolean> {
  let fresh = true;
  await eachHeld(db, async (blob) => {
    if (!await bring(bringing, blob, tally)) fresh = false;
  }, onProgress);
  await bringing.to.sync();
  return fresh;
}

/** Brings one blob; false where the server holds it no more. */
async function bring(
  { files, from, elsewhere, own, readOwn, to, copy, schedule, isHeld }:
    Bringing,
  blob: HeldBlob,
  tally: BlobTally,
): Promise<boolean> {
  const { hash, size } = blob;
  // Asked before anything is waited for: the schedule goes by the order of
  // hashes.
  const isDue = schedule.isDue(blob);
  const source = from.pathOf(hash);
  const there = await files.stat(to.pathOf(hash));
  const shares = async () => {
    // What cannot be looked at is no reason to give up what is here.
    const inode = (await files.stat(source).catch(() => undefined))?.inode;
    return inode !== null && inode === there?.inode;
  };
  if (there?.size === size && !(copy && await shares())) {
    if (!isDue || await isWhole(files, to.pathOf(hash), blob)) {
      tally.kept += 1;
      const because = await own.faultOf(blob, readOwn && !await shares());
      if (because !== undefined && await isHeld(hash)) {
        tally.faulty.push({ ...blob, because });
      }
      return true;
    }
  }
  const path = await to.prepare(hash);
  let because: LostBecause = "missing";
  // Once more for one that came back after it had been collected.
  for (let attempt = 0; attempt < 2; attempt++) {
    const brought = await bringBlob(files, {
      from: source,
      to: path,
      hash,
      size,
      link: !copy,
      hashed: isDue,
    });
    if (brought === "linked" || brought === "copied") {
      tally[brought] += 1;
      if (there?.size === size && isDue) tally.replaced += 1;
      return true;
    }
    if (!await isHeld(hash)) return false;
    because = brought;
    if (brought !== "missing") break;
  }
  if (because === "missing" && elsewhere !== undefined) {
    const fetched = await fetchBlob(
      files,
      (hash, visit) => elsewhere.digest(hash, visit),
      { to: path, hash, size },
    );
    if (fetched === "copied") {
      tally.copied += 1;
      if (there?.size === size && isDue) tally.replaced += 1;
      return true;
    }
    if (!await isHeld(hash)) return false;
    because = fetched;
  }
  tally.lost.push({ ...blob, because });
  return true;
}

/**
 * Whether a blob's file has the bytes of its name, as far as it can be read.
 */
async function isWhole(
  files: Files,
  path: string,
  { hash, size }: HeldBlob,
): Promise<boolean> {
  try {
    const digest = await digestFile(files, path);
    return digest?.bytes === size && digest.sha256 === hash;
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}
