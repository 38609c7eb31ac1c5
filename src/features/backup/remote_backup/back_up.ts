/**
 * Backing a server up into a place off the premises (backup-off-site.md),
 * beside it while it runs.
 *
 * A generation is there once its record is, and that is put last: after every
 * object that it needs was seen in a list of what the place holds. Whatever
 * ends this before leaves the generations as they were, and objects that the
 * next one finds there.
 *
 * @module
 */
import { toBase64 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import type { Amount } from "../../../core/sizes.ts";
import { toRfc3339 } from "../../../core/time.ts";
import { readReceipt } from "../../../crypto/receipt.ts";
import { removeTree } from "../../../store/copies.ts";
import type { Db } from "../../../store/database.ts";
import type { Files } from "../../../store/files.ts";
import { keyGeneration } from "../../../store/generation.ts";
import { RemoteUnavailable } from "../../../store/remote_backup/remote.ts";
import type { Repository } from "../../../store/remote_backup/repository.ts";
import { type NameSet, Scratch } from "../../../store/remote_backup/scratch.ts";
import {
  copyDatabase,
  openSnapshot,
  schemaOf,
} from "../../../store/snapshot.ts";
import { listKnownDamaged } from "../../lost_blobs.ts";
import { isHeld } from "../../verification/check_store.ts";
import { MAX_ROUNDS, type Source } from "../backup.ts";
import { BlobDirectories, eachHeld } from "../blobs.ts";
import type { SnapshotRecord } from "../manifest.ts";
import { OwnBlobs } from "../own_blobs.ts";
import { DATABASE } from "../place.ts";
import { readNewestWhole, readReceipts } from "../receipts.ts";
import { bringKeys, recordFiles } from "../snapshot_files.ts";
import { readState, writeState } from "../state.ts";
import { countHeld } from "../store.ts";
import {
  type GenerationRecord,
  listGenerations,
  PIECE_BYTES,
  putGeneration,
} from "./generation.ts";
import { indexObjects } from "./index_objects.ts";
import type { RemoteLock } from "./lock.ts";
import {
  firstMissing,
  noteThere,
  sendBlob,
  sendBytes,
  sendDatabase,
  type Sending,
  type SendTally,
} from "./send.ts";

export interface RemoteBackupOptions {
  /** Reads existing objects, and sends damaged ones again. */
  readonly verify?: boolean;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

export interface RemoteBackupReport extends SendTally {
  readonly number: number;
  readonly snapshot: SnapshotRecord;
  readonly damagedReceipts: readonly number[];
}

/** What a backup works with. */
export interface RemoteBackupSource extends Source {
  readonly platform: Pick<Platform, "now" | "random">;
  /** A directory of its own, for what one backup leaves to the next. */
  readonly own: string;
}

/**
 * Makes a generation, under a lock for writing. Whatever it throws, those
 * before are whole.
 */
export async function backUpRemotely(
  source: RemoteBackupSource,
  repository: Repository,
  lock: RemoteLock,
  options: RemoteBackupOptions,
): Promise<RemoteBackupReport> {
  const { files, own } = source;
  const work = `${own}/work`;
  await removeTree(files, work);
  await files.makeDirectory(work);
  const scratch = new Scratch(work);
  try {
    const run = { source, repository, lock, work, scratch, options };
    return await make(run);
  } finally {
    scratch.close();
    await removeTree(files, work);
  }
}

interface Run {
  readonly source: RemoteBackupSource;
  readonly repository: Repository;
  readonly lock: RemoteLock;
  readonly work: string;
  readonly scratch: Scratch;
  readonly options: RemoteBackupOptions;
}

async function make(run: Run): Promise<RemoteBackupReport> {
  const { source, repository, work, scratch, options } = run;
  const { files, dataDir } = source;
  const generations = await listGenerations(repository);
  const number = (generations.at(-1)?.number ?? 0) + 1;
  const there = scratch.newSet();
  await noteThere(repository, there);
  const from = new BlobDirectories(files, dataDir);
  const { elsewhere } = source;
  const sending: Sending = {
    files,
    repository,
    work,
    there,
    from,
    elsewhere,
    own: new OwnBlobs(
      files,
      from,
      elsewhere,
      scratch,
      await listKnownDamaged(source.db),
    ),
    verify: options.verify === true,
    isHeld: (hash) => isHeld(source.db, hash),
  };
  const tally: SendTally = {
    ...{ sent: 0, sentBytes: 0, kept: 0, replaced: 0 },
    lost: [],
    faulty: [],
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const path = `${work}/${number}`;
    await removeTree(files, path);
    await files.makeDirectory(path);
    await files.makeDirectory(`${path}/keys`);
    const madeAt = toRfc3339(source.platform.now());
    await copyDatabase(`${dataDir}/db/${DATABASE}`, `${path}/${DATABASE}`);
    const { db, close } = await openSnapshot(`${path}/${DATABASE}`);
    const wanted = scratch.newSet();
    try {
      tally.kept = -tally.sent;
      tally.lost = [];
      tally.faulty = [];
      if (!await sendAll(run, sending, { db, wanted, tally })) continue;
      const about = { db, path, number, madeAt };
      return await commit(run, sending, { wanted, tally, ...about });
    } finally {
      await close();
    }
  }
  throw new OperatorFault(
    "the server removed blobs faster than they could be sent: run this " +
      "again; what was sent stays",
  );
}

/** Sends every blob that a copy of the database holds; false if it is stale. */
async function sendAll(
  { options }: Run,
  sending: Sending,
  { db, wanted, tally }: {
    readonly db: Db;
    readonly wanted: NameSet;
    readonly tally: SendTally;
  },
): Promise<boolean> {
  let isFresh = true;
  const held = await countHeld(db);
  await eachHeld(db, async (blob) => {
    if (!await sendBlob(sending, wanted, blob, tally)) isFresh = false;
  }, (done) => options.onProgress?.(done, held));
  return isFresh;
}

interface Copied {
  readonly db: Db;
  /** Where the copy of the database is. */
  readonly path: string;
  readonly number: number;
  readonly madeAt: string;
  readonly wanted: NameSet;
  readonly tally: SendTally;
}

async function commit(
  run: Run,
  sending: Sending,
  { db, path, number, madeAt, wanted, tally }: Copied,
): Promise<RemoteBackupReport> {
  const { source, repository, lock, options } = run;
  const { files, dataDir, own } = source;
  const known = readState({ files, dir: own });
  const receipts = await readReceipts(db, known, options.verify === true);
  const newest = await readNewestWhole(db);
  const generation = await keyGeneration(db);
  await bringKeys(files, `${dataDir}/keys`, path, { newest, generation });
  const held = await countHeld(db);
  const lostBytes = tally.lost.reduce((sum, { size }) => sum + size, 0);
  const snapshot: SnapshotRecord = {
    name: String(number),
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
  const index: GenerationRecord["index"] = [];
  const shares = indexObjects(wanted.all(), snapshot.blobs.count);
  for (const { bytes, sha256 } of shares) {
    const name = await sendBytes(sending, bytes, sha256);
    index.push({ name, bytes: bytes.length });
  }
  for (const { name, bytes } of index) wanted.put({ name, size: bytes });
  const database = await sendDatabase(sending, `${path}/${DATABASE}`, wanted);
  const missing = await firstMissing(
    repository,
    wanted,
    run.scratch.newSet(),
  );
  if (missing !== undefined) throw lostThere(repository, missing);
  await requireThis(repository, lock);
  const key = await putGeneration(repository, number, {
    format: 1,
    program: source.version,
    attestation_key: repository.attestationKey,
    snapshot,
    keys: keysIn(files, path),
    database,
    piece_bytes: PIECE_BYTES,
    index,
  }, source.platform.random);
  const all = await listGenerations(repository);
  if (!all.some((one) => one.key === key)) throw lostThere(repository, key);
  const state = { clean: true, blobs_after: "", ...receipts };
  await writeState({ files, dir: own }, state);
  const { damaged_receipts: damagedReceipts } = receipts;
  return { ...tally, number, snapshot, damagedReceipts };
}

function keysIn(files: Files, path: string): GenerationRecord["keys"] {
  const read = (name: string) => {
    const bytes = files.readWhole(`${path}/${name}`);
    if (bytes === undefined) throw new Error(`${name} is gone`);
    return toBase64(bytes);
  };
  const hasLogKeys = files.readWhole(`${path}/keys/log.json`) !== undefined;
  return {
    "keys/access.json": read("keys/access.json"),
    "keys/attestation.json": read("keys/attestation.json"),
    "keys/sealing.json": read("keys/sealing.json"),
    ...hasLogKeys ? { "keys/log.json": read("keys/log.json") } : {},
  };
}

/** Nobody has begun another one there, nor taken the lock away. */
async function requireThis(
  repository: Repository,
  lock: RemoteLock,
): Promise<void> {
  await lock.requireHeld();
  if (await repository.isStillThis()) return;
  throw new OperatorFault(
    `${repository.name} was begun again or got another passphrase ` +
      "meanwhile: run this again",
  );
}

function lostThere(
  { name }: Repository,
  key: string,
): RemoteUnavailable {
  return new RemoteUnavailable(name, `${key} has disappeared`);
}
