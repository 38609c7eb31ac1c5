/**
 * Explains to the operator why a data directory cannot be opened.
 *
 * @module
 */
import { RESTORE_BACKUP } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import { StoreFault } from "./database.ts";
import { type Failure, failureOf, sqliteCodeOf } from "./failure.ts";

const FULL =
  "is on a disk that is full or failing: free some space or fix the " +
  "disk, then start again";

/** No entry for "busy": opening waits for another program's lock. */
const EXPLANATIONS: Readonly<Record<Exclude<Failure, "busy">, string>> = {
  forbidden: "cannot be read and written by this user: run the server as its " +
    "owner, or give it to the server's user (chown -R)",
  full: FULL,
  io: FULL,
  read_only: "is on a file system that is mounted read-only: mount it for " +
    "writing",
  in_the_way: "cannot be created, because something else has a name that it " +
    "needs: remove that, or choose another directory with " +
    "STRONGROOM_DATA_DIR",
  incomplete:
    "contains a database that does not match its schema: keep it as it " +
    `is, and ${RESTORE_BACKUP}`,
  damaged: "contains a damaged database: keep it as it is, and " +
    RESTORE_BACKUP,
};

/**
 * Turns an error of opening a data directory into a {@link StoreFault} if the
 * operator can mend its cause; returns any other error unchanged.
 */
export function explainOpening(root: string, thrown: unknown): unknown {
  const failure = failureOf(thrown);
  if (failure === undefined || failure === "busy") return thrown;
  // SQLite calls another user's file read-only.
  const isTheirs = failure === "read_only" &&
    sqliteCodeOf(thrown) !== undefined;
  const explanation = EXPLANATIONS[isTheirs ? "forbidden" : failure];
  return new StoreFault(`${root} ${explanation} (${reasonOf(thrown)})`);
}
