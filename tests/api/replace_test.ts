/**
 * Replacing: the chain of manifests of a live asset, and what becomes of the
 * blobs that it no longer names (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import { provisionAlbum } from "../support/albums.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
  uploadBlob,
} from "../support/people.ts";
import {
  expectBytes,
  expectNoErrors,
  type ManifestOver,
  readAsset,
  readBlob,
  sendManifest,
} from "../support/api.ts";

async function withAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, await createAsset(app, ada, "photo"));
    expectNoErrors(app);
  });
}

/** Replaces under a manifest of that name. */
function replace(
  app: TestApp,
  ada: Person,
  assetId: string,
  name: string,
  over: ManifestOver,
): Promise<Response> {
  return sendManifest(app, ada, assetId, ciphertext(name, 500), {
    action: "replace",
    ...over,
  });
}

function headOf(name: string): string {
  return hashOf(ciphertext(name, 500));
}

async function rolesOf(
  app: TestApp,
  ada: Person,
  assetId: string,
): Promise<Record<string, string[]>> {
  const roles: Record<string, string[]> = {};
  for (const { role, hash } of (await readAsset(app, ada, assetId)).blobs) {
    roles[role] = [...roles[role] ?? [], hash].toSorted();
  }
  return roles;
}

async function statusOf(
  app: TestApp,
  ada: Person,
  assetId: string,
  bytes: Uint8Array,
): Promise<number> {
  const response = await readBlob(app, ada, assetId, hashOf(bytes));
  await response.body?.cancel();
  return response.status;
}

Deno.test("a replace that continues the chain head is applied", async () => {
  await withAsset(async (app, ada, { assetId, original, manifest, ...old }) => {
    const before = await readAsset(app, ada, assetId);
    app.clock.advance(60_000);
    const edited = ciphertext("edited", 3_000);
    const metadata = ciphertext("edited metadata", 150);
    await uploadBlob(app, ada, edited, { fileId: assetId });
    await uploadBlob(app, ada, metadata, { fileId: assetId, role: "metadata" });
    // Uploaded and not applied: the asset is what it was.
    assert.deepEqual(await readAsset(app, ada, assetId), before);
    const applied = await expectJson(
      await replace(app, ada, assetId, "second", {
        original: edited,
        metadata,
        prior: hashOf(manifest),
      }),
      200,
    );
    assert(applied.sync_seq > before.sync_seq);
    const after = await readAsset(app, ada, assetId);
    assert.equal(after.chain_head, headOf("second"));
    assert.equal(after.sync_seq, applied.sync_seq);
    assert.equal(after.created_at, before.created_at);
    assert.equal(Date.parse(after.updated_at), START_MS + 60_000);
    const roles = await rolesOf(app, ada, assetId);
    assert.deepEqual(roles["original"], [hashOf(edited)]);
    assert.deepEqual(roles["metadata"], [hashOf(metadata)]);
    assert(roles["provenance"]?.includes(headOf("second")));
    const blob = await readBlob(app, ada, assetId, hashOf(edited));
    expectBytes(await blob.arrayBuffer(), edited);
    // What was replaced is gone; earlier manifests stay readable.
    assert.equal(await statusOf(app, ada, assetId, original), 404);
    assert.equal(await statusOf(app, ada, assetId, old.metadata), 404);
    assert.equal(await statusOf(app, ada, assetId, manifest), 200);
  });
});

Deno.test("a replace that does not continue the chain head is 409 with chain_head", async () => {
  await withAsset(async (app, ada, { assetId, original, manifest }) => {
    await expectJson(
      await replace(app, ada, assetId, "second", {
        original,
        prior: hashOf(manifest),
      }),
      200,
    );
    const priors = {
      stale: hashOf(manifest),
      none: null,
      foreign: hashOf("nothing"),
      itself: headOf("itself"),
    };
    for (const [name, prior] of Object.entries(priors)) {
      const refusal = await expectProblem(
        await replace(app, ada, assetId, name, { original, prior }),
        "error.asset.stale_revival",
      );
      assert.equal(refusal.chain_head, headOf("second"), name);
    }
    const asset = await readAsset(app, ada, assetId);
    assert.equal(asset.chain_head, headOf("second"));
  });
});

Deno.test("a replace of an asset that is not live is 409", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = crypto.randomUUID();
    const original = ciphertext("pending", 100);
    await uploadBlob(app, ada, original, { fileId: assetId });
    for (const prior of [null, hashOf("prior")]) {
      const refusal = await expectProblem(
        await replace(app, ada, assetId, `first ${prior}`, { original, prior }),
        "error.asset.stale_revival",
      );
      assert.equal(refusal.chain_head ?? null, null);
    }
  });
});

Deno.test("a replace whose blobs are missing is 422 and changes nothing", async () => {
  await withAsset(async (app, ada, { assetId, manifest }) => {
    const before = await readAsset(app, ada, assetId);
    const original = ciphertext("never sent", 10);
    const metadata = ciphertext("never sent either", 10);
    const refusal = await expectProblem(
      await replace(app, ada, assetId, "second", {
        original,
        metadata,
        prior: hashOf(manifest),
      }),
      "error.manifest.blob_missing",
    );
    assert.deepEqual(
      refusal.missing.toSorted(),
      [hashOf(original), hashOf(metadata)].toSorted(),
    );
    assert.deepEqual(await readAsset(app, ada, assetId), before);
  });
});

Deno.test("the blobs that an asset holds need no second upload", async () => {
  await withAsset(
    async (app, ada, { assetId, original, metadata, manifest }) => {
      await expectJson(
        await replace(app, ada, assetId, "second", {
          original,
          metadata,
          prior: hashOf(manifest),
        }),
        200,
      );
      const roles = await rolesOf(app, ada, assetId);
      assert.deepEqual(roles["original"], [hashOf(original)]);
      assert.deepEqual(roles["metadata"], [hashOf(metadata)]);
      assert.equal(await statusOf(app, ada, assetId, original), 200);
    },
  );
});

Deno.test("a replace without metadata_blob_hash leaves the asset without metadata", async () => {
  await withAsset(
    async (app, ada, { assetId, original, metadata, manifest }) => {
      await expectJson(
        await replace(app, ada, assetId, "second", {
          original,
          prior: hashOf(manifest),
        }),
        200,
      );
      assert.equal((await rolesOf(app, ada, assetId))["metadata"], undefined);
      assert.equal(await statusOf(app, ada, assetId, metadata), 404);
    },
  );
});

Deno.test("a derivative of a live asset attaches when it finalizes", async () => {
  await withAsset(async (app, ada, { assetId }) => {
    const thumbnail = ciphertext("thumbnail", 64);
    await uploadBlob(app, ada, thumbnail, {
      fileId: assetId,
      role: "derivative",
    });
    const roles = await rolesOf(app, ada, assetId);
    assert.deepEqual(roles["derivative"], [hashOf(thumbnail)]);
    const blob = await readBlob(app, ada, assetId, hashOf(thumbnail));
    expectBytes(await blob.arrayBuffer(), thumbnail);
  });
});

Deno.test("a derivative of a pending asset attaches with the first manifest", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = crypto.randomUUID();
    const original = ciphertext("pending", 100);
    const thumbnail = ciphertext("thumbnail", 64);
    await uploadBlob(app, ada, thumbnail, {
      fileId: assetId,
      role: "derivative",
    });
    await uploadBlob(app, ada, original, { fileId: assetId });
    assert.equal(await statusOf(app, ada, assetId, thumbnail), 404);
    await expectJson(
      await sendManifest(app, ada, assetId, ciphertext("m", 50), { original }),
      200,
    );
    const roles = await rolesOf(app, ada, assetId);
    assert.deepEqual(roles["derivative"], [hashOf(thumbnail)]);
  });
});

Deno.test("a changed original drops the derivatives from before the previous manifest", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = crypto.randomUUID();
    const blobs = ["first", "second", "third"].map((name) =>
      ciphertext(`original ${name}`, 100)
    );
    const thumbnails = ["a", "b", "c"].map((name) => ciphertext(name, 30));
    const originalOf = (index: number) => blobs[index] ?? new Uint8Array();
    const derive = async (index: number) => {
      app.clock.advance(1_000);
      await uploadBlob(app, ada, thumbnails[index] ?? new Uint8Array(), {
        fileId: assetId,
        role: "derivative",
      });
      app.clock.advance(1_000);
    };
    const held = async () => (await rolesOf(app, ada, assetId))["derivative"];
    const hashes = (...indexes: number[]) =>
      indexes.map((index) => hashOf(thumbnails[index] ?? "")).toSorted();

    await derive(0);
    await uploadBlob(app, ada, originalOf(0), { fileId: assetId });
    await expectJson(
      await sendManifest(app, ada, assetId, ciphertext("m1", 500), {
        original: originalOf(0),
      }),
      200,
    );
    // For the next original: finalized after the manifest, before the next.
    await derive(1);
    assert.deepEqual(await held(), hashes(0, 1));

    // A manifest that keeps the original keeps the derivatives.
    await expectJson(
      await replace(app, ada, assetId, "m2", {
        original: originalOf(0),
        prior: headOf("m1"),
      }),
      200,
    );
    assert.deepEqual(await held(), hashes(0, 1));

    await derive(2);
    await uploadBlob(app, ada, originalOf(1), { fileId: assetId });
    await expectJson(
      await replace(app, ada, assetId, "m3", {
        original: originalOf(1),
        prior: headOf("m2"),
      }),
      200,
    );
    assert.deepEqual(await held(), hashes(2));

    await uploadBlob(app, ada, originalOf(2), { fileId: assetId });
    await expectJson(
      await replace(app, ada, assetId, "m4", {
        original: originalOf(2),
        prior: headOf("m3"),
      }),
      200,
    );
    assert.equal(await held(), undefined);
  });
});

Deno.test("a long chain stays readable back to its first manifest", async () => {
  await withAsset(async (app, ada, { assetId, original, manifest }) => {
    let prior = hashOf(manifest);
    for (let step = 0; step < 5; step++) {
      await expectJson(
        await replace(app, ada, assetId, `step ${step}`, { original, prior }),
        200,
      );
      prior = headOf(`step ${step}`);
    }
    assert.equal((await readAsset(app, ada, assetId)).chain_head, prior);
    for (let step = 0; step < 5; step++) {
      const bytes = ciphertext(`step ${step}`, 500);
      assert.equal(await statusOf(app, ada, assetId, bytes), 200);
    }
    assert.equal(await statusOf(app, ada, assetId, manifest), 200);
  });
});

Deno.test("of two replaces of one head at once one is applied", async () => {
  await withAsset(async (app, ada, { assetId, original, manifest }) => {
    const answers: Json[] = await Promise.all(
      ["x", "y", "z"].map((name) =>
        replace(app, ada, assetId, name, { original, prior: hashOf(manifest) })
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 409, 409],
    );
    for (const answer of answers) await answer.body?.cancel();
  });
});

Deno.test("a replace that names no album takes no asset out of its album", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "kept");
    const asset = await createAsset(app, ada, "kept", { albumId });
    const { applied } = asset;
    const refused = await expectProblem(
      await sendManifest(
        app,
        ada,
        asset.assetId,
        ciphertext("a manifest without an album", 90),
        {
          action: "replace",
          original: asset.original,
          prior: applied.ciphertext_hash,
        },
      ),
      "error.manifest.mismatch",
    );
    assert.deepEqual(refused.errors.map((one: Json) => one.path), [
      "/manifest_envelope/album_id",
    ]);
    const read = await readAsset(app, ada, asset.assetId);
    assert.equal(read.album_id, albumId);
    assert.equal(read.chain_head, applied.ciphertext_hash);
  });
});
