/**
 * Collection during everything else: at the worst moment of a write, in
 * another process, on a disk that fails, and killed half way. Nothing that a
 * client was told of may be lost, and the next collection finishes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectNoErrors,
  expectReadable,
  readAsset,
  sendManifest,
} from "../support/api.ts";
import {
  collect,
  DAY,
  expectConsistent,
  expectStored,
  filesIn,
  HOUR,
  later,
  statusOfBlob,
  trash,
} from "../support/trash.ts";
import { type WatchedFiles, watchedFiles } from "../support/watched_files.ts";

/** More operations than any collection here has. */
const MANY = 200;

/** An application that collects between any two file operations. */
async function withCollectingApp(
  test: (
    app: TestApp,
    ada: Person,
    files: WatchedFiles,
    rounds: () => number,
  ) => Promise<void>,
): Promise<void> {
  const files = watchedFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    let rounds = 0;
    files.before = files.after = async () => {
      await collect(app);
      rounds += 1;
    };
    await test(app, ada, files, () => rounds);
    files.before = files.after = undefined;
    expectNoErrors(app);
    await expectConsistent(app);
  }, { files });
}

Deno.test("collecting between any two file operations of a finalize loses nothing", async () => {
  await withCollectingApp(async (app, ada, _, rounds) => {
    const asset = await createAsset(app, ada, "photo");
    const { assetId, original, metadata, manifest } = asset;
    await expectReadable(app, ada, assetId, original, metadata, manifest);
    assert(rounds() >= 25, `${rounds()} collections`);
  });
});

Deno.test("collecting between any two file operations of a replace loses nothing, back and forth", async () => {
  await withCollectingApp(async (app, ada) => {
    const { assetId, original } = await createAsset(app, ada, "photo");
    const edited = ciphertext("edited", 3_000);
    const manifests: Uint8Array[] = [];
    for (const [n, bytes] of [edited, original, edited, original].entries()) {
      const { chain_head } = await readAsset(app, ada, assetId);
      await uploadBlob(app, ada, bytes, { fileId: assetId });
      const manifest = ciphertext(`replace ${n}`, 60);
      await expectJson(
        await sendManifest(app, ada, assetId, manifest, {
          action: "replace",
          original: bytes,
          prior: chain_head,
        }),
        200,
      );
      manifests.push(manifest);
      await expectReadable(app, ada, assetId, bytes, ...manifests);
      await collect(app);
    }
    assert.equal(await statusOfBlob(app, ada, assetId, edited), 404);
  });
});

Deno.test("collecting between any two file operations of an op loses nothing", async () => {
  await withCollectingApp(async (app, ada) => {
    const albumId = await provisionAlbum(app, ada, "mine");
    const assetId = uuidOf("by op");
    const original = ciphertext("original", 2_000);
    await uploadBlob(app, ada, original, { fileId: assetId, albumId });
    const metadata = ciphertext("metadata", 200);
    const manifest = ciphertext("manifest", 300);
    const op = opRequest(ada, albumId, assetId, manifest, {
      original,
      metadata,
    });
    await expectJson(await sendOp(app, ada, albumId, op), 200);
    await expectReadable(app, ada, assetId, original, metadata, manifest);
    const next = opRequest(ada, albumId, assetId, ciphertext("next", 300), {
      action: "replace",
      prior: hashOf(manifest),
      original,
      metadata,
    });
    await expectJson(await sendOp(app, ada, albumId, next), 200);
    await expectReadable(app, ada, assetId, original, metadata, manifest);
  });
});

Deno.test("an op that hangs until its notes are too old is refused whole, and can be repeated", async () => {
  const files = watchedFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "mine");
    const assetId = uuidOf("by op");
    const original = ciphertext("original", 2_000);
    await uploadBlob(app, ada, original, { fileId: assetId, albumId });
    const metadata = ciphertext("metadata", 200);
    const manifest = ciphertext("manifest", 300);
    files.after = async (operation, path) => {
      if (operation !== "link" || !path.endsWith(hashOf(manifest))) return;
      app.clock.advance(HOUR);
      await collect(app);
    };
    const send = async (person: Person) =>
      await sendOp(
        app,
        person,
        albumId,
        opRequest(person, albumId, assetId, manifest, { original, metadata }),
      );
    await expectProblem(await send(ada), "error.internal");
    await expectStored(app, original);
    files.after = undefined;
    const again = await later(app, ada, 0);
    await expectJson(await send(again), 200);
    await expectReadable(app, again, assetId, original, metadata, manifest);
    await expectConsistent(app);
  }, { files });
});

Deno.test("the same bytes uploaded again while they are being collected are stored", async () => {
  for (const moment of ["before", "after"] as const) {
    const files = watchedFiles();
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "photo");
      const { assetId, original, manifest } = asset;
      const edited = ciphertext("edited", 300);
      await uploadBlob(app, ada, edited, { fileId: assetId });
      await expectJson(
        await sendManifest(app, ada, assetId, ciphertext("m", 40), {
          action: "replace",
          original: edited,
          prior: hashOf(manifest),
        }),
        200,
      );
      const fileId = uuidOf("again");
      const session = await createUpload(app, ada, ciphertext("early", 10), {
        fileId,
      });
      let uploading: Promise<unknown> | undefined;
      files[moment] = (operation, path) => {
        if (operation === "remove" && path.endsWith(hashOf(original))) {
          uploading ??= uploadBlob(app, ada, original, { fileId });
        }
        return Promise.resolve();
      };
      const { blobs } = await collect(app);
      assert.equal(blobs.count, 2);
      assert(uploading !== undefined, "nothing was uploaded meanwhile");
      await uploading;
      files[moment] = undefined;
      await collect(app);
      await putBytes(app, ada, session.upload_id, ciphertext("early", 10));
      await expectJson(
        await sendManifest(app, ada, fileId, ciphertext("m2", 40), {
          original,
        }),
        200,
      );
      await expectReadable(app, ada, fileId, original);
      await expectConsistent(app);
      expectNoErrors(app);
    }, { files });
  }
});

Deno.test("a session that opens while its blob is listed as garbage already keeps the file", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { db } = app.app;
    // Listed in one piece with much other garbage, and the last of it.
    const last = Array.from({ length: 100 }, (_, n) => ciphertext(`${n}`, 90))
      .toSorted((a, b) => hashOf(a) < hashOf(b) ? 1 : -1)[0];
    assert(last !== undefined);
    await uploadBlob(app, ada, last, { fileId: uuidOf("pending") });
    app.clock.advance(DAY);
    const now = await later(app, ada, 0);
    for (let n = 0; n < 900; n++) {
      const hash = n.toString(16).padStart(64, "0") as Json;
      await db.insertInto("blob")
        .values({ hash, size: 1, stored_at: 0 }).execute();
    }
    let opening: Promise<Json> | undefined;
    const { blobs } = await collect(app, {
      onProgress: ({ blobs }) => {
        if (blobs.count === 0) return;
        opening ??= createUpload(app, now, last, { fileId: uuidOf("again") });
      },
    });
    assert.equal(blobs.count, 900);
    await expectStored(app, last);
    await expectConsistent(app);
    // The session ends without bytes: now it goes.
    const { upload_id } = await opening;
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${upload_id}`, { token: now.token }),
      204,
    );
    await collect(app);
    await expectStored(app);
  });
});

Deno.test("a collection of which any file operation fails leaves a consistent store, and the next one finishes", async () => {
  const files = failingFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const live = await createAsset(app, ada, "live", { length: 200 });
    const expected = [live.original, live.metadata, live.manifest];
    const seen = new Set<string>();
    let faults = 0;
    // Every one of the first, then here and there in the walk, to its end.
    let at = 0;
    for (let n = 1; n <= MANY; n++) {
      at = n <= 15 ? n : Math.ceil(at * 1.7);
      // Something of every kind.
      const { chain_head } = await readAsset(app, ada, live.assetId);
      const stale = ciphertext(`derivative ${n}`, 90);
      await uploadBlob(app, ada, stale, { fileId: uuidOf(`pending ${n}`) });
      const manifest = ciphertext(`manifest ${n}`, 40);
      await expectJson(
        await sendManifest(app, ada, live.assetId, manifest, {
          action: "replace",
          original: live.original,
          metadata: live.metadata,
          prior: chain_head,
        }),
        200,
      );
      expected.push(manifest);
      await app.app.db.deleteFrom("upload").execute();
      await app.app.db.deleteFrom("holding").where("applied", "=", 0).execute();
      await app.app.db.updateTable("usage").set({
        used_bytes: expected.reduce((sum, { length }) => sum + length, 0),
      }).execute();
      const stray = ciphertext(`stray ${n}`, 50);
      const hash = hashOf(stray);
      const folder = `${app.dataDir}/blobs/${hash.slice(0, 2)}/` +
        hash.slice(2, 4);
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeFile(`${folder}/${hash}`, stray);
      const upload = `${app.dataDir}/uploads/${crypto.randomUUID()}`;
      await Deno.writeFile(upload, stray);
      const old = new Date(START_MS - DAY);
      await Deno.utime(upload, old, old);

      files.failAt(at);
      const outcome = await collect(app).catch((cause) => String(cause));
      const failed = files.failed();
      if (failed) {
        faults += 1;
        seen.add(files.seen()[at - 1] ?? "");
        if (typeof outcome !== "string") assert.equal(outcome.failed, 1);
      } else if (typeof outcome === "string") assert.fail(outcome);
      files.failAt(MANY * MANY * MANY);
      await expectConsistent(app);
      await expectReadable(app, ada, live.assetId, ...expected);
      await collect(app);
      await expectStored(app, ...expected);
      assert.equal((await filesIn(app, "uploads")).size, 0);
      if (!failed) break;
    }
    assert(faults >= 15 && faults < MANY, `${faults} operations failed`);
    assert.deepEqual([...seen].toSorted(), ["list", "remove", "stat"]);
  }, { files });
});

Deno.test("of a batch the files that can be removed are, whichever cannot", async () => {
  const files = failingFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assets: LiveAsset[] = [];
    for (let n = 0; n < 3; n++) {
      assets.push(await createAsset(app, ada, `${n}`, { length: 100 }));
    }
    for (const { assetId } of assets) await trash(app, ada, assetId);
    app.clock.advance(30 * DAY);
    // After the files of nine sessions that have expired, the second blob.
    files.failAt(9 + 2);
    const { blobs, failed } = await collect(app, { walk: false });
    assert.equal(files.seen()[9 + 1], "remove");
    assert.equal(failed, 1);
    assert.equal(blobs.count, 8);
    assert.equal((await filesIn(app, "blobs")).size, 1);
    const rows = await app.app.db.selectFrom("blob").selectAll().execute();
    assert.equal(rows.length, 1);
    files.failAt(MANY * MANY);
    await collect(app);
    await expectStored(app);
  }, { files });
});
