/**
 * Garbage: what is removed, when, and what never is
 * (protocol/manifests.md#collection). That nothing is lost while others work is
 * in `tests/faults/garbage_collection_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { expectJson } from "../support/expect.ts";
import { withContribution } from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  readBlob,
  sendManifest,
  withFaultlessApp,
} from "../support/api.ts";
import {
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
  restore,
  statusOfBlob,
  trash,
} from "../support/trash.ts";

const NONE = { count: 0, bytes: 0 };

Deno.test("what a replace superseded is collected at once, and counted", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const edited = ciphertext("edited", 1_000);
    const { assetId, original, metadata, manifest } = asset;
    const second = await replaceOriginal(app, ada, assetId, edited, "it");
    await expectStored(app, original, metadata, manifest, edited, second);
    const collected = await collect(app);
    assert.deepEqual(collected, {
      sessions: 0,
      assets: NONE,
      unapplied: NONE,
      blobs: { count: 2, bytes: original.length + metadata.length },
      strayUploads: NONE,
      strayFiles: NONE,
      lostFiles: NONE,
      putBack: NONE,
      suspicious: 0,
      failed: 0,
    });
    // Earlier manifests of a live asset stay readable.
    await expectStored(app, manifest, edited, second);
    assert.equal(await statusOfBlob(app, ada, assetId, manifest), 200);
    await expectConsistent(app);
    assert.deepEqual((await collect(app)).blobs, NONE);
  });
});

Deno.test("an original that was replaced can be uploaded and named again, collected or not", async () => {
  for (const collected of [false, true]) {
    await withFaultlessApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { assetId, original } = await createAsset(app, ada, "photo");
      const edited = ciphertext("edited", 1_000);
      await replaceOriginal(app, ada, assetId, edited, "there");
      if (collected) await collect(app);
      await replaceOriginal(app, ada, assetId, original, "and back");
      await collect(app);
      const blob = await readBlob(app, ada, assetId, hashOf(original));
      expectBytes(await blob.arrayBuffer(), original);
      await expectConsistent(app);
    });
  }
});

Deno.test("a blob that two accounts hold goes when neither does", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    const bytes = ciphertext("the same", 2_000);
    const manifests: Record<string, Uint8Array> = {};
    for (const person of [ada, bob]) {
      const assetId = uuidOf(`of ${person.userId}`);
      await uploadBlob(app, person, bytes, { fileId: assetId });
      const manifest = ciphertext(assetId, 30);
      manifests[person.userId] = manifest;
      await expectJson(
        await sendManifest(app, person, assetId, manifest, { original: bytes }),
        200,
      );
    }
    await trash(app, ada, uuidOf(`of ${ada.userId}`));
    ada = await later(app, ada, 15 * DAY);
    bob = await later(app, bob, 0);
    await trash(app, bob, uuidOf(`of ${bob.userId}`));
    bob = await later(app, bob, 15 * DAY);
    assert.equal((await collect(app)).blobs.bytes, 30);
    await expectStored(app, bytes, manifests[bob.userId] ?? bytes);
    const read = await readBlob(
      app,
      bob,
      uuidOf(`of ${bob.userId}`),
      hashOf(bytes),
    );
    expectBytes(await read.arrayBuffer(), bytes);
    app.clock.advance(15 * DAY);
    assert.equal((await collect(app)).blobs.bytes, 2_030);
    await expectStored(app);
    await expectConsistent(app);
  });
});

Deno.test("a blob that one account holds for two assets goes with the second", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("the same", 500);
    const ids = [uuidOf("one"), uuidOf("two")];
    for (const assetId of ids) {
      await uploadBlob(app, ada, bytes, { fileId: assetId });
      await expectJson(
        await sendManifest(app, ada, assetId, ciphertext(assetId, 30), {
          original: bytes,
        }),
        200,
      );
    }
    const other = ciphertext("other", 100);
    for (const [index, assetId] of ids.entries()) {
      await replaceOriginal(app, ada, assetId, other, assetId);
      const { blobs } = await collect(app);
      assert.equal(blobs.bytes, index === 0 ? 0 : 500);
    }
  });
});

Deno.test("unapplied blobs live for 24 hours after the last activity on their asset", async () => {
  const activities: Record<
    string,
    (app: TestApp, ada: Person, assetId: string) => Promise<unknown>
  > = {
    "another blob": (app, ada, assetId) =>
      uploadBlob(app, ada, ciphertext("another", 20), {
        fileId: assetId,
        role: "derivative",
      }),
    "bytes of an open session": async (app, ada, assetId) => {
      const bytes = ciphertext("arriving", 20);
      const { upload_id } = await createUpload(app, ada, bytes, {
        fileId: assetId,
      });
      const sent = bytes.slice(0, 5);
      const answer = await patchBytes(app, ada, upload_id, 0, sent);
      await answer.body?.cancel();
    },
    "a new session": (app, ada, assetId) =>
      createUpload(app, ada, ciphertext("new", 20), { fileId: assetId }),
  };
  for (const [name, act] of Object.entries(activities)) {
    await withFaultlessApp(async (app) => {
      let ada = await registerWriter(app, "ada");
      const pending = ciphertext("pending", 600);
      const assetId = uuidOf("pending");
      await uploadBlob(app, ada, pending, { fileId: assetId });
      ada = await later(app, ada, DAY - 1);
      await collect(app);
      assert((await filesIn(app, "blobs")).has(hashOf(pending)), name);
      await act(app, ada, assetId);
      ada = await later(app, ada, DAY - 1);
      await collect(app);
      assert((await filesIn(app, "blobs")).has(hashOf(pending)), name);
      app.clock.advance(1);
      const { unapplied } = await collect(app);
      assert(unapplied.count >= 1, name);
      await expectStored(app);
      assert.deepEqual(await countersOf(app, ada), {
        used: 0,
        reserved: 0,
        trash: 0,
      });
      await expectConsistent(app);
    });
  }
});

Deno.test("of a live asset too unapplied blobs go, and what is applied stays", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const { assetId, original, metadata, manifest } = asset;
    const extra = ciphertext("never applied", 70);
    await uploadBlob(app, ada, extra, { fileId: assetId });
    // A replace, a delete and a restore are activity.
    ada = await later(app, ada, 20 * HOUR);
    await trash(app, ada, assetId);
    ada = await later(app, ada, 20 * HOUR);
    await collect(app);
    await restore(app, ada, assetId);
    ada = await later(app, ada, 20 * HOUR);
    await collect(app);
    await expectStored(app, original, metadata, manifest, extra);
    app.clock.advance(4 * HOUR);
    const { unapplied } = await collect(app);
    assert.deepEqual(unapplied, { count: 1, bytes: 70 });
    await expectStored(app, original, metadata, manifest);
    ada = await later(app, ada, 0);
    // What was collected can be brought again.
    await replaceOriginal(app, ada, assetId, extra, "after all");
    assert.equal(await statusOfBlob(app, ada, assetId, extra), 200);
    await expectConsistent(app);
  });
});

Deno.test("where sessions live longer than a day unapplied blobs do so too, where shorter a day", async () => {
  for (const [hours, lives] of [["72", 3 * DAY], ["1", DAY]] as const) {
    await withTestApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const pending = ciphertext("pending", 60);
      await uploadBlob(app, ada, pending, { fileId: uuidOf("pending") });
      app.clock.advance(lives - 1);
      await collect(app);
      await expectStored(app, pending);
      app.clock.advance(1);
      await collect(app);
      await expectStored(app);
    }, { settings: { STRONGROOM_UPLOAD_TTL_HOURS: hours } });
  }
});

Deno.test("of an asset under legal hold nothing is collected", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const extra = ciphertext("never applied", 70);
    await uploadBlob(app, ada, extra, { fileId: asset.assetId });
    await mark(app, asset.assetId, { held_at: app.clock.now });
    app.clock.advance(100 * DAY);
    await collect(app);
    const { original, metadata, manifest } = asset;
    await expectStored(app, original, metadata, manifest, extra);
    await mark(app, asset.assetId, { held_at: null });
    await collect(app);
    await expectStored(app, original, metadata, manifest);
  });
});

Deno.test("an op leaves no note behind, applied or refused", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "mine");
    const assetId = uuidOf("by op");
    const original = ciphertext("original", 100);
    await uploadBlob(app, ada, original, { fileId: assetId, albumId });
    const both = ciphertext("manifest and metadata", 40);
    const op = (manifest: Uint8Array) =>
      sendOp(
        app,
        ada,
        albumId,
        opRequest(ada, albumId, assetId, manifest, {
          original,
          metadata: both,
        }),
      );
    const notes = () =>
      app.app.db.selectFrom("pending_blob").selectAll().execute();
    // Of two at once one is refused after its blobs were placed.
    const answers = await Promise.all([op(both), op(ciphertext("other", 40))]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 409],
    );
    for (const answer of answers) await answer.body?.cancel();
    assert.deepEqual(await notes(), []);
    await collect(app);
    assert.equal(await statusOfBlob(app, ada, assetId, both), 200);
    await expectConsistent(app);
  });
});

Deno.test("what guests left behind is counted by a dry run as it will be removed", async () => {
  await withContribution(async ({ app }) => {
    app.clock.advance(400 * DAY);
    const dry = await collect(app, { dryRun: true });
    assert.equal(dry.blobs.count, 1);
    assert.deepEqual(dry, await collect(app));
  });
});
