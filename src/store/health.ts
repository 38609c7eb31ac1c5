/**
 * Judging a data directory without opening it for service: nothing here makes,
 * migrates or repairs anything, and a server may be running on it.
 *
 * @module
 */
import type { Fault } from "../core/operator.ts";
import { isOurs, userVersion } from "./sqlite/database.ts";
import { LEASE } from "./lease.ts";
import { KEY_PURPOSES } from "./keys.ts";
import { databasePath } from "./data_paths.ts";
import { openForReading } from "./sqlite/reading.ts";

/**
 * Name of the mark that lies in a data directory while it is made. It tells the
 * leftovers of an interrupted first start from the remains of a server.
 */
export const MAKING = "first-start-unfinished";

/**
 * Names that the server makes in a data directory, and one that a disk has by
 * itself.
 */
const OWN_NAMES = [
  ...[
    "backup.json",
    "blobs",
    "check.json",
    "db",
    "discovery.json",
    "forwarded.json",
    "keys",
    LEASE,
    `${LEASE}.new`,
    "lock",
    "log",
    "lost",
    "uploads",
  ],
  ...[MAKING, `${MAKING}.new`],
  "lost+found",
];

/** Directories that are empty until the first start is over. */
const PARTS = ["keys", "blobs", "uploads", "lost", "db"];

/** How many problems of a database are named. */
const PROBLEMS_MAX = 5;

export type DataDirectoryState =
  /** It does not exist, is empty, or was left before it was complete. */
  | { readonly kind: "fresh" }
  /** It has a database and its keys. */
  | { readonly kind: "ready" }
  /** It has a database and lacks a file of keys. */
  | { readonly kind: "broken"; readonly missing: string }
  /**
   * It has files that belong to a database, but no database or an empty one.
   */
  | {
    readonly kind: "headless";
    readonly found: string;
    readonly database: "not there" | "empty";
  }
  /** It holds something else. */
  | { readonly kind: "strange"; readonly name: string };

/** The state of a directory, judged by the names in it. */
export function dataDirectoryState(root: string): DataDirectoryState {
  if (isBeingMade(root)) return { kind: "fresh" };
  const databaseBytes = sizeOf(databasePath(root), -1);
  if (databaseBytes > 0) {
    const missing = KEY_PURPOSES.map((purpose) => `keys/${purpose}.json`)
      .find((name) => !exists(`${root}/${name}`));
    return missing === undefined
      ? { kind: "ready" }
      : { kind: "broken", missing };
  }
  for (const part of PARTS) {
    const [name] = namesIn(`${root}/${part}`, []);
    if (name === undefined) continue;
    const database = databaseBytes === 0 ? "empty" : "not there";
    return { kind: "headless", found: `${part}/${name}`, database };
  }
  const strange = namesIn(root, ["a file"])
    // Shells, desktops and runtimes leave hidden files anywhere.
    .find((name) => !OWN_NAMES.includes(name) && !name.startsWith("."));
  return strange === undefined
    ? { kind: "fresh" }
    : { kind: "strange", name: strange };
}

/**
 * Whether a server would be made there. Of a directory that cannot be read it
 * is not known: opening it says why.
 */
export function isFresh(root: string): boolean {
  try {
    return dataDirectoryState(root).kind === "fresh";
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/** Whether the mark is there and nothing was stored yet. */
function isBeingMade(root: string): boolean {
  return exists(`${root}/${MAKING}`) &&
    namesIn(`${root}/blobs`, []).length === 0;
}

/**
 * Why a data directory must not be used; undefined if it can be used or made.
 */
export function refusalOf(
  root: string,
  state: DataDirectoryState,
): Fault | undefined {
  switch (state.kind) {
    case "fresh":
    case "ready":
      return undefined;
    case "strange":
      return {
        what:
          `${root} contains ${state.name}, which is not a file of strongroom`,
        mend: "give a data directory, or an empty one for a new server, with " +
          "--data-dir or STRONGROOM_DATA_DIR",
      };
    case "broken":
      return {
        what:
          `${root}/${state.missing} is missing, but the database that was ` +
          "written with it is there",
        mend:
          "restore it from a backup; a new one would invalidate everything " +
          "that the old one signed",
      };
    case "headless":
      return {
        what: `${root} contains ${state.found} but no database ` +
          `(db/strongroom.sqlite is ${state.database}), so it was cleared, ` +
          "copied in part, or one of its disks is not mounted",
        mend:
          "mount it, or restore the database from the backup that the keys " +
          "and blobs are from; for a new server, use an empty directory",
      };
  }
}

/**
 * Whether a server holds the lock of a data directory. A shared lock is tried
 * for, and released at once.
 */
export function isServed(root: string): boolean {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(`${root}/lock`, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  try {
    return !file.tryLockSync(false);
  } finally {
    file.close();
  }
}

export interface DatabaseHealth {
  readonly schema: number;
  /** Whether the file has the mark of this program's databases. */
  readonly isOurs: boolean;
  /** The findings of SQLite's quick check; empty if all is well. */
  readonly problems: readonly string[];
  readonly bytes: number;
  /** Size of the write-ahead log, in bytes. */
  readonly walBytes: number;
}

/**
 * Reads a database file without changing it; throws SQLite's errors. Without
 * `readsAll` it makes no quick check, which reads the whole file.
 */
export function inspectDatabase(
  root: string,
  { readsAll = true }: { readonly readsAll?: boolean } = {},
): DatabaseHealth {
  const path = databasePath(root);
  const sqlite = openForReading(path);
  try {
    const schema = userVersion(sqlite);
    const problems = readsAll
      ? sqlite.prepare(`pragma quick_check(${PROBLEMS_MAX})`)
        .all().map((row) => String(row.quick_check))
      : [];
    return {
      schema,
      isOurs: schema === 0 || isOurs(sqlite),
      problems: problems.filter((problem) => problem !== "ok"),
      bytes: sizeOf(path),
      walBytes: sizeOf(`${path}-wal`),
    };
  } finally {
    sqlite.close();
  }
}

function namesIn(path: string, ifFile: string[]): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) return ifFile;
    throw error;
  }
}

function exists(path: string): boolean {
  return sizeOf(path, -1) >= 0;
}

function sizeOf(path: string, otherwise = 0): number {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (
      error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory
    ) return otherwise;
    throw error;
  }
}
