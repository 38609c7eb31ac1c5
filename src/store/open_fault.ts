/**
 * Why a data directory cannot be opened, for the operator.
 *
 * @module
 */
import { isDiskFull } from "./disk_full.ts";
import { StoreFault } from "./database.ts";

const NOT_OURS =
  "is not this user's to read and write: run the server as its owner, or " +
  "give it to the server's user (chown -R)";
const FULL =
  "lies on a disk that is full or fails: make room there or mend it, then start again";
const IN_THE_WAY =
  "cannot be laid out, for something else has the name that it needs: take " +
  "that away, or choose another directory with STRONGROOM_DATA_DIR";
const INCOMPLETE =
  "holds a database that lacks what its schema says: keep it as it is, and " +
  "restore a backup into a fresh data directory";
const DAMAGED =
  "holds a database that is damaged: keep it as it is, and restore a backup " +
  "into a fresh data directory";

/**
 * What was thrown while a data directory was opened, as a {@link StoreFault}
 * where it is the operator's to mend; anything else comes back as it is.
 */
export function explainOpening(root: string, thrown: unknown): unknown {
  const what = explanation(thrown);
  if (what === undefined) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new StoreFault(`${root} ${what} (${reason})`);
}

function explanation(thrown: unknown): string | undefined {
  if (thrown instanceof Deno.errors.PermissionDenied) return NOT_OURS;
  if (isDiskFull(thrown)) return FULL;
  if (thrown instanceof Deno.errors.IsADirectory) return IN_THE_WAY;
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  switch (thrown.code) {
    case "EROFS":
      return "lies on a file system that is mounted read-only: mount it for " +
        "writing";
    case "ENOTDIR":
    case "EEXIST":
      return IN_THE_WAY;
    case "ERR_SQLITE_ERROR":
      return databaseExplanation(thrown.message);
    default:
      return undefined;
  }
}

/** Opening and `exec` give SQLite's text alone, without its code. */
function databaseExplanation(message: string): string | undefined {
  if (/not a database|malformed/.test(message)) return DAMAGED;
  if (/^no such (table|column)|already exists|duplicate/.test(message)) {
    return INCOMPLETE;
  }
  if (/disk is full|disk I\/O/.test(message)) return FULL;
  if (/unable to open|readonly|access permission/.test(message)) {
    return NOT_OURS;
  }
  return undefined;
}
