/**
 * A data directory, opened: its lock, database, blobs and keys.
 *
 * @module
 */
import { sql } from "kysely";
import { toHex } from "../core/bytes.ts";
import type { BucketSettings } from "../core/bucket_settings.ts";
import type { Platform } from "../core/platform.ts";
import { RESTORE_BACKUP } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import { directoriesOf } from "./blobs.ts";
import {
  type Access,
  attachDatabase,
  type Db,
  type Migrated,
  type Opening,
  serveDatabase,
  type ServedDatabase,
  StoreFault,
} from "./database.ts";
import { isDamaged, isDiskFull, isReadOnlyDisk } from "./failure.ts";
import { denoFiles } from "./deno_files.ts";
import { type Files, makeDirectoryDurably } from "./files.ts";
import { beginMaking, endMaking, makeRoot } from "./making.ts";
import { explainOpening } from "./open_fault.ts";
import {
  type FreshKey,
  type KeyPurpose,
  LOG_PURPOSE,
  openKeyRing,
  requireKeyRing,
  type StoredKey,
} from "./keys.ts";
import {
  type DataDirectoryState,
  dataDirectoryState,
  refusalOf,
} from "./health.ts";
import { type MigrationWatch, TellingMigration } from "./migrating.ts";
import { databasePath, keysPath } from "./data_paths.ts";
import { type HeldLock, lockFile } from "./lock.ts";
import { type ObjectStore, openBlobs } from "./object_store.ts";
import { refuseUnfinished } from "./restoring.ts";
import type { StoredBlobs } from "./small_blobs.ts";
import type { Staging } from "./staging.ts";
import { WriterLost } from "./writer.ts";

export interface Store extends ServedDatabase {
  readonly staging: Staging;
  readonly blobs: StoredBlobs;
  /** Undefined where there is only the directory. */
  readonly objectStore: ObjectStore | undefined;
  /** The keys that seal secrets in the database; the last one is active. */
  readonly sealingKeys: readonly StoredKey[];
  /** Whether this call made the data directory. */
  readonly isNew: boolean;
  /** The migration that this call made; undefined where none was due. */
  readonly migrated: Migrated | undefined;
  readonly close: () => Promise<void>;
}

/** Options of {@link openStore}. */
export interface StoreOptions
  extends Pick<Opening, "startWriter" | "migrations"> {
  readonly settings?: BucketSettings | undefined;
  readonly onMigration?: MigrationWatch | undefined;
}

/**
 * Opens a data directory for serving, and makes it if it does not exist. Throws
 * a {@link StoreFault} for everything that the operator can mend, such as a
 * second server on the directory or a database of a newer program.
 */
export async function openStore(
  root: string,
  platform: Platform,
  files: Files,
  options: StoreOptions = {},
): Promise<Store> {
  try {
    await makeRoot(root, files);
    return await openLocked(root, platform, files, options);
  } catch (error) {
    throw explainOpening(root, error);
  }
}

async function openLocked(
  root: string,
  platform: Platform,
  files: Files,
  { startWriter, migrations, settings, onMigration }: StoreOptions,
): Promise<Store> {
  const lock = await lockDirectory(root);
  try {
    await refuseUnfinished(root, files);
    const state = dataDirectoryState(root);
    refuse(root, state);
    const isNew = state.kind === "fresh";
    if (isNew) await beginMaking(root, files);
    for (const part of ["db", "keys"]) {
      await makeDirectoryDurably(files, `${root}/${part}`);
    }
    const failedSync = Promise.withResolvers<Error>();
    const directories = directoriesOf(files, root, failedSync.resolve);
    const { staging } = directories;
    await directories.blobs.prepare();
    await staging.prepare();
    const fresh = { now: platform.now(), random: platform.random };
    const ring = (purpose: KeyPurpose) =>
      isNew
        ? openKeyRing(files, keysPath(root), purpose, fresh)
        : requireKeyRing(files, keysPath(root), purpose);
    // The keys are made before the database, so a directory with a database has
    // its keys too.
    await ring("access");
    await ring("attestation");
    const sealingKeys = await ring("sealing");
    let migrated: Migrated | undefined;
    const telling = new TellingMigration(root, files, platform, onMigration);
    const served = await serveDatabase(
      databasePath(root),
      toHex(platform.random(16)),
      {
        mayMake: isNew,
        ...telling,
        onMigrated: (done) => {
          migrated = done;
          telling.onMigrated(done);
        },
        startWriter,
        migrations,
      },
    ).finally(() => telling.end());
    if (isNew) await endMaking(root, files);
    const { db } = served;
    await requireLogRing(db, files, root, fresh).catch(async (cause) => {
      await db.destroy();
      throw cause;
    });
    const parts = { files, platform, settings };
    const opened = await openBlobs(db, directories, parts).catch(
      async (cause) => {
        await db.destroy();
        throw cause;
      },
    );
    return {
      ...served,
      lost: Promise.race([served.lost, failedSync.promise]),
      staging,
      ...opened,
      sealingKeys,
      isNew,
      migrated,
      close: async () => {
        try {
          await checkpoint(db);
        } catch (error) {
          // A lost writer has been reported through `lost` already. If the disk
          // is full, the log stays for the next start.
          if (!(error instanceof WriterLost || isDiskFull(error))) throw error;
        } finally {
          await db.destroy();
          lock.close();
        }
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * The ring of the public logs' keys. A database that knows one must have it;
 * any other, as an earlier program leaves it, gets one.
 */
async function requireLogRing(
  db: Db,
  files: Files,
  root: string,
  fresh: FreshKey,
): Promise<void> {
  if (await knowsLogRing(db)) {
    requireKeyRing(files, keysPath(root), LOG_PURPOSE);
  } else await openKeyRing(files, keysPath(root), LOG_PURPOSE, fresh);
}

const LOG_RING = `keys/${LOG_PURPOSE}.json`;

async function knowsLogRing(db: Db): Promise<boolean> {
  const { log_key_id: known } = await db.selectFrom("server")
    .select("log_key_id")
    .executeTakeFirstOrThrow();
  return known !== null;
}

/** Whether the ring of the public logs' keys is gone: no server starts. */
export async function lacksLogRing(
  db: Db,
  files: Files,
  root: string,
): Promise<boolean> {
  return files.readWhole(`${root}/${LOG_RING}`) === undefined &&
    await knowsLogRing(db);
}

/** Options of {@link openBesideServer}. */
export interface Beside {
  readonly access?: Access;
  /**
   * Set by a command that checks the keys itself; otherwise they must be there.
   */
  readonly withoutKeys?: boolean;
}

/**
 * Opens only the database of a data directory, for an operator's command; a
 * server may be running on it. Never makes a database: throws a
 * {@link StoreFault} if there is none, or if it has another schema or lacks its
 * keys.
 */
export async function openBesideServer(
  root: string,
  { access = "write", withoutKeys = false }: Beside = {},
): Promise<Db> {
  const path = databasePath(root);
  try {
    await refuseUnfinished(root, denoFiles);
    const state = dataDirectoryState(root);
    if (state.kind === "fresh") throw noDatabase(root);
    if (state.kind !== "broken" || !withoutKeys) refuse(root, state);
    if (access === "write") refuseReadOnly(root);
    const db = attachDatabase(path, access);
    if (!withoutKeys && await lacksLogRing(db, denoFiles, root)) {
      await db.destroy();
      refuse(root, { kind: "broken", missing: LOG_RING });
    }
    return db;
  } catch (error) {
    if (error instanceof StoreFault) throw error;
    if (error instanceof Deno.errors.NotCapable) throw error;
    const reason = reasonOf(error);
    const mend = isDamaged(error)
      ? `it is damaged; keep it as it is, and ${RESTORE_BACKUP}`
      : "run this as the server's user, on an undamaged data directory";
    throw new StoreFault(`${path} cannot be opened (${reason}): ${mend}`, {
      cause: error,
    });
  }
}

/** Refuses a read-only disk before a command begins to change the directory. */
function refuseReadOnly(root: string): void {
  try {
    // The lock's file is tried: closing the database's would release its locks.
    Deno.openSync(`${root}/lock`, { read: true, write: true }).close();
  } catch (error) {
    if (!isReadOnlyDisk(error)) return;
    throw new StoreFault(
      `${root} cannot be changed, because its file system is read-only: ` +
        "check the disk and mount it for writing; until then, backup, " +
        "check and all commands that list or show work",
    );
  }
}

/**
 * Throws a {@link StoreFault} unless there is a database with its keys, of
 * whatever schema.
 */
export function requireWhole(root: string): void {
  const state = dataDirectoryState(root);
  if (state.kind === "fresh") throw noDatabase(root);
  refuse(root, state);
}

function noDatabase(root: string): StoreFault {
  return new StoreFault(
    `${root} contains no database: give the server's data directory ` +
      "with --data-dir or STRONGROOM_DATA_DIR",
  );
}

/** Throws unless the directory is complete or new. */
function refuse(root: string, state: DataDirectoryState): void {
  const refusal = refusalOf(root, state);
  if (refusal === undefined) return;
  throw new StoreFault(`${refusal.what}: ${refusal.mend}`);
}

/**
 * How long a reader beside the server may delay the last checkpoint (ms); then
 * the next server makes it.
 */
const CHECKPOINT_PATIENCE_MS = 1_000;

/** Moves the write-ahead log into the database and empties it. */
async function checkpoint(db: Db): Promise<void> {
  await sql`pragma busy_timeout = ${sql.lit(CHECKPOINT_PATIENCE_MS)}`
    .execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** Takes the directory's lock for as long as the process lives. */
export async function lockDirectory(root: string): Promise<HeldLock> {
  const lock = await lockFile(`${root}/lock`);
  if (lock !== undefined) return lock;
  throw new StoreFault(
    `${root} is in use by another server: stop that one, or choose another ` +
      "directory with STRONGROOM_DATA_DIR",
  );
}
