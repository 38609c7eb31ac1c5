/**
 * A data directory, opened again; and how a database is brought to the schema
 * of the next release.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "../../src/client/api/api.ts";
import { parseShareLink } from "../../src/client/documents/share.ts";
import { platform } from "../../main.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openStore } from "../../src/store/store.ts";
import { migrate } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS, SCHEMA } from "../../src/store/sqlite/migrations.ts";
import { openLink } from "../../scripts/demo/viewer.ts";
import { expectRefused } from "../support/ended.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import {
  contentOf,
  databaseOf,
  FILES,
  layOut,
  shapeOf,
} from "../support/data_directory.ts";
import { toSchemaOne } from "../support/schema_one.ts";

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

Deno.test("a data directory that was stopped is served again, its share link opens as it did, and it is found sound", async () => {
  await withDataDir(async (dataDir) => {
    const link = await layOut(dataDir);
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: new URL(link).origin,
    });
    const shown = await filesBehind(link, server.url);
    assert.equal(await server.stop(), 0, await server.complaint());
    assert.deepEqual(shown, FILES);
    const checked = await runProgram(["check", "--deep"], {
      STRONGROOM_DATA_DIR: dataDir,
    });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  });
});

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

Deno.test("the next release migrates a database, keeps its rows, and leaves a copy of the old one next to it", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(dataDir);
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
    await layOut(dataDir);
    const before = shapeOf(databaseOf(dataDir));
    const refused = openNext(dataDir, 1_000);
    await assert.rejects(
      refused.store,
      new RegExp(
        `from schema ${SCHEMA} to ${SCHEMA + 1} needs .* and 1,000 bytes are ` +
          "free: make room",
      ),
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
    await layOut(dataDir);
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

Deno.test("a migration that fails after the blobs were counted otherwise leaves a database of schema 1", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(dataDir);
    const path = databaseOf(dataDir);
    const newest = shapeOf(path);
    await toSchemaOne(path);
    const before = contentOf(path);
    assert.equal(before.version, 1);
    const { store, told } = openNext(dataDir, 1e12, [
      ...MIGRATIONS,
      "insert into of_no_release values (1)",
    ]);
    await assert.rejects(store, /no such table: of_no_release/);
    assert.deepEqual(
      told.flatMap(([, { step, steps }]) => step ? [[step, steps]] : []),
      [[1, 2], [2, 2]],
    );
    assert.deepEqual(contentOf(path), before);
    const { store: again } = openNext(dataDir, 1e12, [...MIGRATIONS]);
    await (await again).close();
    assert.deepEqual(shapeOf(path), newest);
  });
});

Deno.test("a database without the mark of strongroom is refused by the server and every command, and left as it is", async () => {
  await withDataDir(async (outside) => {
    const dataDir = `${outside}/data`;
    await layOut(dataDir);
    const sqlite = new DatabaseSync(databaseOf(dataDir));
    sqlite.exec("pragma application_id = 0");
    sqlite.close();
    const before = contentOf(databaseOf(dataDir));
    const settings = { STRONGROOM_DATA_DIR: dataDir };
    const server = await serveHere(settings);
    assert.equal(await server.exited, 1);
    const why = /was not made by strongroom: put its own database back/;
    assert.match(await server.complaint(), why);
    const commands = ["check", "account list", `backup ${outside}/backup`];
    for (const command of [...commands, "rollback --yes"]) {
      expectRefused(await runProgram(command.split(" "), settings), why);
    }
    assert.deepEqual(contentOf(databaseOf(dataDir)), before);
  });
});

Deno.test("a database of this schema that lacks something of it is refused by the server and every command, and left as it is; one that has more is not", async () => {
  for (
    const [change, missing] of [
      ["alter table usage drop column quota_bytes", "column usage.quota_bytes"],
      ["drop trigger blob_stored", "trigger blob_stored"],
      ["drop index asset_held", "index asset_held"],
      ["drop table log_cosignature", "table log_cosignature, .*, \\d in all"],
    ] as const
  ) {
    await withDataDir(async (outside) => {
      const dataDir = `${outside}/data`;
      await layOut(dataDir);
      const backup = `${outside}/backup`;
      const settings = { STRONGROOM_DATA_DIR: dataDir };
      const sqlite = new DatabaseSync(databaseOf(dataDir));
      sqlite.exec(change);
      sqlite.close();
      const before = contentOf(databaseOf(dataDir));
      const server = await serveHere(settings);
      assert.equal(await server.exited, 1);
      const why = new RegExp(
        `match its schema ${SCHEMA}, it lacks ${missing}: .*restore a backup`,
      );
      assert.match(await server.complaint(), why);
      for (const command of ["check", "account list", `backup ${backup}`]) {
        expectRefused(await runProgram(command.split(" "), settings), why);
      }
      assert.deepEqual(contentOf(databaseOf(dataDir)), before);
    });
  }
  await withDataDir(async (outside) => {
    const dataDir = `${outside}/data`;
    await layOut(dataDir);
    const own = new DatabaseSync(databaseOf(dataDir));
    own.exec("create index of_the_operator on asset (created_at)");
    own.close();
    const checked = await runProgram(["check", "--deep"], {
      STRONGROOM_DATA_DIR: dataDir,
    });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  });
});

Deno.test("counters that counted a blob in two assets twice are right once the database is brought to this schema", async () => {
  await withDataDir(async (dataDir) => {
    const sqlite = new DatabaseSync(`${dataDir}/a.sqlite`);
    await migrate(sqlite, undefined, MIGRATIONS.slice(0, 1));
    const rows = (
      name: string,
      columns: Record<string, string | number | Uint8Array>,
    ) =>
      sqlite.prepare(
        `insert into ${name} (${Object.keys(columns).join(", ")})
          values (${Object.keys(columns).map(() => "?").join(", ")})`,
      ).run(...Object.values(columns));
    sqlite.exec("pragma foreign_keys = off");
    const asset = (id: string, state: string) =>
      rows("asset", {
        asset_id: id,
        owner_id: "ada",
        state,
        chain_head: "",
        sync_seq: 1,
        created_at: 0,
        updated_at: 0,
      });
    const holding = (id: string, hash: string, size: number) =>
      rows("holding", {
        owner_id: "ada",
        asset_id: id,
        role: "original",
        hash,
        size,
        upload_id: "",
        finalized_at: 0,
        receipt_seq: 1,
        applied: 1,
      });
    rows("usage", {
      user_id: "ada",
      used_bytes: 1_210,
      trash_bytes: 1_100,
      held_blobs: 5,
      quota_bytes: 7,
    });
    asset("one", "live");
    asset("two", "live");
    asset("old", "deleted");
    holding("one", "photo", 1_000);
    holding("two", "photo", 1_000);
    holding("old", "photo", 1_000);
    holding("old", "thumbnail", 100);
    holding("one", "other", 10);
    rows("state_slot", {
      user_id: "ada",
      slot: "library",
      body_hash: "",
      size: 200,
      body: new Uint8Array(),
    });
    await migrate(sqlite, undefined, MIGRATIONS);
    const { used_bytes, trash_bytes, held_blobs, quota_bytes } = sqlite
      .prepare("select * from usage").get() ?? {};
    assert.deepEqual(
      [used_bytes, trash_bytes, held_blobs, quota_bytes],
      [1_210, 100, 3, 7],
    );
    // Each of them is marked, for what comes next.
    assert.deepEqual(
      sqlite.prepare("select asset_id, hash, in_use from holding").all()
        .map((row) => Object.values(row).join(" ")).toSorted(),
      ["old photo 0", "old thumbnail 0", "one other 1", "one photo 1"]
        .concat("two photo 1"),
    );
    sqlite.exec("update asset set state = 'deleted'");
    const after = sqlite.prepare("select * from usage").get() ?? {};
    assert.deepEqual([after.used_bytes, after.trash_bytes], [200, 1_110]);
    sqlite.close();
  });
});
