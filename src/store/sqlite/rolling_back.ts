/**
 * Going back to the database from before an upgrade, in place: which copy that
 * is, and putting it where the newer database lies, which is kept.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { bytesInWords } from "../../core/sizes.ts";
import { linkOrCopy, syncFile } from "../files/copies.ts";
import { copyBefore, type Db, refuseForeign, userVersion } from "./database.ts";
import { StoreFault } from "../failure.ts";
import type { Files } from "../files/files.ts";
import { SCHEMA } from "./migrations.ts";
import { databasePath, keptPrefix } from "../data_paths.ts";
import { openForReading } from "./reading.ts";
import { kyselyOver } from "./sqlite.ts";

/** Name of the copy while it is prepared. */
const PREPARED = "rolling-back";
/** The files that SQLite keeps next to an open database. */
const BESIDE = ["-wal", "-shm"];
/** Where a database file has its `user_version`. */
const VERSION_AT = 60;

/** The copy that a migration made, of this program's schema. */
export interface CopyBefore {
  readonly path: string;
  /** When it was made (ms); undefined if the system does not say. */
  readonly madeAt: number | undefined;
  /** The schema of the database that lies there now. */
  readonly newerSchema: number;
}

/**
 * Finds the copy that has this program's schema. An upgrade over several
 * releases left several: each names the schema that came after it, so they are
 * followed back from the database that is in use. Refuses with a
 * {@link StoreFault}.
 */
export async function findCopyBefore(
  root: string,
  files: Files,
): Promise<CopyBefore> {
  const database = databasePath(root);
  const newerSchema = await versionOf(database, files) ?? 0;
  refuseUnlessNewer(root, newerSchema);
  for (let schema = newerSchema; schema > SCHEMA;) {
    const path = copyBefore(database, schema);
    // A copy has no log, and reading it through SQLite would make one.
    const before = await versionInHeader(path, files);
    if (before === SCHEMA) {
      const { modifiedAt } = await files.stat(path) ?? {};
      return { path, madeAt: modifiedAt ?? undefined, newerSchema };
    }
    if (before === undefined || before < SCHEMA || before >= schema) {
      throw new StoreFault(
        `the database has schema ${newerSchema}, and no copy of schema ` +
          `${SCHEMA} was left by the upgrade (${path} ` +
          (before === undefined ? "is not there" : `has schema ${before}`) +
          "): restore a backup, or run the newer program again",
      );
    }
    schema = before;
  }
  throw new Error("a schema that is newer and is not");
}

function refuseUnlessNewer(root: string, schema: number): void {
  if (schema > SCHEMA) return;
  throw new StoreFault(
    schema === 0
      ? `${databasePath(root)} is not there, or holds nothing: restore a backup`
      : schema < SCHEMA
      ? `the database has schema ${schema}, and was never brought to the ` +
        `${SCHEMA} of this program: run the program from before, which ` +
        "serves it as it is"
      : `the database has schema ${schema}, which is this program's: install ` +
        "the release from before the upgrade, and run `rollback` with that",
  );
}

/** The schema in a file; undefined if it is not there or no database. */
async function versionOf(
  path: string,
  files: Files,
): Promise<number | undefined> {
  if (await files.stat(path) === undefined) return undefined;
  try {
    // The log may have a later one than the file.
    const sqlite = openForReading(path);
    try {
      refuseForeign(sqlite, path);
      return userVersion(sqlite);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof StoreFault) throw error;
    // What is damaged often has its first page still.
    return await versionInHeader(path, files);
  }
}

async function versionInHeader(
  path: string,
  files: Files,
): Promise<number | undefined> {
  const file = await files.open(path, "read");
  if (file === undefined) return undefined;
  try {
    const header = new Uint8Array(VERSION_AT + 4);
    return await file.read(header) === header.length
      ? new DataView(header.buffer).getUint32(VERSION_AT)
      : undefined;
  } finally {
    file.close();
  }
}

/**
 * Opens the newer database for reading, whatever its schema is: what this
 * program asks for may not be there, and a query then throws.
 */
export function openNewer(root: string): Db {
  return kyselyOver(openForReading(databasePath(root)));
}

/**
 * Copies the copy once more, so that it stays what it is until the end, and
 * returns the path. Refuses too little room, and another user's directory.
 */
export async function prepareCopy(
  root: string,
  copy: CopyBefore,
  files: Files,
): Promise<string> {
  const database = databasePath(root);
  const to = `${database}.${PREPARED}`;
  await dropPrepared(root, files);
  const needs = (await files.stat(copy.path))?.size ?? 0;
  const free = await files.freeBytes(root);
  if (free < needs) {
    throw new StoreFault(
      `going back needs ${bytesInWords(needs)} in ${root}, and ` +
        `${bytesInWords(free)} are free: make room; nothing was changed`,
    );
  }
  await files.copy(copy.path, to);
  const [held, made] = [await files.stat(database), await files.stat(to)];
  if (held?.owner !== made?.owner) {
    await files.remove(to);
    throw new StoreFault(
      `${database} belongs to another user: run this as the server's user; ` +
        "nothing was changed",
    );
  }
  const sqlite = new DatabaseSync(to);
  try {
    const { quick_check: found } =
      sqlite.prepare("pragma quick_check(1)").get() ?? {};
    if (found === "ok") return to;
    throw new StoreFault(
      `${copy.path} is damaged (${found}): restore a backup; nothing was ` +
        "changed",
    );
  } finally {
    sqlite.close();
  }
}

/** Removes what {@link prepareCopy} made. */
export async function dropPrepared(root: string, files: Files): Promise<void> {
  const path = `${databasePath(root)}.${PREPARED}`;
  for (const name of [path, ...BESIDE.map((end) => `${path}${end}`)]) {
    await files.remove(name);
  }
}

/**
 * Puts the prepared copy in the database's place, and gives the newer one the
 * name that it is kept under, which is returned. At every point the database
 * is one of the two, and whole.
 */
export async function exchange(
  root: string,
  prepared: string,
  { newerSchema, now }: { readonly newerSchema: number; readonly now: string },
  files: Files,
): Promise<string> {
  const database = databasePath(root);
  const directory = database.slice(0, database.lastIndexOf("/"));
  const stamp = now.replaceAll(/[-:]|\.\d+/g, "");
  const aside = `${keptPrefix(root)}${newerSchema}-${stamp}`;
  await syncFile(files, prepared);
  emptyLog(database);
  await linkOrCopy(files, database, aside);
  // A log that could not be moved into the newer database belongs to it, and
  // would be taken for the other one's.
  for (const end of BESIDE) {
    if (await files.stat(`${database}${end}`) === undefined) continue;
    await files.rename(`${database}${end}`, `${aside}${end}`);
  }
  await files.syncDirectory(directory);
  await files.rename(prepared, database);
  await files.syncDirectory(directory);
  return aside;
}

/** Moves a database's log into it, where that can be done. */
function emptyLog(path: string): void {
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(path);
    sqlite.exec("pragma journal_mode = delete");
  } catch {
    // A damaged one keeps its log next to it.
  } finally {
    sqlite?.close();
  }
}
