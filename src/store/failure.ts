/**
 * Why the system or SQLite failed, as one word. Both tell it in three ways: by
 * an error's class, by its code, or by its text alone.
 *
 * @module
 */

/** The data directory cannot be served; the message says how to fix it. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
}

/** The reason of a failure that is not the program's fault. */
export type Failure =
  /** No room on the disk, or none under the user's quota. */
  | "full"
  /** The file system takes no writes. */
  | "read_only"
  /** The user has no permission. */
  | "forbidden"
  /** Another file or directory has the name. */
  | "in_the_way"
  /** The file is damaged and no database any more. */
  | "damaged"
  /** The database has less or more than its schema says. */
  | "incomplete"
  /** Another program holds the database. */
  | "busy"
  /** The disk fails. */
  | "io";

/** The failure of each code of the system. */
const SYSTEM: ReadonlyMap<unknown, Failure> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EROFS", "read_only"],
  ["ENOTDIR", "in_the_way"],
  ["EEXIST", "in_the_way"],
  ["EIO", "io"],
]);

/**
 * The failure of each of SQLite's primary result codes, which are the low byte
 * of the extended ones.
 */
const SQLITE: ReadonlyMap<number, Failure> = new Map([
  // SQLITE_PERM, SQLITE_CANTOPEN and SQLITE_AUTH.
  [3, "forbidden"],
  [14, "forbidden"],
  [23, "forbidden"],
  // SQLITE_BUSY and SQLITE_LOCKED.
  [5, "busy"],
  [6, "busy"],
  // SQLITE_READONLY.
  [8, "read_only"],
  // SQLITE_IOERR.
  [10, "io"],
  // SQLITE_CORRUPT and SQLITE_NOTADB.
  [11, "damaged"],
  [26, "damaged"],
  // SQLITE_FULL.
  [13, "full"],
]);

/** SQLITE_IOERR_SHMSIZE: the index of the write-ahead log cannot grow. */
const SQLITE_IOERR_SHMSIZE = 4_874;

/**
 * The failure of some of SQLite's texts. Opening, copying and `exec` give no
 * code, and a missing table has no code of its own.
 */
const TEXTS: readonly (readonly [RegExp, Failure])[] = [
  [/^no such (table|column)/, "incomplete"],
  [/database disk image is malformed|file is not a database/, "damaged"],
  [/^database or disk is full$/, "full"],
];

/** More texts, for errors that are known to be SQLite's. */
const OPENING_TEXTS: readonly (readonly [RegExp, Failure])[] = [
  ...TEXTS,
  [/already exists|duplicate/, "incomplete"],
  [/disk I\/O/, "io"],
  [/unable to open|readonly|access permission/, "forbidden"],
];

/**
 * The reason why something failed; undefined for anything else, also for a
 * fault of the program.
 */
export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof Deno.errors.PermissionDenied) return "forbidden";
  if (thrown instanceof Deno.errors.IsADirectory) return "in_the_way";
  const code = "code" in thrown ? thrown.code : undefined;
  const found = SYSTEM.get(code) ?? ofSqlite(thrown);
  if (found !== undefined) return found;
  const texts = code === "ERR_SQLITE_ERROR" ? OPENING_TEXTS : TEXTS;
  return texts.find(([text]) => text.test(thrown.message))?.[1];
}

function ofSqlite(thrown: Error): Failure | undefined {
  const code = sqliteCodeOf(thrown);
  if (code === undefined) return undefined;
  if (code === SQLITE_IOERR_SHMSIZE) return "full";
  return SQLITE.get(code & 0xff);
}

/** SQLite's own code of an error; undefined if it gave none. */
export function sqliteCodeOf(thrown: unknown): number | undefined {
  return thrown instanceof Error && "errcode" in thrown &&
      typeof thrown.errcode === "number"
    ? thrown.errcode
    : undefined;
}

/** Whether something failed because the disk is full. */
export function isDiskFull(thrown: unknown): boolean {
  return failureOf(thrown) === "full";
}

/** Whether something failed because the file system is read-only. */
export function isReadOnlyDisk(thrown: unknown): boolean {
  return failureOf(thrown) === "read_only";
}

/** Whether something failed because the database file is damaged. */
export function isDamaged(thrown: unknown): boolean {
  return failureOf(thrown) === "damaged" ||
    thrown instanceof Error && isDamaged(thrown.cause);
}
