/**
 * The database of a data directory, for a command that works on it while its
 * server may be running.
 *
 * @module
 */
import { bucketSettings, type Config, limitsOf } from "../../config.ts";
import type { Platform } from "../../core/platform.ts";
import type { ServiceContext } from "../../features/service_context.ts";
import { requireKeysOf } from "../../features/keys/identity.ts";
import { requireSealingKeys } from "../../features/totp/health.ts";
import { ActiveUploads } from "../../features/uploads/active.ts";
import { directoriesOf } from "../../store/blobs/blobs.ts";
import {
  type Access,
  type Db,
  OlderSchema,
} from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { requireKeyRing } from "../../store/keys.ts";
import { openBlobs } from "../../store/blobs/object_store.ts";
import { databasePath, keysPath } from "../../store/data_paths.ts";
import {
  openMigratedCopy,
  type Snapshot,
} from "../../store/sqlite/snapshot.ts";
import { openBesideServer } from "../../store/store.ts";
import { loadConfig, type Overrides } from "../environment.ts";

/** Does some work on the database; a running server's next request sees it. */
export async function withDatabase<T>(
  access: Access,
  options: Overrides,
  work: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(options);
  const db = await openOwn(config.STRONGROOM_DATA_DIR, access);
  try {
    return await work(db, config);
  } finally {
    await db.destroy();
  }
}

/**
 * Does some work that only reads, on the database of an earlier program too: it
 * is backed up before the new one changes it.
 */
export async function withAnyDatabase<T>(
  options: Overrides,
  work: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(options);
  const root = config.STRONGROOM_DATA_DIR;
  const { db, close } = await openAny(root);
  try {
    return await work(db, config);
  } finally {
    await close();
  }
}

async function openAny(root: string): Promise<Snapshot> {
  try {
    const db = await openOwn(root, "read");
    return { db, close: () => db.destroy() };
  } catch (error) {
    if (!(error instanceof OlderSchema)) throw error;
  }
  const copy = await openMigratedCopy(databasePath(root));
  try {
    await requireOwn(copy.db, root);
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/** What keeps blobs, for a command that has the database. */
export async function openBlobsOf(
  db: Db,
  config: Config,
  platform: Platform,
): Promise<Pick<ServiceContext, "staging" | "blobs" | "objectStore">> {
  const files = denoFiles;
  const directories = directoriesOf(files, config.STRONGROOM_DATA_DIR);
  const settings = bucketSettings(config);
  const opened = await openBlobs(db, directories, {
    files,
    platform,
    settings,
  });
  return { staging: directories.staging, ...opened };
}

/** A data directory at work, for a command that has its database. */
export async function serviceContextOf(
  db: Db,
  config: Config,
  platform: Platform,
): Promise<ServiceContext> {
  return {
    platform,
    db,
    ...await openBlobsOf(db, config, platform),
    uploads: new ActiveUploads(),
    limits: limitsOf(config),
  };
}

/**
 * Opens the database of a data directory whose server may run. Keys that are
 * not this database's are refused: what is written or backed up with them would
 * be of two servers.
 */
export async function openOwn(root: string, access: Access): Promise<Db> {
  const db = await openBesideServer(root, { access });
  try {
    await requireOwn(db, root);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function requireOwn(db: Db, root: string): Promise<void> {
  const place = { files: denoFiles, directory: keysPath(root) };
  await requireKeysOf(db, place);
  const sealing = requireKeyRing(place.files, place.directory, "sealing");
  const seeds = sealing.map(({ seed }) => seed);
  await requireSealingKeys(db, seeds, place.directory);
}
