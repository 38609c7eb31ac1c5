/**
 * Ending an album (protocol/albums.md#leaving-and-ending).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  listAlbums,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  publishRoster,
  putRoster,
  rosterBytes,
  sendOp,
} from "../support/albums.ts";
import { withCast } from "../support/cast.ts";
import { type TestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  type Person,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  refreshed,
  withFaultlessApp,
} from "../support/api.ts";
import { collect, DAY, trash } from "../support/trash.ts";
import { actionsOf, leave, positionOf } from "../support/membership.ts";

const BYTES = ciphertext("on its way", 400);

function end(
  app: TestApp,
  person: Person,
  albumId: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/albums/${albumId}`, { token: person.token });
}

Deno.test("an empty album is ended for ever, once, and its members learn of it", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    const from = await positionOf(app, vic);
    await expectEmpty(await end(app, ada, albumId), 204);
    await expectEmpty(await end(app, ada, albumId), 204);
    for (const person of [ada, vic, bob]) {
      const album = (await listAlbums(app, person))[albumId];
      assert.equal(album?.tombstoned, true);
      assert.equal("successor_album_id" in album, false);
    }
    assert.deepEqual(await actionsOf(app, vic, albumId, from), ["tombstone"]);
    // It takes nothing more, and its id is never another's.
    await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: bob.token,
        json: uploadRequest(bob, BYTES, { albumId }),
      }),
      "error.album.tombstoned",
    );
    await expectProblem(
      await putRoster(
        app,
        ada,
        albumId,
        await rosterBytes(ada, albumId, 2, []),
      ),
      "error.album.tombstoned",
    );
    const provisioned = await expectJson(
      await app.send("POST", "/v1/albums", {
        token: ada.token,
        json: { album_id: albumId },
      }),
      200,
    );
    assert.equal(provisioned.created, false);
    assert.equal((await listAlbums(app, ada))[albumId]?.tombstoned, true);
    // Who is in it may still leave it.
    await expectEmpty(await leave(app, vic, albumId), 204);
    assert.deepEqual(await listAlbums(app, vic), {});
  });
});

Deno.test("only the owner ends an album, and the answer does not show whether another's exists", async () => {
  await withCast(async (app, { vic, bob, eve, albumId }) => {
    for (const person of [vic, bob]) {
      await expectProblem(
        await end(app, person, albumId),
        "error.album.role_forbidden",
      );
    }
    const body = await expectSameAnswers({
      "a stranger's": await end(app, eve, albumId),
      "of no album": await end(app, eve, uuidOf("no album")),
    });
    assert.equal(JSON.parse(body).code, "error.album.not_found");
  });
});

Deno.test("an album with a live or a deleted asset is not empty, whosever it is, until the asset is gone", async () => {
  await withCast(async (app, { ada, bob, albumId }) => {
    const { assetId } = await createAsset(app, bob, "bob's", { albumId });
    const refuse = async (person: Person) =>
      await expectProblem(
        await end(app, person, albumId),
        "error.album.not_empty",
      );
    await refuse(ada);
    await trash(app, bob, assetId);
    await refuse(ada);
    app.clock.advance(30 * DAY - 1);
    await refuse(await refreshed(app, ada));
    // It has left the trash, whether or not it was collected.
    app.clock.advance(1);
    await expectEmpty(await end(app, await refreshed(app, ada), albumId), 204);
    await collect(app);
    assert.deepEqual((await check(app)).findings, []);
  });
});

Deno.test("an album to which something is on its way is not empty", async () => {
  await withCast(async (app, { ada, bob, albumId }) => {
    const refuse = async () =>
      await expectProblem(
        await end(app, ada, albumId),
        "error.album.not_empty",
      );
    const over = { fileId: uuidOf("bob's"), albumId };
    const { upload_id } = await createUpload(app, bob, BYTES, over);
    await refuse();
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${upload_id}`, {
        token: bob.token,
      }),
      204,
    );
    // Finalized, and without its manifest: pending.
    await uploadBlob(app, bob, BYTES, over);
    await refuse();
    // What waits too long for its manifest comes no more.
    app.clock.advance(DAY + 1);
    await expectEmpty(await end(app, await refreshed(app, ada), albumId), 204);
  });
});

Deno.test("an asset that came and went leaves an album empty", async () => {
  await withCast(async (app, { ada, bob, albumId }) => {
    const { assetId } = await createAsset(app, bob, "bob's", { albumId });
    await trash(app, bob, assetId);
    app.clock.advance(30 * DAY);
    await collect(app);
    await expectEmpty(await end(app, await refreshed(app, ada), albumId), 204);
  });
});

Deno.test("in a ceremony an album is not ended, and one that was upgraded is ended already", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "old", OLD_PROTOCOL);
    await publishRoster(app, ada, albumId, 1, []);
    const intent = await intentBytes(ada, albumId, "one");
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    await expectProblem(
      await end(app, ada, albumId),
      "error.album.upgrade_in_flight",
    );
    await expectJson(await endUpgrade(app, ada, albumId, "commit", "one"), 200);
    const before = await listAlbums(app, ada);
    await expectEmpty(await end(app, ada, albumId), 204);
    assert.deepEqual(await listAlbums(app, ada), before);
  });
});

Deno.test("an album ends or an asset comes into it, never both", async () => {
  await withCast(async (app, { ada, bob, albumId }) => {
    const assetId = uuidOf("racing");
    await uploadBlob(app, bob, BYTES, { fileId: assetId });
    const manifest = ciphertext("racing manifest", 60);
    const [ended, applied] = await Promise.all([
      end(app, ada, albumId),
      sendOp(
        app,
        bob,
        albumId,
        opRequest(bob, albumId, assetId, manifest, {
          original: BYTES,
          metadata: ciphertext("racing metadata", 30),
        }),
      ),
    ]);
    await ended.body?.cancel();
    await applied.body?.cancel();
    const isTombstoned = (await listAlbums(app, ada))[albumId]?.tombstoned;
    assert.equal(ended.status, isTombstoned ? 204 : 409);
    assert.equal(applied.status, isTombstoned ? 403 : 200);
    const rows = await app.app.db.selectFrom("asset").select("asset_id")
      .where("album_id", "=", albumId as Json).execute();
    assert.equal(rows.length, isTombstoned ? 0 : 1);
  });
});
