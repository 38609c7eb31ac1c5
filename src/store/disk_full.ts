/**
 * What a disk without room throws, or one that takes no writes, from the files
 * and from the database.
 *
 * @module
 */

/** The system's own codes: no room, or none under the user's quota. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** SQLITE_FULL. */
const SQLITE_FULL = 13;
/** SQLITE_IOERR_SHMSIZE: the index of the write-ahead log cannot grow. */
const SQLITE_IOERR_SHMSIZE = 4_874;

/** SQLite's text of SQLITE_FULL: copying a database says no more. */
const SQLITE_FULL_TEXT = "database or disk is full";

/** Whether something failed because the disk is full. */
export function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ("code" in thrown && CODES.has(thrown.code)) return true;
  if (thrown.message === SQLITE_FULL_TEXT) return true;
  return "errcode" in thrown &&
    (thrown.errcode === SQLITE_FULL || thrown.errcode === SQLITE_IOERR_SHMSIZE);
}

/** SQLITE_READONLY. */
const SQLITE_READONLY = 8;

/** Whether something failed because the file system is read-only. */
export function isReadOnlyDisk(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ("code" in thrown && thrown.code === "EROFS") return true;
  return "errcode" in thrown && typeof thrown.errcode === "number" &&
    (thrown.errcode & 0xff) === SQLITE_READONLY;
}
