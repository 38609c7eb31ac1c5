/**
 * What the tables need before their first release (`deno task schema`), while
 * they still change without migrations:
 *
 *     adopt DIRECTORY       a development version's data directory is brought
 *                           to this program's tables; the old database stays
 *                           beside it (release.md#development-versions)
 *     keep                  the data directory under tests/schemas is brought
 *                           to them
 *     keep DIRECTORY LINK   that one is kept there instead, with the share link
 *                           that it has
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { isOurs, migrate, userVersion } from "../src/store/database.ts";
import { MIGRATIONS, SCHEMA } from "../src/store/migrations.ts";
import { databasePath } from "../src/store/data_paths.ts";
import { openSqlite } from "../src/store/sqlite.ts";
import { lockDirectory } from "../src/store/store.ts";

/** The last schema of the development versions that numbered them otherwise. */
export const LAST_DEVELOPMENT_SCHEMA = 22;

const KEPT = new URL(`../tests/schemas/${SCHEMA}/`, import.meta.url);

/** Tables of the database, those of SQLite's own aside. */
const TABLES = "select name from sqlite_schema where type = 'table' and " +
  "name not like 'sqlite_%'";

/**
 * Brings the database of a data directory to this program's tables. Returns
 * where the one of before lies.
 */
export async function adopt(root: string): Promise<string> {
  const lock = await lockDirectory(root);
  try {
    const path = databasePath(root);
    const [made, before] = [`${path}.adopting`, `${path}.before-adopting`];
    await Deno.remove(made).catch(ifThere);
    const from = openSqlite(path);
    try {
      refuseOthers(from);
      from.exec("pragma journal_mode = delete");
    } finally {
      from.close();
    }
    await carryOver(path, made);
    // At no moment is there no database: killed here, this can be run again.
    const second = `${before}.new`;
    await Deno.remove(second).catch(ifThere);
    await Deno.link(path, second);
    await Deno.rename(second, before);
    await Deno.rename(made, path);
    return before;
  } finally {
    lock.close();
  }
}

function refuseOthers(from: DatabaseSync): void {
  const [schema, ours] = [userVersion(from), isOurs(from)];
  if (schema === (ours ? SCHEMA : LAST_DEVELOPMENT_SCHEMA)) return;
  throw new Error(
    ours
      ? `the database has schema ${schema}: this is for schema ${SCHEMA}`
      : `the database has the development version's schema ${schema}: start ` +
        `the last of them on it once, which brings it to ` +
        `${LAST_DEVELOPMENT_SCHEMA} (release.md#development-versions)`,
  );
}

/** What a table was called in the development versions. */
const FORMERLY: Readonly<Record<string, string>> = {
  quarantined_blob: "aside_blob",
};

/**
 * Counts assets and blobs again, in SQL: for a database from before these
 * counters, and for rows that were written past the program.
 */
export const COUNT_LIBRARIES = `update usage set
  live_assets = (select count(*) from asset
    where owner_id = usage.user_id and state = 'live'),
  held_blobs = (select count(*) from holding
    where owner_id = usage.user_id),
  pending_blobs = (select count(*) from holding
    where owner_id = usage.user_id and applied = 0)`;

/** Makes a database of this program's tables with the rows of another. */
async function carryOver(from: string, to: string): Promise<void> {
  const sqlite = openSqlite(to);
  try {
    await migrate(sqlite, undefined, MIGRATIONS);
    sqlite.exec("pragma foreign_keys = off");
    sqlite.prepare("attach ? as old").run(from);
    sqlite.exec("begin");
    const old = namesIn(sqlite, TABLES.replace("sqlite_schema", "old.$&"));
    for (const table of namesIn(sqlite, TABLES)) {
      // Triggers count what comes.
      if (table === "blob_month") continue;
      const source = [table, FORMERLY[table]]
        .find((name) => name !== undefined && old.includes(name));
      if (source === undefined) continue;
      const there = columnsOf(sqlite, source, "old");
      const columns = columnsOf(sqlite, table, "main")
        .filter((name) => there.includes(name)).join(", ");
      sqlite.exec(
        `insert into ${table} (${columns}) ` +
          `select ${columns} from old.${source}`,
      );
    }
    sqlite.exec(COUNT_LIBRARIES);
    // Numbers that were given stay given.
    sqlite.exec(
      "delete from sqlite_sequence; insert into sqlite_sequence " +
        "select * from old.sqlite_sequence where name in " +
        `(${TABLES.replace("sqlite_schema", "main.$&")})`,
    );
    const dangling = sqlite.prepare("pragma foreign_key_check").all();
    if (dangling.length > 0) throw new Error(JSON.stringify(dangling));
    sqlite.exec("commit; detach old; pragma journal_mode = delete");
  } finally {
    sqlite.close();
  }
}

function namesIn(sqlite: DatabaseSync, query: string): string[] {
  return sqlite.prepare(query).all().map(({ name }) => String(name));
}

function columnsOf(
  sqlite: DatabaseSync,
  table: string,
  schema: "main" | "old",
): string[] {
  return namesIn(
    sqlite,
    `select name from pragma_table_info('${table}', '${schema}')`,
  );
}

/** A database as SQL: its tables with their rows, its indexes, its marks. */
export function writtenDown(path: string): string {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    const objects = sqlite.prepare(
      "select type, name, sql from sqlite_schema where sql is not null and " +
        "name not like 'sqlite_%'",
    ).all();
    const marks = ["application_id", "user_version"].map((name) =>
      `pragma ${name} = ${
        Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0]
      };`
    );
    return [
      ...objects.flatMap(({ type, name, sql }) => [
        `${sql};`,
        ...(type === "table" ? rowsOf(sqlite, String(name)) : []),
      ]),
      "delete from sqlite_sequence;",
      ...rowsOf(sqlite, "sqlite_sequence"),
      ...marks,
      "",
    ].join("\n");
  } finally {
    sqlite.close();
  }
}

function rowsOf(sqlite: DatabaseSync, table: string): string[] {
  const columns = columnsOf(sqlite, table, "main")
    .map((name) => `quote(${name})`);
  return sqlite.prepare(
    `select ${columns.join(` || ',' || `)} as row from ${table}`,
  ).all().map(({ row }) => `insert into ${table} values(${row});`);
}

async function keepThere(path: string): Promise<void> {
  await Deno.writeTextFile(new URL("database.sql", KEPT), writtenDown(path));
}

/** Brings what is kept to the tables of today. */
async function keepAnew(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const [from, to] = [`${folder}/from.sqlite`, `${folder}/to.sqlite`];
    const sqlite = new DatabaseSync(from);
    sqlite.exec("pragma foreign_keys = off");
    sqlite.exec(await Deno.readTextFile(new URL("database.sql", KEPT)));
    sqlite.close();
    await carryOver(from, to);
    await keepThere(to);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Keeps a data directory in the place of the one that is kept. */
async function keep(root: string, link: string): Promise<void> {
  for (const part of ["blobs", "keys"]) {
    await Deno.remove(new URL(part, KEPT), { recursive: true }).catch(ifThere);
    await copyAll(`${root}/${part}`, new URL(`${part}/`, KEPT));
  }
  await keepThere(databasePath(root));
  await Deno.writeTextFile(new URL("link.txt", KEPT), `${link}\n`);
}

async function copyAll(from: string, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyAll(`${from}/${name}`, new URL(`${name}/`, to));
    else await Deno.copyFile(`${from}/${name}`, new URL(name, to));
  }
}

function ifThere(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

if (import.meta.main) {
  const [command, root, link] = Deno.args;
  if (command === "adopt" && root !== undefined) {
    const before = await adopt(root);
    // deno-lint-ignore no-console
    console.log(`${root} has schema ${SCHEMA} now; before: ${before}`);
  } else if (command === "keep" && root === undefined) await keepAnew();
  else if (command === "keep" && root !== undefined && link !== undefined) {
    await keep(root, link);
  } else {
    throw new Error("schema adopt DIRECTORY | keep | keep DIRECTORY LINK");
  }
}
