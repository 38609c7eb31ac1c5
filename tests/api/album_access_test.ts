/**
 * What an album's roster gives to whom (protocol/albums.md#access): who lists,
 * reads, writes and replaces.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import {
  listAlbums,
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectSameAnswers, readAsset, readBlob } from "../support/api.ts";
import { expectReads, expectReadsNothing, withCast } from "../support/cast.ts";

const BYTES = ciphertext("access", 400);
const MANIFEST = ciphertext("access manifest", 60);

function create(app: TestApp, person: Person, over: Json): Promise<Response> {
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, BYTES, over),
  });
}

Deno.test("an album is listed to its owner, viewers and contributors, each in their role", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const own = await provisionAlbum(app, bob, "bob's own");
    const seen = async (person: Person) =>
      Object.fromEntries(
        Object.values(await listAlbums(app, person)).map((
          album,
        ) => [album.album_id, album.role]),
      );
    assert.deepEqual(await seen(ada), { [albumId]: "owner" });
    assert.deepEqual(await seen(vic), { [albumId]: "viewer" });
    assert.deepEqual(await seen(bob), {
      [albumId]: "contributor",
      [own]: "owner",
    });
    assert.deepEqual(await seen(eve), {});
    const alike = (await listAlbums(app, ada))[albumId];
    for (const [person, role] of [[vic, "viewer"], [bob, "contributor"]]) {
      assert.deepEqual((await listAlbums(app, person as Person))[albumId], {
        ...alike,
        role,
      });
    }
    // Roles swap, and one person of a peer's is not the person here.
    await publishRoster(app, ada, albumId, 2, [
      { member: vic.userId, role: "contributor" },
      { member: `${bob.userId}@https://peer.example`, role: "viewer" },
      { member: ada.userId, role: "viewer" },
    ], { amk_epoch: 4 });
    assert.deepEqual(await seen(ada), { [albumId]: "owner" });
    assert.deepEqual(await seen(vic), { [albumId]: "contributor" });
    assert.deepEqual(await seen(bob), { [own]: "owner" });
    const { roster_version, amk_epoch } = (await listAlbums(app, vic))[albumId];
    assert.deepEqual([roster_version, amk_epoch], [2, 4]);
  });
});

Deno.test("members read every asset and blob of the album, in parts too, strangers none", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const hers = await createAsset(app, ada, "ada's", { albumId });
    const cyds = await createAsset(app, bob, "bob's", { albumId });
    for (const asset of [hers, cyds]) {
      for (const person of [ada, vic, bob]) {
        await expectReads(app, person, asset);
      }
      await expectReadsNothing(app, eve, asset);
    }
    const { owner, album_id } = await readAsset(app, ada, cyds.assetId);
    assert.deepEqual([owner, album_id], [bob.userId, albumId]);
  });
});

Deno.test("an asset of no album, or of another one, is not the members'", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    const other = await provisionAlbum(app, ada, "private");
    const [alone, elsewhere] = [
      await createAsset(app, ada, "alone"),
      await createAsset(app, ada, "elsewhere", { albumId: other }),
    ];
    const contributed = await createAsset(app, bob, "bob's alone");
    for (const asset of [alone, elsewhere]) {
      await expectReads(app, ada, asset);
      await expectReadsNothing(app, vic, asset);
      await expectReadsNothing(app, bob, asset);
    }
    await expectReadsNothing(app, ada, contributed);
    // A blob that stands in an album as well is read there alone.
    const shared = await createAsset(app, ada, "shared", { albumId });
    await expectProblem(
      await readBlob(app, vic, alone.assetId, hashOf(shared.original)),
      "error.asset.not_found",
    );
  });
});

Deno.test("no account can read a pending asset of an album", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    const fileId = uuidOf("pending");
    await uploadBlob(app, bob, BYTES, { fileId, albumId });
    for (const person of [ada, vic, bob]) {
      await expectProblem(
        await readBlob(app, person, fileId, hashOf(BYTES)),
        "error.asset.not_found",
      );
    }
  });
});

Deno.test("a contributor writes, a viewer may not, and to a stranger there is no album", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const over = (person: Person) => ({
      albumId,
      fileId: uuidOf(`file of ${person.userId}`),
    });
    for (const person of [ada, bob]) {
      await expectJson(await create(app, person, over(person)), 201);
    }
    await expectProblem(
      await create(app, vic, over(vic)),
      "error.album.role_forbidden",
    );
    await expectProblem(
      await create(app, eve, over(eve)),
      "error.album.not_found",
    );
    const op = (person: Person, album: string) =>
      sendOp(
        app,
        person,
        album,
        opRequest(person, album, over(person).fileId, MANIFEST, {
          original: BYTES,
        }),
      );
    // A lifecycle write has no 404: who may not write is told no more.
    const answer = await expectSameAnswers({
      "a viewer": await op(vic, albumId),
      "a stranger": await op(eve, albumId),
      "an unknown album": await op(eve, uuidOf("no album")),
      "an owner's unknown album": await op(ada, uuidOf("no album")),
    });
    assert.equal(JSON.parse(answer).code, "error.album.role_forbidden");
    await uploadBlob(app, bob, ciphertext("by op", 50), {
      albumId,
      fileId: uuidOf("by op"),
    });
    const applied = await expectJson(
      await sendOp(
        app,
        bob,
        albumId,
        opRequest(bob, albumId, uuidOf("by op"), MANIFEST, {
          original: ciphertext("by op", 50),
        }),
      ),
      200,
    );
    assert.equal(applied.action, "create");
  });
});

Deno.test("only its owner replaces an asset", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    const hers = await createAsset(app, ada, "ada's", { albumId });
    const cyds = await createAsset(app, bob, "bob's", { albumId });
    const second = ciphertext("second manifest", 70);
    const replace = (person: Person, asset: LiveAsset, over: Json = {}) =>
      sendOp(
        app,
        person,
        albumId,
        opRequest(person, albumId, asset.assetId, second, {
          action: "replace",
          original: asset.original,
          prior: hashOf(asset.manifest),
          ...over,
        }),
      );
    const foreign = [[ada, cyds], [bob, hers]] as const;
    for (const [person, asset] of foreign) {
      const { errors } = await expectProblem(
        await replace(person, asset),
        "error.manifest.mismatch",
      );
      assert.equal(errors[0].path, "/manifest_envelope/file_id");
      // Nor does it help to say that the owner wrote it.
      const owner = person === ada ? bob : ada;
      await expectProblem(
        await replace(person, asset, {
          envelope: { created_by_user: owner.userId },
        }),
        "error.manifest.mismatch",
      );
      await expectProblem(
        await create(app, person, { albumId, fileId: asset.assetId }),
        "error.manifest.mismatch",
      );
    }
    await expectProblem(
      await replace(vic, hers),
      "error.album.role_forbidden",
    );
    for (const asset of [hers, cyds]) await expectReads(app, ada, asset);
    await expectJson(await replace(bob, cyds), 200);
    const { chain_head } = await readAsset(app, ada, cyds.assetId);
    assert.equal(chain_head, hashOf(second));
  });
});

Deno.test("receipts are the asset owner's alone", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const hers = await createAsset(app, ada, "ada's", { albumId });
    const cyds = await createAsset(app, bob, "bob's", { albumId });
    const receipts = (person: Person, { assetId }: LiveAsset) =>
      app.send("GET", `/v1/assets/${assetId}/receipts`, {
        token: person.token,
      });
    for (const [owner, asset] of [[ada, hers], [bob, cyds]] as const) {
      const list = await expectJson(await receipts(owner, asset), 200);
      assert.equal(list.receipts.length, 3);
      for (const person of [ada, vic, bob, eve]) {
        if (person === owner) continue;
        await expectProblem(
          await receipts(person, asset),
          "error.asset.not_found",
        );
      }
    }
  });
});
