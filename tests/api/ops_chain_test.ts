/**
 * Lifecycle writes and the chain: missing blobs, stale revivals, races, and the
 * derivatives of a replaced original
 * (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, sendOp } from "../support/albums.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  type AlbumWorld,
  createByOp,
  everything,
  expectRefused,
  receiptsOf,
  replaceRequest,
  uploadOriginal,
  withAlbum,
} from "../support/ops.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { readAsset } from "../support/api.ts";

const ASSET = uuidOf("asset");
const MANIFEST = ciphertext("manifest", 700);
const ORIGINAL = ciphertext("original", 800);
const METADATA = ciphertext("metadata", 90);

function refused(
  { app, albumId }: AlbumWorld,
  person: Person,
  request: Json,
  code: Parameters<typeof expectRefused>[2],
): Promise<Json> {
  return expectRefused(app, () => sendOp(app, person, albumId, request), code);
}

Deno.test("blobs that are missing are 422 and named, and the op can be repeated", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const request = opRequest(ada, albumId, ASSET, MANIFEST, {
      original: ORIGINAL,
      envelope: { metadata_blob_hash: hashOf(METADATA) },
    });
    const missing = async () => {
      const refusal = await refused(
        world,
        ada,
        request,
        "error.manifest.blob_missing",
      );
      return refusal.missing.toSorted();
    };
    const both = [hashOf(ORIGINAL), hashOf(METADATA)].toSorted();
    assert.deepEqual(await missing(), both);
    const place = { fileId: ASSET, albumId };
    await uploadBlob(app, ada, METADATA, { ...place, role: "metadata" });
    assert.deepEqual(await missing(), [hashOf(ORIGINAL)]);
    await uploadBlob(app, ada, ORIGINAL, place);
    await expectJson(await sendOp(app, ada, albumId, request), 200);
  });
});

Deno.test("an original of another file, another account, another role or not finalized is missing", async () => {
  await withAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const place = { fileId: ASSET, albumId };
    await uploadBlob(app, ada, ORIGINAL, { fileId: uuidOf("other"), albumId });
    await uploadBlob(app, bob, ORIGINAL, place);
    await uploadBlob(app, ada, ORIGINAL, { ...place, role: "derivative" });
    const session = await createUpload(app, ada, ORIGINAL, place);
    await patchBytes(app, ada, session.upload_id, 0, ORIGINAL);
    for (const original_blob_hash of [hashOf(ORIGINAL), null]) {
      const refusal = await refused(
        world,
        ada,
        opRequest(ada, albumId, ASSET, MANIFEST, {
          original: ORIGINAL,
          metadata: METADATA,
          envelope: { original_blob_hash },
        }),
        "error.manifest.blob_missing",
      );
      assert.deepEqual(refusal.missing, [hashOf(ORIGINAL)]);
    }
  });
});

Deno.test("a replace needs the blobs that it names", async () => {
  await withAlbum(async (world) => {
    const { ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const refusal = await refused(
      world,
      ada,
      replaceRequest(ada, albumId, asset, "second", { original: ORIGINAL }),
      "error.manifest.blob_missing",
    );
    assert.deepEqual(refusal.missing, [hashOf(ORIGINAL)]);
  });
});

Deno.test("a chain conflict is 409 with the chain_head that the asset is at", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const head = hashOf(ciphertext("second", 400));
    const second = replaceRequest(ada, albumId, asset, "second");
    await expectJson(await sendOp(app, ada, albumId, second), 200);
    const { original, assetId } = asset;
    const requests = [
      ...[hashOf(asset.manifest), hashOf("nothing"), undefined].map((prior) =>
        replaceRequest(ada, albumId, asset, "third", {
          envelope: { prior_provenance_hash: prior },
        })
      ),
      ...[head, null].map((prior) =>
        opRequest(ada, albumId, assetId, MANIFEST, {
          original,
          envelope: { prior_provenance_hash: prior },
        })
      ),
    ];
    for (const request of requests) {
      const refusal = await refused(
        world,
        ada,
        request,
        "error.asset.stale_revival",
      );
      assert.equal(refusal.chain_head, head);
    }
  });
});

Deno.test("a pending asset has no chain to continue: 409 with a null chain_head", async () => {
  await withAlbum(async (world) => {
    const { ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    const prior = hashOf("something");
    const requests = [
      opRequest(ada, albumId, ASSET, MANIFEST, { original, prior }),
      ...[prior, null].map((prior_provenance_hash) =>
        opRequest(ada, albumId, ASSET, MANIFEST, {
          action: "replace",
          original,
          envelope: { prior_provenance_hash },
        })
      ),
    ];
    for (const request of requests) {
      const refusal = await refused(
        world,
        ada,
        request,
        "error.asset.stale_revival",
      );
      assert("chain_head" in refusal);
      assert.equal(refusal.chain_head, null);
    }
  });
});

Deno.test("a deleted asset is neither created nor replaced: 409 without chain_head", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    await app.app.db.updateTable("asset")
      .set({ state: "deleted", deleted_at: app.clock.now }).execute();
    for (
      const request of [
        replaceRequest(ada, albumId, asset, "second"),
        opRequest(ada, albumId, asset.assetId, MANIFEST, {
          original: asset.original,
        }),
      ]
    ) {
      const refusal = await refused(
        world,
        ada,
        request,
        "error.asset.stale_revival",
      );
      assert(!("chain_head" in refusal));
    }
  });
});

Deno.test("of two replaces of one chain head at once one is applied", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const names = ["left", "right"];
    const answers = await Promise.all(
      names.map((name) =>
        sendOp(
          app,
          ada,
          albumId,
          replaceRequest(ada, albumId, asset, name, { metadata: METADATA }),
        )
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
    const heads = names.map((name) => hashOf(ciphertext(name, 400)));
    const head = heads[statuses.indexOf(200)];
    const refusal = await answers[statuses.indexOf(409)]?.json();
    assert.equal(refusal.chain_head, head);
    const read = await readAsset(app, ada, asset.assetId);
    assert.equal(read.chain_head, head);
    // What the refused one carried is neither held nor told of.
    const receipts = await receiptsOf(app, ada, asset.assetId);
    assert.equal(receipts.length, 5);
    const { manifest, holding, uploads } = await everything(app);
    assert.equal(manifest?.length, 2);
    assert.equal(holding?.length, 4);
    assert.deepEqual(uploads, []);
    for (const answer of answers) if (!answer.bodyUsed) await answer.json();
  });
});

Deno.test("of creates of one asset at once one is applied", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        sendOp(
          app,
          ada,
          albumId,
          opRequest(ada, albumId, ASSET, ciphertext(name, 50), { original }),
        )
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 409, 409, 409],
    );
    for (const answer of answers) await answer.json();
    assert.equal((await receiptsOf(app, ada, ASSET)).length, 2);
  });
});

Deno.test("an op that changes the original drops the derivatives from before the previous manifest", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const place = { fileId: ASSET, albumId };
    const thumbnails = ["a", "b", "c"].map((name) => ciphertext(name, 30));
    const derive = async (index: number) => {
      await uploadBlob(app, ada, thumbnails[index] ?? ORIGINAL, {
        ...place,
        role: "derivative",
      });
    };
    const derivatives = async () => {
      const { blobs } = await readAsset(app, ada, ASSET);
      return blobs.filter(({ role }: Json) => role === "derivative")
        .map(({ hash }: Json) => hash).toSorted();
    };
    const hashes = (...indexes: number[]) =>
      indexes.map((index) => hashOf(thumbnails[index] ?? ORIGINAL)).toSorted();
    let prior: string | undefined;
    const write = async (name: string, original: Uint8Array) => {
      const manifest = ciphertext(`chain ${name}`, 60);
      const request = opRequest(ada, albumId, ASSET, manifest, {
        action: prior === undefined ? "create" : "replace",
        original,
        metadata: ciphertext(`metadata ${name}`, 20),
        ...(prior === undefined ? {} : { prior }),
      });
      await expectJson(await sendOp(app, ada, albumId, request), 200);
      prior = hashOf(manifest);
    };
    const first = await uploadOriginal(world, ada, ASSET, "first");
    // Of the pending asset: attached with the first manifest.
    await derive(0);
    await write("one", first);
    assert.deepEqual(await derivatives(), hashes(0));
    await derive(1);
    assert.deepEqual(await derivatives(), hashes(0, 1));
    await write("two", first);
    assert.deepEqual(await derivatives(), hashes(0, 1));
    await derive(2);
    await write("three", await uploadOriginal(world, ada, ASSET, "next"));
    assert.deepEqual(await derivatives(), hashes(2));
    await write("four", await uploadOriginal(world, ada, ASSET, "last"));
    assert.deepEqual(await derivatives(), []);
  });
});

Deno.test("a blob that was replaced can be uploaded again, and the asset put back", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const { assetId, original } = asset;
    const edited = await uploadOriginal(world, ada, assetId, "edited");
    const edit = replaceRequest(ada, albumId, asset, "second", {
      original: edited,
    });
    await expectJson(await sendOp(app, ada, albumId, edit), 200);
    // The session of the first time holds nothing any more.
    const place = { fileId: assetId, albumId };
    const { replayed } = await uploadBlob(app, ada, original, place);
    assert.equal(replayed, false);
    const back = replaceRequest(ada, albumId, asset, "third", {
      prior: hashOf(ciphertext("second", 400)),
    });
    await expectJson(await sendOp(app, ada, albumId, back), 200);
    const { blobs } = await readAsset(app, ada, assetId);
    const originals = blobs.filter(({ role }: Json) => role === "original");
    assert.deepEqual(
      originals.map(({ hash }: Json) => hash),
      [hashOf(original)],
    );
  });
});
