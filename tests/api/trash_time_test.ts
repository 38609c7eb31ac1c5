/**
 * The end of the trash: when a deleted asset is gone, and what an id that is
 * gone still answers (protocol/manifests.md#trash,
 * protocol/manifests.md#collection).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, withTestApp } from "../support/app.ts";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  readAsset,
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
  later,
  mark,
  restore,
  sendDelete,
  sendRestore,
  statusOfBlob,
  trash,
} from "../support/trash.ts";

const ORIGINAL = ciphertext("original", 700);

Deno.test("after 30 days a deleted asset is gone, purged or not", async () => {
  for (const purged of [false, true]) {
    await withFaultlessApp(async (app) => {
      let ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "photo");
      const { assetId, original } = asset;
      await trash(app, ada, assetId);
      ada = await later(app, ada, 30 * DAY - 1);
      await app.purge();
      assert.equal((await readAsset(app, ada, assetId)).state, "deleted");
      assert.equal(await statusOfBlob(app, ada, assetId, original), 200);
      app.clock.advance(1);
      if (purged) await app.purge();
      for (const method of ["GET", "HEAD", "DELETE"]) {
        const path = `/v1/assets/${assetId}`;
        const answer = await app.send(method, path, { token: ada.token });
        assert.equal(answer.status, 404, method);
        await answer.body?.cancel();
      }
      await expectProblem(
        await sendRestore(app, ada, assetId),
        "error.asset.not_found",
      );
      assert.equal(await statusOfBlob(app, ada, assetId, original), 404);
      // Receipts outlive the blobs.
      const { receipts } = await expectJson(
        await app.send("GET", `/v1/assets/${assetId}/receipts`, {
          token: ada.token,
        }),
        200,
      );
      assert.equal(receipts.length, 3);
    });
  }
});

Deno.test("with a gone asset its bytes come back: files, counters, earlier manifests", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const kept = await createAsset(app, ada, "kept");
    const asset = await createAsset(app, ada, "photo");
    for (let n = 0; n < 3; n++) {
      const { chain_head } = await readAsset(app, ada, asset.assetId);
      await expectJson(
        await sendManifest(app, ada, asset.assetId, ciphertext(`m${n}`, 70), {
          action: "replace",
          original: asset.original,
          prior: chain_head,
        }),
        200,
      );
    }
    await trash(app, ada, asset.assetId);
    await app.purge();
    // The replaces named no metadata: that went at once.
    assert.equal((await filesIn(app, "blobs")).size, 3 + 5);
    ada = await later(app, ada, 30 * DAY);
    await app.purge();
    await expectStored(app, kept.original, kept.metadata, kept.manifest);
    const { trash: trashed, used } = await countersOf(app, ada);
    assert.equal(trashed, 0);
    assert.equal(used, 5_000 + 300 + 900);
    const { db } = app.app;
    const manifests = await db.selectFrom("manifest").selectAll().execute();
    assert.equal(manifests.length, 1);
    await expectConsistent(app);
  });
});

Deno.test("a create for a gone asset is refused like one for a deleted asset", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    const live = await createAsset(app, bob, "live");
    const { assetId, original, manifest } = await createAsset(app, ada, "it");
    await trash(app, ada, assetId);
    const create = async (name: string) => {
      await uploadBlob(app, ada, ciphertext(name, 60), { fileId: assetId });
      return await sendManifest(app, ada, assetId, ciphertext(`m ${name}`, 9), {
        original: ciphertext(name, 60),
      });
    };
    const deleted = await create("deleted");
    ada = await later(app, ada, 30 * DAY);
    bob = await later(app, bob, 0);
    const aged = await create("aged");
    await app.purge();
    const gone = await create("gone");
    assert.equal(gone.status, 409);
    const body = JSON.parse(await expectSameAnswers({ deleted, aged, gone }));
    assert.equal(body.code, "error.asset.stale_revival");
    assert.equal("chain_head" in body, false);
    // The very manifest that gave it life does not give it life again.
    await uploadBlob(app, ada, original, { fileId: assetId });
    await expectProblem(
      await sendManifest(app, ada, assetId, manifest, { original }),
      "error.asset.stale_revival",
    );
    // Nor does a replace that continues what was its head.
    const prior = hashOf(manifest);
    const replace = { action: "replace", original, prior } as const;
    await expectProblem(
      await sendManifest(app, ada, assetId, ciphertext("r", 9), replace),
      "error.asset.stale_revival",
    );
    // For another account the id is taken, as a live one is.
    const asBob = (person: Person, fileId: string) =>
      app.send("POST", "/v1/upload", {
        token: person.token,
        json: uploadRequest(person, ciphertext("bob's", 9), { fileId }),
      });
    const refusal = await expectSameAnswers({
      gone: await asBob(bob, assetId),
      live: await asBob(ada, live.assetId),
    });
    assert.equal(JSON.parse(refusal).code, "error.manifest.mismatch");
  });
});

Deno.test("an op for a gone asset is refused alike", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "ada's");
    const other = await provisionAlbum(app, bob, "bob's");
    const { assetId } = await createAsset(app, ada, "it", { albumId });
    await trash(app, ada, assetId);
    ada = await later(app, ada, 30 * DAY);
    bob = await later(app, bob, 0);
    await app.purge();
    const op = (person: Person, album: string) =>
      sendOp(
        app,
        person,
        album,
        opRequest(person, album, assetId, ciphertext("op", 9), {
          original: ORIGINAL,
        }),
      );
    const refusal = await expectProblem(
      await op(ada, albumId),
      "error.asset.stale_revival",
    );
    assert.equal("chain_head" in refusal, false);
    await expectProblem(await op(bob, other), "error.manifest.mismatch");
  });
});

Deno.test("what another account has pending under an id is refused once the id is gone", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let bob = await registerWriter(app, "bob");
    const assetId = uuidOf("asset it");
    const manifest = ciphertext("bob's manifest", 9);
    await uploadBlob(app, bob, ORIGINAL, { fileId: assetId });
    const { upload_id } = await createUpload(app, bob, manifest, {
      fileId: assetId,
      role: "provenance",
    });
    assert.equal((await createAsset(app, ada, "it")).assetId, assetId);
    await trash(app, ada, assetId);
    ada = await later(app, ada, DAY);
    bob = await later(app, bob, 0);
    await app.purge();
    await expectProblem(
      await putBytes(app, bob, upload_id, manifest),
      "error.manifest.mismatch",
    );
    // Of each owner's things under the id the other's are let alone.
    await expectStored(app, ORIGINAL);
    await expectConsistent(app);
  }, {
    settings: {
      STRONGROOM_TRASH_DAYS: "1",
      STRONGROOM_UPLOAD_TTL_HOURS: "48",
    },
  });
});

Deno.test("a restored asset begins a new time in the trash when it is deleted again", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    ada = await later(app, ada, 29 * DAY);
    await restore(app, ada, assetId);
    ada = await later(app, ada, 29 * DAY);
    await app.purge();
    assert.equal((await readAsset(app, ada, assetId)).state, "live");
    await trash(app, ada, assetId);
    ada = await later(app, ada, 29 * DAY);
    await app.purge();
    assert.equal((await readAsset(app, ada, assetId)).state, "deleted");
  });
});

Deno.test("what is under legal hold in the trash does not age out of it", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    await trash(app, ada, asset.assetId);
    await mark(app, asset.assetId, { held_at: app.clock.now });
    ada = await later(app, ada, 100 * DAY);
    await app.purge();
    const { state } = await readAsset(app, ada, asset.assetId);
    assert.equal(state, "deleted");
    await expectStored(app, asset.original, asset.metadata, asset.manifest);
    await mark(app, asset.assetId, { held_at: null });
    await app.purge();
    await expectStored(app);
    await expectConsistent(app);
  });
});

Deno.test("what is taken down ages out of the trash all the same, unless it is held", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    await mark(app, assetId, { withheld_at: app.clock.now });
    app.clock.advance(30 * DAY);
    await app.purge();
    await expectStored(app);
  });
});

Deno.test("STRONGROOM_TRASH_DAYS is how long the trash keeps", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    ada = await later(app, ada, 2 * DAY - 1);
    assert.equal((await readAsset(app, ada, assetId)).state, "deleted");
    app.clock.advance(1);
    await expectProblem(
      await sendRestore(app, ada, assetId),
      "error.asset.not_found",
    );
    const { assets } = await collect(app);
    assert.deepEqual(assets, { count: 1, bytes: 6_200 });
    assert.equal(app.clock.now, START_MS + 2 * DAY);
  }, { settings: { STRONGROOM_TRASH_DAYS: "2" } });
});

Deno.test("without days in the trash a deleted asset is told of once, and gone", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    assert.equal((await trash(app, ada, assetId)).state, "deleted");
    await expectProblem(
      await sendDelete(app, ada, assetId),
      "error.asset.not_found",
    );
    await app.purge();
    await expectStored(app);
    await expectConsistent(app);
  }, { settings: { STRONGROOM_TRASH_DAYS: "0" } });
});
