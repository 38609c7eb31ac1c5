/**
 * Opening the database: migrate first, then hand out Kysely.
 *
 * @module
 */
import { backup, type DatabaseSync } from "node:sqlite";
import type { CompiledQuery, Kysely, Transaction } from "kysely";
import { MIGRATIONS, SCHEMA } from "./migrations.ts";
import type { Schema } from "./schema.ts";
import { rewriteLog } from "./log.ts";
import { type Ask, openReading, type Reading } from "./loop_reading.ts";
import {
  COMMIT_SOON,
  kyselyRouted,
  RELEASE,
  SAVEPOINT,
  UNDO,
  withoutResult,
} from "./routed.ts";
import { openForReading } from "./reading.ts";
import {
  BUSY_TIMEOUT_MS,
  kyselyOver,
  openSqlite,
  WRITING_PRAGMAS,
} from "./sqlite.ts";
import { Writer, type WriterThread } from "./writer.ts";

/** A handle for one statement, outside a transaction or inside one. */
export type Db = Kysely<Schema>;
/** Inside a transaction only this handle is used; the other would wait. */
export type Tx = Transaction<Schema>;

/** Thrown when the data directory cannot be served; the text says the mend. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

/** A database in service, and what only whoever serves it asks of it. */
export interface ServedDatabase {
  readonly db: Db;
  /**
   * A number that changes with every commit, this process's own included.
   * Asking costs less than a microsecond in the mean and waits for nobody, so a
   * request can afford it.
   */
  readonly version: () => number;
  /**
   * Has `work` done after each commit of this process's own, and told whether
   * it is durable, and with it all that came before.
   */
  readonly afterCommit: (work: (durable: boolean) => void) => void;
  /** Resolves, with why, once nothing is written any more. */
  readonly lost: Promise<Error>;
}

/** The connections of reads under the handles. */
const readings = new WeakMap<Db, Reading>();

/** What prepares queries for a database's connection of reads, if it has one. */
export function readerOf(db: Db): ((sql: string) => Ask) | undefined {
  return readings.get(db)?.prepare;
}

/** A database that was brought to a newer schema. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The copy of it as it was. */
  readonly copy: string;
}

/** How a database is opened for good. */
export interface Opening {
  /** Whether a data directory is being made: else it has a schema already. */
  readonly mayMake?: boolean;
  readonly onMigrated?: (migrated: Migrated) => void;
  /** What has the writing connection; a worker if not said. */
  readonly startWriter?: (() => WriterThread) | undefined;
}

/**
 * Opens a database file and brings it to the newest schema. Before an existing
 * database changes, a copy is put beside it (`….before-<version>`); a database
 * from a newer program is refused with a {@link StoreFault}, and so is an
 * empty one that is not being made.
 */
export async function serveDatabase(
  path: string,
  firstEpoch: string,
  { mayMake = true, onMigrated, startWriter }: Opening = {},
): Promise<ServedDatabase> {
  if (!mayMake) refuseEmpty(readVersion(path), path);
  const sqlite = openSqlite(path);
  try {
    rewriteLog(sqlite, path);
    const from = await prepareSchema(sqlite, path, firstEpoch);
    if (from > 0 && from < SCHEMA) {
      const to = SCHEMA;
      onMigrated?.({ from, to, copy: copyBefore(path, to) });
    }
  } finally {
    sqlite.close();
  }
  const writer = await Writer.open(
    path,
    BUSY_TIMEOUT_MS,
    WRITING_PRAGMAS,
    startWriter,
  );
  try {
    const reading = openReading(path);
    // Nobody is told of a commit and then reads what was before it.
    writer.onAnswer(reading.renew);
    const db = kyselyRouted(writer, reading);
    readings.set(db, reading);
    // Kysely closes nothing that was never asked anything.
    await db.selectFrom("server").select("feed_epoch").executeTakeFirst();
    return {
      db,
      version: reading.version,
      afterCommit: (work) => writer.afterCommit(work),
      lost: writer.lost,
    };
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** {@link serveDatabase}, for whoever asks nothing more of it. */
export async function openDatabase(
  path: string,
  firstEpoch: string,
): Promise<Db> {
  if (path !== ":memory:") return (await serveDatabase(path, firstEpoch)).db;
  // Another connection would be another database.
  const sqlite = openSqlite(path);
  await prepareSchema(sqlite, undefined, firstEpoch);
  return kyselyOver(sqlite);
}

async function prepareSchema(
  sqlite: DatabaseSync,
  path: string | undefined,
  firstEpoch: string,
): Promise<number> {
  const from = await migrate(sqlite, path, MIGRATIONS);
  sqlite.prepare(
    "insert into server (singleton, feed_epoch) values (1, ?)" +
      " on conflict do nothing",
  ).run(firstEpoch);
  return from;
}

/** What a command does with the data directory. */
export type Access = "read" | "write";

/**
 * Opens a database file that is there, beside whoever else has it open. Its
 * schema is the server's to change: one that is not this program's is refused
 * with a {@link StoreFault}. To read, it may lie on a disk that takes no write.
 */
export function attachDatabase(path: string, access: Access = "write"): Db {
  const sqlite = access === "read" ? openForReading(path) : openSqlite(path);
  try {
    const version = userVersion(sqlite);
    refuseEmpty(version, path);
    refuseNewer(version, SCHEMA);
    if (version < SCHEMA) {
      throw new StoreFault(
        `the database has schema ${version}, this program has ` +
          `${SCHEMA}: start the server of this program once`,
      );
    }
    return kyselyOver(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Applies what is missing of a list of migrations, all in one transaction,
 * after a copy was put beside the file; without a path there is none. Returns
 * the schema that it had.
 */
export async function migrate(
  sqlite: DatabaseSync,
  path: string | undefined,
  migrations: readonly string[],
): Promise<number> {
  const version = userVersion(sqlite);
  refuseNewer(version, migrations.length);
  if (version === migrations.length) return version;
  if (version > 0 && path !== undefined) {
    await backup(sqlite, copyBefore(path, migrations.length));
  }
  sqlite.exec("begin immediate");
  try {
    for (const sql of migrations.slice(userVersion(sqlite))) sqlite.exec(sql);
    sqlite.exec(`pragma user_version = ${migrations.length}`);
    sqlite.exec("commit");
    return version;
  } catch (error) {
    // A full disk has rolled it back already: failing to would hide that.
    if (sqlite.isTransaction) sqlite.exec("rollback");
    throw error;
  }
}

function copyBefore(path: string, schema: number): string {
  return `${path}.before-${schema}`;
}

function readVersion(path: string): number {
  const sqlite = openForReading(path);
  try {
    return userVersion(sqlite);
  } finally {
    sqlite.close();
  }
}

function refuseEmpty(version: number, path: string): void {
  if (version > 0) return;
  throw new StoreFault(
    `${path} holds nothing (user_version 0), and is not the database that ` +
      "belongs here: put that one back, from a backup with its keys and blobs",
  );
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new StoreFault(
    `the database has schema ${version}, this program knows ${known}: run ` +
      "the newer program that made it",
  );
}

/** The schema of a database file; 0 for an empty one. */
export function userVersion(sqlite: DatabaseSync): number {
  const row = sqlite.prepare("pragma user_version").get();
  return Number(row?.user_version);
}

/**
 * Runs `work` in one transaction; what it throws rolls everything back. It is
 * durable when this returns, or, where that is asked `soon`, with whatever is
 * committed next: a power cut may take it back until then.
 */
export function transaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  durable: "now" | "soon" = "now",
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (durable === "soon") await tx.executeQuery(COMMIT_SOON);
    return await work(tx);
  });
}

/** A statement that changes something, before it is compiled. */
interface Change {
  compile(): CompiledQuery;
}

/**
 * Changes something within a transaction without waiting for it: where it
 * fails, whatever comes next in the transaction does, the commit at the latest.
 */
export async function change(tx: Tx, made: Change): Promise<void> {
  await tx.executeQuery(withoutResult(made.compile()));
}

/** Marks a point within a transaction, to which it can be taken back. */
export async function setMark(tx: Tx): Promise<void> {
  await tx.executeQuery(SAVEPOINT);
}

/** Keeps what was done since the mark. */
export async function dropMark(tx: Tx): Promise<void> {
  await tx.executeQuery(RELEASE);
}

/** Takes back what was done since the mark. */
export async function undoToMark(tx: Tx): Promise<void> {
  for (const query of UNDO) await tx.executeQuery(query);
}
