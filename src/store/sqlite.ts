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

/** What SQLite is given for a statement's parameters. */
export type Values = readonly SQLInputValue[];

/** What a query finds, by the names of its columns. */
export type Row = Record<string, unknown>;

declare module "node:sqlite" {
  interface StatementSync {
    // The types that come with the runtime (2.9.6) do not know it.
    setReturnArrays(enabled: boolean): void;
  }
}

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

/** Makes of each text one statement, and keeps it. */
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

/** A statement that answers rows. */
export interface Rows {
  readonly first: (parameters: readonly unknown[]) => Row | undefined;
  readonly all: (parameters: readonly unknown[]) => Row[];
  readonly each: (parameters: readonly unknown[]) => IterableIterator<Row>;
}

/**
 * Has a statement answer rows that are plain objects. Those of `node:sqlite`
 * itself are dictionaries, and making one costs more than a small query does.
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

/** A row of what its columns are called and hold. */
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
  const rows = rowsOf(statement);
  return {
    reader: statement.columns().length > 0,
    all: rows.all,
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: rows.each,
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

/** Parameters of which SQLite takes each. */
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
