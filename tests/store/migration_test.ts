/**
 * A data directory of every earlier schema, opened by the program of today.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createClient } from "../../src/client/api.ts";
import { parseShareLink } from "../../src/client/share.ts";
import { platform } from "../../main.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import { openStore } from "../../src/store/store.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { openLink } from "../../scripts/demo/viewer.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { databaseOf, FILES, layOut, shapeOf } from "../support/schemas.ts";

/** The schemas of which a data directory is kept: those that were released. */
const RELEASED = Array.from(
  Deno.readDirSync(new URL("../schemas/", import.meta.url)),
)
  .flatMap(({ name }) => /^\d+$/.test(name) ? [Number(name)] : [])
  .filter((schema) => schema < MIGRATIONS.length)
  .toSorted((a, b) => a - b);

Deno.test("no released schema is left out", () => {
  assert(RELEASED.length >= 16);
  assert.deepEqual(RELEASED, RELEASED.map((_, index) => index + 1));
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

/** The shape of a database that the program has just made. */
async function shapeOfNew() {
  let shape: ReturnType<typeof shapeOf> | undefined;
  await withDataDir(async (dataDir) => {
    const server = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
    assert.equal(await server.stop(), 0);
    shape = shapeOf(databaseOf(dataDir));
  });
  return shape;
}

for (const schema of RELEASED) {
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

  Deno.test(`migrated from schema ${schema}, a database has the shape of a new one, and a copy lies beside it`, async () => {
    await withDataDir(async (dataDir) => {
      await layOut(schema, dataDir);
      const path = databaseOf(dataDir);
      const before = shapeOf(path);
      const server = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
      assert.equal(await server.stop(), 0);
      assert.equal(before.version, schema);
      assert.deepEqual(shapeOf(path), await shapeOfNew());
      assert.deepEqual(
        shapeOf(`${path}.before-${MIGRATIONS.length}`),
        before,
      );
    });
  });
}

for (const schema of [RELEASED.at(0), RELEASED.at(-1)]) {
  Deno.test(`a database of schema ${schema} is backed up as it is, before anything migrates it, and is restored`, async () => {
    assert(schema !== undefined);
    await withDataDir(async (folder) => {
      const data = `${folder}/data`;
      await Deno.mkdir(data);
      await layOut(schema, data);
      const before = shapeOf(databaseOf(data));
      const off = { STRONGROOM_BACKUP_PASSPHRASE: "a long passphrase" };
      for (const place of [`${folder}/backup`, `file://${folder}/off`]) {
        const run = (...args: string[]) =>
          runProgram([...args, "--json"], {
            STRONGROOM_DATA_DIR: data,
            ...off,
          });
        const made = await run("backup", place);
        assert.equal(made.status, 0, made.stderr);
        assert.deepEqual(shapeOf(databaseOf(data)), before);
        const verified = await run("backup", "verify", place);
        assert.equal(verified.status, 0, verified.stdout + verified.stderr);
        const restored = `${folder}/restored-${place.length}`;
        const again = await runProgram(
          ["restore", place, "--data-dir", restored],
          off,
        );
        assert.equal(again.status, 0, again.stderr);
        const checked = await runProgram(["check", "--deep"], {
          STRONGROOM_DATA_DIR: restored,
        });
        assert.equal(checked.status, 0, checked.stdout);
      }
    });
  });
}

Deno.test("a migration says beforehand what it does and how much room it needs, and refuses where there is less", async () => {
  await withDataDir(async (dataDir) => {
    await layOut(1, dataDir);
    const before = shapeOf(databaseOf(dataDir));
    const told: [string, Record<string, unknown>][] = [];
    const quiet = () => {};
    const log = {
      ...{ debug: quiet, warn: quiet, error: quiet },
      info: (message: string, properties: Record<string, unknown> = {}) => {
        told.push([message, properties]);
      },
    };
    const open = (free: number) =>
      openStore(dataDir, { ...platform, log }, {
        ...denoFiles,
        freeBytes: () => Promise.resolve(free),
      });
    await assert.rejects(
      open(1_000),
      /from schema 1 to \d+ needs .* and 1,000 bytes are free: make room/,
    );
    assert.deepEqual(shapeOf(databaseOf(dataDir)), before);
    assert.equal(told.length, 0);
    const store = await open(1e12);
    await store.close();
    const [begun, ended] = told;
    assert(begun !== undefined && ended !== undefined);
    const [first, { from, to, needs, free }] = begun;
    assert.match(first, /is brought to a newer schema: a copy of it is made/);
    assert.deepEqual([from, to, free], [1, MIGRATIONS.length, 1e12]);
    assert(typeof needs === "number" && needs > 0);
    assert.match(ended[0], /was brought to a newer schema/);
  });
});
