/**
 * Committing an upgrade: the album is tombstoned and its successor provisioned
 * in one transaction (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  endUpgrade,
  OLD_PROTOCOL,
  opRequest,
  putRoster,
  readFeed,
  rosterBytes,
  sendOp,
} from "../support/albums.ts";
import { PROTOCOL, type TestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { everything, expectRefused, replaceRequest } from "../support/ops.ts";
import {
  ciphertext,
  createUpload,
  hashOf,
  type Person,
  putBytes,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectBytes, readAsset, readBlob } from "../support/api.ts";
import {
  begin,
  commit,
  finish,
  SECOND,
  SUCCESSOR,
  withForked,
  withOldAlbum,
} from "../support/upgrades.ts";

const MANIFEST = ciphertext("manifest", 700);

async function albumsOf(app: TestApp, person: Person): Promise<Json> {
  const { albums } = await expectJson(
    await app.send("GET", "/v1/albums", { token: person.token }),
    200,
  );
  return Object.fromEntries(albums.map((one: Json) => [one.album_id, one]));
}

Deno.test("a commit needs in_flight 0: 409 upgrade_in_flight before", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, bob, albumId } = world;
    const bytes = ciphertext("late", 100);
    const upload = await createUpload(app, bob, bytes, { albumId });
    await begin(world, "one");
    await expectRefused(
      app,
      () => endUpgrade(app, ada, albumId, "commit", "one"),
      "error.album.upgrade_in_flight",
    );
    await finish(world, bob, upload, bytes);
    await commit(world, "one");
  });
});

Deno.test("a commit tombstones the album and provisions the successor to the same owner under the new date", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const before = (await albumsOf(app, ada))[albumId];
    await begin(world, "one");
    const { committed_at, ...answer } = await commit(world, "one");
    assert.deepEqual(answer, {
      album_id: albumId,
      successor_album_id: SUCCESSOR,
      protocol_version: PROTOCOL,
    });
    assert.equal(Date.parse(committed_at), app.clock.now);
    const albums = await albumsOf(app, ada);
    assert.deepEqual(albums[albumId], {
      ...before,
      tombstoned: true,
      successor_album_id: SUCCESSOR,
    });
    assert.equal(before.protocol_version, OLD_PROTOCOL);
    assert.deepEqual(albums[SUCCESSOR], {
      album_id: SUCCESSOR,
      role: "owner",
      protocol_version: PROTOCOL,
      roster_version: 0,
      amk_epoch: 0,
      tombstoned: false,
      created_at: committed_at,
    });
    // The members of the old album see where it went, and are not in the new.
    const bobs = await albumsOf(app, world.bob);
    assert.equal(bobs[albumId].successor_album_id, SUCCESSOR);
    assert.equal(bobs[SUCCESSOR], undefined);
  });
});

Deno.test("a commit repeated gives the same answer and writes nothing, after a restart and past the window too", async () => {
  await withOldAlbum(async (world) => {
    const { app } = world;
    await begin(world, "one", { window_seconds: 60 });
    const first = await commit(world, "one");
    app.clock.advance(61 * SECOND);
    const before = await everything(app);
    assert.deepEqual(await commit(world, "one"), first);
    const after = await app.reopen();
    assert.deepEqual(await commit({ ...world, app: after }, "one"), first);
    assert.deepEqual(await everything(after), before);
  });
});

Deno.test("commits at once are one commit", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada } = world;
    await begin(world, "one");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => commit(world, "one")),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const { entries } = await readFeed(app, ada.token);
    const told = entries.filter((one: Json) => one.action === "tombstone");
    assert.equal(told.length, 1);
  });
});

Deno.test("the tombstoned album stays readable and refuses every write: 403", async () => {
  await withForked(async (world) => {
    const { app, ada, bob, vic, albumId, adas, bobs } = world;
    for (const reader of [ada, bob, vic]) {
      for (const asset of [adas, bobs]) {
        const read = await readAsset(app, reader, asset.assetId);
        assert.equal(read.album_id, albumId);
        const hash = hashOf(asset.original);
        const blob = await readBlob(app, reader, asset.assetId, hash);
        expectBytes(await blob.arrayBuffer(), asset.original);
      }
    }
    const original = ciphertext("new", 10);
    const roster = await rosterBytes(ada, albumId, 2, []);
    const writes = [ada, bob].flatMap((person) => [
      () =>
        app.send("POST", "/v1/upload", {
          token: person.token,
          json: uploadRequest(person, original, { albumId }),
        }),
      () =>
        sendOp(
          app,
          person,
          albumId,
          opRequest(person, albumId, uuidOf("new"), MANIFEST, { original }),
        ),
    ]);
    writes.push(
      () =>
        sendOp(app, ada, albumId, replaceRequest(ada, albumId, adas, "second")),
      () => putRoster(app, ada, albumId, roster),
    );
    for (const write of writes) {
      await expectRefused(app, write, "error.album.tombstoned");
    }
  });
});

Deno.test("a commit while uploads finalize is all or nothing", async () => {
  for (let round = 0; round < 4; round++) {
    await withOldAlbum(async (world) => {
      const { app, ada, bob, albumId } = world;
      const uploads = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          const bytes = ciphertext(`late ${n}`, 2_000);
          const fileId = uuidOf(`file ${n}`);
          const session = await createUpload(app, bob, bytes, {
            fileId,
            albumId,
          });
          return { session, bytes };
        }),
      );
      await begin(world, "one");
      const finished = uploads.map(({ session, bytes }) =>
        putBytes(app, bob, session.upload_id, bytes)
      );
      const commits: Response[] = [];
      for (let n = 0; n < 200; n++) {
        const one = await endUpgrade(app, ada, albumId, "commit", "one");
        commits.push(one);
        if (one.status === 200) break;
        // Let the uploads go on, sooner or later.
        if (n % (round + 1) === 0) await new Promise((go) => setTimeout(go));
      }
      for (const answer of await Promise.all(finished)) {
        await expectJson(answer, 200);
      }
      const last = commits.pop();
      assert(last !== undefined);
      const { committed_at } = await expectJson(last, 200);
      assert.equal(Date.parse(committed_at), app.clock.now);
      for (const one of commits) {
        await expectProblem(one, "error.album.upgrade_in_flight");
      }
      const albums = await albumsOf(app, ada);
      assert.equal(albums[albumId].tombstoned, true);
      assert.equal(albums[SUCCESSOR].tombstoned, false);
    });
  }
});

Deno.test("a commit tells the feed of a tombstone and of an album", async () => {
  await withForked(async (world) => {
    const { app, ada, bob, eve, albumId } = world;
    const tail = async (person: Person, count: number) => {
      const { entries } = await readFeed(app, person.token);
      return entries.slice(-count)
        .map(({ action, album_id }: Json) => [action, album_id]);
    };
    assert.deepEqual(await tail(ada, 2), [
      ["tombstone", albumId],
      ["album", SUCCESSOR],
    ]);
    // Members of the old album learn of its end; strangers of nothing.
    assert.deepEqual(await tail(bob, 1), [["tombstone", albumId]]);
    assert.deepEqual(await tail(eve, 1), []);
  });
});
