/**
 * What the operator's commands have in common: their options, and the database
 * of a server that may be running meanwhile.
 *
 * @module
 */
import type { Command } from "commander";
import { limitsOf } from "../app.ts";
import { bucketSettings, type Config } from "../config.ts";
import type { Platform } from "../core/platform.ts";
import type { Workplace } from "../features/workplace.ts";
import { requireKeysOf } from "../features/keys/identity.ts";
import { requireSealingKeys } from "../features/totp/health.ts";
import { ActiveUploads } from "../features/uploads/active.ts";
import { directoriesOf } from "../store/blobs.ts";
import type { Access, Db } from "../store/database.ts";
import { denoFiles } from "../store/deno_files.ts";
import { requireKeyRing } from "../store/keys.ts";
import type { Host } from "../server/host.ts";
import { openBlobs } from "../store/object_store.ts";
import { keysPath } from "../store/places.ts";
import { openBesideServer } from "../store/store.ts";
import { type Environment, loadConfig, type Overrides } from "./environment.ts";
import type { Streams } from "./streams.ts";

/** What a command has of the program that runs it. */
export interface CommandContext {
  readonly platform: Platform;
  readonly streams: Streams;
  /** The process's own where it is not given. */
  readonly environment?: Environment | undefined;
  /** What the server has of its process; all of it where it is not given. */
  readonly host?: Host | undefined;
  /** Writes a line to standard output. */
  readonly say: (line: string) => void;
  /** Writes a line to standard error; nothing is refused by it. */
  readonly warn: (line: string) => void;
  /** The exit status of a command that was done and has bad news. */
  readonly endWith: (status: number) => void;
}

/** Adds a family of commands to the program. */
export type AddCommands = (program: Command, context: CommandContext) => void;

/** The options of every operator's command. */
export interface OperatorOptions extends Overrides {
  readonly json?: true;
}

/** What the option of the settings' file says in `--help`. */
export const ENV_FILE_HELP =
  "settings; default: strongroom.env beside the data directory, where it " +
  "names that one, else /etc/strongroom/strongroom.env";

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

/** What keeps blobs, for a command that has the database. */
export async function openBlobsOf(
  db: Db,
  config: Config,
  platform: Platform,
): Promise<Pick<Workplace, "spool" | "blobs" | "objectStore">> {
  const files = denoFiles;
  const directories = directoriesOf(files, config.STRONGROOM_DATA_DIR);
  const settings = bucketSettings(config);
  const opened = await openBlobs(db, directories, {
    files,
    platform,
    settings,
  });
  return { spool: directories.spool, ...opened };
}

/** A data directory at work, for a command that has its database. */
export async function workplaceOf(
  db: Db,
  config: Config,
  platform: Platform,
): Promise<Workplace> {
  return {
    platform,
    db,
    ...await openBlobsOf(db, config, platform),
    uploads: new ActiveUploads(),
    limits: limitsOf(config),
  };
}

/**
 * Opens the database of a data directory beside a server. Keys that are not
 * this database's are refused: what is written or backed up beside them would
 * be of two servers.
 */
export async function openOwn(root: string, access: Access): Promise<Db> {
  const db = await openBesideServer(root, { access });
  try {
    const place = { files: denoFiles, directory: keysPath(root) };
    await requireKeysOf(db, place);
    const sealing = requireKeyRing(place.files, place.directory, "sealing");
    const seeds = sealing.map(({ seed }) => seed);
    await requireSealingKeys(db, seeds, place.directory);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
