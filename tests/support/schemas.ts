/**
 * The data directories that earlier programs wrote, kept under
 * `tests/schemas`.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

const SCHEMAS = new URL("../schemas/", import.meta.url);

/** The plaintext of what each of them holds. */
export const FILES = new URL("files/", SCHEMAS);

/** Lays the data directory of a schema out; returns its share link. */
export async function layOut(
  schema: number,
  dataDir: string,
): Promise<string> {
  const kept = new URL(`${schema}/`, SCHEMAS);
  await Deno.mkdir(`${dataDir}/db`);
  const database = new DatabaseSync(databaseOf(dataDir));
  // Rows stand in the order of the tables, not of their references.
  database.exec("pragma foreign_keys = off; begin");
  database.exec(await Deno.readTextFile(new URL("database.sql", kept)));
  database.exec("commit");
  database.close();
  await copyAll(new URL("blobs/", kept), `${dataDir}/blobs`);
  await copyAll(new URL("keys/", kept), `${dataDir}/keys`);
  for await (const { name } of Deno.readDir(`${dataDir}/keys`)) {
    await Deno.chmod(`${dataDir}/keys/${name}`, 0o600);
  }
  return (await Deno.readTextFile(new URL("link.txt", kept))).trim();
}

/** The database file of a data directory. */
export function databaseOf(dataDir: string): string {
  return `${dataDir}/db/strongroom.sqlite`;
}

/** What a database is made of: its version and the text of each object. */
export function shapeOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      version: database.prepare("pragma user_version").get()?.user_version,
      objects: database.prepare(
        "select name, sql from sqlite_schema where sql is not null" +
          " and name not like 'sqlite_%' order by name",
      ).all().map(({ name, sql }) => [name, withoutComments(String(sql))]),
    };
  } finally {
    database.close();
  }
}

/** A comment that was mended since is no difference. */
function withoutComments(sql: string): string {
  return sql.replace(/--.*$/gm, "").replace(/\s+/g, " ");
}

async function copyAll(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyAll(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}
