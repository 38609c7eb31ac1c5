/**
 * Applying manifests: how an asset comes to life and how its chain goes on
 * (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
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
import {
  expectBytes,
  readAsset,
  readBlob,
  refreshed,
  sendManifest,
  withAda,
} from "../support/api.ts";
import { finalize } from "../support/uploads.ts";
import {
  ASSET,
  expectPending,
  MANIFEST,
  METADATA,
  ORIGINAL,
} from "../support/lifecycle.ts";

const HOUR = 3_600_000;

Deno.test("an asset is pending until its manifest is applied, then live", async () => {
  await withAda(async (app, ada) => {
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    await uploadBlob(app, ada, METADATA, { fileId: ASSET, role: "metadata" });
    await expectPending(app, ada);
    app.clock.advance(5_000);
    const applied = await expectJson(
      await sendManifest(app, ada, ASSET, MANIFEST, {
        original: ORIGINAL,
        metadata: METADATA,
        prior: null,
      }),
      200,
    );
    assert.equal(applied.replayed, false);
    const { album_id, deleted_at, blobs, created_at, updated_at, ...asset } =
      await readAsset(app, ada, ASSET);
    assert.equal(album_id ?? null, null);
    assert.equal(deleted_at ?? null, null);
    assert.equal(Date.parse(created_at), START_MS + 5_000);
    assert.equal(Date.parse(updated_at), START_MS + 5_000);
    assert.deepEqual(asset, {
      asset_id: ASSET,
      owner: ada.userId,
      state: "live",
      chain_head: hashOf(MANIFEST),
      sync_seq: applied.sync_seq,
    });
    assert.deepEqual(
      blobs.toSorted((a: Json, b: Json) => a.role < b.role ? -1 : 1),
      [
        { hash: hashOf(METADATA), role: "metadata", size: 200 },
        { hash: hashOf(ORIGINAL), role: "original", size: 2_000 },
        { hash: hashOf(MANIFEST), role: "provenance", size: 700 },
      ],
    );
  });
});

Deno.test("a create names its blobs or leaves them unnamed", async () => {
  await withAda(async (app, ada) => {
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    await expectJson(await sendManifest(app, ada, ASSET, MANIFEST), 200);
    const asset = await readAsset(app, ada, ASSET);
    assert.deepEqual(
      asset.blobs.map((blob: Json) => blob.role).toSorted(),
      ["original", "provenance"],
    );
  });
});

Deno.test("a create in an album belongs to it", async () => {
  await withAda(async (app, ada) => {
    const albumId = uuidOf("album");
    await expectJson(
      await app.send("POST", "/v1/albums", {
        token: ada.token,
        json: { album_id: albumId },
      }),
      201,
    );
    const { assetId } = await createAsset(app, ada, "in album", { albumId });
    assert.equal((await readAsset(app, ada, assetId)).album_id, albumId);
  });
});

Deno.test("an applied manifest is a replay with the same sync_seq", async () => {
  await withAda(async (app, ada) => {
    const { manifest, applied } = await createAsset(app, ada, "photo");
    app.clock.advance(60_000);
    const { upload_id } = applied;
    const replay = { ...applied, replayed: true };
    for (
      const response of [
        await finalize(app, ada, upload_id),
        await putBytes(app, ada, upload_id, manifest),
        await finalize(await app.reopen(), ada, upload_id),
      ]
    ) assert.deepEqual(await expectJson(response, 200), replay);
  });
});

Deno.test("the first account to apply a pending file_id owns it", async () => {
  await withAda(async (app, ada) => {
    const bob = await registerWriter(app, "bob");
    for (const one of [ada, bob]) {
      await uploadBlob(app, one, ORIGINAL, { fileId: ASSET });
    }
    const bobs = ciphertext("bob's manifest", 80);
    const session = await createUpload(app, bob, bobs, {
      role: "provenance",
      fileId: ASSET,
      envelope: { original_blob_hash: hashOf(ORIGINAL) },
    });
    await expectJson(
      await sendManifest(app, ada, ASSET, MANIFEST, { original: ORIGINAL }),
      200,
    );
    const late = await putBytes(app, bob, session.upload_id, bobs);
    const refusal = await expectProblem(late, "error.manifest.mismatch");
    assert.equal(refusal.errors[0].path, "/manifest_envelope/file_id");
    // The answer does not show the chain of another account.
    assert.equal(refusal.chain_head, undefined);
    assert.equal((await readAsset(app, ada, ASSET)).owner, ada.userId);
    await expectPending(app, bob);
  });
});

Deno.test("of two creates of one asset at once one is applied", async () => {
  await withAda(async (app, ada) => {
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        sendManifest(app, ada, ASSET, ciphertext(`race ${name}`, 90), {
          original: ORIGINAL,
        })
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 409, 409],
    );
    for (const answer of answers) await answer.body?.cancel();
  });
});

Deno.test("unapplied blobs live 24 hours after the last activity on their asset", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const wait = async () => {
      app.clock.advance(24 * HOUR - 1_000);
      await app.purge();
      return await refreshed(app, ada);
    };
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    const later = await wait();
    await uploadBlob(app, later, METADATA, { fileId: ASSET, role: "metadata" });
    const last = await wait();
    await expectJson(
      await sendManifest(app, last, ASSET, MANIFEST, {
        original: ORIGINAL,
        metadata: METADATA,
      }),
      200,
    );
    const blob = await readBlob(app, last, ASSET, hashOf(ORIGINAL));
    expectBytes(await blob.arrayBuffer(), ORIGINAL);
    // However short an upload session lives.
  }, { settings: { STRONGROOM_UPLOAD_TTL_HOURS: "1" } });
});

Deno.test("a live asset outlives its upload sessions and the purge", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    app.clock.advance(100 * 24 * HOUR);
    await app.purge();
    const now = await refreshed(app, ada);
    for (const bytes of [asset.original, asset.metadata, asset.manifest]) {
      const blob = await readBlob(app, now, asset.assetId, hashOf(bytes));
      expectBytes(await blob.arrayBuffer(), bytes);
    }
  });
});

Deno.test("a manifest already applied is a replay with the position of its first application", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    app.clock.advance(25 * HOUR);
    await app.purge();
    const now = await refreshed(app, ada);
    const again = await expectJson(
      await sendManifest(app, now, asset.assetId, asset.manifest, {
        original: asset.original,
        metadata: asset.metadata,
      }),
      200,
    );
    assert.equal(again.replayed, true);
    assert.equal(again.sync_seq, asset.applied.sync_seq);
    const read = await readAsset(app, now, asset.assetId);
    assert.equal(read.sync_seq, asset.applied.sync_seq);
    assert.equal(read.chain_head, hashOf(asset.manifest));
  });
});

Deno.test("an asset and its blobs outlive a restart", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    const before = await readAsset(app, ada, asset.assetId);
    const again = await app.reopen();
    assert.deepEqual(await readAsset(again, ada, asset.assetId), before);
    const hash = hashOf(asset.original);
    const blob = await readBlob(again, ada, asset.assetId, hash);
    expectBytes(await blob.arrayBuffer(), asset.original);
  });
});
