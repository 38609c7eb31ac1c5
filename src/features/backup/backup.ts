/**
 * Backing up while the server runs (backup.md), whatever keeps the backup: a
 * directory as it is, or a place off the premises with sealed generations.
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
 * One thing that is damaged does not keep the rest from being backed up: what
 * cannot be read is gone around, and named.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Amount } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import type { Scratch } from "../../store/remote/backup/scratch.ts";
import {
  copyDatabase,
  openSnapshot,
  schemaOf,
} from "../../store/sqlite/snapshot.ts";
import { listKnownDamaged } from "../lost_blobs.ts";
import { eachHeld } from "./blobs.ts";
import { DATABASE, type SnapshotRecord } from "./manifest.ts";
import {
  readNewestWhole,
  readReceipts,
  type ReceiptsRead,
} from "./receipts.ts";
import {
  type LostBecause,
  type LostBlob,
  ServerBlobs,
  type Source,
} from "./server_blobs.ts";
import { countHeld, type HeldBlob } from "./store.ts";
import { copyDurably, digestFile, syncFile } from "../../store/files/copies.ts";
import type { Files } from "../../store/files/files.ts";
import { KEY_PURPOSES, settleKeyRing } from "../../store/keys.ts";
import { KEY_FILES, readPublishedKeys, requireSigner } from "./keys.ts";

/** How often the database is copied, while collections overtake it. */
const MAX_ROUNDS = 10;

/**
 * What keeps a backup. It is there once it is committed; whatever ends the
 * writing before, those before it are whole.
 */
export interface BackupWriter {
  /** Its directory in a plain backup, or the number of its generation. */
  readonly name: string;
  /**
   * Begins with another copy of the database, which it may refuse to replace
   * the backup before with: returns an empty directory for it, with one for
   * the keys.
   */
  readonly begin: () => Promise<string>;
  /** Looks at the copy before its blobs are brought; may refuse it. */
  readonly open: (db: Db, held: Amount) => Promise<void>;
  /**
   * Whether a blob that is there is read. Asked in the order of hashes, before
   * anything is waited for.
   */
  readonly isDue: (blob: HeldBlob) => boolean;
  /** What is there of a blob; `own` is the server's own file, and whole. */
  readonly find: (
    blob: HeldBlob,
    server: ServerBlobs,
    isDue: boolean,
  ) => Promise<"whole" | "own" | "damaged" | "missing">;
  /** Brings a blob, over whatever is there. One that is not whole is not brought. */
  readonly put: (
    blob: HeldBlob,
    server: ServerBlobs,
    isDue: boolean,
  ) => Promise<"linked" | "copied" | LostBecause>;
  /**
   * Makes it the backup, durably and at once: everything that it consists of is
   * on the disk or in the place by then.
   */
  readonly commit: (snapshot: SnapshotRecord, path: string) => Promise<void>;
}

/** What became of the blobs. */
interface BlobTally {
  linked: number;
  copied: number;
  /** Bytes of those. */
  bytes: number;
  /** Were there already. */
  kept: number;
  /** Of those linked and copied: in the place of damaged ones. */
  replaced: number;
  /** Blobs that are nowhere whole, in this backup neither. */
  lost: LostBlob[];
  /** Blobs that this backup has, and that are not whole on the server. */
  faulty: LostBlob[];
}

/** What a backup came to. */
export interface BackupReport extends Readonly<BlobTally> {
  readonly snapshot: SnapshotRecord;
  /** Numbers of receipts whose bytes are not those that were signed. */
  readonly damagedReceipts: readonly number[];
}

interface WriteOptions {
  /** Reads every blob and receipt, not only those that are due. */
  readonly verify: boolean;
  /** What the backup before has read of the receipts. */
  readonly known: ReceiptsRead;
  readonly scratch: Scratch;
  readonly onProgress: ((done: Amount, total: Amount) => void) | undefined;
}

/**
 * Makes a backup of a server. Returns what it came to, and what of the receipts
 * was read.
 */
export async function writeBackup(
  source: Source,
  writer: BackupWriter,
  options: WriteOptions,
): Promise<{ readonly report: BackupReport; readonly receipts: ReceiptsRead }> {
  const { files, dataDir } = source;
  const tally = newTally();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const path = await writer.begin();
    const madeAt = toRfc3339(source.platform.now());
    await copyDatabase(`${dataDir}/db/${DATABASE}`, `${path}/${DATABASE}`);
    const { db, close } = await openSnapshot(`${path}/${DATABASE}`);
    try {
      const held = await countHeld(db);
      await writer.open(db, held);
      // What an earlier round brought is there already, and was not before.
      tally.kept = -tally.linked - tally.copied;
      [tally.lost, tally.faulty] = [[], []];
      if (!await bringHeld(source, writer, { ...options, db, held, tally })) {
        continue;
      }
      tally.kept = Math.max(0, tally.kept);
      const receipts = await readReceipts(db, options.known, options.verify);
      const newest = await readNewestWhole(db);
      const generation = await keyGeneration(db);
      await bringKeys(files, `${dataDir}/keys`, path, { newest, generation });
      const { lost } = tally;
      const lostBytes = lost.reduce((sum, { size }) => sum + size, 0);
      const snapshot: SnapshotRecord = {
        name: writer.name,
        made_at: madeAt,
        server_id: newest === undefined ? null : readReceipt(newest).server_id,
        schema: schemaOf(`${path}/${DATABASE}`),
        files: await recordFiles(files, path),
        blobs: {
          count: held.count - lost.length,
          bytes: held.bytes - lostBytes,
        },
        lost: lost.map(({ hash }) => hash).toSorted(),
        settings: source.settings,
      };
      await writer.commit(snapshot, path);
      const { damaged_receipts: damagedReceipts } = receipts;
      return { report: { ...tally, snapshot, damagedReceipts }, receipts };
    } finally {
      await close();
    }
  }
  throw new OperatorFault(
    "the server removed blobs faster than they could be backed up: run " +
      "this again; what the backup has already stays there",
  );
}

function newTally(): BlobTally {
  return {
    ...{ linked: 0, copied: 0, bytes: 0, kept: 0, replaced: 0 },
    lost: [],
    faulty: [],
  };
}

/** What {@link bringHeld} works with. */
interface Bringing extends WriteOptions {
  /** The copy of the database, and what it holds. */
  readonly db: Db;
  readonly held: Amount;
  readonly tally: BlobTally;
}

/**
 * Brings every blob that a copy of the database holds, unless it is there.
 * False where the server has collected one meanwhile: that copy is stale.
 */
async function bringHeld(
  source: Source,
  writer: BackupWriter,
  { db, held, tally, verify, scratch, onProgress }: Bringing,
): Promise<boolean> {
  const suspects = await listKnownDamaged(source.db);
  const server = new ServerBlobs(source, scratch, suspects);
  let isFresh = true;
  await eachHeld(db, async (blob) => {
    if (!await bring(writer, server, blob, { tally, verify })) isFresh = false;
  }, (done) => onProgress?.(done, held));
  return isFresh;
}

/** Brings one blob; false where the server holds it no more. */
async function bring(
  writer: BackupWriter,
  server: ServerBlobs,
  blob: HeldBlob,
  { tally, verify }: Pick<Bringing, "tally" | "verify">,
): Promise<boolean> {
  const { hash, size } = blob;
  const isDue = writer.isDue(blob);
  const found = await writer.find(blob, server, isDue);
  if (found === "whole" || found === "own") {
    tally.kept += 1;
    const because = await server.faultOf(blob, verify && found !== "own");
    if (because !== undefined && await server.isHeld(hash)) {
      tally.faulty.push({ ...blob, because });
    }
    return true;
  }
  let because: LostBecause = "missing";
  // Once more for one that came back after it had been collected.
  for (let attempt = 0; attempt < 2; attempt++) {
    const put = await writer.put(blob, server, isDue);
    if (put === "linked" || put === "copied") {
      tally[put] += 1;
      tally.bytes += size;
      if (found === "damaged") tally.replaced += 1;
      return true;
    }
    if (!await server.isHeld(hash)) return false;
    because = put;
    if (because !== "missing") break;
  }
  tally.lost.push({ ...blob, because });
  return true;
}

/**
 * Copies the key files as they were at a generation, and sees that they are
 * those of the database.
 */
async function bringKeys(
  files: Files,
  from: string,
  snapshot: string,
  { newest, generation }: {
    readonly newest: Uint8Array | undefined;
    readonly generation: number;
  },
): Promise<void> {
  const to = `${snapshot}/keys`;
  for (const name of KEY_FILES) {
    await copyDurably(files, `${from}/${name}`, `${to}/${name}`);
  }
  for (const purpose of KEY_PURPOSES) {
    await settleKeyRing(files, to, purpose, generation);
  }
  const keys = await readPublishedKeys(files, to, generation);
  requireSigner(keys, newest, from);
}

/** What the files of a snapshot are, once they are on the disk. */
async function recordFiles(
  files: Files,
  snapshot: string,
): Promise<SnapshotRecord["files"]> {
  await syncFile(files, `${snapshot}/${DATABASE}`);
  await files.syncDirectory(`${snapshot}/keys`);
  await files.syncDirectory(snapshot);
  const paths = [DATABASE, ...KEY_FILES.map((name) => `keys/${name}` as const)];
  const recorded: SnapshotRecord["files"] = [];
  for (const path of paths) {
    const digest = await digestFile(files, `${snapshot}/${path}`);
    if (digest === undefined) throw new Error(`${path} is gone`);
    recorded.push({ path, ...digest });
  }
  return recorded;
}
