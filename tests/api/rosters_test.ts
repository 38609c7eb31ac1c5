/**
 * Rosters and their versions (protocol/albums.md#roster). Who may publish one
 * stands in `roster_access_test.ts`, what is refused inside one in
 * `malicious_input/roster_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  expectRoster,
  getRoster,
  listAlbums,
  type Member,
  publishRoster,
  putRoster,
  readFeed,
  rosterBytes,
  withAlbum,
} from "../support/albums.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { registerWriter, uuidOf } from "../support/people.ts";

Deno.test("a roster is fetched as its exact bytes by owner, viewer and contributor", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const eve = await registerWriter(app, "eve");
    const members = [
      { member: bob.userId },
      { member: eve.userId, role: "contributor" },
      { member: `${uuidOf("peer")}@https://peer.example` },
    ];
    const bytes = await rosterBytes(ada, albumId, 7, members, { amk_epoch: 3 });
    assert.deepEqual(
      await expectJson(await putRoster(app, ada, albumId, bytes), 200),
      {
        album_id: albumId,
        roster_version: 7,
        amk_epoch: 3,
        member_count: 3,
        replayed: false,
      },
    );
    for (const person of [ada, bob, eve]) {
      await expectRoster(app, person, albumId, bytes);
      const head = await getRoster(app, person, albumId, "HEAD");
      assert.equal(head.status, 200);
      assert.equal((await head.arrayBuffer()).byteLength, 0);
    }
    const { roster_version, amk_epoch } = (await listAlbums(app, ada))[albumId];
    assert.deepEqual([roster_version, amk_epoch], [7, 3]);
  });
});

Deno.test("before the first roster an album shows version 0 and epoch 0, and a fetch is 404", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const { roster_version, amk_epoch } = (await listAlbums(app, ada))[albumId];
    assert.deepEqual([roster_version, amk_epoch], [0, 0]);
    await expectProblem(
      await getRoster(app, ada, albumId),
      "error.roster.not_found",
    );
    await publishRoster(app, ada, albumId, 1, []);
    assert.equal((await getRoster(app, ada, albumId)).status, 200);
  });
});

Deno.test("a first roster has at most version 1,000", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const members = [{ member: bob.userId }];
    for (const version of [1_001, 1_002, 4_294_967_296, 2 ** 53 - 1]) {
      const bytes = await rosterBytes(ada, albumId, version, members);
      const { current_version, max_version } = await expectProblem(
        await putRoster(app, ada, albumId, bytes),
        "error.album.roster_version_leap",
      );
      assert.deepEqual([current_version, max_version], [0, 1_000]);
    }
    assert.equal((await listAlbums(app, ada))[albumId].roster_version, 0);
    await publishRoster(app, ada, albumId, 1_000, members);
  });
});

Deno.test("a version lies at most 1,000 above the held one", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    await publishRoster(app, ada, albumId, 5, []);
    const leap = await rosterBytes(ada, albumId, 1_006, [{
      member: bob.userId,
    }]);
    const { current_version, max_version } = await expectProblem(
      await putRoster(app, ada, albumId, leap),
      "error.album.roster_version_leap",
    );
    assert.deepEqual([current_version, max_version], [5, 1_005]);
    await publishRoster(app, ada, albumId, 1_005, []);
    // What was a leap is one no more.
    await expectJson(await putRoster(app, ada, albumId, leap), 200);
  });
});

Deno.test("a version not above the held one is 409 with current_version", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const first = await rosterBytes(ada, albumId, 4, []);
    await expectJson(await putRoster(app, ada, albumId, first), 200);
    const held = await rosterBytes(ada, albumId, 9, []);
    await expectJson(await putRoster(app, ada, albumId, held), 200);
    const other = [{ member: bob.userId }];
    for (
      const bytes of [
        await rosterBytes(ada, albumId, 9, other),
        await rosterBytes(ada, albumId, 8, other),
        await rosterBytes(ada, albumId, 1, other),
        // Once held, no longer so.
        first,
      ]
    ) {
      const { current_version } = await expectProblem(
        await putRoster(app, ada, albumId, bytes),
        "error.album.roster_stale",
      );
      assert.equal(current_version, 9);
    }
    await expectRoster(app, ada, albumId, held);
    // The client signs the same roster again, with the next version.
    await publishRoster(app, ada, albumId, 10, other);
  });
});

Deno.test("the very bytes held are a success that writes nothing", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const bytes = await rosterBytes(ada, albumId, 2, [{ member: bob.userId }], {
      amk_epoch: 1,
    });
    const first = await expectJson(
      await putRoster(app, ada, albumId, bytes),
      200,
    );
    const feed = await readFeed(app, ada.token);
    const album = (await listAlbums(app, ada))[albumId];
    app.clock.advance(60_000);
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(
        await expectJson(await putRoster(app, ada, albumId, bytes), 200),
        { ...first, replayed: true },
      );
    }
    assert.deepEqual(await readFeed(app, ada.token), feed);
    assert.deepEqual((await listAlbums(app, ada))[albumId], album);
  });
});

Deno.test("the epoch never falls", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    await publishRoster(app, ada, albumId, 1, [], { amk_epoch: 5 });
    await publishRoster(app, ada, albumId, 2, [], { amk_epoch: 5 });
    for (const amk_epoch of [4, 0]) {
      const bytes = await rosterBytes(ada, albumId, 3, [], { amk_epoch });
      await expectProblem(
        await putRoster(app, ada, albumId, bytes),
        "error.roster.invalid",
      );
    }
    await publishRoster(app, ada, albumId, 3, [], { amk_epoch: 2 ** 53 - 1 });
    assert.equal((await listAlbums(app, ada))[albumId].amk_epoch, 2 ** 53 - 1);
  });
});

Deno.test("a roster names 5,000 members, its owner not counted, and no more", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const many: Member[] = Array.from({ length: 4_999 }, (_, index) => ({
      member: uuidOf(`member ${index}`),
      wrapped_amk: new Uint8Array([1]),
    }));
    const last = { member: bob.userId };
    const tooMany = [...many, last, { member: uuidOf("one more") }];
    await expectProblem(
      await putRoster(
        app,
        ada,
        albumId,
        await rosterBytes(ada, albumId, 1, tooMany),
      ),
      "error.roster.invalid",
    );
    assert.equal((await listAlbums(app, ada))[albumId].roster_version, 0);
    const full = await publishRoster(app, ada, albumId, 1, [...many, last]);
    assert.equal(full.member_count, 5_000);
    const owner = { member: ada.userId, role: "viewer" };
    const members = [...many, owner, last];
    const beside = await publishRoster(app, ada, albumId, 2, members);
    assert.equal(beside.member_count, 5_000);
    assert.equal((await listAlbums(app, bob))[albumId].role, "viewer");
    // Named as a viewer she still owns the album.
    assert.equal((await listAlbums(app, ada))[albumId].role, "owner");
    await publishRoster(app, ada, albumId, 3, []);
  });
});
