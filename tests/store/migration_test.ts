/**
 * The data directory of every schema, opened by the program of today; and how
 * a database is brought from one to the next.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "../../src/client/api.ts";
import { parseShareLink } from "../../src/client/share.ts";
import { platform } from "../../main.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import { openStore } from "../../src/store/store.ts";
import { migrate } from "../../src/store/database.ts";
import { MIGRATIONS, SCHEMA } from "../../src/store/migrations.ts";
import {
  adopt,
  LAST_DEVELOPMENT_SCHEMA,
  writtenDown,
} from "../../scripts/schema.ts";
import { openLink } from "../../scripts/demo/viewer.ts";
import { expectRefused } from "../support/ended.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { databaseOf, FILES, layOut, shapeOf } from "../support/schemas.ts";

/** The schemas of which a data directory is kept: all there are. */
const KEPT = Array.from(
  Deno.readDirSync(new URL("../schemas/", import.meta.url)),
)
  .flatMap(({ name }) => /^\d+$/.test(name) ? [Number(name)] : [])
  .toSorted((a, b) => a - b);

Deno.test("a data directory of every schema is kept", () => {
  assert.deepEqual(KEPT, MIGRATIONS.map((_, index) => index + 1));
});

/** Every file that a link shows, by its name. */
async function filesBehind(
  link: string,
  origin: string,
): Promise<Map<string, Uint8Array>> {
  const parsed = parseShareLink(link);
  assert.ok(parsed);
  const client = createClient({ baseUrl: origin, fetch });
  const viewer = await openLink(client, parsed);
  const files = new Map<string, Uint8Array>();
  for (const { name, hash, key, chunk_size } of viewer.index.items) {
    const pieces = viewer.read(hash, { fileKey: key, chunkSize: chunk_size });
    const blob = new Blob(await Array.fromAsync(pieces, bytesOf));
    files.set(name, await blob.bytes());
  }
  return files;
}

function bytesOf(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(piece);
}

/** The shape that a list of migrations makes. */
async function shapeMadeBy(migrations: readonly string[]) {
  let shape: ReturnType<typeof shapeOf> | undefined;
  await withDataDir(async (dir) => {
    const sqlite = new DatabaseSync(`${dir}/a.sqlite`);
    await migrate(sqlite, undefined, migrations);
    sqlite.close();
    shape = shapeOf(`${dir}/a.sqlite`);
  });
  return shape;
}

for (const schema of KEPT) {
  Deno.test(`a data directory of schema ${schema} is served, its share link opens as it did, and it is found sound`, async () => {
    await withDataDir(async (dataDir) => {
      const link = await layOut(schema, dataDir);
      const server = await serveHere({
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_BASE_URL: new URL(link).origin,
      });
      const shown = await filesBehind(link, server.url);
      assert.equal(await server.stop(), 0, await server.complaint());

      const kept = await Array.fromAsync(
        Deno.readDir(FILES),
        ({ name }) => name,
      );
      assert.deepEqual([...shown.keys()].toSorted(), kept.toSorted());
      for (const [name, bytes] of shown) {
        const file = await Deno.readFile(new URL(name, FILES));
        assert.deepEqual(bytes, file, name);
      }
      const checked = await runProgram(["check", "--deep"], {
        STRONGROOM_DATA_DIR: dataDir,
      });
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    });
  });

  Deno.test(`the tables of schema ${schema} are those of the directory that is kept`, async () => {
    await withDataDir(async (dataDir) => {
      await layOut(schema, dataDir);
      assert.deepEqual(
        shapeOf(databaseOf(dataDir)),
        await shapeMadeBy(MIGRATIONS.slice(0, schema)),
        "before the first release: `deno task schema keep`; since, a " +
          "released schema never changes",
      );
    });
  });
}

/** What the next release might do. */
const NEXT = [
  ...MIGRATIONS,
  `create table of_the_next_release (number integer) strict;
   insert into of_the_next_release select count(*) from asset;`,
];

/** Opens a store as the next release would, and takes down what it logs. */
function openNext(dataDir: string, free: number, migrations = NEXT) {
  const told: [string, Record<string, unknown>][] = [];
  const quiet = () => {};
  const log = {
    ...{ debug: quiet, warn: quiet, error: quiet },
    info: (message: string, properties: Record<string, unknown> = {}) => {
      told.push([message, properties]);
    },
  };
  const files = { ...denoFiles, freeBytes: () => Promise.resolve(free) };
  const store = openStore(dataDir, { ...platform, log }, files, {
    migrations,
  });
  return { store, told };
}

Deno.test("the next release brings a database to its schema, keeps its rows, and leaves a copy of it as it was beside it", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(SCHEMA, dataDir);
    const path = databaseOf(dataDir);
    const before = shapeOf(path);
    const { store, told } = openNext(dataDir, 1e12);
    await (await store).close();
    assert.deepEqual(shapeOf(path), await shapeMadeBy(NEXT));
    const copy = `${path}.before-${SCHEMA + 1}`;
    assert.deepEqual(shapeOf(copy), before);
    const sqlite = new DatabaseSync(path);
    assert.equal(
      sqlite.prepare("select number from of_the_next_release").get()?.number,
      3,
    );
    sqlite.close();
    const [message, told_of] = told.at(-1) ?? [];
    assert.match(message ?? "", /was brought to a newer schema/);
    assert.match(message ?? "", /going back to the program of before/);
    assert.deepEqual(told_of, { from: SCHEMA, to: SCHEMA + 1, copy });
  });
});

Deno.test("a migration says beforehand what it does and how much room it needs, and refuses where there is less", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(SCHEMA, dataDir);
    const before = shapeOf(databaseOf(dataDir));
    const refused = openNext(dataDir, 1_000);
    await assert.rejects(
      refused.store,
      /from schema 1 to 2 needs .* and 1,000 bytes are free: make room/,
    );
    assert.deepEqual(shapeOf(databaseOf(dataDir)), before);
    assert.equal(refused.told.length, 0);
    const { store, told } = openNext(dataDir, 1e12);
    await (await store).close();
    const [begun] = told;
    assert(begun !== undefined);
    const [first, { from, to, needs, free }] = begun;
    assert.match(first, /is brought to a newer schema: a copy of it is made/);
    assert.deepEqual([from, to, free], [SCHEMA, SCHEMA + 1, 1e12]);
    assert.deepEqual(
      told.filter(([message]) => message === "changing the database")
        .map(([, { step, steps }]) => [step, steps]),
      [[1, 1]],
    );
    assert(typeof needs === "number" && needs > 0);
  });
});

Deno.test("a migration that fails in its second change has changed nothing, and says why", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(SCHEMA, dataDir);
    const before = shapeOf(databaseOf(dataDir));
    const { store, told } = openNext(dataDir, 1e12, [
      ...NEXT,
      "insert into of_no_release values (1)",
    ]);
    await assert.rejects(store, /no such table: of_no_release/);
    assert.deepEqual(
      told.flatMap(([, { step, steps }]) => step ? [[step, steps]] : []),
      [[1, 2], [2, 2]],
    );
    assert.deepEqual(shapeOf(databaseOf(dataDir)), before);
    const { store: again } = openNext(dataDir, 1e12);
    await (await again).close();
    assert.deepEqual(shapeOf(databaseOf(dataDir)), await shapeMadeBy(NEXT));
  });
});

/** Makes a database one of the last development versions'. */
function asInDevelopment(
  dataDir: string,
  schema = LAST_DEVELOPMENT_SCHEMA,
): void {
  const sqlite = new DatabaseSync(databaseOf(dataDir));
  sqlite.exec("pragma application_id = 0");
  sqlite.exec(`pragma user_version = ${schema}`);
  sqlite.close();
}

for (const schema of [1, LAST_DEVELOPMENT_SCHEMA]) {
  Deno.test(`a development version's database of its schema ${schema} is refused by the server and every command, and left as it is`, async () => {
    await withDataDir(async (outside) => {
      const dataDir = `${outside}/data`;
      await Deno.mkdir(dataDir);
      await layOut(SCHEMA, dataDir);
      asInDevelopment(dataDir, schema);
      const before = writtenDown(databaseOf(dataDir));
      const settings = { STRONGROOM_DATA_DIR: dataDir };
      const server = await serveHere(settings);
      assert.equal(await server.exited, 1);
      const why = new RegExp(
        `development version \\(its schema ${schema}\\).* in release\\.md says`,
      );
      assert.match(await server.complaint(), why);
      const commands = ["check", "account list", `backup ${outside}/backup`];
      for (const command of [...commands, "rollback --yes"]) {
        expectRefused(await runProgram(command.split(" "), settings), why);
      }
      assert.equal(writtenDown(databaseOf(dataDir)), before);
    });
  });
}

Deno.test("a database of this schema that lacks something of it is refused by the server and every command, and left as it is", async () => {
  for (
    const [change, missing] of [
      ["alter table usage drop column held_blobs", "column usage.held_blobs"],
      ["drop trigger blob_stored", "trigger blob_stored"],
      ["drop index asset_held", "index asset_held"],
      ["drop table log_cosignature", "table log_cosignature, .*, \\d in all"],
    ] as const
  ) {
    await withDataDir(async (outside) => {
      const dataDir = `${outside}/data`;
      await Deno.mkdir(dataDir);
      await layOut(SCHEMA, dataDir);
      const backup = `${outside}/backup`;
      const settings = { STRONGROOM_DATA_DIR: dataDir };
      const sqlite = new DatabaseSync(databaseOf(dataDir));
      sqlite.exec(change);
      sqlite.close();
      const before = writtenDown(databaseOf(dataDir));
      const server = await serveHere(settings);
      assert.equal(await server.exited, 1);
      const why = new RegExp(
        `match its schema ${SCHEMA}, it lacks ${missing}: if a development ` +
          "version made it, .* in release\\.md says; .*restore a backup",
      );
      assert.match(await server.complaint(), why);
      for (const command of ["check", "account list", `backup ${backup}`]) {
        expectRefused(await runProgram(command.split(" "), settings), why);
      }
      assert.equal(writtenDown(databaseOf(dataDir)), before);
      // What somebody added is no reason.
      await adopt(dataDir);
      const own = new DatabaseSync(databaseOf(dataDir));
      own.exec("create index of_the_operator on asset (created_at)");
      own.close();
      const checked = await runProgram(["check", "--deep"], settings);
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    });
  }
});

Deno.test("a development version's data directory is taken over: it is served, its link opens, and the old database stays", async () => {
  await withDataDir(async (dataDir) => {
    const link = await layOut(SCHEMA, dataDir);
    asInDevelopment(dataDir);
    const path = databaseOf(dataDir);
    const old = new DatabaseSync(path);
    // What came to the tables since, what went, and what has another name.
    old.exec("alter table quarantined_blob rename to aside_blob");
    old.exec("insert into aside_blob values ('abc', '2026-11-01')");
    old.exec("drop table log_cosignature; drop index asset_by_owner");
    old.exec("alter table account drop column password_reset_at");
    old.exec("create table gone (number integer) strict");
    // What is counted since: the check below counts it again.
    old.exec("drop trigger blob_stored; drop trigger blob_dropped");
    old.exec("drop table blob_month");
    for (const what of ["pending", "applied", "dropped"]) {
      old.exec(`drop trigger holding_${what}`);
    }
    for (const counter of ["live_assets", "held_blobs", "pending_blobs"]) {
      old.exec(`alter table usage drop column ${counter}`);
    }
    old.close();
    const before = shapeOf(path);
    // Killed before the last step, it has changed nothing, and is run again.
    const { rename } = Deno;
    try {
      Deno.rename = (from, to) =>
        to === path ? Promise.reject(new Error("killed")) : rename(from, to);
      await assert.rejects(adopt(dataDir), /killed/);
    } finally {
      Deno.rename = rename;
    }
    assert.deepEqual(shapeOf(path), before);
    assert.deepEqual(shapeOf(await adopt(dataDir)), before);
    assert.deepEqual(shapeOf(path), await shapeMadeBy(MIGRATIONS));
    assert.match(writtenDown(path), /quarantined_blob values\('abc'/);
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: new URL(link).origin,
    });
    assert.equal((await filesBehind(link, server.url)).size, 2);
    assert.equal(await server.stop(), 0, await server.complaint());
    const checked = await runProgram(["check", "--deep"], {
      STRONGROOM_DATA_DIR: dataDir,
    });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    asInDevelopment(dataDir, LAST_DEVELOPMENT_SCHEMA - 1);
    await assert.rejects(adopt(dataDir), /start the last of them on it once/);
  });
});
