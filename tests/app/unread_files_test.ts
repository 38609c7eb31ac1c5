/**
 * What browsers ask for and do not take: long files are read as they are taken,
 * and one client address has a bounded number of them under way.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { MOST_UNREAD, MOST_WAITING } from "../../src/http/unread.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { readsOf } from "../support/bytes_read.ts";
import { expectProblem } from "../support/expect.ts";
import { HeldTime } from "../support/held_time.ts";

const MINUTE_MS = 60_000;
/** Kept in memory up to this length, and longer ones read in such pieces. */
const KEPT_BYTES = 64 * 1024;
const GZIP = { "Accept-Encoding": "gzip" };

/** The files of a build, by their path. */
function paths({ app }: TestApp): string[] {
  return [...app.documents.appFiles.paths()]
    .filter((path) => path.startsWith("/app/"));
}

function pathOf(opened: TestApp, name: string): string {
  const found = paths(opened).find((path) => path.endsWith(`/${name}`));
  assert(found !== undefined, name);
  return found;
}

/** The hash that the app's list has of a file. */
function hashIn({ app }: TestApp, path: string): string | undefined {
  return app.documents.appFiles.get(path)?.hash;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

Deno.test("every file of the app comes whole, compressed or not, with the length that HEAD says", async () => {
  await withTestApp(async (app) => {
    for (const path of paths(app)) {
      for (const headers of [GZIP, {}]) {
        const head = await app.send("HEAD", path, { headers });
        const get = await app.send("GET", path, { headers });
        const bytes = await get.bytes();
        assert.equal(get.status, 200);
        for (const name of ["Content-Length", "ETag", "Content-Encoding"]) {
          assert.equal(head.headers.get(name), get.headers.get(name), path);
        }
        const length = String(bytes.length);
        assert.equal(get.headers.get("Content-Length"), length, path);
        const isGzip = get.headers.get("Content-Encoding") === "gzip";
        const plain = isGzip ? gunzipSync(bytes) : bytes;
        assert.equal(sha256(plain), hashIn(app, path), path);
      }
    }
    assert.equal(app.app.unread.count, 0);
  });
});

Deno.test("HEAD and a tag that is held read nothing of a file", async () => {
  await withTestApp(async (app) => {
    for (const name of ["films.js", "towns.bin", "libheif.wasm"]) {
      const path = pathOf(app, name);
      for (const headers of [GZIP, {}]) {
        const tag = (await app.send("HEAD", path, { headers }))
          .headers.get("ETag") ?? "";
        const read = await readsOf(async () => {
          for (let i = 0; i < 20; i++) {
            const head = await app.send("HEAD", path, { headers });
            assert.equal(head.body, null);
            const held = await app.send("GET", path, {
              headers: { ...headers, "If-None-Match": tag },
            });
            assert.equal(held.status, 304);
          }
        });
        assert.equal(read, 0, name);
      }
    }
    assert.equal(app.app.unread.count, 0);
  });
});

Deno.test("of a long file no more is read than its client takes", async () => {
  const time = new HeldTime();
  await withTestApp(async (app) => {
    const path = pathOf(app, "towns.bin");
    for (const headers of [GZIP, {}]) {
      const answers: Response[] = [];
      const unread = await readsOf(async () => {
        for (let i = 0; i < 50; i++) {
          answers.push(await app.send("GET", path, { headers }));
        }
      });
      assert(unread <= 50 * KEPT_BYTES, `${unread} bytes for 50 clients`);
      const reader = answers[0]?.body?.getReader();
      let taken = 0;
      const read = await readsOf(async () => {
        while (taken < 512 * 1024) {
          taken += (await reader?.read())?.value?.length ?? 0;
        }
      });
      assert(read > 0, "what is read is counted");
      assert(read <= taken + 4 * KEPT_BYTES, `${read} bytes for ${taken}`);
      await reader?.cancel();
      for (const { body } of answers.slice(1)) await body?.cancel();
      assert.equal(app.app.unread.count, 0);
    }
  }, { time });
});

Deno.test("a client that takes nothing for a minute is given up, without a stack in the log", async () => {
  const time = new HeldTime();
  await withTestApp(async (app) => {
    const path = pathOf(app, "towns.bin");
    const slow = await app.send("GET", path, { headers: GZIP });
    const silent = await app.send("GET", path, { headers: GZIP });
    const reader = slow.body?.getReader();
    for (let minute = 0; minute < 3; minute++) {
      await time.asleep(1, MINUTE_MS);
      assert.equal((await reader?.read())?.done, false, "it takes something");
      time.advance(MINUTE_MS);
      await time.asleep(1, MINUTE_MS);
    }
    assert.equal(app.app.unread.count, 1);
    const rest = await silent.bytes();
    const announced = Number(silent.headers.get("Content-Length"));
    assert(rest.length < announced, "it is cut off");
    await reader?.cancel();
    assert.equal(app.app.unread.count, 0);
    assert.deepEqual(
      app.logged.filter(({ level }) => level === "warn" || level === "error"),
      [],
    );
  }, { time });
});

Deno.test("an address waits for its turn once it has many unread answers, and is refused once many wait", async () => {
  const time = new HeldTime();
  await withTestApp(async (app) => {
    const path = pathOf(app, "towns.bin");
    const ask = (from: string, signal?: AbortSignal) =>
      app.send("GET", path, {
        headers: GZIP,
        from,
        ...(signal === undefined ? {} : { signal }),
      });
    const unread = await Promise.all(
      Array.from({ length: MOST_UNREAD }, () => ask("192.0.2.7")),
    );
    const hangUp = new AbortController();
    const left = ask("192.0.2.7", hangUp.signal);
    const waiting = Array.from(
      { length: MOST_WAITING - 1 },
      () => ask("192.0.2.7"),
    );
    const refused = await ask("192.0.2.7");
    const retryAfter = refused.headers.get("Retry-After");
    await expectProblem(refused, "error.account.rate_limited");
    assert.equal(retryAfter, "60");
    assert.equal(app.app.unread.count, MOST_UNREAD);

    // What needs no turn, and whoever has another address, is answered.
    const head = await app.send("HEAD", path, { from: "192.0.2.7" });
    assert.equal(head.status, 200);
    const other = await ask("192.0.2.8");
    assert.equal(sha256(gunzipSync(await other.bytes())), hashIn(app, path));

    // One that hung up has no turn; the next has.
    hangUp.abort();
    await left;
    await unread[0]?.body?.cancel();
    const next = await waiting[0];
    assert.equal(next?.status, 200);
    await next?.body?.cancel();
    for (const { body } of unread.slice(1)) await body?.cancel();
    for (const answer of waiting.slice(1)) {
      await (await answer).body?.cancel();
    }
    assert.equal(app.app.unread.count, 0);
  }, { time });
});
