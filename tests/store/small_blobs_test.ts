/**
 * Small blobs are rows of the database, and larger ones files
 * (architecture.md#blob-storage): whichever a blob is, clients, checks,
 * collection and backups treat it alike.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  broken,
  expectBytes,
  readBlob,
  sendManifest,
  withAda,
  withFaultlessApp,
} from "../support/api.ts";
import { check, namesOf } from "../support/check.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { createByOp } from "../support/ops.ts";
import { provisionAlbum } from "../support/albums.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  putBytes,
  registerWriter,
  uploadBlob,
} from "../support/people.ts";
import { damageBlob, hashesOf, SOUND, verifyOne } from "../support/storage.ts";
import {
  collect,
  expectConsistent,
  expectStored,
  filesIn,
} from "../support/trash.ts";
import { finalize, offsetOf } from "../support/uploads.ts";
import { type WatchedFiles, watchedFiles } from "../support/watched_files.ts";

const SMALL_MAX = 16 * 1024;

/** The addresses that have a row in the database. */
async function rowsOf({ app }: TestApp): Promise<string[]> {
  const rows = await app.db.selectFrom("small_blob").select("hash").execute();
  return rows.map(({ hash }) => hash).toSorted();
}

/** Runs work, and names what it did to files: their operations, in order. */
async function operationsOf(
  files: WatchedFiles,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  files.before = (operation) => {
    seen.push(operation);
    return Promise.resolve();
  };
  await work();
  files.before = undefined;
  return seen;
}

Deno.test("a blob of 16 KiB is a row, and one byte more is a file", async () => {
  await withAda(async (app, ada) => {
    const small = ciphertext("small", SMALL_MAX);
    const large = ciphertext("large", SMALL_MAX + 1);
    const kept = await createAsset(app, ada, "both", { length: 10 });
    for (const bytes of [small, large]) {
      await uploadBlob(app, ada, bytes, {
        fileId: kept.assetId,
        role: "derivative",
      });
    }
    assert.deepEqual(
      await rowsOf(app),
      [...hashesOf(kept), hashOf(small)].toSorted(),
    );
    for (const bytes of [small, large]) {
      const read = await readBlob(app, ada, kept.assetId, hashOf(bytes));
      expectBytes(await read.bytes(), bytes);
    }
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  });
});

Deno.test("a small blob that comes whole takes no file, by PUT or inside a lifecycle write", async () => {
  const files = watchedFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "an album");
    const { upload_id } = await createUpload(app, ada, ciphertext("a", 900));
    const put = () => putBytes(app, ada, upload_id, ciphertext("a", 900));
    assert.deepEqual(await operationsOf(files, put), ["remove"]);

    const original = ciphertext("original of a photo", 900);
    const over = { fileId: "0198f000-0000-7000-8000-000000000001" };
    await uploadBlob(app, ada, original, { ...over, albumId });
    const op = () => createByOp({ app, albumId }, ada, "in one request");
    const opened = await operationsOf(files, op);
    // Of its original, whose session's file there may be, alone.
    assert.deepEqual(new Set(opened), new Set(["remove"]));
  }, { files, settings: { STRONGROOM_SMALL_BLOB_BYTES: "16KiB" } });
});

Deno.test("bytes of a small blob that came before the connection broke are kept", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("broken", 2_000);
    const { upload_id: id } = await createUpload(app, ada, bytes);
    await app.send("PUT", `/v1/upload/${id}`, {
      token: ada.token,
      headers: { "Content-Type": "application/octet-stream" },
      body: broken(bytes.subarray(0, 700)),
    });
    assert.equal(await offsetOf(app, ada, id), 700);
    const rest = await patchBytes(app, ada, id, 700, bytes.subarray(700));
    assert.equal(rest.status, 204);
    await expectJson(await finalize(app, ada, id), 200);
    assert.deepEqual(await rowsOf(app), [hashOf(bytes)]);
    await expectStored(app, bytes);
  });
});

Deno.test("nothing is kept of a small blob whose session ends while it is finalized", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("too late", 500);
    const { upload_id: id } = await createUpload(app, ada, bytes);
    const { receipts, db } = app.app;
    const issueAll = receipts.issueAll.bind(receipts);
    receipts.issueAll = async (orders, commit) => {
      await db.deleteFrom("upload").where("upload_id", "=", id).execute();
      return await issueAll(orders, commit);
    };
    const put = await putBytes(app, ada, id, bytes);
    await expectProblem(put, "error.upload.not_found");
    assert.deepEqual(await rowsOf(app), []);
    assert.equal((await filesIn(app, "uploads")).size, 0);
  });
});

Deno.test("a small blob of another hash is refused, and stored nowhere", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("right", 500);
    const { upload_id: id } = await createUpload(app, ada, bytes);
    const wrong = ciphertext("wrong", 500);
    const refused = await putBytes(app, ada, id, wrong);
    await expectProblem(refused, "error.upload.hash_mismatch");
    assert.deepEqual(await rowsOf(app), []);
    await expectJson(await putBytes(app, ada, id, bytes), 200);
    await expectStored(app, bytes);
  });
});

for (
  const [damage, kind] of [
    ["a flipped byte", "blob_corrupt"],
    ["a truncated file", "blob_of_other_size"],
    ["a missing file", "blob_missing"],
  ] as const
) {
  Deno.test(`${damage} of a small blob: found, told, and healed by its owner`, async () => {
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "hurt");
      const hash = hashOf(asset.original);
      await damageBlob(app, hash, damage);
      assert.deepEqual(
        namesOf(await check(app, { deep: true })),
        [`${kind} ${hash}`],
      );
      const over = { deep: true };
      const hurt = await verifyOne(app, ada, asset.assetId, [hash], over);
      assert.equal(hurt.durable, false);

      const { upload_id } = await createUpload(app, ada, asset.original, {
        fileId: asset.assetId,
        request: { heals: asset.assetId },
      });
      await expectJson(
        await putBytes(app, ada, upload_id, asset.original),
        200,
      );
      const whole = await verifyOne(app, ada, asset.assetId, [hash], over);
      assert.deepEqual(
        whole.blobs.map(({ hash: _, role: __, ...rest }: Json) => rest),
        [{ ...SOUND, deep: "intact" }],
      );
      assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    });
  });
}

Deno.test("collection removes the row of a small blob that nothing references", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "replaced");
    const original = ciphertext("its second original", 700);
    const manifest = ciphertext("its second manifest", 700);
    await uploadBlob(app, ada, original, { fileId: asset.assetId });
    await expectJson(
      await sendManifest(app, ada, asset.assetId, manifest, {
        action: "replace",
        original,
        metadata: asset.metadata,
        prior: hashOf(asset.manifest),
      }),
      200,
    );
    app.clock.advance(25 * 3_600_000);
    await collect(app);
    await expectStored(
      app,
      ...[original, manifest, asset.metadata, asset.manifest],
    );
    await expectConsistent(app);
  });
});

Deno.test("blobs stay where they are when the setting changes, and are read alike", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const before = await createAsset(app, ada, "as files");
    const again = await app.reopen({ STRONGROOM_SMALL_BLOB_BYTES: "16KiB" });
    const after = await createAsset(again, ada, "as rows");
    assert.deepEqual(await rowsOf(again), hashesOf(after).toSorted());
    const back = await again.reopen({ STRONGROOM_SMALL_BLOB_BYTES: "0" });
    for (const asset of [before, after]) {
      for (const bytes of [asset.original, asset.metadata, asset.manifest]) {
        const read = await readBlob(back, ada, asset.assetId, hashOf(bytes));
        expectBytes(await read.bytes(), bytes);
      }
    }
    assert.deepEqual(namesOf(await check(back, { deep: true })), []);
  }, { settings: { STRONGROOM_SMALL_BLOB_BYTES: "0" } });
});
