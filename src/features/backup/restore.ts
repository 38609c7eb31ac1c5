/**
 * Restoring a backup into an empty data directory (backup/restore.md).
 * Everything is verified as it comes, before anything of it can be served; the
 * backup is read and never changed.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import { type Amount, bytesInWords } from "../../core/sizes.ts";
import { parseRfc3339, toRfc3339 } from "../../core/time.ts";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import { endorsedLogKeyFor } from "../../crypto/logs/log_key.ts";
import { endorsedFor } from "../../crypto/succession.ts";
import { directoriesOf } from "../../store/blobs/blobs.ts";
import { storedIn } from "../../store/blobs/small_blobs.ts";
import { syncFile } from "../../store/files/copies.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { keyGeneration } from "../../store/generation.ts";
import {
  KEY_PURPOSES,
  rotateKeyRing,
  settleKeyRing,
} from "../../store/keys.ts";
import { openCopy } from "../../store/sqlite/snapshot.ts";
import {
  abandonRestore,
  beginRestore,
  endRestore,
  refuseUnlessEmpty,
} from "../../store/restoring.ts";
import { type CheckStep, checkStore } from "../verification/check.ts";
import type { CheckedStore } from "../verification/check_step.ts";
import type { Finding, FindingKind } from "../verification/findings.ts";
import { identityOf, readPublishedKeys, requireSigner } from "./keys.ts";
import { DATABASE, type SnapshotRecord } from "./manifest.ts";
import { refuseNewer } from "./schema.ts";
import { settle, type Settled, type SettleOptions } from "./after_restore.ts";
import { listNames } from "../keys/store.ts";
import {
  NOTHING_READ,
  readSignings,
  type Signings,
} from "../receipts/signings.ts";
import { readNewestWhole } from "./receipts.ts";
import { bringBlobs, type Loss, nameHolders } from "./restored_blobs.ts";
import { notWhole, type RestoreSource } from "./source.ts";

/** What only the server that was backed up can have done to itself. */
const STEPS_OF_THE_SERVER: readonly CheckStep[] = [
  "holdings",
  "contributions",
  "state",
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

interface RestoreOptions extends SettleOptions {
  /** Goes by this clock though it is behind the time of the backup. */
  readonly clockIsRight?: boolean;
  /** Brings back what is whole where some blobs or receipts are not. */
  readonly withoutDamaged?: boolean;
  /** Called with the space that it needs, before anything is written. */
  readonly onBegin?: (space: RestoreSpace) => void;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

/** Bytes of a disk. */
export interface RestoreSpace {
  readonly needs: number;
  readonly free: number;
}

export interface RestoreReport extends Settled {
  readonly snapshot: SnapshotRecord;
  readonly receipts: number;
  /** A sentence for each valid receipt whose date is wrong. */
  readonly misdated: readonly string[];
  readonly restored: Amount;
  /** How many faults the server had as it was backed up. */
  readonly serverFaults: number;
  /** At most ten thousand blobs that the backup does not have whole. */
  readonly losses: readonly Loss[];
  /** All of them. */
  readonly lost: number;
  /** Receipts that are not sound: at most ten thousand of them. */
  readonly damagedReceipts: readonly DamagedReceipt[];
}

/** A receipt that is restored as it is. */
interface DamagedReceipt {
  /** `receipt 7` */
  readonly subject: string;
  readonly detail: string;
}

/**
 * Restores a backup, whose lock the caller shares. A backup that is not whole,
 * or was changed, is an {@link OperatorFault}, and the directory is left as
 * empty as it was.
 */
export async function restoreBackup(
  target: Target,
  source: RestoreSource,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { files, dataDir, platform } = target;
  const { snapshot } = source;
  refuseNewer(snapshot, source.name);
  if (options.clockIsRight !== true) {
    refuseSlowClock(snapshot, platform.now());
  }
  await refuseUnlessEmpty(dataDir, files);
  const room = await roomFor(target, snapshot);
  if (room.free < room.needs) {
    throw new OperatorFault(
      `restoring ${source.name} needs ${bytesInWords(room.needs)}, but ` +
        `${dataDir} has ${bytesInWords(room.free)} free: free some space, ` +
        "or give a directory on another disk with --data-dir",
    );
  }
  options.onBegin?.(room);
  try {
    await beginRestore(dataDir, files);
    await bringFiles(target, source);
    const path = `${dataDir}/db/${DATABASE}`;
    const db = await openCopy(path);
    let report: RestoreReport;
    try {
      report = await fill(target, source, db, options);
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

/** What a restore takes of a disk (bytes). */
async function roomFor(
  { files, dataDir }: Target,
  { blobs, files: own }: SnapshotRecord,
): Promise<RestoreSpace> {
  const database = own.find(({ path }) => path === DATABASE)?.bytes ?? 0;
  // The database grows while it is brought to this program's schema.
  const needs = blobs.bytes + 2 * database;
  return { needs, free: await files.freeBytes(dataDir) };
}

/**
 * A clock that is behind the backup's is wrong, or that one was. Nothing that
 * is restored suffers by it, for receipts go on from the date of the newest,
 * but links and sessions that have ended would live again.
 */
function refuseSlowClock({ made_at }: SnapshotRecord, now: number): void {
  if (now >= (parseRfc3339(made_at) ?? 0)) return;
  throw new OperatorFault(
    `this backup was made at ${made_at}, but the clock here says ` +
      `${toRfc3339(now)}: set this machine's clock, or use ` +
      "--clock-is-right if the server's clock was ahead",
  );
}

/** Copies the database and the keys, each as the manifest has it. */
async function bringFiles(
  { dataDir }: Target,
  source: RestoreSource,
): Promise<void> {
  for (const file of source.snapshot.files) {
    const { path, bytes, sha256 } = file;
    const to = path === DATABASE ? `db/${path}` : path;
    const copied = await source.bringFile(file, `${dataDir}/${to}`);
    if (copied?.bytes === bytes && copied.sha256 === sha256) continue;
    throw notWhole(
      source,
      source.fileName(path),
      copied === undefined ? "is missing" : "was changed since the backup",
      { around: false },
    );
  }
}

async function fill(
  target: Target,
  source: RestoreSource,
  db: Db,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { files, dataDir, platform } = target;
  const { snapshot } = source;
  // What keeps it from being read, the check of the chain will name.
  const signings = await readSignings(db).catch(() => NOTHING_READ);
  const keys = await bringKeysInStep(target, db, signings);
  const newest = await readNewestWhole(db);
  requireSigner(keys, newest, source.keysName);
  if (identityOf(keys) !== source.attestationKey) {
    throw notWhole(source, "its attestation key", "is another server's", {
      around: false,
    });
  }
  const checked = { db, ...storedIn(db, directoriesOf(files, dataDir)), keys };
  const chain = await requireChain(source, checked, options);
  const { withoutDamaged = false, onProgress } = options;
  const blobs = await bringBlobs(
    { files, dataDir, db, withoutDamaged, onProgress },
    source,
  );
  const { restored, lost } = blobs;
  const losses = await nameHolders(db, blobs.named);
  const settled = await settle(db, platform, options);
  const { summary } = await checkStore(checked, { steps: STEPS_OF_THE_SERVER });
  const serverId = (await listNames(db)).at(-1)?.server_id ??
    snapshot.server_id ?? undefined;
  const signedUntil = keys.map(({ keyId }) => signings.latest.get(keyId));
  await retireKey(target, { signedUntil, serverId });
  const { found: serverFaults } = summary;
  return {
    ...{ ...settled, snapshot, ...chain, serverFaults },
    ...{ restored, lost, losses },
  };
}

/**
 * The attestation keys as this database means them. What an interrupted
 * rotation left in the files goes, and where a key was retired before the date
 * of its last receipt, by a clock that was ahead until then, its time ends
 * with that one instead.
 */
async function bringKeysInStep(
  { files, dataDir }: Target,
  db: Db,
  { latest }: Signings,
): Promise<PublishedKey[]> {
  const directory = `${dataDir}/keys`;
  const generation = await keyGeneration(db);
  for (const purpose of KEY_PURPOSES) {
    await settleKeyRing(files, directory, purpose, generation);
  }
  const keys = await readPublishedKeys(files, directory, generation);
  return keys.map((key) => ({
    ...key,
    activeTo: key.activeTo === null
      ? null
      : Math.max(key.activeTo, latest.get(key.keyId) ?? 0),
  }));
}

/**
 * The database is sound, and so is every receipt from the first one on. One
 * that is right but for its date is told: the promise is good, and whatever
 * was wrong with a clock then is no reason to lose the rest.
 */
async function requireChain(
  source: RestoreSource,
  checked: CheckedStore,
  { withoutDamaged = false }: RestoreOptions,
): Promise<Pick<RestoreReport, "receipts" | "damagedReceipts" | "misdated">> {
  const { findings, summary } = await checkStore(checked, {
    steps: ["database", "receipts"],
  });
  const { checked: { receipts }, kinds, found } = summary;
  const isBorne = ({ kind }: Finding) =>
    kind === "receipt_misdated" || (withoutDamaged && OF_RECEIPTS.has(kind));
  const first = findings.find((one) => !isBorne(one));
  if (first !== undefined) {
    const how = `is not sound (${first.detail})`;
    const around = OF_RECEIPTS.has(first.kind);
    throw notWhole(source, first.subject, how, { around });
  }
  const borne = ["receipt_misdated" as const, ...OF_RECEIPTS]
    .reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);
  if (found !== borne) {
    throw notWhole(source, "its database", "is not sound", { around: false });
  }
  const [misdated, damagedReceipts] = [
    findings.filter(({ kind }) => kind === "receipt_misdated"),
    findings.filter(({ kind }) => kind !== "receipt_misdated"),
  ];
  return {
    receipts,
    damagedReceipts,
    misdated: misdated.map(({ subject, detail }) => `${subject}: ${detail}`),
  };
}

/** Findings of which a receipt is the subject. */
const OF_RECEIPTS: ReadonlySet<FindingKind> = new Set<FindingKind>([
  "receipt_invalid",
  "receipt_out_of_chain",
]);

/**
 * Retires the attestation key, and that of the logs. What it signed until now
 * counts, the receipts among that which came after the backup and are lost
 * here: they are promises that people hold. What it signs from now on does not:
 * that would be the old server, running on somewhere. Should a receipt of the
 * backup be from later than this clock says, it goes on counting too.
 */
export async function retireKey(
  { files, dataDir, platform }: Target,
  { signedUntil, serverId }: {
    readonly signedUntil: readonly (number | undefined)[];
    /** Undefined for a server that has not been used yet. */
    readonly serverId: string | undefined;
  },
): Promise<void> {
  const directory = `${dataDir}/keys`;
  const fresh = { now: platform.now(), random: platform.random };
  await rotateKeyRing(files, directory, "attestation", {
    ...fresh,
    signedUntil,
    ...serverId === undefined ? {} : { endorse: endorsedFor(serverId) },
  });
  await rotateKeyRing(files, directory, "log", {
    ...fresh,
    ...serverId === undefined ? {} : { endorse: endorsedLogKeyFor(serverId) },
  });
}
