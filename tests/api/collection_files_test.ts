/**
 * The files of a collection: strays, batches, the dry run, the periodic task
 * (protocol/manifests.md#collection; upkeep/gc.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { readAsset, withFaultlessApp } from "../support/api.ts";
import {
  blobPath,
  collect,
  countersOf,
  DAY,
  expectConsistent,
  expectStored,
  filesIn,
  HOUR,
  later,
  mark,
  replaceOriginal,
  statusOfBlob,
  trash,
} from "../support/trash.ts";

const NONE = { count: 0, bytes: 0 };

/** Puts a file where no call of the server did, so many ms ago. */
async function plant(
  app: TestApp,
  path: string,
  bytes: Uint8Array,
  ageMs: number,
): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeFile(path, bytes);
  const at = new Date(app.clock.now - ageMs);
  await Deno.utime(path, at, at);
}

Deno.test("expired and cancelled sessions are removed, with their bytes and reservations", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("half", 1_000);
    const { upload_id } = await createUpload(app, ada, bytes);
    await patchBytes(app, ada, upload_id, 0, bytes.slice(0, 500));
    const other = ciphertext("cancelled", 1_000);
    const cancelled = await createUpload(app, ada, other);
    await patchBytes(app, ada, cancelled.upload_id, 0, other.slice(0, 500));
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${cancelled.upload_id}`, {
        token: ada.token,
      }),
      204,
    );
    assert.deepEqual([...(await filesIn(app, "uploads")).keys()], [upload_id]);
    app.clock.advance(DAY);
    assert.equal((await collect(app)).sessions, 1);
    assert.equal((await filesIn(app, "uploads")).size, 0);
    assert.equal((await countersOf(app, ada)).reserved, 0);
  });
});

Deno.test("files in uploads/ go when they are an hour old and belong to no session", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("open", 1_000);
    const { upload_id } = await createUpload(app, ada, bytes);
    await patchBytes(app, ada, upload_id, 0, bytes.slice(0, 500));
    const path = (name: string) => `${app.dataDir}/uploads/${name}`;
    const old = new Date(app.clock.now - 10 * HOUR);
    await Deno.utime(path(upload_id), old, old);
    const young = crypto.randomUUID();
    await plant(app, path(crypto.randomUUID()), bytes, HOUR);
    await plant(app, path(young), bytes, HOUR - 2_000);
    await plant(app, path("README"), bytes, 10 * HOUR);
    const { strayUploads } = await collect(app);
    assert.deepEqual(strayUploads, { count: 1, bytes: 1_000 });
    assert.deepEqual(
      [...(await filesIn(app, "uploads")).keys()].toSorted(),
      ["README", upload_id, young].toSorted(),
    );
    await patchBytes(app, ada, upload_id, 500, bytes.slice(500));
    await expectJson(
      await app.send("POST", `/v1/upload/${upload_id}/finalize`, {
        token: ada.token,
      }),
      200,
    );
  });
});

Deno.test("files in blobs/ without a row go, those that a write expects stay", async () => {
  await withFaultlessApp(async (app) => {
    const { db } = app.app;
    const ada = await registerWriter(app, "ada");
    const { original, metadata, manifest } = await createAsset(app, ada, "it");
    const stray = ciphertext("stray", 100);
    const placing = ciphertext("placing", 100);
    const guest = ciphertext("guest", 100);
    const noted = ciphertext("noted", 100);
    const forgotten = ciphertext("forgotten", 100);
    const all = [stray, placing, guest, noted, forgotten];
    for (const bytes of all) await plant(app, blobPath(app, bytes), bytes, 0);
    const { upload_id } = await createUpload(app, ada, placing);
    const link = hashOf("link").slice(0, 32);
    await db.insertInto("upload_link").values({
      opaque_id: link as Json,
      owner_id: ada.userId as Json,
      album_id: null,
      recipient_key: new Uint8Array(1),
      wrapped_secret: null,
      max_bytes: 1_000,
      max_files: 1,
      expires_at: app.clock.now + DAY,
      created_at: app.clock.now,
      request_hash: "",
    }).execute();
    await db.insertInto("guest_upload").values({
      upload_id: crypto.randomUUID() as Json,
      opaque_id: link as Json,
      owner_id: ada.userId as Json,
      ciphertext_hash: hashOf(guest) as Json,
      size: 100,
      sealed_metadata: new Uint8Array(1),
      state: "open",
      created_at: app.clock.now,
      expires_at: app.clock.now + DAY,
    }).execute();
    const note = (bytes: Uint8Array, ageMs: number) =>
      db.insertInto("pending_blob").values({
        upload_id: uuidOf(hashOf(bytes)) as Json,
        hash: hashOf(bytes) as Json,
        noted_at: app.clock.now - ageMs,
      }).execute();
    await note(noted, HOUR - 1);
    await note(forgotten, HOUR);
    // Temporary names: of a session that is placing, and of none.
    await plant(app, `${blobPath(app, placing)}.${upload_id}`, placing, 0);
    await plant(
      app,
      `${blobPath(app, original)}.${crypto.randomUUID()}`,
      original,
      0,
    );
    // The server does not remove files with names that are not its own.
    await plant(app, `${blobPath(app, stray)}.orig`, stray, 0);
    const files = async () =>
      [...(await filesIn(app, "blobs")).keys()].toSorted();
    const expected = [
      ...[original, metadata, manifest, placing, guest, noted].map(hashOf),
      `${hashOf(placing)}.${upload_id}`,
      `${hashOf(stray)}.orig`,
    ].toSorted();
    const { strayFiles, blobs } = await collect(app);
    assert.deepEqual(blobs, NONE);
    assert.deepEqual(strayFiles, { count: 3, bytes: 5_200 });
    assert.deepEqual(await files(), expected);
    assert.equal((await collect(app)).strayFiles.count, 0);
    await expectJson(await putBytes(app, ada, upload_id, placing), 200);
  }, { blobs: "directory" });
});

Deno.test("a row that nothing references goes, whether or not it has a file", async () => {
  await withFaultlessApp(async (app) => {
    const { db } = app.app;
    const here = ciphertext("here", 80);
    await plant(app, blobPath(app, here), here, 0);
    for (const bytes of [here, ciphertext("not here", 70)]) {
      await db.insertInto("blob").values({
        hash: hashOf(bytes) as Json,
        size: bytes.length,
        stored_at: 0,
      }).execute();
    }
    assert.equal((await collect(app)).blobs.count, 2);
    await expectStored(app);
    assert.deepEqual(await db.selectFrom("blob").selectAll().execute(), []);
  });
});

Deno.test("a dry run tells what a collection would remove, and removes nothing", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const gone = await createAsset(app, ada, "gone");
    const held = await createAsset(app, ada, "held");
    await trash(app, ada, gone.assetId);
    await trash(app, ada, held.assetId);
    await mark(app, held.assetId, { held_at: app.clock.now });
    const pending = ciphertext("pending", 60);
    await uploadBlob(app, ada, pending, { fileId: uuidOf("pending") });
    const half = ciphertext("half", 90);
    const { upload_id } = await createUpload(app, ada, half);
    await patchBytes(app, ada, upload_id, 0, half.slice(0, 10));
    ada = await later(app, ada, 30 * DAY);
    const live = await createAsset(app, ada, "live");
    const edited = ciphertext("edited", 50);
    await replaceOriginal(app, ada, live.assetId, edited, "it");
    const fresh = ciphertext("fresh", 60);
    await uploadBlob(app, ada, fresh, { fileId: uuidOf("fresh") });
    const stray = ciphertext("stray", 100);
    await plant(app, blobPath(app, stray), stray, 0);
    await plant(
      app,
      `${app.dataDir}/uploads/${crypto.randomUUID()}`,
      stray,
      DAY,
    );
    const dump = async () => {
      const { db } = app.app;
      const tables = ["asset", "holding", "blob", "upload", "usage"] as const;
      const rows = [];
      for (const table of tables) {
        rows.push(await db.selectFrom(table).selectAll().execute());
      }
      const files = [
        await filesIn(app, "blobs"),
        await filesIn(app, "uploads"),
      ];
      return [rows, files.map((one) => [...one])];
    };
    const before = await dump();
    const foretold = await collect(app, { dryRun: true });
    assert.deepEqual(await dump(), before);
    assert.deepEqual(foretold, {
      sessions: foretold.sessions,
      assets: { count: 1, bytes: 6_200 },
      unapplied: { count: 1, bytes: 60 },
      blobs: { count: 6, bytes: 6_200 + 60 + 5_300 },
      strayUploads: { count: 1, bytes: 100 },
      strayFiles: { count: 1, bytes: 100 },
      lostFiles: NONE,
      putBack: NONE,
      suspicious: 0,
      failed: 0,
    });
    assert.deepEqual(await collect(app), foretold);
    await expectConsistent(app);
    assert.equal(await statusOfBlob(app, ada, live.assetId, edited), 200);
  });
});

Deno.test("much garbage goes in batches, between which progress is told and others write", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { db } = app.app;
    const { assetId } = await createAsset(app, ada, "photo");
    const garbage = Array.from({ length: 2_500 }, (_, n) => ({
      hash: hashOf(`garbage ${n}`) as Json,
      size: 10,
      stored_at: 0,
    }));
    for (let n = 0; n < garbage.length; n += 500) {
      await db.insertInto("blob").values(garbage.slice(n, n + 500)).execute();
    }
    const told: number[] = [];
    const writes: Promise<Json>[] = [];
    const { blobs } = await collect(app, {
      onProgress: (collected) => {
        told.push(collected.blobs.count);
        if (told.length % 10 !== 0) return;
        writes.push(
          createUpload(app, ada, ciphertext(`beside ${told.length}`, 10)),
        );
      },
    });
    assert.deepEqual(blobs, { count: 2_500, bytes: 25_000 });
    assert(told.length > 2_500 / 64);
    assert.deepEqual(told, told.toSorted((a, b) => a - b));
    assert(writes.length > 3);
    await Promise.all(writes);
    assert.equal((await readAsset(app, ada, assetId)).state, "live");
  });
});

Deno.test("a collection that is told to end ends after its batch, and the next one finishes", async () => {
  await withFaultlessApp(async (app) => {
    const { db } = app.app;
    for (let n = 0; n < 300; n++) {
      await db.insertInto("blob").values({
        hash: hashOf(`garbage ${n}`) as Json,
        size: 10,
        stored_at: 0,
      }).execute();
    }
    const ending = new AbortController();
    const { blobs } = await collect(app, {
      signal: ending.signal,
      onProgress: ({ blobs }) => {
        if (blobs.count > 0) ending.abort();
      },
    });
    assert.equal(blobs.count, 64);
    assert.equal((await collect(app)).blobs.count, 300 - 64);
  });
});

Deno.test("the periodic task collects, tells the log how much, and walks through all files once a day", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const tellings = () =>
      app.logged.filter(({ message }) => message === "garbage collected");
    await app.purge();
    assert.equal(tellings().length, 0);
    await replaceOriginal(app, ada, assetId, ciphertext("edited", 50), "it");
    const stray = ciphertext("stray", 100);
    await plant(app, blobPath(app, stray), stray, 0);
    await app.purge();
    const [line] = tellings();
    assert.deepEqual(line?.properties["blobs"], { count: 2, bytes: 5_300 });
    assert.deepEqual(line?.properties["strayFiles"], NONE);
    app.clock.advance(DAY);
    // Calls at once are one.
    await Promise.all([app.purge(), app.purge()]);
    assert.equal(tellings().length, 2);
    assert(!(await filesIn(app, "blobs")).has(hashOf(stray)));
  }, { blobs: "directory" });
});
