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

/** A commit returns once it is on the disk, because a receipt is a promise. */
export const WRITING_PRAGMAS = [
  "pragma journal_mode = wal",
  "pragma synchronous = full",
] as const;

/**
 * Opens a database file for good: write-ahead log, foreign keys, and commits
 * that are durable.
 */
export function openSqlite(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  for (const pragma of WRITING_PRAGMAS) sqlite.exec(pragma);
  return sqlite;
}

/** A query that is prepared for good. */
export interface Ask {
  /** The first row that it finds. */
  readonly first: (parameters: readonly unknown[]) => unknown;
  /** Every row that it finds. */
  readonly all: (parameters: readonly unknown[]) => unknown[];
}

/** A connection that reads what is committed, whoever committed it. */
export interface Reading {
  readonly all: (sql: string, parameters: readonly unknown[]) => unknown[];
  /** Prepares a query for good. */
  readonly prepare: (sql: string) => Ask;
  /** A number that changes whenever another connection has committed. */
  readonly version: () => number;
  readonly close: () => void;
}

/** Opens a connection to a database file that others write. */
export function openReading(path: string): Reading {
  const sqlite = openSqlite(path);
  sqlite.exec("pragma query_only = on");
  const prepared = keptPrepared((text) => sqlite.prepare(text));
  const version = sqlite.prepare("pragma data_version");
  return {
    all: (sql, parameters) => prepared(sql).all(...toValues(parameters)),
    prepare: (sql) => {
      const statement = sqlite.prepare(sql);
      return {
        first: (parameters) => statement.get(...toValues(parameters)),
        all: (parameters) => statement.all(...toValues(parameters)),
      };
    },
    version: () => Number(version.get()?.data_version),
    close: () => sqlite.close(),
  };
}

/** Makes of each text one statement, and keeps it. */
function keptPrepared<S>(prepare: (text: string) => S): (text: string) => S {
  const prepared = new Map<string, S>();
  return (text) => {
    const held = prepared.get(text);
    if (held !== undefined) return held;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const made = prepare(text);
    prepared.set(text, made);
    return made;
  };
}

/** Kysely over an open database; prepared statements are cached. */
export function kyselyOver(sqlite: DatabaseSync): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: {
        close: () => sqlite.close(),
        prepare: keptPrepared((sql) => {
          // Every transaction here writes: taking the write lock at once waits
          // for another process, where upgrading later would fail instead.
          if (sql === "begin") return adapt(sqlite.prepare("begin immediate"));
          if (sql === "rollback") return rollbackOf(sqlite);
          return adapt(sqlite.prepare(sql));
        }),
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
    all: (parameters) => statement.all(...toValues(parameters)),
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: (parameters) => statement.iterate(...toValues(parameters)),
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

/** What SQLite is given for a statement's parameters. */
export function toValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (
      value === null || typeof value === "string" ||
      typeof value === "number" || typeof value === "bigint" ||
      value instanceof Uint8Array
    ) return value;
    throw new TypeError(`SQLite takes no ${typeof value}`);
  });
}
