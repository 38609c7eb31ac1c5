/**
 * Explains to the operator why a data directory cannot be opened.
 *
 * @module
 */
import { reasonOf } from "../core/reason.ts";
import { StoreFault } from "./database.ts";
import { type Failure, failureOf, sqliteCodeOf } from "./failure.ts";

const FULL =
  "lies on a disk that is full or fails: make room there or mend it, then start again";

/** No entry for "busy": opening waits for another program's lock. */
const EXPLANATIONS: Readonly<Record<Exclude<Failure, "busy">, string>> = {
  forbidden: "is not this user's to read and write: run the server as its " +
    "owner, or give it to the server's user (chown -R)",
  full: FULL,
  io: FULL,
  read_only: "lies on a file system that is mounted read-only: mount it for " +
    "writing",
  in_the_way: "cannot be laid out, for something else has the name that it " +
    "needs: take that away, or choose another directory with " +
    "STRONGROOM_DATA_DIR",
  incomplete: "holds a database that lacks what its schema says: keep it as " +
    "it is, and restore a backup into a fresh data directory",
  damaged: "holds a database that is damaged: keep it as it is, and restore " +
    "a backup into a fresh data directory",
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
