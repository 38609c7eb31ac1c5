/**
 * Leaving an album (protocol/albums.md#leaving-and-ending).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  getRoster,
  listAlbums,
  provisionAlbum,
  publishRoster,
  putRoster,
  rosterBytes,
} from "../support/albums.ts";
import {
  expectReads,
  expectReadsNothing,
  readFeedOf,
  withCast,
} from "../support/cast.ts";
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
  patchBytes,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectSameAnswers, suspend } from "../support/api.ts";
import { finalize, hangingBody } from "../support/uploads.ts";
import { actionsOf, leave, positionOf } from "../support/membership.ts";

const BYTES = ciphertext("on its way", 400);

Deno.test("who leaves reads nothing of the album any more, and finds one last roster entry", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    const asset = await createAsset(app, ada, "ada's", { albumId });
    const from = await positionOf(app, ada);
    await expectEmpty(await leave(app, vic, albumId), 204);
    await expectReadsNothing(app, vic, asset);
    assert.deepEqual(await listAlbums(app, vic), {});
    assert.deepEqual(await actionsOf(app, vic, albumId), ["roster"]);
    const body = await expectSameAnswers({
      "the feed": await readFeedOf(app, vic, albumId),
      "the roster": await getRoster(app, vic, albumId),
      "leaving twice": await leave(app, vic, albumId),
      "to a stranger": await leave(app, eve, albumId),
      "no album": await leave(app, eve, uuidOf("no album")),
    });
    assert.equal(JSON.parse(body).code, "error.album.not_found");
    // The owner and the others learn of it, once; they read on.
    for (const person of [ada, bob]) {
      assert.deepEqual(await actionsOf(app, person, albumId, from), ["roster"]);
      await expectReads(app, person, asset);
    }
    // What comes after is not theirs.
    await createAsset(app, ada, "later", { albumId });
    assert.deepEqual(await actionsOf(app, vic, albumId), ["roster"]);
  });
});

Deno.test("who left is in again with a newer roster that names them, and not with the held one", async () => {
  await withCast(async (app, { ada, vic, albumId }) => {
    const asset = await createAsset(app, ada, "ada's", { albumId });
    const members = [{ member: vic.userId }];
    const held = await rosterBytes(ada, albumId, 2, members);
    await expectJson(await putRoster(app, ada, albumId, held), 200);
    await expectEmpty(await leave(app, vic, albumId), 204);
    const again = await expectJson(
      await putRoster(app, ada, albumId, held),
      200,
    );
    assert.equal(again.replayed, true);
    await expectReadsNothing(app, vic, asset);
    await publishRoster(app, ada, albumId, 3, members);
    await expectReads(app, vic, asset);
    await expectEmpty(await leave(app, vic, albumId), 204);
    // A roster without them tells them nothing more.
    const from = await positionOf(app, vic);
    await publishRoster(app, ada, albumId, 4, []);
    assert.deepEqual(await actionsOf(app, vic, albumId, from), []);
  });
});

Deno.test("the owner does not leave, whatever the roster says", async () => {
  await withCast(async (app, { ada, albumId }) => {
    await publishRoster(app, ada, albumId, 2, [{ member: ada.userId }]);
    await expectProblem(
      await leave(app, ada, albumId),
      "error.album.role_forbidden",
    );
    const from = await positionOf(app, ada);
    assert.equal((await listAlbums(app, ada))[albumId]?.role, "owner");
    assert.equal(await positionOf(app, ada), from);
  });
});

Deno.test("a leaver keeps what is theirs, and what they were uploading to the album ends", async () => {
  await withCast(async (app, { ada, bob, albumId }) => {
    const asset = await createAsset(app, bob, "bob's", { albumId });
    const bobs = await provisionAlbum(app, bob, "bob's own");
    const into = async (name: string, album: string | undefined) => {
      const bytes = ciphertext(name, 300);
      const { upload_id } = await createUpload(app, bob, bytes, {
        fileId: uuidOf(name),
        ...(album === undefined ? {} : { albumId: album }),
      });
      await patchBytes(app, bob, upload_id, 0, bytes.slice(0, 100));
      return { bytes, upload_id };
    };
    const adas = await createUpload(app, ada, BYTES, {
      fileId: uuidOf("ada's open"),
      albumId,
    });
    const doomed = [
      await into("first", albumId),
      await into("second", albumId),
    ];
    const others = [await into("own", bobs), await into("none", undefined)];
    await expectEmpty(await leave(app, bob, albumId), 204);
    for (const { upload_id, bytes } of doomed) {
      for (
        const answer of [
          await patchBytes(app, bob, upload_id, 100, bytes.slice(100)),
          await finalize(app, bob, upload_id),
        ]
      ) await expectProblem(answer, "error.upload.not_found");
    }
    for (const { upload_id, bytes } of others) {
      await expectEmpty(
        await patchBytes(app, bob, upload_id, 100, bytes.slice(100)),
        204,
      );
    }
    const { token } = ada;
    const open = await app.send("GET", `/v1/upload/${adas.upload_id}`, {
      token,
    });
    assert.equal((await expectJson(open, 200)).state, "open");
    // Theirs, and in the album as before.
    for (const person of [ada, bob]) await expectReads(app, person, asset);
    await expectProblem(
      await app.send("POST", "/v1/upload", {
        token: bob.token,
        json: uploadRequest(bob, BYTES, { albumId }),
      }),
      "error.album.not_found",
    );
    // What was reserved is given back, and no file is left of it.
    const { findings } = await check(app);
    assert.deepEqual(findings, []);
    const row = await app.app.db.selectFrom("usage")
      .select(["open_uploads", "reserved_bytes"])
      .where("user_id", "=", bob.userId as Json).executeTakeFirstOrThrow();
    assert.deepEqual({ ...row }, { open_uploads: 2, reserved_bytes: 600 });
  });
});

Deno.test("who sends to an upload while leaving is told that it is gone", async () => {
  await withCast(async (app, { bob, albumId }) => {
    const { upload_id } = await createUpload(app, bob, BYTES, {
      fileId: uuidOf("hanging"),
      albumId,
    });
    const { body, taken, end } = hangingBody(BYTES.slice(0, 100));
    const sending = patchBytes(app, bob, upload_id, 0, body);
    await taken;
    await expectEmpty(await leave(app, bob, albumId), 204);
    end();
    const answer = await sending;
    await answer.body?.cancel();
    assert(answer.status >= 400, String(answer.status));
    await expectProblem(
      await finalize(app, bob, upload_id),
      "error.upload.not_found",
    );
    assert.deepEqual((await check(app)).findings, []);
  });
});

Deno.test("who leaves at once with a roster that names them is in or out, never both", async () => {
  await withCast(async (app, { ada, vic, albumId }) => {
    const asset = await createAsset(app, ada, "ada's", { albumId });
    for (let version = 2; version < 8; version++) {
      const bytes = await rosterBytes(ada, albumId, version, [
        { member: vic.userId },
      ]);
      const [left, published] = await Promise.all([
        leave(app, vic, albumId),
        putRoster(app, ada, albumId, bytes),
      ]);
      await expectEmpty(left, 204);
      await expectJson(published, 200);
      const isListed = albumId in await listAlbums(app, vic);
      if (isListed) await expectReads(app, vic, asset);
      else await expectReadsNothing(app, vic, asset);
      await publishRoster(app, ada, albumId, version + 100, [
        { member: vic.userId },
      ]);
      version += 100;
    }
  });
});

Deno.test("a suspended member may leave", async () => {
  await withCast(async (app, { vic, albumId }) => {
    await suspend(app, vic);
    await expectEmpty(await leave(app, vic, albumId), 204);
    assert.deepEqual(await listAlbums(app, vic), {});
  });
});
