/**
 * `node:sqlite` under Kysely: SQLite is inside the runtime, so there is no
 * native library beside the executable.
 *
 * @module
 */
import {
  DatabaseSync,
  type SQLInputValue,
  type StatementSync,
} from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "./schema.ts";

/** Statements that are kept prepared, by their SQL text. */
const MAX_PREPARED = 500;

/** Waits this long for another process's write before it gives up (ms). */
export const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens a database file for good: write-ahead log, foreign keys, and a commit
 * that returns once it is on the disk, because a receipt is a promise.
 */
export function openSqlite(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  sqlite.exec("pragma journal_mode = wal");
  sqlite.exec("pragma synchronous = full");
  return sqlite;
}

/** The connections under the handles. */
const connections = new WeakMap<Kysely<Schema>, DatabaseSync>();

/** A query that is prepared for good. */
export interface Ask {
  /** The first row that it finds. */
  readonly first: (parameters: readonly unknown[]) => unknown;
  /** Every row that it finds. */
  readonly all: (parameters: readonly unknown[]) => unknown[];
}

const readers = new WeakMap<Kysely<Schema>, (sql: string) => Ask>();

/** What prepares queries for a database's connection of reads, if it has one. */
export function readerOf(
  db: Kysely<Schema>,
): ((sql: string) => Ask) | undefined {
  return readers.get(db);
}

/**
 * Kysely over an open database; prepared statements are cached. `reading` is
 * a second connection to it, for queries that are prepared for good.
 */
export function kyselyOver(
  sqlite: DatabaseSync,
  reading?: DatabaseSync,
): Kysely<Schema> {
  const prepared = new Map<string, Prepared>();
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: {
        close: () => {
          reading?.close();
          sqlite.close();
        },
        prepare(sql) {
          // Every transaction here writes: taking the write lock at once waits
          // for another process, where upgrading later would fail instead.
          const text = sql === "begin" ? "begin immediate" : sql;
          const held = prepared.get(text);
          if (held !== undefined) return held;
          if (prepared.size >= MAX_PREPARED) prepared.clear();
          const made = text === "rollback"
            ? rollbackOf(sqlite)
            : adapt(sqlite.prepare(text));
          prepared.set(text, made);
          return made;
        },
      },
    }),
  });
  connections.set(db, sqlite);
  if (reading !== undefined) {
    readers.set(db, (sql) => {
      const statement = reading.prepare(sql);
      return {
        first: (parameters) => statement.get(...values(parameters)),
        all: (parameters) => statement.all(...values(parameters)),
      };
    });
  }
  return db;
}

/**
 * A number that changes whenever another connection, in this process or in
 * another, has committed; what `db` itself commits does not change it. Asking
 * takes a microsecond and waits for nobody, so a request can afford it.
 */
export function changesBeside(db: Kysely<Schema>): () => number {
  const sqlite = connections.get(db);
  if (sqlite === undefined) throw new Error("not a handle of this module");
  const statement = sqlite.prepare("pragma data_version");
  return () => Number(statement.get()?.data_version);
}

/** The shape of a statement that Kysely's SqliteDialect drives. */
interface Prepared {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

function adapt(statement: StatementSync): Prepared {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

/**
 * SQLite rolls back by itself where a statement finds the disk full, for one.
 * Failing to do so once more would hide why.
 */
function rollbackOf(sqlite: DatabaseSync): Prepared {
  const rollback = adapt(sqlite.prepare("rollback"));
  return {
    ...rollback,
    run: (parameters) =>
      sqlite.isTransaction
        ? rollback.run(parameters)
        : { changes: 0, lastInsertRowid: 0 },
  };
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (
      value === null || typeof value === "string" ||
      typeof value === "number" || typeof value === "bigint" ||
      value instanceof Uint8Array
    ) return value;
    throw new TypeError(`SQLite takes no ${typeof value}`);
  });
}
