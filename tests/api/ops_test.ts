/**
 * Lifecycle writes: one signed manifest applied to an asset of an album
 * (protocol/manifests.md#lifecycle-write).
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, readFeed, sendOp } from "../support/albums.ts";
import { START_MS } from "../support/app.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  type AlbumWorld,
  createByOp,
  expectWholeChain,
  receiptsOf,
  replaceRequest,
  uploadOriginal,
  withAlbum,
} from "../support/ops.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { expectBytes, readAsset, readBlob } from "../support/api.ts";

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

async function rolesOf(
  { app }: AlbumWorld,
  person: Person,
  assetId: string,
): Promise<string[]> {
  const { blobs } = await readAsset(app, person, assetId);
  return blobs.map(({ role, hash }: Json) => `${role} ${hash}`).toSorted();
}

/** The blobs that the receipts of an answer are for. */
function takenIn(receipts: readonly Json[]): string[] {
  return receipts.map(({ blob_role, ciphertext_hash }) =>
    `${blob_role} ${ciphertext_hash}`
  );
}

Deno.test("a create by an op brings a pending asset to life, its metadata inline", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    app.clock.advance(5_000);
    const answer = await applied(
      world,
      ada,
      opRequest(ada, albumId, ASSET, MANIFEST, {
        original,
        metadata: METADATA,
      }),
    );
    const { sync_seq, receipts, ...rest } = answer;
    assert.deepEqual(rest, {
      asset_id: ASSET,
      action: "create",
      replayed: false,
    });
    assert.deepEqual(takenIn(receipts), [
      `metadata ${hashOf(METADATA)}`,
      `provenance ${hashOf(MANIFEST)}`,
    ]);
    assert.deepEqual(
      receipts,
      (await receiptsOf(app, ada, ASSET)).slice(-receipts.length),
    );
    const { blobs, ...asset } = await readAsset(app, ada, ASSET);
    const at = new Date(START_MS + 5_000);
    assert.deepEqual({ ...asset, created_at: new Date(asset.created_at) }, {
      asset_id: ASSET,
      album_id: albumId,
      owner: ada.userId,
      state: "live",
      chain_head: hashOf(MANIFEST),
      sync_seq,
      created_at: at,
      updated_at: asset.created_at,
    });
    assert.deepEqual(
      blobs.toSorted((a: Json, b: Json) => a.role < b.role ? -1 : 1),
      [
        { hash: hashOf(METADATA), role: "metadata", size: METADATA.length },
        { hash: hashOf(original), role: "original", size: original.length },
        { hash: hashOf(MANIFEST), role: "provenance", size: MANIFEST.length },
      ],
    );
  });
});

Deno.test("manifest and metadata are stored verbatim, whatever their bytes", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    for (const length of [1, 2, 1_000, 300_000]) {
      const assetId = uuidOf(`asset of ${length}`);
      const original = await uploadOriginal(world, ada, assetId, `${length}`);
      const [manifest, metadata] = ["manifest", "metadata"].map((name) =>
        ciphertext(`${name} ${length}`, length)
      );
      assert(manifest !== undefined && metadata !== undefined);
      await applied(
        world,
        ada,
        opRequest(ada, albumId, assetId, manifest, { original, metadata }),
      );
      for (const bytes of [manifest, metadata]) {
        const blob = await readBlob(app, ada, assetId, hashOf(bytes));
        expectBytes(await blob.arrayBuffer(), bytes);
      }
    }
  });
});

Deno.test("a metadata_blob_hash without an inline blob names one already uploaded", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    await uploadBlob(app, ada, METADATA, {
      fileId: ASSET,
      albumId,
      role: "metadata",
    });
    const envelope = { metadata_blob_hash: hashOf(METADATA) };
    await applied(
      world,
      ada,
      opRequest(ada, albumId, ASSET, MANIFEST, { original, envelope }),
    );
    assert.deepEqual(await rolesOf(world, ada, ASSET), [
      `metadata ${hashOf(METADATA)}`,
      `original ${hashOf(original)}`,
      `provenance ${hashOf(MANIFEST)}`,
    ]);
  });
});

Deno.test("a create without metadata, and without original_blob_hash, takes ciphertext_hash for the original's", async () => {
  await withAlbum(async (world) => {
    const { ada, albumId } = world;
    const original = await uploadOriginal(world, ada, ASSET, "one");
    // A newer one is not what the write names.
    await uploadOriginal(world, ada, ASSET, "two");
    const request = opRequest(ada, albumId, ASSET, MANIFEST, {
      original,
      envelope: { original_blob_hash: null, metadata_blob_hash: null },
      request: { metadata_blob: null },
    });
    await applied(world, ada, request);
    assert.deepEqual(await rolesOf(world, ada, ASSET), [
      `original ${hashOf(original)}`,
      `provenance ${hashOf(MANIFEST)}`,
    ]);
  });
});

Deno.test("a replace by an op continues the chain, with new metadata, the held one or none", async () => {
  await withAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const edited = await uploadOriginal(world, ada, asset.assetId, "edited");
    app.clock.advance(1_000);
    let prior = hashOf(asset.manifest);
    const steps = [
      { original: edited, metadata: METADATA },
      {
        original: edited,
        envelope: { metadata_blob_hash: hashOf(METADATA) },
      },
      { original: edited },
    ];
    for (const [index, step] of steps.entries()) {
      const name = `step ${index}`;
      const { sync_seq, receipts, ...rest } = await applied(
        world,
        ada,
        replaceRequest(ada, albumId, asset, name, { ...step, prior }),
      );
      assert.deepEqual(rest, {
        asset_id: asset.assetId,
        action: "replace",
        replayed: false,
      });
      prior = hashOf(ciphertext(name, 400));
      // What came with the op, and not what the asset had before.
      assert.deepEqual(takenIn(receipts), [
        ...step.metadata === undefined ? [] : [`metadata ${hashOf(METADATA)}`],
        `provenance ${prior}`,
      ]);
      const read = await readAsset(app, ada, asset.assetId);
      assert.equal(read.chain_head, prior);
      assert.equal(read.sync_seq, sync_seq);
      const roles = await rolesOf(world, ada, asset.assetId);
      assert(roles.includes(`original ${hashOf(edited)}`));
      assert(!roles.includes(`original ${hashOf(asset.original)}`));
      assert.equal(
        roles.includes(`metadata ${hashOf(METADATA)}`),
        index < 2,
        name,
      );
      // Earlier manifests stay.
      assert(roles.includes(`provenance ${hashOf(asset.manifest)}`));
    }
  });
});

Deno.test("a contributor's asset is the contributor's own, and the album reads it", async () => {
  await withAlbum(async (world) => {
    const { app, ada, bob, vic } = world;
    const asset = await createByOp(world, bob, "bob's");
    for (const reader of [ada, bob, vic]) {
      const read = await readAsset(app, reader, asset.assetId);
      assert.equal(read.owner, bob.userId);
      const blob = await readBlob(
        app,
        reader,
        asset.assetId,
        hashOf(asset.metadata),
      );
      expectBytes(await blob.arrayBuffer(), asset.metadata);
    }
  });
});

Deno.test("the inline blobs get receipts under one upload_id made for the op", async () => {
  await withAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const others = await createByOp(world, bob, "bob's");
    await applied(
      world,
      ada,
      replaceRequest(ada, albumId, asset, "second"),
    );
    const receipts = await receiptsOf(app, ada, asset.assetId);
    assert.deepEqual(
      receipts.map((one) => [one.blob_role, one.ciphertext_hash, one.size]),
      [
        ["original", hashOf(asset.original), asset.original.length],
        ["metadata", hashOf(asset.metadata), asset.metadata.length],
        ["provenance", hashOf(asset.manifest), asset.manifest.length],
        ["provenance", hashOf(ciphertext("second", 400)), 400],
      ],
    );
    for (const one of receipts) {
      const expected = one.blob_role === "provenance"
        ? one.ciphertext_hash
        : null;
      assert.equal(one.envelope_hash ?? null, expected);
    }
    const [uploaded, metadata, first, second] = receipts.map(
      ({ upload_id }) => upload_id,
    );
    assert.equal(metadata, first);
    assert.equal(new Set([uploaded, first, second]).size, 3);
    assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    // It is no session that anybody could ask for.
    const session = await app.send("GET", `/v1/upload/${first}`, {
      token: ada.token,
    });
    assert.equal(session.status, 404);
    await session.body?.cancel();
    await expectWholeChain(app, [
      ...receipts,
      ...await receiptsOf(app, bob, others.assetId),
    ]);
  });
});

Deno.test("a lifecycle write occupies the feed position that it answers with", async () => {
  await withAlbum(async (world) => {
    const { app, ada, bob, vic, eve, albumId } = world;
    const asset = await createByOp(world, bob, "photo");
    const replaced = await applied(
      world,
      bob,
      replaceRequest(bob, albumId, asset, "second"),
    );
    assert(replaced.sync_seq > asset.applied.sync_seq);
    const entry = { album_id: albumId, asset_id: asset.assetId };
    const expected = [
      {
        ...entry,
        sync_seq: asset.applied.sync_seq,
        action: "create",
        chain_head: hashOf(asset.manifest),
      },
      {
        ...entry,
        sync_seq: replaced.sync_seq,
        action: "replace",
        chain_head: hashOf(ciphertext("second", 400)),
      },
    ];
    const after = `?after=${asset.applied.sync_seq - 1}`;
    for (const reader of [ada, bob, vic]) {
      const { entries } = await readFeed(app, reader.token, after);
      assert.deepEqual(
        entries.map(({ at: _, ...rest }: Json) => rest),
        expected,
      );
    }
    assert.deepEqual((await readFeed(app, eve.token, after)).entries, []);
  });
});
