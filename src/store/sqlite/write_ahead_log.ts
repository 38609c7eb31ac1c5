/**
 * Repairing the write-ahead log that an ended process left behind.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/** The log is rewritten in pieces of this size (bytes). */
const PIECE_BYTES = 1024 * 1024;

/**
 * Writes the bytes of a log that was left behind once more and syncs it. If the
 * last fsync of the previous process failed, the system may take pages for
 * written that never reached the disk, and a later fsync would not write them.
 * After this call everything read from the log is on the disk.
 */
export function rewriteLog(sqlite: DatabaseSync, path: string): void {
  // The write lock keeps others from appending. It is on another file, so that
  // closing the log does not release it.
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
