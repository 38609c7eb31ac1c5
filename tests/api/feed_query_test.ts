/**
 * What a client may ask the sync feed for (protocol/feed.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import { withTestApp } from "../support/app.ts";
import { provisionAlbum, readFeed } from "../support/albums.ts";
import { expectProblem, type Json } from "../support/expect.ts";
import {
  type Person,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { withFaultlessApp } from "../support/api.ts";

async function entriesOf(
  app: TestApp,
  person: Person,
  query = "",
): Promise<Json[]> {
  return (await readFeed(app, person.token, query)).entries;
}

Deno.test("limit is 200 when not said and 1,000 at most", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (let i = 0; i < 1_005; i++) {
      await (await app.send("POST", "/v1/albums", {
        token: ada.token,
        json: { album_id: uuidOf(`album ${i}`) },
      })).body?.cancel();
    }
    for (
      const [query, length] of [
        ["", 200],
        ["?limit=1000", 1_000],
        ["?limit=1001", 1_000],
        ["?limit=4294967296", 1_000],
        ["?limit=99999999999999999999999999", 1_000],
      ] as const
    ) {
      const { entries, more } = await readFeed(app, ada.token, query);
      assert.equal(entries.length, length);
      assert.equal(more, true);
    }
    // A wait beyond the maximum is clamped, and not waited where entries are.
    for (const wait of ["31", "4000000000", "99999999999999999999999999"]) {
      const { entries } = await readFeed(app, ada.token, `?wait=${wait}`);
      assert.equal(entries.length, 200);
    }
  });
});

Deno.test("nonsense in the query is 400", async () => {
  await withFaultlessApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    const number = ["-1", "x", "1.5", "", "+1", "%201", "0x1", "1e3", "NaN"];
    for (
      const query of [
        ...["after", "limit", "wait"].flatMap((name) =>
          number.map((value) => `${name}=${value}`)
        ),
        "limit=0",
        "after=9007199254740992",
        "album_id=x",
        "album_id=",
        `album_id=${uuidOf("album").toUpperCase()}`,
      ]
    ) {
      const response = await app.send("GET", `/v1/sync?${query}`, { token });
      assert.equal(response.status, 400, query);
      await expectProblem(response, "error.request.malformed");
    }
    await readFeed(app, token, "?after=9007199254740991");
    await readFeed(app, token, "?unknown=1");
  });
});

Deno.test("the feed's epoch stays, and another one in the query is 410", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { feed_epoch } = await readFeed(app, ada.token);
    await provisionAlbum(app, ada, "holidays");
    const again = await app.reopen();
    const right = `?epoch=${encodeURIComponent(feed_epoch)}`;
    assert.equal((await readFeed(again, ada.token)).feed_epoch, feed_epoch);
    assert.equal((await entriesOf(again, ada, right)).length, 1);
    for (const wrong of ["x", `${feed_epoch}x`, feed_epoch.slice(1), ""]) {
      await expectProblem(
        await again.send("GET", `/v1/sync?epoch=${wrong}&wait=20`, {
          token: ada.token,
        }),
        "error.sync.epoch_changed",
      );
    }
    // Another store is another feed.
    await withTestApp(async (other) => {
      const { token } = await registerPerson(other, "ada");
      const theirs = await readFeed(other, token);
      assert.notEqual(theirs.feed_epoch, feed_epoch);
    });
  });
});
