/**
 * Kysely over `node:sqlite`. SQLite is part of the runtime, so the executable
 * needs no separate native library.
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

/** The values of a statement's parameters. */
export type Values = readonly SQLInputValue[];

/** A row of a result, by the names of its columns. */
export type Row = Record<string, unknown>;

declare module "node:sqlite" {
  interface StatementSync {
    // The types of the runtime (2.9.6) lack this method.
    setReturnArrays(enabled: boolean): void;
  }
}

/** How many prepared statements are kept. */
const MAX_PREPARED = 500;

/** Longest wait for another process's write (ms). */
export const BUSY_TIMEOUT_MS = 10_000;

/**
 * Settings of a writing connection. A commit returns once it is on the disk,
 * because a receipt is a promise. Replaced and deleted values are overwritten
 * (protocol/personal-data.md#deleted-values).
 */
export const WRITING_PRAGMAS = [
  "pragma journal_mode = wal",
  "pragma synchronous = full",
  "pragma secure_delete = on",
] as const;

/**
 * Opens a database file with a write-ahead log, foreign keys and durable
 * commits.
 */
export function openSqlite(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    for (const pragma of WRITING_PRAGMAS) sqlite.exec(pragma);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return sqlite;
}

/** Prepares each SQL text once and keeps the statement. */
export function keptPrepared<S>(
  prepare: (text: string) => S,
): (text: string) => S {
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

/** A statement that returns rows. */
interface Rows {
  readonly first: (parameters: readonly unknown[]) => Row | undefined;
  readonly all: (parameters: readonly unknown[]) => Row[];
  readonly each: (parameters: readonly unknown[]) => IterableIterator<Row>;
}

/**
 * Makes a statement return rows as plain objects. The rows of `node:sqlite` are
 * objects without a prototype, and making one costs more than a small query.
 */
export function rowsOf(statement: StatementSync): Rows {
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return {
    first: (parameters) => {
      const values: unknown = statement.get(...toValues(parameters));
      return values === undefined ? undefined : toRow(names, values);
    },
    all: (parameters) =>
      statement.all(...toValues(parameters))
        .map((values: unknown) => toRow(names, values)),
    *each(parameters) {
      const found: Iterable<unknown> = statement.iterate(
        ...toValues(parameters),
      );
      for (const values of found) yield toRow(names, values);
    },
  };
}

/** A row from the names and the values of its columns. */
export function toRow(names: readonly string[], values: unknown): Row {
  if (!Array.isArray(values)) throw new Error("a row that is no array");
  const row: Row = {};
  for (let at = 0; at < names.length; at++) row[names[at] ?? ""] = values[at];
  return row;
}

/** Kysely over an open database; prepared statements are cached. */
export function kyselyOver(sqlite: DatabaseSync): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: {
        close: () => sqlite.close(),
        prepare: keptPrepared((sql) => {
          // Every transaction here writes. Taking the write lock at the
          // beginning waits for another process; taking it later would fail
          // instead.
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
  const rows = rowsOf(statement);
  return {
    reader: statement.columns().length > 0,
    all: rows.all,
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: rows.each,
  };
}

/**
 * A rollback that does nothing outside a transaction. SQLite itself rolls back
 * when, for example, the disk is full; a second rollback would fail and hide
 * why.
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

/** The parameters as values that SQLite takes; throws if one is not. */
export function toValues(parameters: readonly unknown[]): Values {
  if (parameters.every(isValue)) return parameters;
  throw new TypeError(
    `SQLite takes no ${typeof parameters.find((one) => !isValue(one))}`,
  );
}

function isValue(value: unknown): value is SQLInputValue {
  return value === null || typeof value === "string" ||
    typeof value === "number" || typeof value === "bigint" ||
    value instanceof Uint8Array;
}
