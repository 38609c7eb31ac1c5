/**
 * A check of what is large, failing or under way
 * (upkeep/check.md#is-everything-still-there).
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import type { CheckProgress } from "../../src/features/verification/check.ts";
import { attachDatabase } from "../../src/store/sqlite/database.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { withTestApp } from "../support/app.ts";
import { check, makeHistory, namesOf } from "../support/check.ts";
import type { Json } from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { damageBlob } from "../support/storage.ts";

Deno.test("a library of many pages is walked to its end, its findings counted beyond those that are kept", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const rows = 2_500;
    const { db } = app.app;
    for (let at = 0; at < rows; at += 500) {
      const some = Array.from({ length: 500 }, (_, n) => `many ${at + n}`);
      await db.insertInto("blob").values(
        some.map((name): Json => ({
          hash: hashOf(name),
          size: 1,
          stored_at: 0,
        })),
      ).execute();
      await db.insertInto("holding").values(
        some.map((name): Json => ({
          owner_id: ada.userId,
          asset_id: uuidOf(name),
          role: "original",
          hash: hashOf(name),
          size: 1,
          upload_id: "",
          finalized_at: 0,
          receipt_seq: 1,
        })),
      ).execute();
    }
    const { findings, summary } = await check(app, { maxFindings: 10 });
    assert.equal(findings.length, 10);
    assert.equal(summary.checked.holdings, rows);
    assert.equal(summary.checked.blobs, rows);
    assert.deepEqual(summary.kinds, {
      holding_without_receipt: rows,
      blob_missing: rows,
    });
    assert.equal(summary.found, 2 * rows);
    const all = await check(app);
    assert.equal(all.findings.length, summary.found);
    assert.equal(new Set(namesOf(all)).size, summary.found);
  });
});

Deno.test("progress tells each step up to its end", async () => {
  await withTestApp(async (app) => {
    await makeHistory(app);
    const told: CheckProgress[] = [];
    const { summary } = await check(app, {
      onProgress: (progress) => told.push(progress),
    });
    assert.deepEqual([...new Set(told.map(({ step }) => step))], [
      "database",
      "holdings",
      "assets",
      "usage",
      "receipts",
      "blobs",
      "files",
    ]);
    for (const [step, count] of Object.entries(summary.checked)) {
      const last = told.findLast((one) => one.step === step);
      assert.equal(last?.done ?? 0, count, step);
      if (step !== "files") assert.equal(last?.total ?? 0, count, step);
    }
  });
});

Deno.test("a disk that fails at any operation is a finding, never a failure", async () => {
  const files = failingFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { original } = await createAsset(app, ada, "photo");
    const { upload_id } = await createUpload(app, ada, ciphertext("open", 50));
    await putBytes(app, ada, upload_id, ciphertext("open", 50));
    let faults = 0;
    const kinds = new Set<string>();
    for (let n = 1;; n++) {
      files.failAt(n);
      const report = await check(app, { deep: true });
      if (!files.failed()) break;
      faults += 1;
      assert.equal(report.findings.length, 1, files.seen().join(" "));
      kinds.add(report.findings[0]?.kind ?? "");
      assert.match(report.findings[0]?.detail ?? "", /EIO/);
    }
    // Four blobs with four operations each, and the directories.
    assert(faults >= 4 * 4 + 2 + 4, `${faults}`);
    assert.deepEqual([...kinds].toSorted(), ["blob_unreadable", "unreadable"]);
    files.failAt(1e9);
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    assert.equal(original.length, 5_000);
  }, { files });
});

/** Zeroes the first page of a table or index in a copy of the database. */
async function damagedCopy(
  dataDir: string,
  name: string,
  test: (db: ReturnType<typeof attachDatabase>) => Promise<void>,
): Promise<void> {
  const copy = `${dataDir}/copy.sqlite`;
  const sqlite = openSqlite(`${dataDir}/db/strongroom.sqlite`);
  sqlite.exec(`vacuum into '${copy}'`);
  sqlite.close();
  const copied = openSqlite(copy);
  const page = Number(
    copied.prepare("select rootpage from sqlite_schema where name = ?")
      .get(name)?.rootpage,
  );
  const size = Number(copied.prepare("pragma page_size").get()?.page_size);
  copied.exec("pragma wal_checkpoint(truncate)");
  copied.close();
  const bytes = await Deno.readFile(copy);
  bytes.fill(0, (page - 1) * size, page * size);
  await Deno.writeFile(copy, bytes);
  const db = attachDatabase(copy);
  try {
    await test(db);
  } finally {
    await db.destroy();
  }
}

Deno.test("a damaged index is found by the database's own check, and the rest is checked", async () => {
  await withTestApp(async (app) => {
    await makeHistory(app);
    await damagedCopy(app.dataDir, "feed_by_account", async (db) => {
      const { findings, summary } = await check(app, {}, db);
      assert(findings.length > 0);
      assert.deepEqual(Object.keys(summary.kinds), ["database_damaged"]);
      assert(summary.checked.blobs > 0 && summary.checked.files > 0);
    });
  });
});

Deno.test("a table that cannot be read ends its step and no other", async () => {
  await withTestApp(async (app) => {
    await makeHistory(app);
    await damagedCopy(app.dataDir, "asset", async (db) => {
      const { findings, summary } = await check(app, {}, db);
      const damaged = findings
        .filter(({ kind }) => kind === "database_damaged")
        .map(({ subject }) => subject);
      assert(damaged.includes("assets"), damaged.join(" "));
      assert.deepEqual(Object.keys(summary.kinds), ["database_damaged"]);
      assert(summary.checked.receipts > 0 && summary.checked.blobs > 0);
    });
  });
});

Deno.test("uploads under way are no faults", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("placed", 60);
    const hash = hashOf(bytes);
    const { upload_id } = await createUpload(app, ada, bytes);
    // As a process that died between the rename and the commit leaves it.
    await app.app.staging.openUpload(upload_id, 0).then((file) => {
      file.write(bytes);
      file.close();
    });
    await app.app.blobs.place(upload_id, hash as Json, bytes.length);
    const place = `${app.dataDir}/blobs/${hash.slice(0, 2)}/` +
      `${hash.slice(2, 4)}/${hash}`;
    await Deno.writeTextFile(`${place}.${upload_id}`, "half a copy");
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    // A lifecycle write notes what it is about to place.
    const noted = uuidOf("a write");
    const written = hashOf("written");
    await app.app.db.insertInto("pending_blob").values({
      upload_id: noted as Json,
      hash: written as Json,
      noted_at: app.clock.now,
    }).execute();
    await Deno.writeTextFile(`${app.dataDir}/uploads/${noted}`, "written");
    const directory = `${app.dataDir}/blobs/${written.slice(0, 2)}/` +
      written.slice(2, 4);
    await Deno.mkdir(directory, { recursive: true });
    await Deno.writeTextFile(`${directory}/${written}`, "written");
    await Deno.writeTextFile(`${directory}/${written}.${noted}`, "written");
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  }, { blobs: "directory" });
});

Deno.test("an unreferenced blob is left to collection, with its file or without", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("given up", 60);
    await uploadBlob(app, ada, bytes);
    await app.app.db.deleteFrom("holding").execute();
    await app.app.db.updateTable("usage")
      .set({ used_bytes: 0, held_blobs: 0 }).execute();
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    await damageBlob(app, hashOf(bytes), "a missing file");
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  });
});

Deno.test("a check writes nothing", async () => {
  await withTestApp(async (app) => {
    await makeHistory(app);
    const world = async () => ({
      changes: (await sql<{ n: number }>`select total_changes() as n`
        .execute(app.app.db)).rows,
      files: [
        ...await Array.fromAsync(app.app.staging.list()),
        ...await Array.fromAsync(app.app.blobs.list()),
      ],
    });
    const before = await world();
    await check(app, { deep: true });
    assert.deepEqual(await world(), before);
  });
});
