/**
 * Who reads which blob, and large ones.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  expectNoErrors,
  readBlob,
  sendManifest,
} from "../support/api.ts";

Deno.test("a large blob is cut at any place", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const length = 3 * 1024 * 1024 + 17;
    const { assetId, original } = await createAsset(app, ada, "large", {
      length,
    });
    const hash = hashOf(original);
    const whole = await readBlob(app, ada, assetId, hash);
    expectBytes(await whole.arrayBuffer(), original);
    for (
      const [first, last] of [[0, 65_535], [65_535, 65_536], [
        1_048_575,
        2_097_153,
      ], [length - 1, length - 1]] as const
    ) {
      const part = await readBlob(app, ada, assetId, hash, {
        Range: `bytes=${first}-${last}`,
      });
      assert.equal(part.status, 206);
      expectBytes(
        await part.arrayBuffer(),
        original.slice(first, last + 1),
        `${first}-${last}`,
      );
    }
    // A reader that goes away does no harm.
    const left = await readBlob(app, ada, assetId, hash);
    const reader = left.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expectNoErrors(app);
  });
});

Deno.test("only its owner reads an asset's blobs, in every role", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const asset = await createAsset(app, ada, "photo");
    const other = await createAsset(app, ada, "other");
    for (const bytes of [asset.original, asset.metadata, asset.manifest]) {
      const hash = hashOf(bytes);
      const read = await readBlob(app, ada, asset.assetId, hash);
      expectBytes(await read.arrayBuffer(), bytes);
      for (
        const response of [
          await readBlob(app, bob, asset.assetId, hash),
          await readBlob(app, ada, other.assetId, hash),
          await readBlob(app, ada, uuidOf("no asset"), hash),
        ]
      ) await expectProblem(response, "error.asset.not_found");
    }
    const hash = hashOf(asset.original);
    for (
      const path of [
        `/v1/assets/photo/blobs/${hash}`,
        `/v1/assets/${asset.assetId.toUpperCase()}/blobs/${hash}`,
        `/v1/assets/${asset.assetId}/blobs/${hash.toUpperCase()}`,
        `/v1/assets/${asset.assetId}/blobs/${hash.slice(1)}`,
        `/v1/assets/${asset.assetId}/blobs/${hash}0`,
        "/v1/assets/photo",
        "/v1/assets/photo/receipts",
      ]
    ) {
      const response = await app.send("GET", path, { token: ada.token });
      await expectProblem(response, "error.request.malformed");
    }
  });
});

Deno.test("a blob that two accounts hold is each one's own", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const assets = [];
    for (const person of [ada, bob]) {
      const assetId = uuidOf(`twin of ${person.userId}`);
      const original = ciphertext("twin", 400);
      await uploadBlob(app, person, original, { fileId: assetId });
      const manifest = ciphertext(assetId, 40);
      const applied = await sendManifest(app, person, assetId, manifest);
      assert.equal(applied.status, 200);
      await applied.body?.cancel();
      assets.push({ person, assetId, original });
    }
    for (const { person, assetId, original } of assets) {
      const response = await readBlob(app, person, assetId, hashOf(original));
      expectBytes(await response.arrayBuffer(), original);
    }
  });
});
