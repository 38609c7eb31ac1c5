/**
 * Restoring a backup into an empty data directory (operator.md, `restore`).
 * Everything is verified as it comes, before anything of it can be served;
 * the backup is read and never changed.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import { parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import { BlobDirectory } from "../../store/blobs.ts";
import { bringBlob, copyDurably, syncFile } from "../../store/copies.ts";
import type { Db } from "../../store/database.ts";
import type { Files } from "../../store/files.ts";
import { rotateKeyRing } from "../../store/keys.ts";
import { openCopy } from "../../store/snapshot.ts";
import {
  abandonRestore,
  beginRestore,
  endRestore,
  refuseUnlessVacant,
} from "../../store/vacant.ts";
import { type CheckStep, checkStore } from "../verification/check.ts";
import { type Amount, BlobShelves, eachHeld } from "./blobs.ts";
import { identityOf, readPublishedKeys, requireSigner } from "./keys.ts";
import type { Manifest, SnapshotRecord } from "./manifest.ts";
import {
  DATABASE,
  type Place,
  requireSnapshot,
  snapshotPath,
} from "./place.ts";
import { refuseNewer } from "./schema.ts";
import { settle, type Settled, type SettleOptions } from "./settle.ts";
import { readNewest } from "../receipts/store.ts";

/** What only the server that was backed up can have done to itself. */
const STEPS_OF_THE_SERVER: readonly CheckStep[] = [
  "holdings",
  "contributions",
  "assets",
  "usage",
];

/** Where a backup is restored to. */
export interface Target {
  readonly files: Files;
  /** Absolute path of the data directory, whose lock the caller has. */
  readonly dataDir: string;
  readonly platform: Pick<Platform, "now" | "random">;
}

export interface RestoreOptions extends SettleOptions {
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

export interface RestoreReport extends Settled {
  readonly snapshot: SnapshotRecord;
  readonly receipts: number;
  /** What `check` finds of the server as it was backed up. */
  readonly serverFaults: number;
}

/**
 * Restores the backup in `dir`, whose lock the caller shares. A backup that is
 * not whole, or was changed, is an {@link OperatorFault}, and the directory is
 * left as empty as it was.
 */
export async function restoreBackup(
  target: Target,
  dir: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { files, dataDir, platform } = target;
  const place: Place = { files, dir };
  const { manifest, snapshot } = await requireSnapshot(place);
  refuseNewer(snapshot, dir);
  refuseSlowClock(snapshot, platform.now());
  await refuseUnlessVacant(dataDir, files);
  try {
    await beginRestore(dataDir, files);
    await bringFiles(target, place, snapshot);
    const path = `${dataDir}/db/${DATABASE}`;
    const db = await openCopy(path);
    let report: RestoreReport;
    try {
      report = await fill(target, place, { manifest, snapshot, db }, options);
    } finally {
      await db.destroy();
    }
    await syncFile(files, path);
    await files.syncDirectory(`${dataDir}/db`);
    await files.syncDirectory(`${dataDir}/keys`);
    await endRestore(dataDir, files);
    return report;
  } catch (error) {
    // Where not even that can be done, the mark stays and the next restore
    // does it.
    await abandonRestore(dataDir, files).catch(() => {});
    throw error;
  }
}

/**
 * A clock that is behind the backup's would give the receipts to come a time
 * at which their key was not in office yet.
 */
function refuseSlowClock({ made_at }: SnapshotRecord, now: number): void {
  if (now >= (parseRfc3339(made_at) ?? 0)) return;
  throw new OperatorFault(
    `this backup was made at ${made_at}, and the clock here says ` +
      `${toRfc3339(now)}: set this machine's clock`,
  );
}

/** Copies the database and the keys, each as the manifest has it. */
async function bringFiles(
  { files, dataDir }: Target,
  place: Place,
  snapshot: SnapshotRecord,
): Promise<void> {
  const from = snapshotPath(place, snapshot);
  for (const { path, bytes, sha256 } of snapshot.files) {
    const to = path === DATABASE ? `db/${path}` : path;
    const copied = await copyDurably(
      files,
      `${from}/${path}`,
      `${dataDir}/${to}`,
    );
    if (copied?.bytes === bytes && copied.sha256 === sha256) continue;
    throw notWhole(
      place,
      `snapshots/${snapshot.name}/${path}`,
      copied === undefined ? "is missing" : "was changed since the backup",
    );
  }
}

function notWhole({ dir }: Place, what: string, how: string): OperatorFault {
  return new OperatorFault(
    `${dir} is not whole: ${what} ${how}. Nothing was restored; ` +
      `\`strongroom backup verify ${dir}\` names every fault, and another copy ` +
      "of the backup may have none",
  );
}

interface Restoring {
  readonly manifest: Manifest;
  readonly snapshot: SnapshotRecord;
  /** The database in its new place. */
  readonly db: Db;
}

async function fill(
  target: Target,
  place: Place,
  restoring: Restoring,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { files, dataDir, platform } = target;
  const { manifest, snapshot, db } = restoring;
  const keyDirectory = `${dataDir}/keys`;
  const keys = await readPublishedKeys(files, keyDirectory);
  const newest = await readNewest(db);
  requireSigner(keys, newest, `${snapshotPath(place, snapshot)}/keys`);
  if (identityOf(keys) !== manifest.server.attestation_key) {
    throw notWhole(place, "its attestation key", "is another server's");
  }
  const checked = { db, blobs: new BlobDirectory(files, dataDir), keys };
  const receipts = await requireChain(place, checked);
  await bringBlobs(target, place, restoring, options.onProgress);
  const settled = await settle(db, platform, options);
  const { summary } = await checkStore(checked, { steps: STEPS_OF_THE_SERVER });
  await retireKey(target, newest);
  return { ...settled, snapshot, receipts, serverFaults: summary.found };
}

/** The database is sound, and so is every receipt from the first one on. */
async function requireChain(
  place: Place,
  checked: {
    readonly db: Db;
    readonly blobs: BlobDirectory;
    readonly keys: readonly PublishedKey[];
  },
): Promise<number> {
  const { findings, summary } = await checkStore(checked, {
    steps: ["database", "receipts"],
    maxFindings: 1,
  });
  const [first] = findings;
  if (first === undefined) return summary.checked.receipts;
  throw notWhole(place, first.subject, `is not sound (${first.detail})`);
}

/** Copies every blob that is held, each hashed on its way. */
async function bringBlobs(
  { files, dataDir }: Target,
  place: Place,
  { db, snapshot }: Restoring,
  onProgress: RestoreOptions["onProgress"],
): Promise<void> {
  const from = new BlobShelves(files, place.dir);
  const to = new BlobShelves(files, dataDir);
  const lost = new Set<string>(snapshot.lost);
  await eachHeld(db, async ({ hash, size }) => {
    const source = from.pathOf(hash);
    const brought = await bringBlob(files, {
      from: source,
      to: await to.prepare(hash),
      hash,
      size,
      link: false,
    });
    if (brought === "copied" || lost.has(hash)) return;
    const how = brought === "missing" ? "is missing" : "was changed";
    throw notWhole(place, source.slice(place.dir.length + 1), how);
  }, (done) => onProgress?.(done, snapshot.blobs));
  await to.sync();
}

/**
 * Retires the attestation key. What it signed until now counts, the receipts
 * among that which came after the backup and are lost here: they are promises
 * that people hold. What it signs from now on does not: that would be the old
 * server, running on somewhere. Should a receipt of the backup be from later
 * than this clock says, it goes on counting too.
 */
async function retireKey(
  { files, dataDir, platform }: Target,
  newest: Uint8Array | undefined,
): Promise<void> {
  const now = platform.now();
  const last = newest === undefined ? undefined : readReceipt(newest);
  await rotateKeyRing(files, `${dataDir}/keys`, "attestation", {
    now,
    random: platform.random,
    retiredAt: Math.max(now, parseRfc3339(last?.received_at ?? "") ?? now),
  });
}
