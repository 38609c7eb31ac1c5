/**
 * What the system or the database would not do, for the operator.
 *
 * @module
 */
import { RESTORE_BACKUP } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import type { LogStyle } from "../server/log/logging.ts";
import { type Failure, failureOf, sqliteCodeOf } from "../store/failure.ts";
import { BlobsUnavailable, BucketNotHeld } from "../store/blobs/unavailable.ts";

/** The server could not start, or not go on. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
  constructor(
    override readonly cause: unknown,
    /** How its log looks, as far as its settings were read. */
    readonly style: LogStyle,
    readonly status: number,
  ) {
    super("the server ended");
  }
}

const NOT_YOURS = "run this as the server's user, on a writable file system";

/** How to fix it when the database says so. */
const MENDS: Readonly<Partial<Record<Failure, string>>> = {
  forbidden: NOT_YOURS,
  read_only: NOT_YOURS,
  busy: "another program is using it: run this again when that one has " +
    "ended",
  damaged: "it is damaged: `strongroom check` lists the problems; " +
    RESTORE_BACKUP,
  io: "check the disk, and run this again",
};

/**
 * One line for a failure of the system's: what, why, and what to do; undefined
 * for anything else, which is a fault of the program.
 */
export function failureInWords(thrown: unknown): string | undefined {
  if (thrown instanceof BucketNotHeld) return thrown.message;
  if (thrown instanceof BlobsUnavailable) {
    return `${thrown.message}: check the store and the network (strongroom ` +
      "doctor), then run this again";
  }
  const failure = failureOf(thrown);
  const reason = reasonOf(thrown).replaceAll(/\s+/g, " ");
  if (failure === "full") {
    return `the disk is full (${reason}): free some space and run this again`;
  }
  if (failure === "incomplete") {
    return `the database does not match its schema (${reason}): keep it as it ` +
      `is, and ${RESTORE_BACKUP}`;
  }
  if (isOfSqlite(thrown)) {
    const mend = failure && MENDS[failure];
    return mend && `the database refuses that (${reason}): ${mend}`;
  }
  if (failure === "forbidden") {
    return `${reason}: run this as the server's user, or as a user with ` +
      "permission";
  }
  return isOfSystem(thrown)
    ? `${reason}: fix that and run this again`
    : undefined;
}

function isOfSqlite(thrown: unknown): boolean {
  return sqliteCodeOf(thrown) !== undefined ||
    codeOf(thrown) === "ERR_SQLITE_ERROR";
}

function isOfSystem(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code);
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
