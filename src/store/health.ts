/**
 * What can be said of a data directory without opening it for good: nothing
 * here makes, migrates or mends anything, and a server may be running on it.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { KEY_PURPOSES } from "./keys.ts";
import { MIGRATIONS } from "./migrations.ts";
import { databasePath } from "./places.ts";

/** The schema that this program has. */
export const KNOWN_SCHEMA = MIGRATIONS.length;

/** What the server makes in a data directory, and what a disk has by itself. */
const OWN_NAMES = [
  ...["blobs", "db", "forwarded.json", "keys", "lock", "uploads"],
  "lost+found",
];

/** Waits this long for another process's write (ms). */
const BUSY_TIMEOUT_MS = 10_000;
/** Problems of a database that are named. */
const PROBLEMS_MAX = 5;

export type DataDirectoryState =
  /** Not there, empty, or given up before it had a database. */
  | { readonly kind: "fresh" }
  /** It has a database and its keys. */
  | { readonly kind: "ready" }
  /** It has a database and lacks a file of keys. */
  | { readonly kind: "broken"; readonly missing: string }
  /** It holds something else. */
  | { readonly kind: "strange"; readonly name: string };

/** What a directory is, judged by the names in it. */
export function dataDirectoryState(root: string): DataDirectoryState {
  if (exists(databasePath(root))) {
    const missing = KEY_PURPOSES.map((purpose) => `keys/${purpose}.json`)
      .find((name) => !exists(`${root}/${name}`));
    return missing === undefined
      ? { kind: "ready" }
      : { kind: "broken", missing };
  }
  const strange = namesIn(root).find((name) => !OWN_NAMES.includes(name));
  return strange === undefined
    ? { kind: "fresh" }
    : { kind: "strange", name: strange };
}

/**
 * Whether a server holds the lock of a data directory. The lock is asked for,
 * shared, and let go of at once.
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
  /** What SQLite's quick check says; empty where all is well. */
  readonly problems: readonly string[];
  readonly bytes: number;
  /** Of the write-ahead log. */
  readonly walBytes: number;
}

/** Reads a database file without changing it; throws what SQLite says. */
export function inspectDatabase(root: string): DatabaseHealth {
  const path = databasePath(root);
  const sqlite = new DatabaseSync(path, {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    const version = sqlite.prepare("pragma user_version").get();
    const problems = sqlite.prepare(`pragma quick_check(${PROBLEMS_MAX})`)
      .all().map((row) => String(row.quick_check));
    return {
      schema: Number(version?.user_version),
      problems: problems.filter((problem) => problem !== "ok"),
      bytes: sizeOf(path),
      walBytes: sizeOf(`${path}-wal`),
    };
  } finally {
    sqlite.close();
  }
}

function namesIn(root: string): string[] {
  try {
    return [...Deno.readDirSync(root)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) return ["a file"];
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
