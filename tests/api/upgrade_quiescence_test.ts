/**
 * An album in quiescence: nothing new begins, and what was under way may finish
 * within the window (protocol/albums.md#quiescence).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  endUpgrade,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  sendOp,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  type AlbumWorld,
  createByOp,
  expectRefused,
  replaceRequest,
} from "../support/ops.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { readAsset } from "../support/api.ts";
import {
  begin,
  finish,
  phaseOf,
  SECOND,
  withOldAlbum,
} from "../support/upgrades.ts";

const ASSET = uuidOf("asset");
const MANIFEST = ciphertext("manifest", 700);
const ORIGINAL = ciphertext("original", 800);
const WINDOW = { window_seconds: 600 };

function openSession(
  { app, albumId }: AlbumWorld,
  person: Person,
  bytes: Uint8Array,
  over: Json = {},
): Promise<Response> {
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, bytes, { fileId: ASSET, albumId, ...over }),
  });
}

function create(
  { app, albumId }: AlbumWorld,
  person: Person,
  assetId = ASSET,
): Promise<Response> {
  const request = opRequest(person, albumId, assetId, MANIFEST, {
    original: ORIGINAL,
  });
  return sendOp(app, person, albumId, request);
}

Deno.test("in quiescence a new file gets no session from anybody: 409 upgrade_in_flight", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob } = world;
    await begin(world, "one", WINDOW);
    for (const person of [ada, bob]) {
      for (const role of ["original", "derivative", "provenance"]) {
        await expectRefused(
          app,
          () => openSession(world, person, ORIGINAL, { role }),
          "error.album.upgrade_in_flight",
        );
      }
    }
    // Other albums, and files of none, are not held up.
    await uploadBlob(app, ada, ORIGINAL, { fileId: uuidOf("of no album") });
    await endUpgrade(app, ada, world.albumId, "abort", "one");
    await expectJson(await openSession(world, ada, ORIGINAL), 201);
  });
});

Deno.test("sessions open at the begin finish with their expiry cut to the window, and their asset is created", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const upload = await createUpload(app, bob, ORIGINAL, {
      fileId: ASSET,
      albumId,
    });
    const { expires_at } = await begin(world, "one", WINDOW);
    assert.equal((await phaseOf(world)).in_flight, 1);
    const path = `/v1/upload/${upload.upload_id}`;
    const cut = await expectJson(
      await app.send("GET", path, { token: bob.token }),
      200,
    );
    assert.equal(cut.expires_at, expires_at);
    // Bytes that arrive do not move it beyond the window.
    app.clock.advance(120 * SECOND);
    const part = ORIGINAL.slice(0, 300);
    const patched = await patchBytes(app, bob, upload.upload_id, 0, part);
    assert.equal(patched.status, 204);
    assert.equal(
      Date.parse(patched.headers.get("upload-expires") ?? ""),
      Date.parse(expires_at),
    );
    const later = await expectJson(
      await app.send("GET", path, { token: bob.token }),
      200,
    );
    assert.equal(later.expires_at, expires_at);
    await finish(world, bob, upload, ORIGINAL);
    assert.equal((await phaseOf(world)).in_flight, 0);
    // More sessions of the same file are taken, and expire with the window.
    const metadata = ciphertext("metadata", 50);
    const another = await expectJson(
      await openSession(world, bob, metadata, { role: "metadata" }),
      201,
    );
    assert.equal(another.expires_at, expires_at);
    await finish(world, bob, another, metadata);
    await expectJson(await create(world, bob), 200);
    assert.equal((await readAsset(app, ada, ASSET)).owner, bob.userId);
  });
});

Deno.test("a session not finished by the end of the window is gone", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const { upload_id } = await createUpload(app, ada, ORIGINAL, {
      fileId: ASSET,
      albumId,
    });
    const { expires_at } = await begin(world, "one", WINDOW);
    app.clock.now = Date.parse(expires_at) - 1;
    await patchBytes(app, ada, upload_id, 0, ORIGINAL.slice(0, 10));
    app.clock.advance(1);
    await expectProblem(
      await app.send("GET", `/v1/upload/${upload_id}`, { token: ada.token }),
      "error.upload.not_found",
    );
    assert.equal((await phaseOf(world)).in_flight, 0);
    await app.purge();
    await expectJson(await openSession(world, ada, ORIGINAL), 201);
  });
});

Deno.test("a ceremony that was aborted lets bytes move a session's expiry again", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const { upload_id } = await createUpload(app, ada, ORIGINAL, {
      fileId: ASSET,
      albumId,
    });
    await begin(world, "one", WINDOW);
    await endUpgrade(app, ada, albumId, "abort", "one");
    const patched = await patchBytes(
      app,
      ada,
      upload_id,
      0,
      ORIGINAL.slice(0, 10),
    );
    assert.equal(
      Date.parse(patched.headers.get("upload-expires") ?? ""),
      app.clock.now + 24 * 3_600 * SECOND,
    );
  });
});

Deno.test("a file that was pending at the begin is taken, and what becomes of it then", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    await uploadBlob(app, ada, ORIGINAL, { fileId: ASSET, albumId });
    await begin(world, "one", WINDOW);
    const thumbnail = ciphertext("thumbnail", 40);
    const derive = (bytes: Uint8Array) =>
      openSession(world, ada, bytes, { role: "derivative" });
    const early = await expectJson(await derive(thumbnail), 201);
    assert.equal((await phaseOf(world)).in_flight, 1);
    await finish(world, ada, early, thumbnail);
    await expectJson(await create(world, ada), 200);
    // It came to life in the ceremony: its derivatives may come too.
    app.clock.advance(SECOND);
    await expectJson(await derive(ciphertext("another", 40)), 201);
    // Pending ids are each owner's own.
    await expectProblem(
      await openSession(world, world.bob, ORIGINAL),
      "error.album.upgrade_in_flight",
    );
  });
});

Deno.test("a live asset is replaced neither by an op nor by a session that begins in quiescence", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    await begin(world, "one", WINDOW);
    const place = { fileId: asset.assetId };
    for (
      const call of [
        () =>
          sendOp(
            app,
            ada,
            albumId,
            replaceRequest(ada, albumId, asset, "second"),
          ),
        () => openSession(world, ada, ORIGINAL, place),
        () =>
          openSession(world, ada, MANIFEST, { ...place, role: "provenance" }),
      ]
    ) {
      await expectRefused(app, call, "error.album.upgrade_in_flight");
    }
  });
});

Deno.test("what was in flight for a live asset may finish, as a replace too", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const asset = await createByOp(world, ada, "photo");
    const place = { fileId: asset.assetId, albumId };
    const edited = await createUpload(app, ada, ORIGINAL, place);
    await begin(world, "one", WINDOW);
    await finish(world, ada, edited, ORIGINAL);
    app.clock.advance(SECOND);
    const manifest = await expectJson(
      await openSession(world, ada, MANIFEST, {
        fileId: asset.assetId,
        role: "provenance",
        envelope: {
          action: "replace",
          original_blob_hash: hashOf(ORIGINAL),
          prior_provenance_hash: hashOf(asset.manifest),
        },
      }),
      201,
    );
    await finish(world, ada, manifest, MANIFEST);
    const { chain_head } = await readAsset(app, ada, asset.assetId);
    assert.equal(chain_head, hashOf(MANIFEST));
    assert.equal((await phaseOf(world)).in_flight, 0);
  });
});

Deno.test("in_flight counts the album's open sessions of all accounts", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const inFlight = async () => (await phaseOf(world)).in_flight;
    const one = await createUpload(app, ada, ORIGINAL, {
      fileId: ASSET,
      albumId,
    });
    const two = await createUpload(app, bob, ORIGINAL, {
      fileId: uuidOf("bob's"),
      albumId,
    });
    await createUpload(app, ada, ORIGINAL, { fileId: uuidOf("of no album") });
    assert.equal(await inFlight(), 2);
    await begin(world, "one", WINDOW);
    assert.equal(await inFlight(), 2);
    await finish(world, ada, one, ORIGINAL);
    assert.equal(await inFlight(), 1);
    const cancelled = await app.send("DELETE", `/v1/upload/${two.upload_id}`, {
      token: bob.token,
    });
    assert.equal(cancelled.status, 204);
    assert.equal(await inFlight(), 0);
  });
});

Deno.test("a file that begins outside the album in quiescence is not under way in it", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada } = world;
    const other = await provisionAlbum(app, ada, "other", OLD_PROTOCOL);
    await begin(world, "one", WINDOW);
    const places = [{}, { albumId: other }];
    for (const [index, place] of places.entries()) {
      const fileId = uuidOf(`outside ${index}`);
      await uploadBlob(app, ada, ORIGINAL, { fileId, ...place });
      for (
        const call of [
          () => create(world, ada, fileId),
          () => openSession(world, ada, MANIFEST, { fileId }),
        ]
      ) {
        await expectRefused(app, call, "error.album.upgrade_in_flight");
      }
    }
  });
});

Deno.test("a live asset with a blob that no manifest took is not under way", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const { assetId } = await createByOp(world, ada, "photo");
    await uploadBlob(app, ada, ORIGINAL, { fileId: assetId, albumId });
    await begin(world, "one", WINDOW);
    for (const role of ["derivative", "provenance"]) {
      await expectRefused(
        app,
        () => openSession(world, ada, MANIFEST, { fileId: assetId, role }),
        "error.album.upgrade_in_flight",
      );
    }
  });
});

Deno.test("a file in flight at the begin is taken again after its session was cancelled", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const over = { fileId: ASSET, albumId };
    const { upload_id } = await createUpload(app, ada, ORIGINAL, over);
    await begin(world, "upgrade");
    const { token } = ada;
    const cancelled = await app.send("DELETE", `/v1/upload/${upload_id}`, {
      token,
    });
    assert.equal(cancelled.status, 204);
    await createUpload(app, ada, ORIGINAL, over);
  });
});
