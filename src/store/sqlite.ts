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

/** Kysely over an open database; prepared statements are cached. */
export function kyselyOver(sqlite: DatabaseSync): Kysely<Schema> {
  const prepared = new Map<string, Prepared>();
  return new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: {
        close: () => sqlite.close(),
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
