/**
 * The write-ahead log that a process left behind.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/** The log is gone through in pieces of this size (bytes). */
const PIECE_BYTES = 1024 * 1024;

/**
 * Writes a log that was left behind once more, the same bytes, and syncs it.
 * Where the last fsync of the process before failed, the system may hold for
 * written what never came to the disk, and would not write it with a later
 * fsync: what is read from the log from here on is on the disk.
 */
export function rewriteLog(sqlite: DatabaseSync, path: string): void {
  // Nobody appends to it meanwhile. Its lock lies in another file, so that
  // closing this one lets go of nothing.
  sqlite.exec("begin immediate");
  try {
    const file = openLog(`${path}-wal`);
    if (file === undefined) return;
    try {
      rewrite(file);
      file.syncSync();
    } finally {
      file.close();
    }
  } finally {
    sqlite.exec("rollback");
  }
}

function openLog(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function rewrite(file: Deno.FsFile): void {
  const piece = new Uint8Array(PIECE_BYTES);
  for (let at = 0;;) {
    const read = file.readSync(piece);
    if (read === null) return;
    file.seekSync(at, Deno.SeekMode.Start);
    for (let done = 0; done < read;) {
      done += file.writeSync(piece.subarray(done, read));
    }
    at += read;
  }
}
