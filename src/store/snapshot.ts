/**
 * The database at rest: copied out of a server that runs, and looked at
 * without being changed.
 *
 * @module
 */
import { backup, DatabaseSync } from "node:sqlite";
import { reasonOf } from "../core/reason.ts";
import { isDiskFull } from "./failure.ts";
import { openForReading } from "./reading.ts";
import { kyselyOver, openSqlite } from "./sqlite.ts";
import { type Db, migrate, StoreFault, userVersion } from "./database.ts";
import { MIGRATIONS, SCHEMA } from "./migrations.ts";

/** Pages that are copied before others have their turn. */
const PAGES_AT_ONCE = 1_000;

/**
 * Copies a database, as it is at one moment, while others write to it. The
 * copy is one file, without a log beside it, and is not synced yet. A database
 * that SQLite finds damaged is a {@link StoreFault}.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  // Made first, for its mode: SQLite goes by the umask.
  (await Deno.open(to, { write: true, createNew: true, mode: 0o600 })).close();
  const source = openForReading(from);
  try {
    // Reading from here on, this connection goes on seeing this moment: what
    // is written meanwhile does not make the copy begin anew, however much.
    source.exec("begin");
    source.prepare("select count(*) from server").get();
    await backup(source, to, { rate: PAGES_AT_ONCE });
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = reasonOf(error);
    throw new StoreFault(
      `${from} cannot be copied (${reason}): run \`strongroom check\``,
    );
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec("pragma journal_mode = delete");
    const { quick_check: found } =
      copy.prepare("pragma quick_check(1)").get() ??
        {};
    if (found !== "ok") {
      throw new StoreFault(
        `the database is damaged (${found}): run \`strongroom check\`, and ` +
          "restore a backup from before",
      );
    }
  } finally {
    copy.close();
  }
}

/** A copy of a database that is read. */
export interface Snapshot {
  readonly db: Db;
  readonly close: () => Promise<void>;
}

/**
 * Opens a copy that {@link copyDatabase} made, without changing it or putting
 * anything beside it. One of an older schema is read as this program would
 * make it, from another copy among temporary files.
 */
export async function openSnapshot(path: string): Promise<Snapshot> {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  if (userVersion(sqlite) === SCHEMA) {
    const db = kyselyOver(sqlite);
    return { db, close: () => db.destroy() };
  }
  sqlite.close();
  const directory = await Deno.makeTempDir({ prefix: "strongroom-" });
  try {
    const copy = `${directory}/strongroom.sqlite`;
    await Deno.copyFile(path, copy);
    const db = await openCopy(copy);
    const close = async () => {
      await db.destroy();
      await Deno.remove(directory, { recursive: true });
    };
    return { db, close };
  } catch (error) {
    await Deno.remove(directory, { recursive: true });
    throw error;
  }
}

/** Opens a copy for good, and brings it to this program's schema. */
export async function openCopy(path: string): Promise<Db> {
  const sqlite = openSqlite(path);
  try {
    await migrate(sqlite, undefined, MIGRATIONS);
    return kyselyOver(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** The schema of a copy; throws what SQLite does if it is no database. */
export function schemaOf(path: string): number {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    return userVersion(sqlite);
  } finally {
    sqlite.close();
  }
}
