/**
 * Opening a database to read it alone, wherever it lies.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { isReadOnlyDisk } from "./failure.ts";
import { BUSY_TIMEOUT_MS } from "./sqlite.ts";

/**
 * Opens a database file that is there and changes nothing of it. On a
 * read-only file system SQLite wants to lay an index of the log beside the
 * file, even for reading, unless a server has left one: without, a copy among
 * temporary files is read.
 */
export function openForReading(path: string): DatabaseSync {
  try {
    return openReadOnly(path);
  } catch (error) {
    if (!isOnReadOnlyDisk(path)) throw error;
    return openTemporaryCopy(path);
  }
}

function openReadOnly(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    // Opening alone does not look at the log yet.
    sqlite.prepare("pragma user_version").get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A copy that is gone once it is closed, or with the process. */
function openTemporaryCopy(path: string): DatabaseSync {
  const directory = Deno.makeTempDirSync({ prefix: "strongroom-" });
  const copy = `${directory}/strongroom.sqlite`;
  try {
    Deno.copyFileSync(path, copy);
    Deno.chmodSync(copy, 0o600);
    if (isThere(`${path}-wal`)) Deno.copyFileSync(`${path}-wal`, `${copy}-wal`);
    const whole = new DatabaseSync(copy);
    // Takes what the log holds into the file.
    whole.exec("pragma journal_mode = delete");
    whole.close();
    return openReadOnly(copy);
  } finally {
    // An open file stays readable without its name, but on Windows.
    if (Deno.build.os !== "windows") {
      Deno.removeSync(directory, { recursive: true });
    }
  }
}

function isOnReadOnlyDisk(path: string): boolean {
  try {
    Deno.openSync(path, { read: true, write: true }).close();
    return false;
  } catch (error) {
    return isReadOnlyDisk(error);
  }
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
