/**
 * Backing up into a plain directory (backup.md), for the first time or on top
 * of the last backup.
 *
 * The backup exists once its manifest was renamed into place. Until then
 * nothing of the one before is touched but to put whole blobs where rotten ones
 * lay, and blobs that only that one needs are removed afterwards: killed at any
 * moment, it leaves the one or the other.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import type { Amount } from "../../../core/sizes.ts";
import {
  bringBlob,
  digestFile,
  removeTree,
  UnreadableFile,
} from "../../../store/files/copies.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import type { Files } from "../../../store/files/files.ts";
import { keyGeneration } from "../../../store/generation.ts";
import { Scratch } from "../../../store/remote/backup/scratch.ts";
import { openSnapshot } from "../../../store/sqlite/snapshot.ts";
import {
  type BackupReport,
  type BackupWriter,
  writeBackup,
} from "../backup.ts";
import { BlobDirectories } from "../blobs.ts";
import { identityOf, readPublishedKeys } from "../keys.ts";
import { DATABASE, type Manifest, type SnapshotRecord } from "../manifest.ts";
import type { ServerBlobs, Source } from "../server_blobs.ts";
import { type BackupState, readState, writeState } from "../state.ts";
import type { HeldBlob } from "../store.ts";
import {
  commitManifest,
  makeSnapshot,
  type Place,
  readManifest,
  removeSnapshots,
  snapshotPath,
} from "./place.ts";
import { ScrubSchedule } from "./scrub_schedule.ts";
import { type Dropped, refuseShrinking, whatIsDropped } from "./loss_guard.ts";

interface DirectoryBackupOptions {
  /** A second copy of every blob, instead of a second name for its file. */
  readonly copy?: boolean;
  /** Removes as much of the backup before as people have deleted. */
  readonly allowShrink?: boolean;
  /** Reads every blob and receipt, not only those that are due. */
  readonly verify?: boolean;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

interface DirectoryBackupReport extends BackupReport {
  /** Files that no blob of this backup needs. */
  readonly removed: number;
}

/**
 * Backs a server up into a directory whose lock the caller has. Throws an
 * {@link OperatorFault} where the directory is no place for it; whatever it
 * throws, the backup before is whole.
 */
export async function backUpIntoDirectory(
  source: Source,
  dir: string,
  options: DirectoryBackupOptions = {},
): Promise<DirectoryBackupReport> {
  const { files, dataDir } = source;
  const place: Place = { files, dir };
  const generation = await keyGeneration(source.db);
  const keys = await readPublishedKeys(files, `${dataDir}/keys`, generation);
  const before = await claim(place, identityOf(keys), source.version);
  const known = readState(place);
  // Until this one has cleared up behind itself.
  await writeState(place, { ...known, clean: false });
  await removeSnapshots(place, before.snapshot);
  const writer = new DirectoryWriter(source, place, before, known, options);
  const scratch = new Scratch();
  try {
    const { verify = false, onProgress } = options;
    const { report, receipts } = await writeBackup(source, writer, {
      ...{ verify, known, scratch, onProgress },
    });
    const { snapshot } = report;
    const dropped = known.clean ? writer.dropped?.hashes : undefined;
    const removed = await removeUnneeded(place, snapshot, dropped);
    const blobs_after = writer.scrubbedTo;
    await writeState(place, { clean: true, blobs_after, ...receipts });
    return { ...report, removed };
  } catch (error) {
    await removeUnfinished(place, writer.name).catch(() => {});
    throw error;
  } finally {
    scratch.close();
  }
}

/** The manifest of a directory, which is this server's from now on. */
async function claim(
  place: Place,
  identity: string,
  program: string,
): Promise<Manifest> {
  const held = await readManifest(place);
  if (held === undefined) {
    const first: Manifest = {
      format: 1,
      program,
      server: { attestation_key: identity },
      snapshot: null,
    };
    await commitManifest(place, first);
    return first;
  }
  if (held.server.attestation_key === identity) return held;
  throw new OperatorFault(
    `${place.dir} is the backup of another server: back this one up into a ` +
      "directory of its own",
  );
}

/** Removes a snapshot that did not become the backup. */
async function removeUnfinished(place: Place, name: string): Promise<void> {
  // The manifest may have been put in place all the same.
  const manifest = await readManifest(place);
  if (manifest === undefined || manifest.snapshot?.name === name) return;
  await removeTree(place.files, snapshotPath(place, { name }));
}

/**
 * Removes what the snapshot that became the backup does not need: the blobs
 * that only the one before had, or where those are not all that there can be,
 * whatever is found.
 */
async function removeUnneeded(
  place: Place,
  snapshot: SnapshotRecord,
  dropped: Dropped["hashes"],
): Promise<number> {
  await removeSnapshots(place, snapshot);
  if (dropped !== undefined) {
    return await new BlobDirectories(place.files, place.dir).remove(dropped);
  }
  const path = `${snapshotPath(place, snapshot)}/${DATABASE}`;
  const { db, close } = await openSnapshot(path);
  try {
    return await new BlobDirectories(place.files, place.dir).removeUnheld(db);
  } finally {
    await close();
  }
}

/** Writes the next snapshot of a directory. */
class DirectoryWriter implements BackupWriter {
  readonly name: string;
  /** What of the backup before the new one does not hold. */
  dropped: Dropped | undefined;
  readonly #blobs: BlobDirectories;
  #schedule: ScrubSchedule | undefined;

  constructor(
    private readonly source: Source,
    private readonly place: Place,
    private readonly before: Manifest,
    private readonly known: BackupState,
    private readonly options: DirectoryBackupOptions,
  ) {
    this.name = String(Number(before.snapshot?.name ?? 0) + 1);
    this.#blobs = new BlobDirectories(place.files, place.dir);
  }

  /** Where the next scrub begins. */
  get scrubbedTo(): string {
    return this.#schedule?.next ?? "";
  }

  async begin(): Promise<string> {
    return await makeSnapshot(this.place, this);
  }

  async open(db: Db, held: Amount): Promise<void> {
    const { place, before: { snapshot: before }, known, options } = this;
    this.dropped = await whatIsDropped(place, before, db, held);
    if (before !== null && options.allowShrink !== true) {
      refuseShrinking(place, before, this.dropped, held);
    }
    this.#schedule = new ScrubSchedule({
      after: known.blobs_after,
      held,
      all: options.verify === true,
      suspects: new Set<string>(before?.lost),
    });
  }

  isDue(blob: HeldBlob): boolean {
    return this.#schedule?.isDue(blob) ?? true;
  }

  async find(
    blob: HeldBlob,
    server: ServerBlobs,
    isDue: boolean,
  ): Promise<"whole" | "own" | "damaged" | "missing"> {
    const { place: { files }, options: { copy, verify } } = this;
    const path = this.#blobs.pathOf(blob.hash);
    const there = await files.stat(path);
    if (there?.size !== blob.size) return "missing";
    let isOwn = false;
    if (copy === true || verify === true) {
      // What cannot be looked at is no reason to give up what is here.
      const own = await files.stat(server.pathOf(blob.hash))
        .catch(() => undefined);
      isOwn = own?.inode !== null && own?.inode === there.inode;
    }
    // The server's own file is no copy.
    if (copy === true && isOwn) return "missing";
    if (isDue && !await isWhole(files, path, blob)) return "damaged";
    return isOwn ? "own" : "whole";
  }

  async put(blob: HeldBlob, server: ServerBlobs, hashed: boolean) {
    const { hash, size } = blob;
    const to = await this.#blobs.prepare(hash);
    const brought = await bringBlob(this.source.files, {
      ...{ from: server.pathOf(hash), to, hash, size, hashed },
      link: this.options.copy !== true,
    });
    return brought === "missing"
      ? await server.bringElsewhere(blob, to)
      : brought;
  }

  async commit(snapshot: SnapshotRecord): Promise<void> {
    await this.#blobs.sync();
    const { place, before, source: { version: program } } = this;
    await commitManifest(place, { ...before, program, snapshot });
  }
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
