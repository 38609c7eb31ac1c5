/**
 * The trash: deleting, restoring, their answers, and what others see of them
 * (protocol/manifests.md#trash).
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, withTestApp } from "../support/app.ts";
import { readFeed } from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  readAsset,
  readBlob,
  sendManifest,
  withFaultlessApp,
} from "../support/api.ts";
import {
  countersOf,
  mark,
  restore,
  sendDelete,
  sendRestore,
  statusOfBlob,
  trash,
} from "../support/trash.ts";
import { sizeOf, withAlbum } from "../support/trash_album.ts";

Deno.test("deleting moves an asset to the trash, restoring brings it back with its chain", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, manifest } = await createAsset(app, ada, "photo");
    const before = await readAsset(app, ada, assetId);
    app.clock.advance(60_000);
    const deleted = await trash(app, ada, assetId);
    assert.equal(deleted.state, "deleted");
    assert.equal(Date.parse(deleted.deleted_at), START_MS + 60_000);
    assert.equal(Date.parse(deleted.updated_at), START_MS + 60_000);
    assert.equal(deleted.chain_head, hashOf(manifest));
    assert.deepEqual(deleted.blobs, before.blobs);
    assert(deleted.sync_seq > before.sync_seq);
    assert.deepEqual(await readAsset(app, ada, assetId), deleted);
    app.clock.advance(60_000);
    const restored = await restore(app, ada, assetId);
    const { sync_seq, updated_at, ...rest } = restored;
    assert(sync_seq > deleted.sync_seq);
    assert.equal(Date.parse(updated_at), START_MS + 120_000);
    const { sync_seq: _seq, updated_at: _at, ...was } = before;
    assert.deepEqual(rest, was);
    // The chain goes on where it was.
    const replaced = await sendManifest(app, ada, assetId, ciphertext("m", 9), {
      action: "replace",
      original: ciphertext("original photo", 5_000),
      prior: hashOf(manifest),
    });
    assert.equal((await expectJson(replaced, 200)).replayed, false);
  });
});

Deno.test("deleting a deleted asset and restoring a live one is 200 and writes nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const feed = async () => (await readFeed(app, ada.token)).entries.length;
    const live = await readAsset(app, ada, assetId);
    const entries = await feed();
    assert.deepEqual(await restore(app, ada, assetId), live);
    assert.equal(await feed(), entries);
    const deleted = await trash(app, ada, assetId);
    const counters = await countersOf(app, ada);
    app.clock.advance(60_000);
    assert.deepEqual(await trash(app, ada, assetId), deleted);
    // A hold that came later does not make it an answer of another kind.
    await mark(app, assetId, { held_at: app.clock.now });
    assert.deepEqual(await trash(app, ada, assetId), deleted);
    assert.equal(await feed(), entries + 1);
    assert.deepEqual(await countersOf(app, ada), counters);
  });
});

Deno.test("bytes move between the counters, and restoring asks for no quota", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo", { length: 5_000 });
    const size = sizeOf(asset);
    // Uploaded and never applied: in use wherever the asset is.
    const pending = ciphertext("pending", 70);
    await uploadBlob(app, ada, pending, { fileId: asset.assetId });
    const used = { used: size + 70, reserved: 0, trash: 0 };
    assert.deepEqual(await countersOf(app, ada), used);
    await trash(app, ada, asset.assetId);
    const moved = { used: 70, reserved: 0, trash: size };
    assert.deepEqual(await countersOf(app, ada), moved);
    // The quota counts all three: the trash makes no room.
    const refused = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(
        ada,
        ciphertext("more", 500),
        { fileId: uuidOf("more") },
      ),
    });
    await expectProblem(refused, "error.storage.quota_exceeded");
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await restore(app, ada, asset.assetId);
    assert.deepEqual(await countersOf(app, ada), used);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "6500" } });
});

Deno.test("delete and restore stand once in the feed of everybody who reads the asset", async () => {
  await withAlbum(async ({ app, ada, bob, cleo, eve, albumId, asset }) => {
    const start = await readFeed(app, ada.token);
    const after = `?after=${start.next_after}`;
    const deleted = await trash(app, ada, asset.assetId);
    const restored = await restore(app, ada, asset.assetId);
    for (const person of [ada, bob, cleo]) {
      for (const query of [after, `${after}&album_id=${albumId}`]) {
        const { entries } = await readFeed(app, person.token, query);
        assert.deepEqual(
          entries.map((one: Json) => ({ ...one, at: undefined })),
          [["delete", deleted], ["restore", restored]].map((
            [action, { sync_seq }],
          ) => ({
            sync_seq,
            action,
            album_id: albumId,
            asset_id: asset.assetId,
            chain_head: hashOf(asset.manifest),
            at: undefined,
          })),
        );
      }
    }
    assert.deepEqual((await readFeed(app, eve.token)).entries, []);
  });
});

Deno.test("who waits for the feed is woken by a delete", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const { next_after } = await readFeed(app, ada.token);
    const waiting = readFeed(app, ada.token, `?after=${next_after}&wait=30`);
    await trash(app, ada, assetId);
    const { entries } = await waiting;
    assert.deepEqual(entries.map(({ action }: Json) => action), ["delete"]);
  });
});

Deno.test("a deleted asset takes no manifest: 409 without chain_head", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original, manifest } = await createAsset(app, ada, "it");
    await trash(app, ada, assetId);
    const actions = [
      { action: "create" },
      { action: "replace", prior: hashOf(manifest) },
    ] as const;
    for (const over of actions) {
      const refusal = await expectProblem(
        await sendManifest(app, ada, assetId, ciphertext(over.action, 40), {
          ...over,
          original,
        }),
        "error.asset.stale_revival",
      );
      assert.equal("chain_head" in refusal, false);
    }
  });
});

Deno.test("a derivative that is finalized for a deleted asset attaches when it is restored", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await trash(app, ada, assetId);
    const late = ciphertext("late thumbnail", 80);
    await uploadBlob(app, ada, late, { fileId: assetId, role: "derivative" });
    assert.equal(await statusOfBlob(app, ada, assetId, late), 404);
    await restore(app, ada, assetId);
    assert.equal(await statusOfBlob(app, ada, assetId, late), 200);
  });
});

Deno.test("of many deletes and restores at once the counters keep the sum", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const answers = await Promise.all(
      Array.from(
        { length: 30 },
        (_, n) =>
          (n % 2 === 0 ? sendDelete : sendRestore)(app, ada, asset.assetId),
      ),
    );
    for (const answer of answers) await expectJson(answer, 200);
    const { state } = await readAsset(app, ada, asset.assetId);
    const size = sizeOf(asset);
    assert.deepEqual(await countersOf(app, ada), {
      used: state === "live" ? size : 0,
      reserved: 0,
      trash: state === "live" ? 0 : size,
    });
  });
});

Deno.test("the trash outlives a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const deleted = await trash(app, ada, assetId);
    const again = await app.reopen();
    assert.deepEqual(await readAsset(again, ada, assetId), deleted);
    await restore(again, ada, assetId);
    const blob = await readBlob(again, ada, assetId, hashOf(original));
    expectBytes(await blob.arrayBuffer(), original);
  });
});
