/**
 * The sync feed (protocol/feed.md): whose entries it holds, in which order, and
 * how it is read page by page.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { START_MS } from "../support/app.ts";
import { withCast } from "../support/cast.ts";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  publishRoster,
  readFeed,
  sendOp,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { expectSameAnswers, withFaultlessApp } from "../support/api.ts";

async function entriesOf(
  app: TestApp,
  person: Person,
  query = "",
): Promise<Json[]> {
  return (await readFeed(app, person.token, query)).entries;
}

/** What entries tell of, short: action and whose. */
function short(entries: readonly Json[]): string[] {
  return entries.map(({ action, asset_id }) =>
    asset_id === undefined ? action : `${action} ${asset_id}`
  );
}

/** Follows the feed to its end as a client does; every page's entries. */
async function follow(
  app: TestApp,
  person: Person,
  query: string,
): Promise<Json[][]> {
  const pages: Json[][] = [];
  let after = 0;
  for (;;) {
    const page = await readFeed(
      app,
      person.token,
      `?after=${after}&${query}`,
    );
    pages.push(page.entries);
    assert.equal(page.next_after, page.entries.at(-1)?.sync_seq ?? after);
    after = page.next_after;
    if (!page.more) return pages;
  }
}

Deno.test("an empty feed has an epoch and no entry", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { feed_epoch, ...feed } = await readFeed(app, ada.token);
    assert.ok(feed_epoch.length > 0);
    assert.deepEqual(feed, { entries: [], next_after: 0, more: false });
    const later = await readFeed(app, ada.token, "?after=77");
    assert.deepEqual(later, {
      feed_epoch,
      entries: [],
      next_after: 77,
      more: false,
    });
  });
});

Deno.test("an entry tells what changed, where, to which chain head, and when", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "holidays");
    app.clock.advance(1_000);
    await publishRoster(app, ada, albumId, 1, []);
    app.clock.advance(1_000);
    const inside = await createAsset(app, ada, "inside", { albumId });
    const alone = await createAsset(app, ada, "alone");
    app.clock.advance(1_000);
    const second = ciphertext("second manifest", 70);
    const replaced = await expectJson(
      await sendOp(
        app,
        ada,
        albumId,
        opRequest(ada, albumId, inside.assetId, second, {
          action: "replace",
          original: inside.original,
          prior: hashOf(inside.manifest),
        }),
      ),
      200,
    );
    const entries = await entriesOf(app, ada);
    const at = (seconds: number) =>
      new Date(START_MS + seconds * 1_000).toISOString();
    assert.deepEqual(entries.map(({ sync_seq: _any, ...entry }) => entry), [
      { action: "album", album_id: albumId, at: at(0) },
      { action: "roster", album_id: albumId, at: at(1) },
      {
        action: "create",
        album_id: albumId,
        asset_id: inside.assetId,
        chain_head: hashOf(inside.manifest),
        at: at(2),
      },
      {
        action: "create",
        asset_id: alone.assetId,
        chain_head: hashOf(alone.manifest),
        at: at(2),
      },
      {
        action: "replace",
        album_id: albumId,
        asset_id: inside.assetId,
        chain_head: hashOf(second),
        at: at(3),
      },
    ]);
    assert.deepEqual(
      entries.slice(2).map((entry) => entry.sync_seq),
      [inside.applied.sync_seq, alone.applied.sync_seq, replaced.sync_seq],
    );
  });
});

Deno.test("an upgrade is told as the successor's album and the old one's tombstone", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const vic = await registerWriter(app, "vic");
    const albumId = await provisionAlbum(app, ada, "old", OLD_PROTOCOL);
    await publishRoster(app, ada, albumId, 1, [{ member: vic.userId }]);
    const intent = await intentBytes(ada, albumId, "old");
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    await expectJson(
      await endUpgrade(app, ada, albumId, "commit", "old"),
      200,
    );
    const successor = uuidOf("successor old");
    const told = (entries: Json[]) =>
      entries.map(({ action, album_id }) => `${action} ${album_id}`);
    const vics = await entriesOf(app, vic);
    assert.ok(told(vics).includes(`tombstone ${albumId}`));
    assert.ok(!told(vics).includes(`album ${successor}`));
    const adas = told(await entriesOf(app, ada));
    for (const entry of [`tombstone ${albumId}`, `album ${successor}`]) {
      assert.equal(adas.filter((one) => one === entry).length, 1, entry);
    }
  });
});

Deno.test("whatever the limit, paging yields every entry once, in rising positions", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    // Own ones, those of a member's album and those of a contributor, mixed.
    for (let round = 0; round < 6; round++) {
      await provisionAlbum(app, vic, `vic's ${round}`);
      const shared = await provisionAlbum(app, ada, `shared ${round}`);
      await publishRoster(app, ada, shared, 1, [{ member: vic.userId }]);
      const writer = round % 2 === 0 ? bob : ada;
      await createAsset(app, writer, `asset ${round}`, { albumId });
    }
    for (const person of [ada, vic, bob]) {
      const all = await entriesOf(app, person);
      assert.ok(all.length >= 8);
      const positions = all.map((entry) => entry.sync_seq);
      assert.deepEqual(positions, positions.toSorted((a, b) => a - b));
      assert.equal(new Set(positions).size, positions.length);
      for (const limit of [1, 2, 3, 5, all.length, all.length + 1]) {
        const pages = await follow(app, person, `limit=${limit}`);
        assert.deepEqual(pages.flat(), all);
        for (const page of pages.slice(0, -1)) {
          assert.equal(page.length, limit);
        }
        assert.ok((pages.at(-1)?.length ?? 0) > 0, "a page for nothing");
      }
      // From the middle of it, wherever a client left off.
      for (const [index, { sync_seq }] of all.entries()) {
        assert.deepEqual(
          await entriesOf(app, person, `?after=${sync_seq}`),
          all.slice(index + 1),
        );
      }
    }
    const inAlbum = (await entriesOf(app, ada)).filter((entry) =>
      entry.album_id === albumId
    );
    for (const person of [ada, vic, bob]) {
      const pages = await follow(app, person, `album_id=${albumId}&limit=2`);
      assert.deepEqual(pages.flat(), inAlbum);
    }
  });
});

Deno.test("a new member finds a roster entry and reads the album from 0", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const vic = await registerWriter(app, "vic");
    const albumId = await provisionAlbum(app, ada, "holidays");
    const asset = await createAsset(app, ada, "before", { albumId });
    await createAsset(app, ada, "private");
    await provisionAlbum(app, vic, "vic's");
    const { next_after } = await readFeed(app, vic.token);
    await publishRoster(app, ada, albumId, 1, [{ member: vic.userId }]);
    const found = await entriesOf(app, vic, `?after=${next_after}`);
    assert.deepEqual(found.map(({ action, album_id }) => [action, album_id]), [
      ["roster", albumId],
    ]);
    const album = await entriesOf(app, vic, `?album_id=${albumId}`);
    assert.deepEqual(short(album), [
      "album",
      `create ${asset.assetId}`,
      "roster",
    ]);
    assert.deepEqual(
      album,
      await entriesOf(app, ada, `?album_id=${albumId}`),
    );
  });
});

Deno.test("a removed member gets one last roster entry", async () => {
  await withCast(async (app, { ada, vic, bob, albumId }) => {
    await createAsset(app, bob, "bob's", { albumId });
    const heard = async (person: Person, after: number) =>
      short(await entriesOf(app, person, `?after=${after}`));
    const from = (await readFeed(app, ada.token)).next_after;
    await publishRoster(app, ada, albumId, 2, [
      { member: bob.userId, role: "contributor" },
    ]);
    const last = (await readFeed(app, vic.token, `?after=${from}`)).next_after;
    assert.deepEqual(await heard(vic, from), ["roster"]);
    assert.deepEqual(await heard(ada, from), ["roster"]);
    assert.deepEqual(await heard(bob, from), ["roster"]);
    const { assetId } = await createAsset(app, bob, "after", { albumId });
    await publishRoster(app, ada, albumId, 3, [{ member: bob.userId }]);
    assert.deepEqual(await heard(vic, last), []);
    assert.deepEqual(await heard(ada, from), [
      "roster",
      `create ${assetId}`,
      "roster",
    ]);
    // Only the removed member sees their last entry; the album's feed lacks it.
    assert.equal(
      (await entriesOf(app, ada, `?album_id=${albumId}`))
        .filter((entry) => entry.action === "roster").length,
      3,
    );
    const back = (await readFeed(app, ada.token)).next_after;
    await publishRoster(app, ada, albumId, 4, [{ member: vic.userId }]);
    assert.deepEqual(await heard(vic, back), ["roster"]);
    assert.deepEqual(await heard(bob, back), ["roster"]);
  });
});

Deno.test("a contributor's create stands in everybody's feed exactly once", async () => {
  await withCast(async (app, { ada, vic, bob, eve, albumId }) => {
    await createAsset(app, bob, "bob's private");
    const { assetId } = await createAsset(app, bob, "bob's", { albumId });
    for (const person of [ada, vic, bob]) {
      for (const query of ["", `?album_id=${albumId}`]) {
        const found = (await entriesOf(app, person, query))
          .filter((entry) => entry.asset_id === assetId);
        assert.equal(found.length, 1);
        const [{ action, album_id }] = found;
        assert.deepEqual([action, album_id], ["create", albumId]);
      }
    }
    for (const person of [ada, vic]) {
      assert.ok(
        !short(await entriesOf(app, person)).includes(
          `create ${uuidOf("asset bob's private")}`,
        ),
      );
    }
    assert.deepEqual(await entriesOf(app, eve), []);
  });
});

Deno.test("the feed of a foreign album is that of an unknown one", async () => {
  await withCast(async (app, { eve, vic, albumId }) => {
    const own = await provisionAlbum(app, eve, "eve's");
    const { token } = eve;
    const read = (album: string) =>
      app.send("GET", `/v1/sync?album_id=${album}&wait=20`, { token });
    const answer = await expectSameAnswers({
      foreign: await read(albumId),
      unknown: await read(uuidOf("no album")),
    });
    assert.equal(JSON.parse(answer).code, "error.album.not_found");
    assert.deepEqual(short(await entriesOf(app, eve, `?album_id=${own}`)), [
      "album",
    ]);
    await expectProblem(
      await app.send("GET", `/v1/sync?album_id=${own}`, { token: vic.token }),
      "error.album.not_found",
    );
  });
});
