/**
 * Backing up beside a server that runs (backup.md).
 *
 * Nothing that a backup's database references can be missing from it. A blob's
 * file is placed before the transaction that references it, so at the moment
 * of the database's copy all of them are there. Afterwards collection alone
 * removes one, once the server references it no longer; then the copy is of a
 * moment that cannot be had any more, and another is made. What was brought
 * stays, so that each further round has little left to do. The copy that is
 * put in place is one of which every blob was seen in the backup.
 *
 * The keys come after the database: a key is in its file before it signs or
 * seals, and stays there for good, so the files have every key that the copy
 * needs. They may have more, of a rotation that came after the copy or was
 * interrupted: what is written is what the copy's generation means.
 *
 * A backup exists once its manifest was renamed into place. Until then it
 * touches nothing of the one before but to put whole blobs where rotten ones
 * lay, and blobs that only that one needs are removed afterwards: killed at any
 * moment, it leaves the one or the other.
 *
 * One thing that is damaged does not keep the rest from being backed up: what
 * cannot be read is gone around, and named.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import type { Amount } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import { removeTree } from "../../store/copies.ts";
import type { Db } from "../../store/database.ts";
import type { Files } from "../../store/files.ts";
import { keyGeneration } from "../../store/generation.ts";
import { Scratch } from "../../store/remote_backup/scratch.ts";
import { copyDatabase, openSnapshot, schemaOf } from "../../store/snapshot.ts";
import { listKnownDamaged } from "../lost_blobs.ts";
import { isHeld } from "../verification/check_store.ts";
import {
  BlobDirectories,
  type BlobTally,
  bringHeld,
  type Bringing,
} from "./blobs.ts";
import { identityOf, readPublishedKeys } from "./keys.ts";
import type { Manifest, ServerSettings, SnapshotRecord } from "./manifest.ts";
import {
  commitManifest,
  DATABASE,
  makeSnapshot,
  type Place,
  readManifest,
  removeSnapshots,
  snapshotPath,
} from "./place.ts";
import { type Elsewhere, type LostBlob, OwnBlobs } from "./own_blobs.ts";
import { readNewestWhole, readReceipts } from "./receipts.ts";
import { type Dropped, refuseShrinking, whatIsDropped } from "./shrink.ts";
import { bringKeys, recordFiles } from "./snapshot_files.ts";
import { type BackupState, readState, writeState } from "./state.ts";
import { countHeld } from "./store.ts";
import { ScrubSchedule } from "./scrub_schedule.ts";

/** Copies of the database, each staler than the collection beside it. */
export const MAX_ROUNDS = 10;

/** A server's data, beside whom it is backed up. */
export interface Source {
  readonly files: Files;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** The server's own database. */
  readonly db: Db;
  readonly platform: Pick<Platform, "now">;
  /** What keeps blobs that have no file in the data directory. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Version of this program. */
  readonly version: string;
  /** Where it is known under what the server runs. */
  readonly settings?: ServerSettings | undefined;
}

export interface BackupOptions {
  /** A second copy of every blob, instead of a second name for its file. */
  readonly copy?: boolean;
  /** Removes as much of the backup before as people have deleted. */
  readonly allowShrink?: boolean;
  /** Reads every blob and receipt, not only those that are due. */
  readonly verify?: boolean;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

/** What a backup came to. */
export interface BackupReport {
  readonly snapshot: SnapshotRecord;
  readonly linked: number;
  readonly copied: number;
  readonly kept: number;
  /** Of those linked and copied: in the place of rotten ones. */
  readonly replaced: number;
  /** Files that no blob of this backup needs. */
  readonly removed: number;
  /** Blobs that are nowhere whole, in this backup neither. */
  readonly lost: readonly LostBlob[];
  /** Blobs that this backup has, and that are not whole on the server. */
  readonly faulty: readonly LostBlob[];
  /** Numbers of receipts whose bytes are not those that were signed. */
  readonly damagedReceipts: readonly number[];
}

/**
 * Backs a server up into a directory whose lock the caller has, anew or on top
 * of the last time. Throws an {@link OperatorFault} where the directory is no
 * place for it; whatever it throws, the backup before is whole.
 */
export async function backUp(
  source: Source,
  dir: string,
  options: BackupOptions = {},
): Promise<BackupReport> {
  const { files, dataDir } = source;
  const place: Place = { files, dir };
  const generation = await keyGeneration(source.db);
  const keys = await readPublishedKeys(files, `${dataDir}/keys`, generation);
  const before = await claim(place, identityOf(keys), source.version);
  const known = readState(place);
  // Until this one has cleared up behind itself.
  await writeState(place, { ...known, clean: false });
  await removeSnapshots(place, before.snapshot);
  const name = String(Number(before.snapshot?.name ?? 0) + 1);
  try {
    const work: Work = { source, place, before, known, name, options };
    const { dropped, state, ...made } = await makeBackup(work);
    const hashes = known.clean ? dropped.hashes : undefined;
    const removed = await removeUnneeded(place, made.snapshot, hashes);
    await writeState(place, state);
    return { ...made, removed, damagedReceipts: state.damaged_receipts };
  } catch (error) {
    await removeUnfinished(place, name).catch(() => {});
    throw error;
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

/** What one backup works with. */
interface Work {
  readonly source: Source;
  readonly place: Place;
  readonly before: Manifest;
  readonly known: BackupState;
  /** Of the snapshot to be. */
  readonly name: string;
  readonly options: BackupOptions;
}

/** What {@link makeBackup} leaves to be cleared up and remembered. */
interface Made extends Omit<BackupReport, "removed" | "damagedReceipts"> {
  readonly dropped: Dropped;
  readonly state: BackupState;
}

async function makeBackup(work: Work): Promise<Made> {
  const { source, place, before, name, options } = work;
  const { files, dataDir } = source;
  const brought = { linked: 0, copied: 0, replaced: 0 };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const path = await makeSnapshot(place, { name });
    const madeAt = toRfc3339(source.platform.now());
    await copyDatabase(`${dataDir}/db/${DATABASE}`, `${path}/${DATABASE}`);
    const { db, close } = await openSnapshot(`${path}/${DATABASE}`);
    try {
      const held = await countHeld(db);
      const dropped = await whatIsDropped(place, before.snapshot, db, held);
      if (before.snapshot !== null && options.allowShrink !== true) {
        refuseShrinking(place, before.snapshot, dropped, held);
      }
      const { tally, schedule, isFresh } = await bringAll(work, db, held);
      const kept = Math.max(0, tally.kept - brought.linked - brought.copied);
      brought.linked += tally.linked;
      brought.copied += tally.copied;
      brought.replaced += tally.replaced;
      if (!isFresh) continue;
      const all = options.verify === true;
      const receipts = await readReceipts(db, work.known, all);
      const newest = await readNewestWhole(db);
      const generation = await keyGeneration(db);
      await bringKeys(files, `${dataDir}/keys`, path, { newest, generation });
      const lostBytes = tally.lost.reduce((sum, { size }) => sum + size, 0);
      const snapshot: SnapshotRecord = {
        name,
        made_at: madeAt,
        server_id: newest === undefined ? null : readReceipt(newest).server_id,
        schema: schemaOf(`${path}/${DATABASE}`),
        files: await recordFiles(files, path),
        blobs: {
          count: held.count - tally.lost.length,
          bytes: held.bytes - lostBytes,
        },
        lost: tally.lost.map(({ hash }) => hash).toSorted(),
        ...source.settings && { settings: source.settings },
      };
      const { version: program } = source;
      await commitManifest(place, { ...before, program, snapshot });
      const state = { clean: true, blobs_after: schedule.next, ...receipts };
      const { lost, faulty } = tally;
      return { snapshot, ...brought, kept, lost, faulty, dropped, state };
    } finally {
      await close();
    }
  }
  throw new OperatorFault(
    "the server removed blobs faster than they could be copied: run " +
      "this again; what was copied stays",
  );
}

/** Brings every blob of a copy of the database, as far as that is possible. */
async function bringAll(
  { source, place, before, known, options }: Work,
  db: Db,
  held: Amount,
) {
  const { copy = false, verify = false, onProgress } = options;
  const { files, dataDir } = source;
  const schedule = new ScrubSchedule({
    after: known.blobs_after,
    held,
    all: verify,
    suspects: new Set<string>(before.snapshot?.lost),
  });
  const from = new BlobDirectories(files, dataDir);
  const scratch = new Scratch();
  const bringing: Bringing = {
    files,
    from,
    elsewhere: source.elsewhere,
    own: new OwnBlobs(
      files,
      from,
      source.elsewhere,
      scratch,
      await listKnownDamaged(source.db),
    ),
    readOwn: verify,
    to: new BlobDirectories(files, place.dir),
    copy,
    schedule,
    isHeld: (hash) => isHeld(source.db, hash),
  };
  const tally: BlobTally = {
    ...{ linked: 0, copied: 0, kept: 0, replaced: 0 },
    lost: [],
    faulty: [],
  };
  const progress = (done: Amount) => onProgress?.(done, held);
  try {
    const isFresh = await bringHeld(db, bringing, tally, progress);
    return { tally, schedule, isFresh };
  } finally {
    scratch.close();
  }
}
