/**
 * Opening the database, bringing it to the newest schema, and transactions.
 *
 * @module
 */
import { backup, DatabaseSync } from "node:sqlite";
import type { CompiledQuery, Kysely, Transaction } from "kysely";
import { RESTORE_BACKUP } from "../../core/operator.ts";
import { APPLICATION_ID, MIGRATIONS, SCHEMA } from "./migrations.ts";
import { StoreFault } from "../failure.ts";
import type { Schema } from "./schema.ts";
import { rewriteLog } from "./write_ahead_log.ts";
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
/**
 * Inside a transaction only this handle is used: a write through the other one
 * would wait forever.
 */
export type Tx = Transaction<Schema>;

/** The database is of an earlier program, and was not migrated yet. */
export class OlderSchema extends StoreFault {}

/** A database in service, with the members that only the server uses. */
export interface ServedDatabase {
  readonly db: Db;
  /**
   * A number that changes with every commit, this process's own included.
   * Asking takes less than a microsecond on average and never waits, so every
   * request can ask.
   */
  readonly version: () => number;
  /**
   * Runs `work` after each commit of this process. `durable` says whether this
   * commit, and with it everything before, is on the disk.
   */
  readonly afterCommit: (work: (durable: boolean) => void) => void;
  /** Empties the write-ahead log, unless a reader needs it for long. */
  readonly emptyLog: () => Promise<void>;
  /** Resolves with the reason once nothing can be written any more. */
  readonly lost: Promise<Error>;
}

/** How long a reader may delay emptying the write-ahead log (ms). */
const EMPTYING_PATIENCE_MS = 1_000;

/** The reading connection of each served database. */
const readings = new WeakMap<Db, Reading>();

/**
 * Prepares queries on a database's reading connection; undefined if it has
 * none.
 */
export function readerOf(db: Db): ((sql: string) => Ask) | undefined {
  return readings.get(db)?.prepare;
}

/** Pages that are copied in one step. */
const PAGES_AT_ONCE = 1_000;

/** A database that was brought to a newer schema. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** Path of the copy that was made before. */
  readonly copy: string;
}

/** A migration that is about to begin. */
export interface Migrating {
  readonly from: number;
  readonly to: number;
  /** Of the database, its log included. */
  readonly bytes: number;
}

/** Options of {@link serveDatabase}. */
export interface Opening {
  /** Is told before anything is changed, and may refuse by throwing. */
  readonly beforeMigration?: (migrating: Migrating) => Promise<void>;
  /** How far the copy is that is made before a migration, in pages. */
  readonly onCopying?: ((done: number, total: number) => void) | undefined;
  /** Is told at each step of the change itself; the first one is 1. */
  readonly onChanging?: ((step: number, steps: number) => void) | undefined;
  /**
   * Whether the data directory is being made; otherwise an empty database is
   * refused.
   */
  readonly mayMake?: boolean;
  readonly onMigrated?: (migrated: Migrated) => void;
  /** Starts the thread that has the writing connection; by default a worker. */
  readonly startWriter?: (() => WriterThread) | undefined;
  /** By default this program's own; a test hands in those of the next one. */
  readonly migrations?: readonly string[] | undefined;
}

/**
 * Opens a database file and brings it to the newest schema. Before an existing
 * database changes, a copy is put next to it (`….before-<version>`); a database
 * from a newer program is refused with a {@link StoreFault}, and so is an empty
 * one that is not being made.
 */
export async function serveDatabase(
  path: string,
  firstEpoch: string,
  opening: Opening = {},
): Promise<ServedDatabase> {
  const { mayMake = true, beforeMigration, onMigrated, startWriter } = opening;
  const migrations = opening.migrations ?? MIGRATIONS;
  const to = migrations.length;
  if (!mayMake) refuseEmpty(readVersion(path), path);
  const sqlite = openSqlite(path);
  let from: number;
  let isOlder: boolean;
  try {
    rewriteLog(sqlite, path);
    refuseForeign(sqlite, path);
    from = userVersion(sqlite);
    isOlder = from > 0 && from < to;
    if (isOlder) {
      const bytes = sizeOf(path) + sizeOf(`${path}-wal`);
      await beforeMigration?.({ from, to, bytes });
      await copyAway(sqlite, path, to, opening.onCopying);
    } else await prepareSchema(sqlite, path, firstEpoch, opening);
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
    if (isOlder) {
      await migrateWith(writer, from, migrations, opening.onChanging);
      await writer.runAlone(FIRST_ROW, [firstEpoch]);
      onMigrated?.({ from, to, copy: copyBefore(path, to) });
    }
    const reading = openReading(path);
    // The reading transaction ends first, so that no caller that hears of a
    // commit reads the state before it.
    writer.onAnswer(reading.renew);
    const db = kyselyRouted(writer, reading);
    readings.set(db, reading);
    // Kysely closes only a driver that has run a query.
    await db.selectFrom("server").select("feed_epoch").executeTakeFirst();
    return {
      db,
      version: reading.version,
      afterCommit: (work) => writer.afterCommit(work),
      emptyLog: () => writer.emptyLog(EMPTYING_PATIENCE_MS, BUSY_TIMEOUT_MS),
      lost: writer.lost,
    };
  } catch (error) {
    await writer.close();
    throw error;
  }
}

async function prepareSchema(
  sqlite: DatabaseSync,
  path: string,
  firstEpoch: string,
  { migrations = MIGRATIONS, onCopying }: Opening = {},
): Promise<void> {
  await migrate(sqlite, path, migrations, onCopying);
  sqlite.prepare(FIRST_ROW).run(firstEpoch);
}

const FIRST_ROW = "insert into server (singleton, feed_epoch) values (1, ?)" +
  " on conflict do nothing";

/** Whether a command only reads the data directory or changes it. */
export type Access = "read" | "write";

/**
 * Opens an existing database file, which other processes may have open. Only
 * the server changes the schema, so any schema but this program's is refused
 * with a {@link StoreFault}. For reading, the file may lie on a read-only disk.
 */
export function attachDatabase(path: string, access: Access = "write"): Db {
  const sqlite = access === "read" ? openForReading(path) : openSqlite(path);
  try {
    const version = userVersion(sqlite);
    refuseEmpty(version, path);
    refuseForeign(sqlite, path);
    refuseNewer(version, SCHEMA);
    if (version < SCHEMA) {
      throw new OlderSchema(
        `the database has schema ${version}, this program has ${SCHEMA}: ` +
          "back it up first (`strongroom backup` copies it as it is), then " +
          "start this program's server once",
      );
    }
    refuseOtherTables(sqlite, path);
    return kyselyOver(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Applies the missing ones of a list of migrations, all in one transaction.
 * With a path, a copy is put next to the file first.
 */
export async function migrate(
  sqlite: DatabaseSync,
  path: string | undefined,
  migrations: readonly string[],
  onCopying?: Opening["onCopying"],
): Promise<void> {
  const version = userVersion(sqlite);
  refuseForeign(sqlite, path ?? "the database");
  refuseNewer(version, migrations.length);
  if (version === migrations.length) {
    refuseOtherTables(sqlite, path ?? "the database", migrations);
    return;
  }
  if (version > 0 && path !== undefined) {
    await copyAway(sqlite, path, migrations.length, onCopying);
  }
  sqlite.exec("begin immediate");
  try {
    for (const sql of migrations.slice(userVersion(sqlite))) sqlite.exec(sql);
    sqlite.exec(marksOf(migrations.length));
    sqlite.exec("commit");
  } catch (error) {
    // A full disk has ended the transaction already; a rollback that fails
    // would hide the cause.
    if (sqlite.isTransaction) sqlite.exec("rollback");
    throw error;
  }
}

/** What makes a database one of this program's and of a schema. */
function marksOf(schema: number): string {
  return `pragma application_id = ${APPLICATION_ID}; ` +
    `pragma user_version = ${schema}`;
}

/** Puts the copy next to a database that a migration is about to change. */
async function copyAway(
  sqlite: DatabaseSync,
  path: string,
  to: number,
  onCopying: Opening["onCopying"],
): Promise<void> {
  await backup(sqlite, copyBefore(path, to), {
    rate: PAGES_AT_ONCE,
    progress: ({ totalPages, remainingPages }) =>
      onCopying?.(totalPages - remainingPages, totalPages),
  });
}

/**
 * What {@link migrate} does, in the thread of the writing connection: minutes
 * of it must not keep the event loop from saying so. The directory's lock keeps
 * other servers away, and commands refuse an older schema.
 */
async function migrateWith(
  writer: Writer,
  from: number,
  migrations: readonly string[],
  onChanging: Opening["onChanging"],
): Promise<void> {
  const missing = migrations.slice(from);
  writer.begin(true);
  try {
    for (const [index, sql] of missing.entries()) {
      onChanging?.(index + 1, missing.length);
      await writer.change(sql);
    }
    await writer.change(marksOf(migrations.length));
    await writer.commit();
  } catch (error) {
    // One that fails would hide the cause.
    await writer.rollback().catch(() => {});
    throw error;
  }
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

/** Where the copy lies that is made before a database gets a schema. */
export function copyBefore(path: string, schema: number): string {
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
    `${path} is empty (user_version 0), so it is not the database that ` +
      "belongs here: restore that one, from a backup with its keys and " +
      "blobs",
  );
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new StoreFault(
    `the database has schema ${version}, this program knows ${known}: ` +
      "run the newer program that made it, or go back to the database " +
      "from before the upgrade with `strongroom rollback`",
  );
}

/** Refuses a database that has a schema and not the mark of this program. */
export function refuseForeign(sqlite: DatabaseSync, path: string): void {
  if (userVersion(sqlite) === 0 || isOurs(sqlite)) return;
  throw new StoreFault(
    `${path} was not made by strongroom: put its own database back, from a ` +
      "backup with its keys and blobs; nothing was changed",
  );
}

/**
 * Refuses a database of this schema that lacks a table, a column, an index or a
 * trigger of it, because it was changed by hand. The first statement that needs
 * what is missing would fail, in the middle of a request.
 */
export function refuseOtherTables(
  sqlite: DatabaseSync,
  path: string,
  migrations: readonly string[] = MIGRATIONS,
): void {
  const there = partsOf(sqlite);
  const missing = [...partsMadeBy(migrations)].filter((one) => !there.has(one));
  if (missing.length === 0) return;
  const more = missing.length > NAMED ? `, ${missing.length} in all` : "";
  throw new StoreFault(
    `${path} does not match its schema ${migrations.length}, it lacks ` +
      `${missing.slice(0, NAMED).join(", ")}${more}: keep it as it is, and ` +
      RESTORE_BACKUP,
  );
}

/** Missing parts of a database that are named. */
const NAMED = 3;

const partsMade = new WeakMap<readonly string[], ReadonlySet<string>>();

function partsMadeBy(migrations: readonly string[]): ReadonlySet<string> {
  const known = partsMade.get(migrations);
  if (known !== undefined) return known;
  const sqlite = new DatabaseSync(":memory:");
  try {
    for (const sql of migrations) sqlite.exec(sql);
    const parts = partsOf(sqlite);
    partsMade.set(migrations, parts);
    return parts;
  } finally {
    sqlite.close();
  }
}

/**
 * What a database is made of, by names. Their text does not count: SQLite
 * rewrites it if a migration renames something, and its versions write it
 * differently.
 */
function partsOf(sqlite: DatabaseSync): Set<string> {
  const rows = sqlite.prepare(`
    select type || ' ' || name as part from sqlite_schema
      where name not like 'sqlite_%'
    union all
    select 'column ' || made.name || '.' || held.name
      from sqlite_schema as made join pragma_table_info(made.name) as held
      where made.type = 'table' and made.name not like 'sqlite_%'
  `).all();
  return new Set(rows.map(({ part }) => String(part)));
}

/** Whether a file has the mark of this program's databases. */
export function isOurs(sqlite: DatabaseSync): boolean {
  const row = sqlite.prepare("pragma application_id").get();
  return row?.application_id === APPLICATION_ID;
}

/** The schema of a database file; 0 for an empty one. */
export function userVersion(sqlite: DatabaseSync): number {
  const row = sqlite.prepare("pragma user_version").get();
  return Number(row?.user_version);
}

/**
 * Runs `work` in one transaction; an error that it throws rolls everything
 * back. The commit is durable when this returns or, with `soon`, together with
 * the next one that is: until then a power cut may take it back.
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

/** A statement that is not compiled yet. */
interface Change {
  compile(): CompiledQuery;
}

/**
 * Changes something within a transaction without waiting for it. If it fails,
 * the next statement that is waited for fails, at the latest the commit.
 */
export async function change(tx: Tx, made: Change): Promise<void> {
  await changeCompiled(tx, made.compile());
}

/** The same for a statement that is compiled; it is not used again. */
export async function changeCompiled(
  tx: Tx,
  query: CompiledQuery<unknown>,
): Promise<void> {
  await tx.executeQuery(withoutResult(query));
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
