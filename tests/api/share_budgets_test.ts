/**
 * The budgets of the viewer paths (protocol/links.md#budgets-of-links).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import { issueShare, opaqueId } from "../support/api.ts";

const MINUTE = 60_000;

interface Links {
  readonly app: TestApp;
  readonly link: string;
  readonly other: string;
  readonly hash: string;
  /** Of another blob that they serve. */
  readonly another: string;
}

async function withLinks(
  test: (links: Links) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo", { length: 10 });
    const hash = hashOf(asset.metadata);
    const over = { wrapped_secret: "AAAA" };
    const another = hashOf(asset.original);
    const serves = [hash, another];
    const link = await issueShare(app, ada, "link", serves, over);
    const other = await issueShare(app, ada, "other", serves, over);
    await test({ app, link, other, hash, another });
  }, { settings });
}

async function statusOf(
  app: TestApp,
  path: string,
  from = "192.0.2.1",
): Promise<number> {
  const response = await app.send("GET", `/s/${path}`, {
    protocol: null,
    from,
  });
  await response.body?.cancel();
  return response.status;
}

/** Reads a path that often and expects every answer to be of that status. */
async function spend(
  app: TestApp,
  path: string,
  times: number,
  status = 200,
  from?: string,
): Promise<void> {
  for (let count = 0; count < times; count++) {
    assert.equal(await statusOf(app, path, from), status, `${count} ${path}`);
  }
}

/** Expects 429 and its two ways of saying when; returns the delta seconds. */
async function expectLimited(
  app: TestApp,
  path: string,
  from = "192.0.2.1",
): Promise<number> {
  const response = await app.send("GET", `/s/${path}`, {
    protocol: null,
    from,
  });
  const delta = response.headers.get("retry-after") ?? "";
  const refusal = await expectProblem(response, "error.share.rate_limited");
  assert.match(delta, /^\d+$/);
  assert.equal(typeof refusal.retry_after, "number");
  const seconds = Number(delta);
  const now = app.clock.now / 1_000;
  assert(Math.abs(refusal.retry_after - now - seconds) <= 1, delta);
  assert(seconds >= 1);
  return seconds;
}

Deno.test("metadata is read 60 times a minute, per link and client address", async () => {
  await withLinks(async ({ app, link, other, hash }) => {
    await spend(app, link, 60);
    assert(await expectLimited(app, link) <= 60);
    await spend(app, link, 1, 200, "192.0.2.2");
    await spend(app, other, 1);
    // Each of the three paths has a budget of its own.
    await spend(app, `${link}/blob/${hash}`, 1);
    await spend(app, `${link}/wrapped-secret`, 1);
    app.clock.advance(MINUTE);
    await spend(app, link, 60);
    await expectLimited(app, link);
  });
});

Deno.test("a caller may retry when retry_after says so", async () => {
  await withLinks(async ({ app, link }) => {
    await spend(app, link, 5);
    app.clock.advance(20_000);
    const seconds = await expectLimited(app, link);
    app.clock.advance(seconds * 1_000);
    await spend(app, link, 1);
  }, { STRONGROOM_LIMIT_SHARE_METADATA: "5" });
});

Deno.test("blobs are read 6,000 times a minute by default, and it is a setting", async () => {
  await withLinks(async ({ app, link, other, hash }) => {
    const blob = `${link}/blob/${hash}`;
    await spend(app, blob, 6_000);
    await expectLimited(app, blob);
    await spend(app, `${other}/blob/${hash}`, 1);
  });
  await withLinks(async ({ app, link, hash, another }) => {
    const blob = `${link}/blob/${hash}`;
    await spend(app, blob, 3);
    await expectLimited(app, blob);
    // Another blob of the link is of the same budget.
    await expectLimited(app, `${link}/blob/${another}`);
    await spend(app, blob, 1, 200, "192.0.2.2");
    app.clock.advance(MINUTE);
    await spend(app, blob, 1);
  }, { STRONGROOM_LIMIT_SHARE_BLOB: "3" });
});

Deno.test("the wrapped secret is read 10 times a minute, per link and client address", async () => {
  await withLinks(async ({ app, link, other }) => {
    const secret = `${link}/wrapped-secret`;
    await spend(app, secret, 10);
    await expectLimited(app, secret);
    await spend(app, secret, 1, 200, "192.0.2.2");
    await spend(app, `${other}/wrapped-secret`, 1);
    app.clock.advance(MINUTE);
    await spend(app, secret, 10);
    await expectLimited(app, secret);
  });
});

Deno.test("and 1,000 times an hour over all addresses", async () => {
  await withLinks(async ({ app, link, other }) => {
    const secret = `${link}/wrapped-secret`;
    for (let client = 0; client < 100; client++) {
      await spend(app, secret, 10, 200, `198.51.100.${client}`);
    }
    const seconds = await expectLimited(app, secret, "203.0.113.1");
    assert(seconds > 60 && seconds <= 3_600, String(seconds));
    await spend(app, `${other}/wrapped-secret`, 1, 200, "203.0.113.1");
    app.clock.advance(seconds * 1_000);
    await spend(app, secret, 1, 200, "203.0.113.1");
  });
});

const NARROW = {
  STRONGROOM_LIMIT_SHARE_METADATA: "4",
  STRONGROOM_LIMIT_SHARE_BLOB: "5",
  STRONGROOM_LIMIT_SHARE_SECRET: "3",
};

Deno.test("every id that answers 404 shares a client's budget, unknown, revoked or expired", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo", { length: 10 });
    const hash = hashOf(asset.metadata);
    const issue = (name: string, over: Record<string, unknown> = {}) =>
      issueShare(app, ada, name, [hash], { wrapped_secret: "AAAA", ...over });
    const live = await issue("live");
    const open = await issue("open", { wrapped_secret: null });
    const revoked = await issue("revoked");
    const expired = await issue("expired", {
      expires_at: new Date(app.clock.now + 1_000).toISOString(),
    });
    const path = `/v1/shares/${revoked}`;
    await expectEmpty(
      await app.send("DELETE", path, { token: ada.token }),
      204,
    );
    app.clock.advance(2_000);
    const dead = [opaqueId("one"), revoked, expired, opaqueId("two")];
    for (
      const [suffix, limit] of [
        ["", 4],
        [`/blob/${hash}`, 5],
        ["/wrapped-secret", 3],
      ] as const
    ) {
      // A live link that answers 404 is no different.
      if (suffix === "/wrapped-secret") dead.push(open);
      for (let count = 0; count < limit; count++) {
        await spend(app, `${dead[count % dead.length]}${suffix}`, 1, 404);
      }
      // Which id it is makes no difference to when it is refused.
      for (const id of [...dead, opaqueId("three")]) {
        await expectLimited(app, `${id}${suffix}`);
      }
      await spend(app, `${revoked}${suffix}`, 1, 404, "192.0.2.2");
      // And guessing at links takes nothing from those that live.
      await spend(app, `${live}${suffix}`, 1);
    }
  }, { settings: NARROW });
});

Deno.test("unknown links take no room in any table, however many are tried", async () => {
  await withLinks(async ({ app, hash }) => {
    const before = sizes(app);
    for (let n = 0; n < 50; n++) {
      for (
        const suffix of ["", `/blob/${hash}`, "/wrapped-secret"]
      ) await statusOf(app, `${opaqueId(`guess ${n}`)}${suffix}`);
    }
    const after = sizes(app);
    for (const [name, size] of Object.entries(before)) {
      assert((after[name] ?? 0) <= size + 1, `${name}: ${after[name]}`);
    }
    assert.equal(after.share_secret_per_link, 0);
  });
});

Deno.test("a client has one budget for all addresses of its /64, and one however IPv4 is written", async () => {
  await withLinks(async ({ app, link }) => {
    for (let n = 1; n <= 4; n++) {
      await spend(app, link, 1, 200, `2001:db8:0:7::${n}`);
    }
    await expectLimited(app, link, "2001:db8:0:7:ffff::1");
    await spend(app, link, 1, 200, "2001:db8:0:8::1");
    await spend(app, link, 2, 200, "192.0.2.77");
    await spend(app, link, 2, 200, "::ffff:192.0.2.77");
    await expectLimited(app, link, "::ffff:c000:24d");
  }, NARROW);
});

function sizes(app: TestApp): Record<string, number> {
  const { budgets } = app.app;
  return Object.fromEntries(
    ([
      "share_metadata",
      "share_blob",
      "share_secret",
      "share_secret_per_link",
    ] as const).map((name) => [name, budgets.keysOf(name)]),
  );
}
