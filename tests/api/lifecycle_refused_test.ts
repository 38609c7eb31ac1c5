/**
 * Manifests that are refused: missing blobs, wrong chains, deleted assets and
 * long retention (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { readAsset, sendManifest, withAda } from "../support/api.ts";
import { finalize } from "../support/uploads.ts";
import {
  ASSET,
  expectPending,
  MANIFEST,
  METADATA,
  ORIGINAL,
} from "../support/lifecycle.ts";

Deno.test("missing blobs are 422 and named; the refused manifest can be repeated", async () => {
  await withAda(async (app, ada) => {
    const names = { original: ORIGINAL, metadata: METADATA };
    const first = await sendManifest(app, ada, ASSET, MANIFEST, names);
    const refusal = await expectProblem(first, "error.manifest.blob_missing");
    assert.deepEqual(
      refusal.missing.toSorted(),
      [hashOf(ORIGINAL), hashOf(METADATA)].toSorted(),
    );
    await expectPending(app, ada);
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    const { upload_id } = await expectJson(
      await app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, MANIFEST, {
          role: "provenance",
          fileId: ASSET,
          envelope: {
            original_blob_hash: hashOf(ORIGINAL),
            metadata_blob_hash: hashOf(METADATA),
          },
        }),
      }),
      200,
    );
    const second = await expectProblem(
      await finalize(app, ada, upload_id),
      "error.manifest.blob_missing",
    );
    assert.deepEqual(second.missing, [hashOf(METADATA)]);
    await uploadBlob(app, ada, METADATA, { fileId: ASSET, role: "metadata" });
    // The uploaded bytes of the manifest were left.
    await expectJson(await finalize(app, ada, upload_id), 200);
    const asset = await readAsset(app, ada, ASSET);
    assert.equal(asset.chain_head, hashOf(MANIFEST));
  });
});

Deno.test("a blob that is not finalized, of another file or another's is missing", async () => {
  await withAda(async (app, ada) => {
    const bob = await registerWriter(app, "bob");
    await uploadBlob(app, ada, ORIGINAL, { fileId: uuidOf("other file") });
    await uploadBlob(app, bob, ORIGINAL, { fileId: ASSET });
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET, role: "derivative" });
    const session = await createUpload(app, ada, ORIGINAL, { fileId: ASSET });
    await patchBytes(app, ada, session.upload_id, 0, ORIGINAL);
    const refusal = await expectProblem(
      await sendManifest(app, ada, ASSET, MANIFEST, { original: ORIGINAL }),
      "error.manifest.blob_missing",
    );
    assert.deepEqual(refusal.missing, [hashOf(ORIGINAL)]);
    // Unnamed, it is needed all the same.
    const unnamed = await sendManifest(
      app,
      ada,
      ASSET,
      ciphertext("unnamed", 50),
    );
    await expectProblem(unnamed, "error.manifest.blob_missing");
    await expectPending(app, ada);
  });
});

Deno.test("a create with a prior hash, or on a live asset, is 409 with chain_head", async () => {
  await withAda(async (app, ada) => {
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET });
    const early = await expectProblem(
      await sendManifest(app, ada, ASSET, ciphertext("prior", 60), {
        original: ORIGINAL,
        prior: hashOf("something"),
      }),
      "error.asset.stale_revival",
    );
    assert("chain_head" in early);
    assert.equal(early.chain_head, null);
    await expectPending(app, ada);
    const live = { original: ORIGINAL };
    await expectJson(await sendManifest(app, ada, ASSET, MANIFEST, live), 200);
    for (const prior of [null, hashOf(MANIFEST)]) {
      const late = await expectProblem(
        await sendManifest(app, ada, ASSET, ciphertext(`late ${prior}`, 60), {
          ...live,
          prior,
        }),
        "error.asset.stale_revival",
      );
      assert.equal(late.chain_head, hashOf(MANIFEST));
    }
    const asset = await readAsset(app, ada, ASSET);
    assert.equal(asset.chain_head, hashOf(MANIFEST));
  });
});

Deno.test("a deleted asset is not created again: 409 without chain_head", async () => {
  await withAda(async (app, ada) => {
    const { assetId, original, manifest } = await createAsset(
      app,
      ada,
      "deleted",
    );
    const session = await createUpload(app, ada, ciphertext("again", 40), {
      role: "provenance",
      fileId: assetId,
      envelope: { original_blob_hash: hashOf(original) },
    });
    await app.app.db.updateTable("asset")
      .set({ state: "deleted", deleted_at: app.clock.now })
      .where("asset_id", "=", assetId as Json)
      .execute();
    const again = await putBytes(
      app,
      ada,
      session.upload_id,
      ciphertext("again", 40),
    );
    const refusal = await expectProblem(again, "error.asset.stale_revival");
    assert(!("chain_head" in refusal));
    const replace = await sendManifest(app, ada, assetId, MANIFEST, {
      action: "replace",
      original,
      prior: hashOf(manifest),
    });
    const replaced = await expectProblem(replace, "error.asset.stale_revival");
    assert(!("chain_head" in replaced));
  });
});

Deno.test("a retention floor is at most ten years ahead", async () => {
  await withAda(async (app, ada) => {
    const floor = async (fileId: string, retention_until: string) => {
      const manifest = ciphertext(fileId, 50);
      await uploadBlob(app, ada, ORIGINAL, { fileId });
      const created = await app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, manifest, {
          role: "provenance",
          fileId,
          envelope: { retention_until },
        }),
      });
      if (created.status !== 201) return created;
      const { upload_id } = await created.json();
      return await putBytes(app, ada, upload_id, manifest);
    };
    await expectJson(await floor(uuidOf("9"), "2036-11-20T00:00:00Z"), 200);
    const refusal = await expectProblem(
      await floor(uuidOf("11"), "2036-11-23T00:00:00Z"),
      "error.manifest.mismatch",
    );
    assert.equal(refusal.errors[0].path, "/manifest_envelope/retention_until");
  });
});
