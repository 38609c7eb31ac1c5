/**
 * Opening the database: migrate first, then hand out Kysely.
 *
 * @module
 */
import { backup, type DatabaseSync } from "node:sqlite";
import type { Kysely, Transaction } from "kysely";
import { MIGRATIONS } from "./migrations.ts";
import type { Schema } from "./schema.ts";
import { kyselyOver, openSqlite } from "./sqlite.ts";

/** A handle for one statement, outside a transaction or inside one. */
export type Db = Kysely<Schema>;
/** Inside a transaction only this handle is used; the other would wait. */
export type Tx = Transaction<Schema>;

/** Thrown when the data directory cannot be served; the text says the mend. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

/**
 * Opens a database file and brings it to the newest schema. Before an existing
 * database changes, a copy is put beside it (`….before-<version>`); a database
 * from a newer program is refused with a {@link StoreFault}.
 */
export async function openDatabase(
  path: string,
  firstEpoch: string,
): Promise<Db> {
  const sqlite = openSqlite(path);
  try {
    await migrate(sqlite, path, MIGRATIONS);
    sqlite.prepare(
      "insert into server (singleton, feed_epoch) values (1, ?)" +
        " on conflict do nothing",
    ).run(firstEpoch);
    // Another connection would be another database in memory.
    const reading = path === ":memory:" ? undefined : openSqlite(path);
    reading?.exec("pragma query_only = on");
    return kyselyOver(sqlite, reading);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Opens a database file that is there, beside whoever else has it open. Its
 * schema is the server's to change: one that is not this program's is refused
 * with a {@link StoreFault}.
 */
export function attachDatabase(path: string): Db {
  const sqlite = openSqlite(path);
  try {
    const version = userVersion(sqlite);
    refuseNewer(version, MIGRATIONS.length);
    if (version < MIGRATIONS.length) {
      throw new StoreFault(
        `the database has schema ${version}, this program has ` +
          `${MIGRATIONS.length}: start the server of this program once`,
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
 * after a copy was put beside the file; without a path there is none.
 */
export async function migrate(
  sqlite: DatabaseSync,
  path: string | undefined,
  migrations: readonly string[],
): Promise<void> {
  const version = userVersion(sqlite);
  refuseNewer(version, migrations.length);
  if (version === migrations.length) return;
  if (version > 0 && path !== undefined) {
    await backup(sqlite, `${path}.before-${migrations.length}`);
  }
  sqlite.exec("begin immediate");
  try {
    for (const sql of migrations.slice(userVersion(sqlite))) sqlite.exec(sql);
    sqlite.exec(`pragma user_version = ${migrations.length}`);
    sqlite.exec("commit");
  } catch (error) {
    sqlite.exec("rollback");
    throw error;
  }
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

/** Runs `work` in one transaction; what it throws rolls everything back. */
export function transaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(work);
}
