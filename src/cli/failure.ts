/**
 * What the system or the database would not do, for the operator.
 *
 * @module
 */
import { isDiskFull } from "../store/disk_full.ts";

/** SQLite's primary result codes, and what mends each. */
const SQLITE_MENDS: ReadonlyMap<number, string> = new Map([
  // SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN and SQLITE_AUTH.
  ...[3, 8, 14, 23].map((code) =>
    [
      code,
      "run this as the server's user, on a file system that can be written to",
    ] as const
  ),
  // SQLITE_BUSY and SQLITE_LOCKED.
  ...[5, 6].map((code) =>
    [
      code,
      "another program holds it: run this again when that one has ended",
    ] as const
  ),
  // SQLITE_CORRUPT and SQLITE_NOTADB.
  ...[11, 26].map((code) =>
    [
      code,
      "it is damaged: `strongroom check` names what is wrong; restore a " +
      "backup into a fresh data directory",
    ] as const
  ),
  // SQLITE_IOERR.
  [10, "see to the disk, and run this again"],
]);

/**
 * One line for a failure of the system's: what, why, and what to do; undefined
 * for anything else, which is a fault of the program.
 */
export function failureInWords(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const reason = thrown.message.replaceAll(/\s+/g, " ");
  if (isDiskFull(thrown)) {
    return `the disk is full (${reason}): make room and run this again`;
  }
  if (/^no such (table|column): /.test(thrown.message)) {
    return `the database lacks what its schema says (${reason}): keep it as ` +
      "it is, and restore a backup into a fresh data directory";
  }
  if ("errcode" in thrown && typeof thrown.errcode === "number") {
    const mend = SQLITE_MENDS.get(thrown.errcode & 0xff);
    return mend && `the database refuses that (${reason}): ${mend}`;
  }
  if (thrown instanceof Deno.errors.PermissionDenied) {
    return `${reason}: run this as the server's user, or as whoever may`;
  }
  const isSystem = "code" in thrown && typeof thrown.code === "string" &&
    /^E[A-Z0-9]+$/.test(thrown.code);
  return isSystem ? `${reason}: mend that and run this again` : undefined;
}
