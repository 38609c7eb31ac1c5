/**
 * Data directories as today's program writes them, and what a database is made
 * of.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "../../src/client/api/api.ts";
import { openCustody } from "../../scripts/demo/custody.ts";
import { readFolder } from "../../scripts/demo/folder.ts";
import { becomeOwner, keepFile, shareAll } from "../../scripts/demo/owner.ts";
import { serveHere } from "./program.ts";

/** The plaintext of what {@link layOut} stores, by name. */
export const FILES: ReadonlyMap<string, Uint8Array<ArrayBuffer>> = new Map([
  ["note.txt", new TextEncoder().encode("A note.\n")],
  ["bytes.bin", new Uint8Array(100_000).map((_, i) => (i * i + 7 * i) % 251)],
]);

let made: { readonly place: string; readonly link: string } | undefined;

/**
 * Lays out the data directory of a server that stores {@link FILES}; returns
 * the share link that shows them. It is made once, and copied.
 */
export async function layOut(dataDir: string): Promise<string> {
  made ??= await make();
  await copyAll(`${made.place}/data`, dataDir);
  return made.link;
}

async function make(): Promise<{ place: string; link: string }> {
  const place = await Deno.makeTempDir({ prefix: "strongroom-laid-out-" });
  globalThis.addEventListener("unload", () => {
    Deno.removeSync(place, { recursive: true });
  });
  for (const name of ["data", "files", "staging"]) {
    await Deno.mkdir(`${place}/${name}`);
  }
  for (const [name, bytes] of FILES) {
    await Deno.writeFile(`${place}/files/${name}`, bytes);
  }
  const server = await serveHere({ STRONGROOM_DATA_DIR: `${place}/data` });
  const storing = {
    stagingDir: `${place}/staging`,
    custody: openCustody(),
    onProgress: () => {},
  };
  const owner = await becomeOwner(createClient({ baseUrl: server.url, fetch }));
  const items = [];
  for (const file of await readFolder(`${place}/files`)) {
    items.push((await keepFile(owner, file, storing)).item);
  }
  const index = { v: 1, n: 0, items } as const;
  const { link } = await shareAll(owner, server.url, index, storing);
  assert.equal(await server.stop(), 0, await server.complaint());
  return { place, link };
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
      ).all().map(({ name, sql }) => [name, sql]),
    };
  } finally {
    database.close();
  }
}

/** Every row of a database, and its marks. */
export function contentOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const { objects, version } = shapeOf(path);
    const tables = objects.flatMap(([name, sql]) =>
      String(sql).startsWith("create table") ? [String(name)] : []
    );
    return {
      version,
      mark: database.prepare("pragma application_id").get(),
      objects,
      rows: tables.map((name) =>
        database.prepare(`select * from "${name}"`).all()
      ),
    };
  } finally {
    database.close();
  }
}

async function copyAll(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, copy] = [`${from}/${name}`, `${to}/${name}`];
    if (isDirectory) await copyAll(source, copy);
    // Keeps the mode of the keys.
    else await Deno.copyFile(source, copy);
  }
}
