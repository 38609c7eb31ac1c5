/**
 * How often and when a share link was viewed, as its issuer sees it
 * (protocol/links.md#share-links).
 *
 * @module
 */
import assert from "node:assert/strict";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { commitCounter } from "../support/commits.ts";
import { operate } from "../support/moderation.ts";
import { hashOf, type Person, registerWriter } from "../support/people.ts";
import { issueShare, opaqueId, refreshed, viewShare } from "../support/api.ts";
import { listOf, withAsset } from "../support/share_list.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;

const HASH = hashOf("some blob");

/** When the first link of the list was last viewed, since the start (ms). */
async function viewedAt(
  app: TestApp,
  person: Person,
): Promise<number | undefined> {
  const [share] = await listOf(app, person);
  const at = share?.last_viewed_at;
  return at === undefined ? undefined : Date.parse(at) - START_MS;
}

async function view(
  app: TestApp,
  path: string,
  method = "GET",
): Promise<number> {
  const response = await app.send(method, `/s/${path}`, { protocol: null });
  await response.body?.cancel();
  return response.status;
}

Deno.test("each viewer path is a view, HEAD and not modified too", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const hash = hashOf(metadata);
    const link = await issueShare(app, ada, "link", [hash], {
      wrapped_secret: "AAAA",
    });
    assert.equal(await viewedAt(app, ada), undefined);
    const paths = [link, `${link}/blob/${hash}`, `${link}/wrapped-secret`];
    let elapsed = 0;
    for (const path of paths) {
      for (const method of ["GET", "HEAD"]) {
        app.clock.advance(MINUTE);
        elapsed += MINUTE;
        assert.equal(await view(app, path, method), 200);
        assert.equal(await viewedAt(app, ada), elapsed);
      }
    }
    app.clock.advance(MINUTE);
    const unchanged = await app.send("GET", `/s/${link}/blob/${hash}`, {
      protocol: null,
      headers: { "If-None-Match": `"${hash}"` },
    });
    assert.equal(unchanged.status, 304);
    assert.equal(await viewedAt(app, ada), elapsed + MINUTE);
  });
});

Deno.test("last_viewed_at is written at most once a minute", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    app.clock.advance(1_000);
    await view(app, link);
    assert.equal(await viewedAt(app, ada), 1_000);
    for (const at of [1_001, 30_000, 60_999]) {
      app.clock.now = START_MS + at;
      await view(app, link);
      assert.equal(await viewedAt(app, ada), 1_000);
    }
    app.clock.now = START_MS + 61_000;
    await view(app, link);
    assert.equal(await viewedAt(app, ada), 61_000);
  });
});

Deno.test("views counts who opened a link, once per client address and hour", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const link = await issueShare(app, ada, "link", [hashOf(metadata)], {
      wrapped_secret: "AAAA",
    });
    const other = await issueShare(app, ada, "other", [hashOf(metadata)]);
    const open = async (
      opaque: string,
      from: string,
      method = "GET",
      headers = {},
    ) => {
      const sent = { protocol: null, from, headers };
      const answer = await app.send(method, `/s/${opaque}`, sent);
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
    };
    const views = async () =>
      Object.fromEntries(
        (await listOf(app, await refreshed(app, ada))).map((
          { opaque_id, views },
        ) => [
          opaque_id === link ? "link" : "other",
          views,
        ]),
      );
    // Neither the page, nor a look at the headers, nor a blob opens it.
    await open(link, "192.0.2.1", "HEAD");
    await open(link, "192.0.2.1", "GET", { Accept: "text/html" });
    assert.equal(await view(app, `${link}/blob/${hashOf(metadata)}`), 200);
    assert.equal(await view(app, `${link}/wrapped-secret`), 200);
    assert.deepEqual(await views(), { link: 0, other: 0 });
    for (let n = 0; n < 5; n++) await open(link, "192.0.2.1");
    assert.deepEqual(await views(), { link: 1, other: 0 });
    await open(other, "192.0.2.1");
    await open(link, "192.0.2.2");
    // One household: IPv6 counts by /64.
    await open(link, "2001:db8::1");
    await open(link, "2001:db8::2");
    assert.deepEqual(await views(), { link: 3, other: 1 });
    app.clock.advance(60 * MINUTE - 1);
    await open(link, "192.0.2.1");
    assert.deepEqual(await views(), { link: 3, other: 1 });
    app.clock.advance(1);
    for (let n = 0; n < 3; n++) await open(link, "192.0.2.1");
    assert.deepEqual(await views(), { link: 4, other: 1 });
    // What answers 404 opens nothing.
    await view(app, opaqueId("no such"));
    // What was counted outlives a restart.
    const again = await app.reopen();
    const later = await refreshed(again, ada);
    const [counted] = (await listOf(again, later)).filter(({ opaque_id }) =>
      opaque_id === link
    );
    assert.equal(counted.views, 4);
  });
});

Deno.test("a view writes nothing before its answer, and many are one write", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const links = await Promise.all(
      ["a", "b", "c"].map((word) =>
        issueShare(app, ada, word, [hashOf(metadata)])
      ),
    );
    using commits = commitCounter(app);
    const before = commits.count();
    for (let n = 0; n < 10; n++) {
      for (const link of links) assert.equal(await view(app, link), 200);
    }
    assert.equal(commits.count(), before);
    await app.app.signals.shareViews.write();
    assert.equal(commits.count(), before + 1);
    for (const link of links) assert.equal(await view(app, link), 200);
    await app.app.signals.shareViews.write();
    assert.equal(commits.count(), before + 1);
  });
});

Deno.test("views are written without anybody asking for the list", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    await view(app, link);
    const noted = async () =>
      (await app.app.db.selectFrom("share").select("last_viewed_at")
        .executeTakeFirstOrThrow()).last_viewed_at;
    await until(noted, START_MS);
  });
});

Deno.test("a view just before the server stops is not lost", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    app.clock.advance(7_000);
    await view(app, link);
    const again = await app.reopen();
    assert.equal(await viewedAt(again, ada), 7_000);
  });
});

Deno.test("what is refused is no view", async () => {
  await withAsset(async (app, ada, { assetId, metadata }) => {
    const hash = hashOf(metadata);
    const link = await issueShare(app, ada, "link", [hash], {
      expires_at: new Date(START_MS + MINUTE).toISOString(),
    });
    const refused = async (path: string) =>
      assert.equal(await view(app, path), 404);
    await refused(`${link}/blob/${HASH}`);
    await refused(`${link}/wrapped-secret`);
    await operate(app, "takeDown", assetId);
    await refused(`${link}/blob/${hash}`);
    await operate(app, "reinstate", assetId);
    await operate(app, "suspend", ada.userId);
    await refused(link);
    await operate(app, "reinstateAccount", ada.userId);
    app.clock.advance(MINUTE);
    await refused(link);
    assert.equal(await viewedAt(app, ada), undefined);
  });
});

Deno.test("the owner's own look at the list is no view", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    await issueShare(app, ada, "link", [hashOf(metadata)]);
    for (let n = 0; n < 3; n++) {
      assert.equal(await viewedAt(app, ada), undefined);
    }
  });
});

Deno.test("a view that cannot be noted is served all the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueShare(app, ada, "link", [HASH]);
    const other = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
    other.exec(`create trigger broken before update on share
      begin select raise(abort, 'broken'); end`);
    assert.equal(await view(app, link), 200);
    assert.equal(await viewedAt(app, ada), undefined);
    other.exec("drop trigger broken");
    other.close();
    assert.deepEqual(
      app.logged.filter(({ level }) => level === "warn").map((one) =>
        one.message
      ),
      ["share views not noted"],
    );
    assert.equal(await view(app, link), 200);
    assert.equal(await viewedAt(app, ada), 0);
  });
});

Deno.test("a viewer is told nothing of who viewed before", async () => {
  await withAsset(async (app, ada, { metadata }) => {
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    const shown = async () => {
      const response = await viewShare(app, link);
      return {
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    };
    const first = await shown();
    await app.app.signals.shareViews.write();
    const { date: _, ...headers } = first.headers;
    const second = await shown();
    const { date: __, ...later } = second.headers;
    assert.deepEqual(later, headers);
    assert.equal(second.body, first.body);
  });
});
