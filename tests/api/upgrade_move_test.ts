/**
 * How assets follow their album to its successor
 * (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  opRequest,
  provisionAlbum,
  publishRoster,
  readFeed,
  sendOp,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { createByOp, expectRefused, replaceRequest } from "../support/ops.ts";
import { ciphertext, hashOf, uuidOf } from "../support/people.ts";
import { expectBytes, readAsset, readBlob } from "../support/api.ts";
import {
  begin,
  commit,
  SUCCESSOR,
  withForked,
  withOldAlbum,
} from "../support/upgrades.ts";

const MANIFEST = ciphertext("manifest", 700);

Deno.test("a replace on the successor moves the asset there, and its members read it there", async () => {
  await withForked(async (world) => {
    const { app, ada, bob, vic, eve, albumId, adas, bobs } = world;
    await publishRoster(app, ada, SUCCESSOR, 1, [
      { member: bob.userId, role: "contributor" },
      { member: eve.userId },
    ]);
    for (const [author, asset] of [[ada, adas], [bob, bobs]] as const) {
      const request = replaceRequest(author, SUCCESSOR, asset, "moved", {
        metadata: ciphertext("moved metadata", 30),
      });
      const moved = await expectJson(
        await sendOp(app, author, SUCCESSOR, request),
        200,
      );
      for (const reader of [ada, bob, eve]) {
        const read = await readAsset(app, reader, asset.assetId);
        assert.equal(read.album_id, SUCCESSOR);
        assert.equal(read.owner, author.userId);
        assert.equal(read.sync_seq, moved.sync_seq);
        const hash = hashOf(asset.original);
        const blob = await readBlob(app, reader, asset.assetId, hash);
        expectBytes(await blob.arrayBuffer(), asset.original);
      }
      // The old album's viewer is not in the new one.
      await expectProblem(
        await app.send("GET", `/v1/assets/${asset.assetId}`, {
          token: vic.token,
        }),
        "error.asset.not_found",
      );
      const { entries } = await readFeed(
        app,
        eve.token,
        `?album_id=${SUCCESSOR}&after=${moved.sync_seq - 1}`,
      );
      assert.deepEqual(
        entries.map(({ action, asset_id }: Json) => [action, asset_id]),
        [["replace", asset.assetId]],
      );
      const replay = await expectJson(
        await sendOp(app, author, SUCCESSOR, request),
        200,
      );
      assert.deepEqual(replay, { ...moved, replayed: true });
    }
    assert.notEqual(albumId, SUCCESSOR);
  });
});

Deno.test("an asset moves on over two successors at once", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada } = world;
    const asset = await createByOp(world, ada, "photo");
    await begin(world, "one", { to_protocol_version: "2026-09-01" });
    await commit(world, "one");
    const next = { ...world, albumId: SUCCESSOR };
    await begin(next, "two");
    await commit(next, "two");
    const last = uuidOf("successor two");
    const request = replaceRequest(ada, last, asset, "moved");
    await expectJson(await sendOp(app, ada, last, request), 200);
    const read = await readAsset(app, ada, asset.assetId);
    assert.equal(read.album_id, last);
  });
});

Deno.test("a create on the successor does not move the asset: 409 with its chain_head", async () => {
  await withForked(async (world) => {
    const { app, ada, albumId, adas } = world;
    const { assetId, original } = adas;
    const refusal = await expectRefused(
      app,
      () =>
        sendOp(
          app,
          ada,
          SUCCESSOR,
          opRequest(ada, SUCCESSOR, assetId, MANIFEST, { original }),
        ),
      "error.asset.stale_revival",
    );
    assert.equal(refusal.chain_head, hashOf(adas.manifest));
    assert.equal((await readAsset(app, ada, assetId)).album_id, albumId);
  });
});

Deno.test("a replace moves an asset to no album but the successor of its own: 422 at album_id", async () => {
  await withForked(async (world) => {
    const { app, ada, adas } = world;
    const other = await provisionAlbum(app, ada, "other");
    const live = await createByOp({ app, albumId: other }, ada, "other's");
    for (
      const [albumId, asset] of [[other, adas], [SUCCESSOR, live]] as const
    ) {
      const refusal = await expectRefused(
        app,
        () =>
          sendOp(
            app,
            ada,
            albumId,
            replaceRequest(ada, albumId, asset, "moved"),
          ),
        "error.manifest.mismatch",
      );
      assert.equal(refusal.errors[0].path, "/manifest_envelope/album_id");
    }
  });
});
