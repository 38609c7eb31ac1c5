/**
 * Files that the database does not know: quarantined, put back, removed a week
 * later, and left alone where they are too many (upkeep/gc.md).
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  registerWriter,
} from "../support/people.ts";
import { failingFiles } from "../support/failing_files.ts";
import { withFaultlessApp } from "../support/api.ts";
import { blobPath, collect, DAY, filesIn } from "../support/trash.ts";

const TODAY = "2026-11-21";

async function plant(app: TestApp, names: number): Promise<string[]> {
  const planted: string[] = [];
  for (let n = 0; n < names; n++) {
    const bytes = ciphertext(`stray ${n}`, 100);
    const path = blobPath(app, bytes);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), {
      recursive: true,
    });
    await Deno.writeFile(path, bytes);
    planted.push(hashOf(bytes));
  }
  return planted;
}

const complaints = ({ logged }: TestApp) =>
  logged.filter(({ level }) => level === "error")
    .map(({ message }) => message);

Deno.test("a file that the database does not know is quarantined, and removed a week later", async () => {
  await withFaultlessApp(async (app) => {
    const [stray = ""] = await plant(app, 1);
    const quarantined = `${app.dataDir}/lost/${TODAY}/${stray}`;
    const { strayFiles } = await collect(app);
    assert.deepEqual(strayFiles, { count: 1, bytes: 100 });
    assert.deepEqual(await filesIn(app, "blobs"), new Map());
    assert.equal((await Deno.stat(quarantined)).size, 100);

    app.clock.advance(7 * DAY);
    assert.equal((await collect(app)).lostFiles.count, 0);
    assert.equal((await Deno.stat(quarantined)).size, 100);
    app.clock.advance(DAY);
    assert.equal((await collect(app)).lostFiles.count, 1);
    await assert.rejects(Deno.stat(`${app.dataDir}/lost/${TODAY}`));
  }, { blobs: "directory" });
});

Deno.test("as long as a newer database is kept after a rollback, what only that one may know is not removed", async () => {
  await withFaultlessApp(async (app) => {
    const [stray = ""] = await plant(app, 1);
    const kept = `${app.dataDir}/db/strongroom.sqlite.rolled-back-99-now`;
    await Deno.mkdir(`${app.dataDir}/db`, { recursive: true });
    await Deno.writeFile(kept, new Uint8Array(1));
    await collect(app);
    app.clock.advance(30 * DAY);
    assert.equal((await collect(app)).lostFiles.count, 0);
    const path = `${app.dataDir}/lost/${TODAY}/${stray}`;
    assert.equal((await Deno.stat(path)).size, 100);
    await Deno.remove(kept);
    assert.equal((await collect(app)).lostFiles.count, 1);
  }, { blobs: "directory" });
});

Deno.test("of a database that knows none of its blobs nothing is quarantined, and that is an error", async () => {
  await withTestApp(async (app) => {
    await registerWriter(app, "ada");
    const strays = await plant(app, 11);
    const { strayFiles, suspicious } = await collect(app);
    assert.equal(strayFiles.count, 0);
    assert(suspicious > 10);
    assert.match(complaints(app).join(), /collection has stopped/);
    assert.deepEqual(
      [...(await filesIn(app, "blobs")).keys()].toSorted(),
      strays.toSorted(),
    );
    assert.equal(
      (await collect(app, { manyStrays: true })).strayFiles.count,
      strays.length,
    );
  });
});

Deno.test("what the right database knows again is put back where it was", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await createAsset(app, ada, "photo");
    const stored = await filesIn(app, "blobs");
    const sqlite = new DatabaseSync(`${app.dataDir}/db/strongroom.sqlite`, {
      enableForeignKeyConstraints: false,
    });
    const tables = ["blob", "holding", "upload"];
    for (const table of tables) {
      sqlite.exec(`create table kept_${table} as select * from ${table}`);
      sqlite.exec(`delete from ${table}`);
    }
    const { strayFiles } = await collect(app);
    assert.equal(strayFiles.count, stored.size);
    assert.deepEqual(await filesIn(app, "blobs"), new Map());
    for (const table of tables) {
      sqlite.exec(`insert into ${table} select * from kept_${table}`);
      sqlite.exec(`drop table kept_${table}`);
    }
    sqlite.close();
    app.clock.advance(9 * DAY);
    assert.equal((await collect(app)).putBack.count, strayFiles.count);
    assert.deepEqual(await filesIn(app, "blobs"), stored);
  }, { blobs: "directory" });
});

Deno.test("a stray that cannot be quarantined stays, and the next collection quarantines it", async () => {
  const files = failingFiles();
  await withTestApp(
    async (app) => {
      const failing = new Set(["makeDirectory", "rename"]);
      for (let n = 0; failing.size > 0; n++) {
        const [stray = ""] = await plant(app, 1);
        files.failAt(n + 1);
        const outcome = await collect(app).catch((cause) => String(cause));
        assert(files.failed(), "each operation is reached");
        const operation = files.seen()[n] ?? "";
        if (failing.delete(operation)) {
          assert(typeof outcome !== "string" && outcome.failed === 1);
          assert((await filesIn(app, "blobs")).has(stray));
        }
        files.failAt(Infinity);
        await collect(app);
        assert(!(await filesIn(app, "blobs")).has(stray));
        assert(
          (await Deno.stat(`${app.dataDir}/lost/${TODAY}/${stray}`)).isFile,
        );
      }
    },
    { files },
  );
});
