/**
 * Leaving a roster (protocol/albums.md#roster): who is removed is refused at
 * once, also half way through a contribution.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  getRoster,
  listAlbums,
  type Member,
  opRequest,
  publishRoster,
  readFeed,
  sendOp,
} from "../support/albums.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  putBytes,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectSameAnswers, readAsset } from "../support/api.ts";
import { finalize, offsetOf } from "../support/uploads.ts";
import {
  type Cast,
  expectReads,
  expectReadsNothing,
  readFeedOf,
  withCast,
} from "../support/cast.ts";

const BYTES = ciphertext("removal", 400);
const MANIFEST = ciphertext("removal manifest", 60);
const ASSET = uuidOf("removal asset");

Deno.test("a removed member is refused at once on asset, blob, roster and feed", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const asset = await createAsset(app, ada, "ada's", { albumId });
    for (const person of [vic, bob]) {
      await expectReads(app, person, asset);
      await expectJson(await readFeedOf(app, person, albumId), 200);
    }
    await publishRoster(app, ada, albumId, 2, []);
    for (const person of [vic, bob]) {
      await expectReadsNothing(app, person, asset);
      const answer = await expectSameAnswers({
        "the roster": await getRoster(app, person, albumId),
        "the feed": await readFeedOf(app, person, albumId),
        "to a stranger": await readFeedOf(app, eve, albumId),
        "of no album": await readFeedOf(app, eve, uuidOf("no album")),
      });
      assert.equal(JSON.parse(answer).code, "error.album.not_found");
      assert.deepEqual(await listAlbums(app, person), {});
    }
    await expectReads(app, ada, asset);
    // And is let in again as soon as the roster says so.
    await publishRoster(app, ada, albumId, 3, [{ member: vic.userId }]);
    await expectReads(app, vic, asset);
    await expectReadsNothing(app, bob, asset);
  });
});

Deno.test("what a contributor brought stays in the album, and the contributor's own", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    const asset = await createAsset(app, bob, "bob's", { albumId });
    await publishRoster(app, ada, albumId, 2, [{ member: vic.userId }]);
    for (const person of [ada, vic, bob]) await expectReads(app, person, asset);
  });
});

/** Ends a member's right to contribute, and gives it back. */
const ENDINGS: Record<string, (cast: Cast) => Member[]> = {
  removed: () => [],
  "made a viewer": ({ bob }) => [{ member: bob.userId, role: "viewer" }],
  "replaced by a namesake": ({ bob }) => [
    { member: `${bob.userId}@https://peer.example`, role: "contributor" },
  ],
};

for (const [how, members] of Object.entries(ENDINGS)) {
  Deno.test(`a contributor ${how} before the manifest is finalized brings no asset to life`, async () => {
    await withCast(async (app, cast) => {
      const { ada, bob, albumId } = cast;
      const over = { fileId: ASSET, albumId };
      await uploadBlob(app, bob, BYTES, over);
      const { upload_id } = await createUpload(app, bob, MANIFEST, {
        ...over,
        role: "provenance",
        envelope: { original_blob_hash: hashOf(BYTES) },
      });
      await expectEmpty(
        await patchBytes(app, bob, upload_id, 0, MANIFEST),
        204,
      );
      await publishRoster(app, ada, albumId, 2, members(cast));
      const feed = await readFeed(app, ada.token);
      for (let i = 0; i < 2; i++) {
        await expectProblem(
          await finalize(app, bob, upload_id),
          "error.album.role_forbidden",
        );
      }
      await expectProblem(
        await putBytes(app, bob, upload_id, MANIFEST),
        "error.album.role_forbidden",
      );
      for (const { token } of [ada, bob]) {
        await expectProblem(
          await app.send("GET", `/v1/assets/${ASSET}`, { token }),
          "error.asset.not_found",
        );
      }
      assert.deepEqual(await readFeed(app, ada.token), feed);
      // The bytes stay, so that the call can be repeated.
      assert.equal(await offsetOf(app, bob, upload_id), MANIFEST.length);
      await publishRoster(app, ada, albumId, 3, [
        { member: bob.userId, role: "contributor" },
      ]);
      await expectJson(await finalize(app, bob, upload_id), 200);
      const { chain_head } = await readAsset(app, ada, ASSET);
      assert.equal(chain_head, hashOf(MANIFEST));
    });
  });

  Deno.test(`a contributor ${how} begins, repeats and writes nothing in the album`, async () => {
    await withCast(async (app, cast) => {
      const { ada, bob, albumId } = cast;
      const asset = await createAsset(app, bob, "bob's", { albumId });
      await uploadBlob(app, bob, BYTES, { fileId: ASSET, albumId });
      await publishRoster(app, ada, albumId, 2, members(cast));
      const named = how === "made a viewer";
      for (const fileId of [ASSET, uuidOf("another file")]) {
        await expectProblem(
          await app.send("POST", "/v1/upload", {
            token: bob.token,
            json: uploadRequest(bob, BYTES, { fileId, albumId }),
          }),
          named ? "error.album.role_forbidden" : "error.album.not_found",
        );
      }
      const create = opRequest(bob, albumId, ASSET, MANIFEST, {
        original: BYTES,
      });
      const replace = opRequest(bob, albumId, asset.assetId, MANIFEST, {
        action: "replace",
        original: asset.original,
        prior: hashOf(asset.manifest),
      });
      for (const json of [create, replace]) {
        await expectProblem(
          await sendOp(app, bob, albumId, json),
          "error.album.role_forbidden",
        );
      }
      await expectReads(app, bob, asset);
    });
  });
}

Deno.test("a removed contributor adds no derivative to an asset that the album reads", async () => {
  await withCast(async (app, cast) => {
    const { ada, bob, albumId } = cast;
    const asset = await createAsset(app, bob, "bob's", { albumId });
    const derivative = { fileId: asset.assetId, role: "derivative" };
    const { upload_id } = await createUpload(app, bob, BYTES, {
      ...derivative,
      albumId,
    });
    await publishRoster(app, ada, albumId, 2, []);
    await expectProblem(
      await putBytes(app, bob, upload_id, BYTES),
      "error.album.role_forbidden",
    );
    // Nor by leaving the album out.
    const refused = await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: bob.token,
        json: uploadRequest(bob, MANIFEST, derivative),
      }),
      "error.manifest.mismatch",
    );
    assert.deepEqual(refused.errors.map((one: { path: string }) => one.path), [
      "/manifest_envelope/album_id",
    ]);
    const { blobs } = await readAsset(app, ada, asset.assetId);
    assert.equal(blobs.length, 3);
    // Back on the roster, the same bytes attach.
    await publishRoster(app, ada, albumId, 3, [
      { member: bob.userId, role: "contributor" },
    ]);
    await expectJson(await putBytes(app, bob, upload_id, BYTES), 200);
    assert.equal((await readAsset(app, ada, asset.assetId)).blobs.length, 4);
  });
});
