/**
 * What SQLite throws for a file that is no database any more.
 *
 * @module
 */

/** SQLITE_CORRUPT and SQLITE_NOTADB, the low byte of every such code. */
const CODES: ReadonlySet<number> = new Set([11, 26]);
/** The same where the runtime gives no code. */
const TEXTS = [
  "database disk image is malformed",
  "file is not a database",
];

/** Whether something failed because the database file is damaged. */
export function isDamaged(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (
    "errcode" in thrown && typeof thrown.errcode === "number" &&
    CODES.has(thrown.errcode & 0xff)
  ) return true;
  return TEXTS.some((text) => thrown.message.includes(text)) ||
    isDamaged(thrown.cause);
}
