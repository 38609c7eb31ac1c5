/**
 * Copies of the database: made while a server runs, and read without being
 * changed.
 *
 * @module
 */
import { backup, DatabaseSync } from "node:sqlite";
import { reasonOf } from "../../core/reason.ts";
import { isDiskFull, StoreFault } from "../failure.ts";
import { openForReading } from "./reading.ts";
import { kyselyOver, openSqlite } from "./sqlite.ts";
import {
  type Db,
  migrate,
  refuseForeign,
  refuseOtherTables,
  userVersion,
} from "./database.ts";
import { MIGRATIONS, SCHEMA } from "./migrations.ts";

/** Pages that are copied in one step. */
const PAGES_AT_ONCE = 1_000;

/**
 * Copies the state of a database at one moment, while others write to it. The
 * copy is one file without a log, and is not synced. If SQLite finds damage,
 * that is a {@link StoreFault}.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  // Made here for its mode; SQLite would go by the umask.
  (await Deno.open(to, { write: true, createNew: true, mode: 0o600 })).close();
  const source = openForReading(from);
  try {
    // The open transaction keeps this moment in view, so that later writes do
    // not make the copy start again.
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

/** An open copy of a database. */
export interface Snapshot {
  readonly db: Db;
  readonly close: () => Promise<void>;
}

/**
 * Opens a copy that {@link copyDatabase} made, without changing it or putting
 * files next to it. A copy of an older schema is copied once more, to a
 * temporary place, and migrated there.
 */
export async function openSnapshot(path: string): Promise<Snapshot> {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  if (userVersion(sqlite) === SCHEMA) {
    refuseForeign(sqlite, path);
    refuseOtherTables(sqlite, path);
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

/** Opens a copy for writing and brings it to this program's schema. */
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

/**
 * A copy of the database of an earlier program, migrated, for reading; the
 * database itself stays as it is.
 */
export async function openMigratedCopy(path: string): Promise<Snapshot> {
  const directory = await Deno.makeTempDir({ prefix: "strongroom-" });
  const remove = () => Deno.remove(directory, { recursive: true });
  try {
    const copy = `${directory}/strongroom.sqlite`;
    await copyDatabase(path, copy);
    const db = await openCopy(copy);
    const close = async () => {
      await db.destroy();
      await remove();
    };
    return { db, close };
  } catch (error) {
    await remove();
    if (!isDiskFull(error)) throw error;
    throw new StoreFault(
      `${path} is of an earlier program, and a copy of it finds no room in ` +
        `${directory.slice(0, directory.lastIndexOf("/"))}: name a directory ` +
        "with more by TMPDIR",
    );
  }
}

/** The schema of a copy; throws SQLite's error if it is no database. */
export function schemaOf(path: string): number {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    return userVersion(sqlite);
  } finally {
    sqlite.close();
  }
}
