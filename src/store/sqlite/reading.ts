/**
 * Opening a database for reading only, also on a read-only file system.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { isReadOnlyDisk } from "../failure.ts";
import { BUSY_TIMEOUT_MS } from "./sqlite.ts";

/**
 * Opens an existing database file without changing it. Even to read, SQLite
 * needs an index of the log next to the file. On a read-only file system it
 * cannot make one, so unless a server has left one, a temporary copy is opened.
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
    // Only a first query looks at the log.
    sqlite.prepare("pragma user_version").get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Opens a copy that disappears when it is closed or the process ends. */
function openTemporaryCopy(path: string): DatabaseSync {
  const directory = Deno.makeTempDirSync({ prefix: "strongroom-" });
  const copy = `${directory}/strongroom.sqlite`;
  try {
    Deno.copyFileSync(path, copy);
    Deno.chmodSync(copy, 0o600);
    if (isThere(`${path}-wal`)) Deno.copyFileSync(`${path}-wal`, `${copy}-wal`);
    const whole = new DatabaseSync(copy);
    // Moves the log into the file.
    whole.exec("pragma journal_mode = delete");
    whole.close();
    return openReadOnly(copy);
  } finally {
    // Except on Windows, an open file stays readable after its name is removed.
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
