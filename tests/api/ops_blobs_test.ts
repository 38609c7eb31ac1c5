/**
 * Lifecycle writes that take blobs from where they are
 * (protocol/manifests.md#lifecycle-write): adoption and manifest are one.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  contribute,
  GUEST_BYTES as BYTES,
  issueLink,
  listContributions,
} from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { expectReadable } from "../support/api.ts";
import { damageBlob } from "../support/storage.ts";
import { countersOf } from "../support/trash.ts";

const FILE = uuidOf("a file");

interface Scene {
  readonly app: TestApp;
  readonly ada: Person;
  readonly albumId: string;
}

async function withScene(tell: (scene: Scene) => Promise<void>) {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "album");
    await tell({ app, ada, albumId });
    assert.deepEqual((await check(app, { deep: true })).findings, []);
  });
}

/** A create over an original, with blobs that it takes. */
function take(
  { app, ada, albumId }: Scene,
  original: Uint8Array,
  blobs: readonly Json[],
  name = "manifest",
): Promise<Response> {
  const body = opRequest(ada, albumId, FILE, ciphertext(name, 90), {
    original,
    metadata: ciphertext(`${name} metadata`, 70),
  });
  return sendOp(app, ada, albumId, { ...body, blobs });
}

function blobOf(bytes: Uint8Array, more: Json, role = "original"): Json {
  return {
    blob_role: role,
    ciphertext_hash: hashOf(bytes),
    size: bytes.length,
    ...more,
  };
}

Deno.test("a guest's file is adopted by the manifest that names it, in one call that may be repeated", async () => {
  await withScene(async (scene) => {
    const { app, ada } = scene;
    const link = await issueLink(app, ada, "link");
    const { upload_id: adopts } = await contribute(app, link, BYTES);
    const blobs = [blobOf(BYTES, { adopts })];
    const first = await expectJson(await take(scene, BYTES, blobs), 200);
    assert.equal(first.replayed, false);
    assert.deepEqual(
      first.receipts.map(({ blob_role }: Json) => blob_role),
      ["original", "metadata", "provenance"],
    );
    assert.equal(first.receipts[0].ciphertext_hash, hashOf(BYTES));
    assert.deepEqual(await listContributions(app, ada, link), []);
    await expectReadable(app, ada, FILE, BYTES);
    const { used } = await countersOf(app, ada);
    assert.equal(used, BYTES.length + 90 + 70, "counted once");
    const again = await expectJson(await take(scene, BYTES, blobs), 200);
    assert.deepEqual(again, { ...first, replayed: true });
  });
});

Deno.test("a photo of another's album is copied whole by the manifest that names it", async () => {
  await withScene(async (scene) => {
    const { app, ada, albumId } = scene;
    const source = await createAsset(app, ada, "photo", { albumId });
    const { assetId: copies, original } = source;
    const small = ciphertext("small", 60);
    const over = { fileId: copies, albumId, role: "derivative" };
    await uploadBlob(app, ada, small, over);
    const before = (await countersOf(app, ada)).used;
    const taken = await expectJson(
      await take(scene, original, [
        blobOf(original, { copies }),
        blobOf(small, { copies }, "derivative"),
      ]),
      200,
    );
    assert.equal(taken.receipts.length, 4);
    await expectReadable(app, ada, FILE, original, small);
    const { used } = await countersOf(app, ada);
    // The manifest and the metadata are new; nothing counts twice.
    assert.equal(used, before + 90 + 70);
  });
});

Deno.test("what is not there, not the caller's or another blob is missing, and nothing is written", async () => {
  await withScene(async (scene) => {
    const { app, ada, albumId } = scene;
    const bob = await registerWriter(app, "bob");
    const others = await createAsset(app, bob, "bobs");
    const own = await createAsset(app, ada, "own", { albumId });
    const link = await issueLink(app, bob, "link");
    const { upload_id: adopts } = await contribute(app, link, BYTES);
    const before = await countersOf(app, ada);
    const refused = async (bytes: Uint8Array, more: Json) => {
      const answer = await take(scene, bytes, [blobOf(bytes, more)]);
      const { missing } = await expectProblem(
        answer,
        "error.manifest.blob_missing",
      );
      assert.deepEqual(missing, [hashOf(bytes)]);
    };
    await refused(BYTES, { adopts });
    await refused(BYTES, { adopts: uuidOf("nothing") });
    await refused(others.original, { copies: others.assetId });
    await refused(own.original, { copies: uuidOf("nothing") });
    await refused(own.original, { copies: own.assetId, size: 1 });
    await refused(own.metadata, { copies: own.assetId });
    for (const more of [{}, { adopts, copies: own.assetId }]) {
      const blobs = [blobOf(own.original, more)];
      const answer = await take(scene, own.original, blobs);
      await expectProblem(answer, "error.request.invalid");
    }
    await damageBlob(app, hashOf(own.original), "a missing file");
    await refused(own.original, { copies: own.assetId });
    await uploadBlob(app, ada, own.original, {
      fileId: own.assetId,
      albumId,
      request: { heals: own.assetId },
    });
    assert.deepEqual(await countersOf(app, ada), before);
  });
});

Deno.test("copies take room, all of one write together", async () => {
  await withScene(async (scene) => {
    const { app, ada } = scene;
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, bob, "of bob");
    await publishRoster(app, bob, albumId, 1, [{ member: ada.userId }]);
    const source = await createAsset(app, bob, "photo", { albumId });
    const { assetId: copies, original } = source;
    const small = ciphertext("small", 60);
    const over = { fileId: copies, albumId, role: "derivative" };
    await uploadBlob(app, bob, small, over);
    const blobs = [
      blobOf(original, { copies }),
      blobOf(small, { copies }, "derivative"),
    ];
    const { used } = await countersOf(app, ada);
    const quota = (bytes: number) =>
      app.app.db.updateTable("usage").set({ quota_bytes: bytes }).execute();
    await quota(used + original.length + 59);
    const full = await take(scene, original, blobs);
    // The specification lists no 507 for a lifecycle write.
    const { limit } = await expectProblem(full, "error.account.limit_reached");
    assert.equal(limit, "quota");
    assert.equal((await countersOf(app, ada)).used, used);
    await quota(used + original.length + 60);
    await expectJson(await take(scene, original, blobs), 200);
  });
});
