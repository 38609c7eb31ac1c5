/**
 * A manifest already applied is a replay: the identical answer, and nothing
 * written (protocol/manifests.md#lifecycle-write).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  opRequest,
  readFeed,
  sendOp,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  type AlbumWorld,
  createByOp,
  everything,
  expectWholeChain,
  receiptsOf,
  replaceRequest,
  uploadOriginal,
  withAlbum,
} from "../support/ops.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  putBytes,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";

const ASSET = uuidOf("asset");
const MANIFEST = ciphertext("manifest", 700);
const METADATA = ciphertext("metadata", 90);

async function applied(
  { app, albumId }: AlbumWorld,
  person: Person,
  json: Json,
): Promise<Json> {
  return await expectJson(await sendOp(app, person, albumId, json), 200);
}

Deno.test("a manifest already applied is a replay with the identical answer, and writes nothing", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const second = replaceRequest(ada, albumId, asset, "second");
    const replaced = await applied(world, ada, second);
    const before = await everything(app);
    app.clock.advance(60_000);
    for (
      const [request, first] of [[asset.request, asset.applied], [
        second,
        replaced,
      ]]
    ) {
      const again = await applied(world, ada, request);
      assert.deepEqual(again, { ...first, replayed: true });
      assert.deepEqual(await everything(app), before);
    }
    const after = await app.reopen();
    assert.deepEqual(
      await expectJson(await sendOp(after, ada, albumId, asset.request), 200),
      { ...asset.applied, replayed: true },
    );
  });
});

Deno.test("a replay is a replay in quiescence too", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const second = replaceRequest(ada, albumId, asset, "second");
    const replaced = await applied(world, ada, second);
    app.clock.advance(1_000);
    const intent = await intentBytes(ada, albumId, "upgrade");
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    const before = await everything(app);
    assert.deepEqual(await applied(world, ada, second), {
      ...replaced,
      replayed: true,
    });
    assert.deepEqual(await everything(app), before);
  }, { protocol: OLD_PROTOCOL });
});

Deno.test("a manifest that its upload session applied is a replay by an op", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createAsset(app, ada, "uploaded", { albumId });
    const before = await everything(app);
    const { receipts, ...answer } = await applied(
      world,
      ada,
      opRequest(ada, albumId, asset.assetId, asset.manifest, {
        original: asset.original,
        metadata: asset.metadata,
      }),
    );
    assert.deepEqual(answer, {
      asset_id: asset.assetId,
      sync_seq: asset.applied.sync_seq,
      action: "create",
      replayed: true,
    });
    // That of the session that brought it.
    assert.deepEqual(receipts, [asset.applied.receipt]);
    assert.deepEqual(await everything(app), before);
  });
});

Deno.test("of twenty identical ops at once one is applied and nineteen are replays", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    const request = opRequest(ada, albumId, ASSET, MANIFEST, {
      original,
      metadata: METADATA,
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => applied(world, ada, request)),
    );
    const first = answers.filter(({ replayed }) => !replayed);
    assert.equal(first.length, 1);
    for (const answer of answers) {
      assert.deepEqual({ ...answer, replayed: false }, first[0]);
    }
    const receipts = await receiptsOf(app, ada, ASSET);
    assert.equal(receipts.length, 3);
    await expectWholeChain(app, receipts);
    const { entries } = await readFeed(app, ada.token);
    assert.equal(
      entries.filter((entry: Json) => entry.asset_id === ASSET).length,
      1,
    );
    const { uploads } = await everything(app);
    assert.deepEqual(uploads, []);
  });
});

Deno.test("a replay tells of the first application, whatever its envelope says now", async () => {
  await withAlbum(async (world) => {
    const { ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const again = opRequest(ada, albumId, asset.assetId, asset.manifest, {
      action: "replace",
      original: asset.original,
      prior: hashOf("something else"),
    });
    assert.deepEqual(await applied(world, ada, again), {
      ...asset.applied,
      replayed: true,
    });
  });
});

Deno.test("the manifest of another account's asset is no replay", async () => {
  await withAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const original = ciphertext("of both", 500);
    for (const one of [ada, bob]) {
      await uploadBlob(app, one, original, { fileId: ASSET, albumId });
    }
    const session = await createUpload(app, bob, MANIFEST, {
      role: "provenance",
      fileId: ASSET,
      albumId,
    });
    const request = (who: Person) =>
      opRequest(who, albumId, ASSET, MANIFEST, { original });
    await applied(world, ada, request(ada));
    for (
      const answer of [
        await sendOp(app, bob, albumId, request(bob)),
        await putBytes(app, bob, session.upload_id, MANIFEST),
      ]
    ) {
      const refusal = await expectProblem(answer, "error.manifest.mismatch");
      assert.equal(refusal.errors[0].path, "/manifest_envelope/file_id");
    }
  });
});
