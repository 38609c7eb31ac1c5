/**
 * Storage verification, the structural half
 * (protocol/receipts.md#structural-and-deep-verification).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toRfc3339 } from "../../src/core/time.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  damageBlob,
  hashesOf,
  setAsset,
  SOUND,
  verify,
  verifyOne,
  withAda,
} from "../support/storage.ts";
import { sendManifest } from "../support/api.ts";

const UNKNOWN = {
  role: "unknown",
  stored: false,
  indexed: false,
  retrievable: false,
};
Deno.test("an asset is durable when every declared blob is stored, indexed and retrievable", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    const preview = ciphertext("preview", 200);
    await uploadBlob(app, ada, preview, {
      fileId: asset.assetId,
      role: "derivative",
    });
    app.clock.advance(1_500);
    const [original, metadata, manifest] = hashesOf(asset);
    const derivative = hashOf(preview);
    assert.deepEqual(
      await verifyOne(app, ada, asset.assetId, [
        ...hashesOf(asset),
        derivative,
      ]),
      {
        asset_id: asset.assetId,
        durable: true,
        blobs: [
          { hash: original, role: "original", ...SOUND },
          { hash: metadata, role: "metadata", ...SOUND },
          { hash: manifest, role: "provenance", ...SOUND },
          { hash: derivative, role: "derivative", ...SOUND },
        ],
        checked_at: toRfc3339(app.clock.now),
      },
    );
  });
});

Deno.test("verdicts come in request order, blobs in declaration order, never shortened", async () => {
  await withAda(async (app, ada) => {
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    const [a = "", b = "", c = ""] = hashesOf(one);
    const asked = [
      { asset_id: two.assetId, blob_hashes: hashesOf(two).toReversed() },
      { asset_id: one.assetId, blob_hashes: [c, a, hashOf("none"), a, b, a] },
      { asset_id: uuidOf("nothing"), blob_hashes: [hashOf("none")] },
      { asset_id: two.assetId, blob_hashes: hashesOf(two) },
    ];
    for (const deep of [false, true]) {
      const verdicts = await verify(app, ada, asked, { deep });
      assert.deepEqual(
        verdicts.map(({ asset_id, blobs }: Json) => ({
          asset_id,
          blob_hashes: blobs.map(({ hash }: Json) => hash),
        })),
        asked,
      );
      assert.deepEqual(
        verdicts.map(({ durable }: Json) => durable),
        [true, false, false, true],
      );
      const [first, second] = verdicts[1].blobs.filter(({ hash }: Json) =>
        hash === a
      );
      assert.deepEqual(first, second);
    }
  });
});

Deno.test("a hash that the asset does not hold has the role unknown and makes it not durable", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    const nowhere = hashOf("nowhere");
    const verdict = await verifyOne(app, ada, asset.assetId, [
      ...hashesOf(asset),
      nowhere,
    ]);
    assert.equal(verdict.durable, false);
    assert.deepEqual(verdict.blobs.at(-1), { hash: nowhere, ...UNKNOWN });
    assert.deepEqual(
      await verifyOne(app, ada, uuidOf("no asset"), [nowhere]),
      {
        asset_id: uuidOf("no asset"),
        durable: false,
        blobs: [{ hash: nowhere, ...UNKNOWN }],
        checked_at: toRfc3339(app.clock.now),
      },
    );
  });
});

Deno.test("a blob of another asset of the caller's is told of, its role under this one is unknown", async () => {
  await withAda(async (app, ada) => {
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    const hash = hashOf(one.original);
    const { blobs } = await verifyOne(app, ada, two.assetId, [hash]);
    assert.deepEqual(blobs, [{ hash, role: "unknown", ...SOUND }]);
    await setAsset(app, one.assetId, { withheld_at: app.clock.now });
    const withheld = await verifyOne(app, ada, two.assetId, [hash]);
    assert.deepEqual(withheld.blobs, [
      { hash, role: "unknown", ...SOUND, retrievable: false },
    ]);
  });
});

Deno.test("nothing is told of bytes that the caller does not hold", async () => {
  await withAda(async (app, ada) => {
    const bob = await registerWriter(app, "bob");
    const asset = await createAsset(app, ada, "photo");
    // Another account's live asset, and bytes that were never stored.
    const hashes = [...hashesOf(asset), hashOf("nobody's")];
    for (const deep of [false, true]) {
      const foreign = await verifyOne(app, bob, asset.assetId, hashes, {
        deep,
      });
      assert.equal(foreign.durable, false);
      for (const blob of foreign.blobs) {
        assert.deepEqual(blob, { hash: blob.hash, ...UNKNOWN });
      }
    }
    // Bob's own file of the same id, pending: his bytes and no others.
    const own = ciphertext("bob's", 50);
    await uploadBlob(app, bob, own, {
      fileId: uuidOf("another"),
    });
    const { blobs } = await verifyOne(app, bob, uuidOf("another"), [
      hashOf(own),
      hashOf(asset.original),
    ]);
    assert.deepEqual(blobs.map(({ stored }: Json) => stored), [true, false]);
  });
});

Deno.test("a blob that is uploaded and not applied is stored and not indexed", async () => {
  await withAda(async (app, ada) => {
    const fileId = uuidOf("pending");
    const bytes = ciphertext("pending", 400);
    await uploadBlob(app, ada, bytes, { fileId });
    const { durable, blobs } = await verifyOne(app, ada, fileId, [
      hashOf(bytes),
    ]);
    assert.equal(durable, false);
    const { role, stored, indexed } = blobs[0];
    assert.deepEqual(
      { role, stored, indexed },
      { role: "original", stored: true, indexed: false },
    );
  });
});

Deno.test("bytes of an open session are not stored", async () => {
  await withAda(async (app, ada) => {
    const bytes = ciphertext("open", 400);
    const { upload_id, asset_id } = await createUpload(app, ada, bytes);
    await patchBytes(app, ada, upload_id, 0, bytes);
    const verdict = await verifyOne(app, ada, asset_id, [hashOf(bytes)]);
    assert.deepEqual(verdict.blobs, [{ hash: hashOf(bytes), ...UNKNOWN }]);
  });
});

Deno.test("what a manifest replaced is not the asset's any more; earlier manifests are", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    const edited = ciphertext("edited", 120);
    const second = ciphertext("second", 60);
    await uploadBlob(app, ada, edited, { fileId: asset.assetId });
    await expectJson(
      await sendManifest(app, ada, asset.assetId, second, {
        action: "replace",
        original: edited,
        prior: hashOf(asset.manifest),
      }),
      200,
    );
    const { blobs } = await verifyOne(app, ada, asset.assetId, [
      hashOf(asset.original),
      hashOf(asset.manifest),
      hashOf(second),
      hashOf(edited),
    ]);
    assert.deepEqual(
      blobs.map(({ role }: Json) => role),
      ["unknown", "provenance", "provenance", "original"],
    );
    assert.deepEqual(
      blobs.map(({ indexed }: Json) => indexed),
      [false, true, true, true],
    );
  });
});

Deno.test("one blob in two roles is named by the one that the manifest holds", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await uploadBlob(app, ada, asset.metadata, {
      fileId: asset.assetId,
      role: "original",
    });
    const { durable, blobs } = await verifyOne(app, ada, asset.assetId, [
      hashOf(asset.metadata),
    ]);
    assert.equal(blobs[0].role, "metadata");
    assert.equal(durable, true);
  });
});

Deno.test("what is taken down is stored and indexed, and not retrievable", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await setAsset(app, asset.assetId, { withheld_at: app.clock.now });
    const verdict = await verifyOne(app, ada, asset.assetId, hashesOf(asset));
    assert.equal(verdict.durable, false);
    for (const { stored, indexed, retrievable } of verdict.blobs) {
      assert.deepEqual({ stored, indexed, retrievable }, {
        stored: true,
        indexed: true,
        retrievable: false,
      });
    }
  });
});

Deno.test("what is in the trash is stored, and neither indexed nor retrievable", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    const at = app.clock.now;
    await setAsset(app, asset.assetId, { state: "deleted", deleted_at: at });
    const verdict = await verifyOne(app, ada, asset.assetId, hashesOf(asset));
    assert.equal(verdict.durable, false);
    for (const { role, stored, indexed, retrievable } of verdict.blobs) {
      assert.notEqual(role, "unknown");
      assert.deepEqual({ stored, indexed, retrievable }, {
        stored: true,
        indexed: false,
        retrievable: false,
      });
    }
  });
});

Deno.test("a structural check examines no bytes: deep is absent", async () => {
  await withAda(async (app, ada) => {
    const asset = await createAsset(app, ada, "photo");
    await damageBlob(app, hashOf(asset.original), "a flipped byte");
    for (const over of [{}, { deep: false }]) {
      const verdict = await verifyOne(
        app,
        ada,
        asset.assetId,
        hashesOf(asset),
        over,
      );
      assert.equal(verdict.durable, true);
      for (const blob of verdict.blobs) assert(!("deep" in blob));
    }
  });
});
