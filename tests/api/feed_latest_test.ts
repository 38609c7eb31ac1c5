/**
 * The newest entries alone (protocol/feed.md#newest-entries).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  provisionAlbum,
  publishRoster,
  readFeed,
  sendOp,
} from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { withSharedAlbum } from "../support/capabilities.ts";
import { expectEmpty, expectProblem, type Json } from "../support/expect.ts";
import { contribute, issueLink } from "../support/guests.ts";
import { replaceRequest } from "../support/ops.ts";
import {
  ciphertext,
  createAsset,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { numbered, writeRows } from "../support/rows.ts";
import { putState } from "../support/state.ts";
import { withFaultlessApp } from "../support/api.ts";
import { restore, trash } from "../support/trash.ts";
import { SUCCESSOR, withForked } from "../support/upgrades.ts";

/** What entries tell, in their order. */
function told(entries: readonly Json[]): string[] {
  return entries.map(({ action, asset_id, album_id, slot }) =>
    [action, asset_id ?? album_id ?? slot].filter(Boolean).join(" ")
  );
}

/** All that an account finds in pages of a size, each expected to be full. */
async function readAll(
  app: TestApp,
  token: string,
  limit: number,
  query = "",
): Promise<Json[]> {
  const entries: Json[] = [];
  for (let after = 0, more = true; more;) {
    const page = await readFeed(
      app,
      token,
      `?latest=true&after=${after}&limit=${limit}${query}`,
    );
    if (page.more) assert.equal(page.entries.length, limit);
    assert(page.next_after >= after);
    entries.push(...page.entries);
    ({ next_after: after, more } = page);
  }
  return entries;
}

Deno.test("of each asset and album only the newest entry is told, as it stands in the whole feed", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "it");
    const other = await provisionAlbum(app, ada, "other");
    const one = await createAsset(app, ada, "one", { albumId });
    const two = await createAsset(app, ada, "two");
    await publishRoster(app, ada, albumId, 1, []);
    await trash(app, ada, one.assetId);
    await restore(app, ada, one.assetId);
    await publishRoster(app, ada, albumId, 2, []);
    await trash(app, ada, one.assetId);
    const expected = [
      `album ${other}`,
      `create ${two.assetId}`,
      `roster ${albumId}`,
      `delete ${one.assetId}`,
    ];
    const whole = await readFeed(app, ada.token);
    for (const limit of [1, 2, 3, 4, 5, 200, 1_000]) {
      const entries = await readAll(app, ada.token, limit);
      assert.deepEqual(told(entries), expected, `limit ${limit}`);
      for (const entry of entries) {
        const same = whole.entries.find(({ sync_seq }: Json) =>
          sync_seq === entry.sync_seq
        );
        assert.deepEqual(entry, same);
      }
    }
    const page = await readFeed(app, ada.token, "?latest=true");
    assert.equal(page.next_after, whole.next_after);
    assert.equal(page.more, false);
    const without = await readFeed(app, ada.token, "?latest=false");
    assert.deepEqual(without, whole);
    const faulty = await app.send("GET", "/v1/sync?latest=1", ada);
    await expectProblem(faulty, "error.request.malformed");
  });
});

Deno.test("of state slots the newest entry of each, of contributions every one", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "it");
    const link = await issueLink(app, ada, "link", { album_id: albumId });
    for (const name of ["one", "two", "three"]) {
      await contribute(app, link, ciphertext(name, 20));
    }
    const written = new Set<string>();
    for (const slot of ["index", "seen", "index"]) {
      const held = written.has(slot) ? { "If-Match": "*" } : undefined;
      written.add(slot);
      const bytes = ciphertext(slot, 9);
      await expectEmpty(await putState(app, ada, slot, bytes, held), 204);
    }
    for (const limit of [1, 2, 200]) {
      const entries = await readAll(app, ada.token, limit);
      assert.deepEqual(
        entries.map(({ action, slot }: Json) => slot ?? action),
        [
          "album",
          "contribution",
          "contribution",
          "contribution",
          "seen",
          "index",
        ],
      );
    }
  });
});

Deno.test("an entry stays while its newer one is not the reader's to see", async () => {
  await withForked(async ({ app, ada, bob, albumId, adas }) => {
    await publishRoster(app, ada, SUCCESSOR, 1, []);
    const request = replaceRequest(ada, SUCCESSOR, adas, "moved", {
      metadata: ciphertext("moved metadata", 30),
    });
    await (await sendOp(app, ada, SUCCESSOR, request)).body?.cancel();
    const of = async (token: string, query = "") =>
      (await readAll(app, token, 200, query))
        .filter(({ asset_id }) => asset_id === adas.assetId)
        .map(({ action, album_id }) => `${action} ${album_id}`);
    assert.deepEqual(await of(ada.token), [`replace ${SUCCESSOR}`]);
    assert.deepEqual(await of(bob.token), [`create ${albumId}`]);
    const query = `&album_id=${albumId}`;
    assert.deepEqual(await of(ada.token, query), [`create ${albumId}`]);
  });
});

Deno.test("an account that was removed from a roster learns that last of the album", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = await provisionAlbum(app, ada, "it");
    const members = [{ member: bob.userId }];
    await publishRoster(app, ada, albumId, 1, members);
    const { assetId } = await createAsset(app, ada, "photo", { albumId });
    assert.deepEqual(
      told(await readAll(app, bob.token, 1)),
      [`roster ${albumId}`, `create ${assetId}`],
    );
    await publishRoster(app, ada, albumId, 2, []);
    await publishRoster(app, ada, albumId, 3, []);
    assert.deepEqual(
      told(await readAll(app, bob.token, 1)),
      [`roster ${albumId}`],
    );
    // Its owner does not see what was for Bob alone.
    assert.deepEqual(
      told(await readAll(app, ada.token, 1)),
      [`create ${assetId}`, `roster ${albumId}`],
    );
  });
});

Deno.test("a capability reads the newest entries of its album", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const ada = await shared.owner();
    const { assetId } = await createAsset(app, ada, "photo", { albumId });
    await trash(app, ada, assetId);
    const { token } = await shared.minted();
    assert.deepEqual(
      told(await readAll(app, token, 200)),
      [`roster ${albumId}`, `delete ${assetId}`],
    );
  });
});

Deno.test("who waits for the newest entries is woken by one", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const { next_after } = await readFeed(app, ada.token, "?latest=true");
    const query = `?latest=true&after=${next_after}&wait=30`;
    const waiting = readFeed(app, ada.token, query);
    await trash(app, ada, assetId);
    assert.deepEqual(told((await waiting).entries), [`delete ${assetId}`]);
  });
});

Deno.test("a page ends after so many older entries, and the next goes on there", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const often = uuidOf("replaced often");
    writeRows(
      app,
      `${numbered(30_000)} insert into feed (user_id, action, asset_id, at)
        select '${ada.userId}', 'replace', '${often}', 1 from numbers`,
      `insert into feed (user_id, action, asset_id, at)
        values ('${ada.userId}', 'create', '${uuidOf("other")}', 1)`,
    );
    const first = await readFeed(app, ada.token, "?latest=true&limit=1000");
    assert.deepEqual(first.entries, []);
    assert.equal(first.more, true);
    assert(first.next_after >= 20_000);
    // It is no reason to wait that the page has nothing in it.
    const query = `?latest=true&limit=1000&wait=30`;
    const waited = await readFeed(app, ada.token, query);
    assert.deepEqual(waited, first);
    const after = `&after=${first.next_after}`;
    const next = await readFeed(app, ada.token, `${query}${after}`);
    assert.equal(next.more, false);
    assert.deepEqual(
      told(next.entries),
      [`replace ${often}`, `create ${uuidOf("other")}`],
    );
  });
});
