/**
 * Verifying a backup (backup/check.md#checking-a-backup): every byte of it
 * against the manifest, the names of blobs against their contents, and the
 * database as `check` does a server's. Nothing of the backup is changed.
 *
 * @module
 */
import type { Amount } from "../../../core/sizes.ts";
import type { Files } from "../../../store/files/files.ts";
import { inventory } from "../../../store/blobs/inventory.ts";
import { digestFile } from "../../../store/files/copies.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import { keyGeneration } from "../../../store/generation.ts";
import { openSnapshot } from "../../../store/sqlite/snapshot.ts";
import { type Finding, Findings } from "../../verification/findings.ts";
import { BlobDirectories, eachHeld } from "../blobs.ts";
import {
  checkDatabase,
  MAX_FINDINGS,
  SERVER_MENDS,
} from "../checked_database.ts";
import { KEY_FILES, readPublishedKeys } from "../keys.ts";
import { DATABASE, type SnapshotRecord } from "../manifest.ts";
import {
  MANIFEST,
  type Place,
  requireSnapshot,
  SNAPSHOT,
  snapshotPath,
} from "./place.ts";
import { refuseNewer } from "../schema.ts";
import { STATE } from "../state.ts";
import { countHeld, heldAmong } from "../store.ts";

const BACK_UP_AGAIN = "delete the file and back up again, or take another " +
  "copy of this backup";
const NOT_THE_BACKUP =
  "use another copy of this backup, or delete this one and back up " +
  "again";
const MENDS = {
  file_missing: NOT_THE_BACKUP,
  file_changed: NOT_THE_BACKUP,
  keys_unreadable: NOT_THE_BACKUP,
  blob_missing: "back up again, or use another copy of this backup",
  blob_changed: BACK_UP_AGAIN,
  file_foreign: "remove it from the directory: no backup put it there",
  ...SERVER_MENDS,
} as const;

type BackupFinding = Finding<keyof typeof MENDS>;

interface VerifyReport {
  readonly snapshot: SnapshotRecord;
  /** At most ten thousand of them. */
  readonly findings: readonly BackupFinding[];
  /** All of them. */
  readonly found: number;
  readonly receipts: number;
  /** What an interrupted backup left; the next one removes it. */
  readonly leftovers: number;
}

/** What verifying works with. */
interface Verifying {
  readonly place: Place;
  readonly snapshot: SnapshotRecord;
  /** Path of the snapshot's directory. */
  readonly path: string;
  readonly findings: Findings<BackupFinding["kind"]>;
  leftovers: number;
}

/**
 * Verifies the backup in a directory whose lock the caller shares. What is
 * wrong with it is in the report; where there is no backup, or none of this
 * program's, an {@link OperatorFault} is thrown.
 */
export async function verifyBackup(
  files: Files,
  dir: string,
  onProgress?: (done: Amount, total: Amount) => void,
): Promise<VerifyReport> {
  const place: Place = { files, dir };
  const { snapshot } = await requireSnapshot(place);
  refuseNewer(snapshot, dir);
  const findings = new Findings(MAX_FINDINGS, MENDS);
  const run: Verifying = {
    place,
    snapshot,
    path: snapshotPath(place, snapshot),
    findings,
    leftovers: 0,
  };
  let receipts = 0;
  const isWhole = await verifyFiles(run);
  await verifyNames(run);
  if (isWhole) {
    const { db, close } = await openSnapshot(`${run.path}/${DATABASE}`);
    try {
      receipts = await verifyDatabase(run, db);
      await verifyBlobs(run, db, onProgress);
      await verifyBlobNames(run, db);
    } finally {
      await close();
    }
  }
  return {
    snapshot,
    findings: findings.kept,
    found: findings.found,
    receipts,
    leftovers: run.leftovers,
  };
}

/** The database and the keys against the manifest. */
async function verifyFiles(run: Verifying): Promise<boolean> {
  const { place: { files }, snapshot, path, findings } = run;
  let isWhole = true;
  for (const { path: name, bytes, sha256 } of snapshot.files) {
    const subject = `snapshots/${snapshot.name}/${name}`;
    const digest = await digestFile(files, `${path}/${name}`);
    if (digest?.bytes === bytes && digest.sha256 === sha256) continue;
    isWhole = false;
    if (digest === undefined) {
      findings.add("file_missing", subject, "it is not there");
    } else {findings.add(
        "file_changed",
        subject,
        "it was changed since the backup",
      );}
  }
  return isWhole;
}

/** Every other name is one that a backup gives. */
async function verifyNames(run: Verifying): Promise<void> {
  const { place: { files, dir }, snapshot, findings } = run;
  const look = async (
    directory: string,
    ours: readonly string[],
    isLeftover: (name: string) => boolean = () => false,
  ) => {
    const path = directory === "" ? dir : `${dir}/${directory}`;
    for await (const name of files.list(path)) {
      if (ours.includes(name)) continue;
      const subject = directory === "" ? name : `${directory}/${name}`;
      if (isLeftover(name)) run.leftovers += 1;
      else findings.add("file_foreign", subject, "no backup put it there");
    }
  };
  const root = [MANIFEST, STATE, "snapshots", "blobs", "lock", "lost+found"];
  const unfinished = [`${MANIFEST}.new`, `${STATE}.new`];
  await look("", root, (name) => unfinished.includes(name));
  const isSnapshot = (name: string) => SNAPSHOT.test(name);
  await look("snapshots", [snapshot.name], isSnapshot);
  const own = `snapshots/${snapshot.name}`;
  await look(own, [DATABASE, "keys"]);
  await look(`${own}/keys`, KEY_FILES);
}

/** The database as `check` does; returns how many receipts there are. */
async function verifyDatabase(run: Verifying, db: Db): Promise<number> {
  const { place: { files, dir }, snapshot, path, findings } = run;
  const generation = await keyGeneration(db);
  const keys = await readPublishedKeys(files, `${path}/keys`, generation)
    .catch((error) => {
      findings.add("keys_unreadable", "keys", String(error));
      return undefined;
    });
  const receipts = await checkDatabase(db, {
    ...{ files, dir, keys },
    tell: (subject, detail) => findings.add("server_fault", subject, detail),
  });
  if (keys === undefined) return receipts;
  const held = await countHeld(db);
  const counted = snapshot.blobs.count + snapshot.lost.length;
  if (held.count !== counted) {
    const what = `it has ${held.count} blobs, the manifest has ${counted}`;
    findings.add("file_changed", DATABASE, what);
  }
  return receipts;
}

/** Every blob that is a file is there, and its bytes are those of its name. */
async function verifyBlobs(
  { place: { files, dir }, snapshot, findings }: Verifying,
  db: Db,
  onProgress?: (done: Amount, total: Amount) => void,
): Promise<void> {
  const directories = new BlobDirectories(files, dir);
  const lost = new Set<string>(snapshot.lost);
  await eachHeld(db, async ({ hash, size }) => {
    const path = directories.pathOf(hash);
    const subject = path.slice(dir.length + 1);
    try {
      const digest = await digestFile(files, path);
      if (digest?.bytes === size && digest.sha256 === hash) return;
      if (lost.has(hash)) {
        findings.add("blob_lost", subject, "it is not in this backup");
      } else if (digest === undefined) {
        findings.add("blob_missing", subject, "it is not there");
      } else if (digest.bytes !== size) {
        const what = `it has ${digest.bytes} bytes, not ${size}`;
        findings.add("blob_changed", subject, what);
      } else {
        findings.add("blob_changed", subject, `its hash is ${digest.sha256}`);
      }
    } catch (error) {
      findings.add(
        "blob_missing",
        subject,
        `it cannot be read: ${String(error)}`,
      );
    }
  }, (done) => onProgress?.(done, snapshot.blobs));
}

/** Every file among the blobs is one, or was one of an earlier backup. */
async function verifyBlobNames(run: Verifying, db: Db): Promise<void> {
  const { place: { files, dir }, findings } = run;
  for await (const { directory, names } of inventory(files, dir)) {
    const held = await heldAmong(db, names);
    for (const name of names) {
      const leaf = `blobs/${name.slice(0, 2)}/${name.slice(2, 4)}`;
      const isOurs = /^[0-9a-f]{64}(\.new)?$/.test(name) && directory === leaf;
      if (!isOurs) {
        findings.add(
          "file_foreign",
          `${directory}/${name}`,
          "no backup put it there",
        );
      } else if (!held.has(name)) run.leftovers += 1;
    }
  }
}
