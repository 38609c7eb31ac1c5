/**
 * A data directory, opened: its lock, database, blobs and keys.
 *
 * @module
 */
import { toHex } from "../core/bytes.ts";
import type { BucketSettings } from "../core/bucket_settings.ts";
import type { Platform } from "../core/platform.ts";
import { RESTORE_BACKUP } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import { directoriesOf } from "./blobs/blobs.ts";
import {
  type Access,
  attachDatabase,
  type Db,
  type Migrated,
  type Opening,
  serveDatabase,
  type ServedDatabase,
} from "./sqlite/database.ts";
import {
  type Failure,
  failureOf,
  isDamaged,
  isDiskFull,
  isReadOnlyDisk,
  sqliteCodeOf,
  StoreFault,
} from "./failure.ts";
import { denoFiles } from "./files/deno_files.ts";
import { type Files, makeDirectoryDurably } from "./files/files.ts";
import { beginMaking, endMaking, makeRoot } from "./making.ts";
import {
  type KeyPurpose,
  openKeyRing,
  requireKeyRing,
  type StoredKey,
} from "./keys.ts";
import {
  type DataDirectoryState,
  dataDirectoryState,
  refusalOf,
} from "./health.ts";
import { type MigrationWatch, TellingMigration } from "./sqlite/migrating.ts";
import { databasePath, keysPath } from "./data_paths.ts";
import { Lease } from "./lease.ts";
import { type HeldLock, lockFile } from "./files/lock.ts";
import { type ObjectStore, openBlobs } from "./blobs/object_store.ts";
import { refuseUnfinished } from "./restoring.ts";
import type { StoredBlobs } from "./blobs/small_blobs.ts";
import type { Staging } from "./blobs/staging.ts";
import { WriterLost } from "./sqlite/writer.ts";

export interface Store extends ServedDatabase {
  readonly staging: Staging;
  readonly blobs: StoredBlobs;
  /** Undefined where there is only the directory. */
  readonly objectStore: ObjectStore | undefined;
  /** The keys that seal secrets in the database; the last one is active. */
  readonly sealingKeys: readonly StoredKey[];
  /** Whether this call made the data directory. */
  readonly isNew: boolean;
  /** Keeps a second server out where locks do not. */
  readonly lease: Lease;
  /** The migration that this call made; undefined where none was due. */
  readonly migrated: Migrated | undefined;
  readonly close: () => Promise<void>;
}

/** Options of {@link openStore}. */
interface StoreOptions extends Pick<Opening, "startWriter" | "migrations"> {
  readonly settings?: BucketSettings | undefined;
  readonly onMigration?: MigrationWatch | undefined;
  /** The origin of the server that opens it; a command has none. */
  readonly serverId?: string | undefined;
  /** Opens a copy that was put back, too. */
  readonly adopts?: boolean;
}

/**
 * Opens a data directory for serving, and makes it if it does not exist. Throws
 * a {@link StoreFault} for everything that the operator can fix, such as a
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
  options: StoreOptions,
): Promise<Store> {
  const { startWriter, migrations, settings, onMigration } = options;
  const lock = await lockDirectory(root);
  let lease: Lease | undefined;
  try {
    await refuseUnfinished(root, files);
    const state = dataDirectoryState(root);
    refuse(root, state);
    const { serverId = null, adopts = false } = options;
    const held = lease = await Lease.take(
      { root, files, platform, serverId, adopts },
    );
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
    await ring("log");
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
    const parts = { files, platform, settings };
    const opened = await openBlobs(db, directories, parts).catch(
      async (cause) => {
        await db.destroy();
        throw cause;
      },
    );
    await held.keep().catch(async (cause) => {
      await db.destroy();
      throw cause;
    });
    return {
      ...served,
      lost: Promise.race([served.lost, failedSync.promise, held.lost]),
      lease: held,
      staging,
      ...opened,
      sealingKeys,
      isNew,
      migrated,
      close: async () => {
        try {
          await served.emptyLog();
        } catch (error) {
          // A writer that was lost before has been reported through `lost`: one
          // that this loses is not heard there any more. If the disk is full,
          // the log stays for the next start.
          if (!(error instanceof WriterLost || isDiskFull(error))) throw error;
        } finally {
          await db.destroy();
          await held.end();
          lock.close();
        }
      },
    };
  } catch (error) {
    await lease?.end();
    lock.close();
    throw error;
  }
}

/** Options of {@link openBesideServer}. */
interface Beside {
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
    return attachDatabase(path, access);
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

/** Takes the directory's lock for as long as the process lives. */
export async function lockDirectory(root: string): Promise<HeldLock> {
  const lock = await lockFile(`${root}/lock`);
  if (lock !== undefined) return lock;
  throw new StoreFault(
    `${root} is in use by another server: stop that one, or choose another ` +
      "directory with STRONGROOM_DATA_DIR",
  );
}

const FULL =
  "is on a disk that is full or failing: free some space or fix the " +
  "disk, then start again";

/** No entry for "busy": opening waits for another program's lock. */
const EXPLANATIONS: Readonly<Record<Exclude<Failure, "busy">, string>> = {
  forbidden: "cannot be read and written by this user: run the server as its " +
    "owner, or give it to the server's user (chown -R)",
  full: FULL,
  io: FULL,
  read_only: "is on a file system that is mounted read-only: mount it for " +
    "writing",
  in_the_way: "cannot be created, because something else has a name that it " +
    "needs: remove that, or choose another directory with " +
    "STRONGROOM_DATA_DIR",
  incomplete:
    "contains a database that does not match its schema: keep it as it " +
    `is, and ${RESTORE_BACKUP}`,
  damaged: "contains a damaged database: keep it as it is, and " +
    RESTORE_BACKUP,
};

/**
 * Turns an error of opening a data directory into a {@link StoreFault} if the
 * operator can fix its cause; returns any other error unchanged.
 */
function explainOpening(root: string, thrown: unknown): unknown {
  const failure = failureOf(thrown);
  if (failure === undefined || failure === "busy") return thrown;
  // SQLite calls another user's file read-only.
  const isTheirs = failure === "read_only" &&
    sqliteCodeOf(thrown) !== undefined;
  const explanation = EXPLANATIONS[isTheirs ? "forbidden" : failure];
  return new StoreFault(`${root} ${explanation} (${reasonOf(thrown)})`);
}
