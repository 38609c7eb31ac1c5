/**
 * Reading assets and their blobs: RFC 9110 as
 * protocol/transport.md#conditions-and-ranges narrows it, on the asset path and
 * on the share path alike.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import {
  expectBytes,
  expectNoErrors,
  issueShare,
  readBlob,
} from "../support/api.ts";

/** Reads the original of a thousand bytes, on one of the two paths. */
type Read = (
  headers?: Record<string, string>,
  method?: string,
) => Promise<Response>;

interface Shelf {
  readonly app: TestApp;
  readonly ada: Person;
  readonly asset: LiveAsset;
  readonly path: string;
  readonly etag: string;
  readonly read: Read;
}

/** Runs a test on the asset path and again on the share path. */
async function onBothPaths(
  test: (shelf: Shelf) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    // Last-Modified has no fractions of a second.
    app.clock.advance(10_500);
    const asset = await createAsset(app, ada, "photo", { length: 1_000 });
    const hash = hashOf(asset.original);
    const link = await issueShare(app, ada, "photo", [hash]);
    app.clock.advance(600_000);
    const common = { app, ada, asset, etag: `"${hash}"` };
    await test({
      ...common,
      path: "asset",
      read: (headers = {}, method = "GET") =>
        readBlob(app, ada, asset.assetId, hash, headers, method),
    });
    await test({
      ...common,
      path: "share",
      read: (headers = {}, method = "GET") =>
        app.send(method, `/s/${link}/blob/${hash}`, {
          protocol: null,
          headers,
        }),
    });
    expectNoErrors(app);
  });
}

async function expectWhole(
  response: Response,
  { asset, path, etag }: Shelf,
  what: string,
): Promise<void> {
  assert.equal(response.status, 200, `${path} ${what}`);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header("content-type"), "application/octet-stream");
  assert.equal(header("content-length"), "1000");
  assert.equal(header("content-range"), null);
  assert.equal(header("accept-ranges"), "bytes");
  assert.equal(header("etag"), etag);
  expectBytes(await response.arrayBuffer(), asset.original, what);
}

async function expectPart(
  response: Response,
  { asset, path, etag }: Shelf,
  [first, last]: readonly [number, number],
  what: string,
): Promise<void> {
  assert.equal(response.status, 206, `${path} ${what}`);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header("content-type"), "application/octet-stream");
  assert.equal(header("content-range"), `bytes ${first}-${last}/1000`, what);
  assert.equal(header("content-length"), String(last - first + 1), what);
  assert.equal(header("accept-ranges"), "bytes");
  assert.equal(header("etag"), etag);
  expectBytes(
    await response.arrayBuffer(),
    asset.original.slice(first, last + 1),
    what,
  );
}

Deno.test("a blob is whole, with a strong ETag and Last-Modified", async () => {
  await onBothPaths(async (shelf) => {
    const response = await shelf.read();
    const modified = response.headers.get("last-modified") ?? "";
    assert.match(
      modified,
      /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
    );
    const age = Date.parse(modified) - START_MS;
    assert(age >= 0 && age <= 11_000, modified);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    await expectWhole(response, shelf, "no range");
  });
});

Deno.test("the asset path names the digest and may be cached for good", async () => {
  await onBothPaths(async ({ path, asset, read, etag }) => {
    if (path !== "asset") return;
    const digest = createHash("sha256").update(asset.original).digest("base64");
    const requests: Record<string, string>[] = [
      {},
      { Range: "bytes=0-9" },
      { "If-None-Match": etag },
    ];
    for (const headers of requests) {
      const response = await read(headers);
      await response.body?.cancel();
      // Of a part too it is the digest of the whole representation.
      assert.equal(response.headers.get("repr-digest"), `sha-256=:${digest}:`);
      const caching = response.headers.get("cache-control") ?? "";
      assert.deepEqual(
        caching.split(",").map((one) => one.trim()).toSorted(),
        [
          "immutable",
          "max-age=31536000",
          ...response.status === 304 ? [] : ["no-transform"],
          "private",
        ],
      );
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    }
  });
});

Deno.test("one range is answered with that part", async () => {
  await onBothPaths(async (shelf) => {
    const cases: [string, number, number][] = [
      ["bytes=0-0", 0, 0],
      ["bytes=0-499", 0, 499],
      ["bytes=500-", 500, 999],
      ["bytes=999-", 999, 999],
      ["bytes=999-999", 999, 999],
      ["bytes=0-999", 0, 999],
      ["bytes=0-", 0, 999],
      ["bytes=-1", 999, 999],
      ["bytes=-500", 500, 999],
      ["bytes=-1000", 0, 999],
      ["bytes=-5000", 0, 999],
      ["bytes=990-5000", 990, 999],
      ["bytes=0-99999999999999999999999", 0, 999],
      ["bytes=-99999999999999999999999", 0, 999],
      ["bytes=000-0009", 0, 9],
      // Range unit names are case-insensitive (RFC 9110 section 14.1).
      ["Bytes=10-19", 10, 19],
    ];
    for (const [range, first, last] of cases) {
      const response = await shelf.read({ Range: range });
      await expectPart(response, shelf, [first, last], range);
    }
  });
});

Deno.test("a range that cannot be applied is ignored: the whole is sent", async () => {
  await onBothPaths(async (shelf) => {
    for (
      const range of [
        "bytes=1000-",
        "bytes=1000-1000",
        "bytes=5000-6000",
        "bytes=99999999999999999999999-",
        "bytes=-0",
        "bytes=5-2",
        "bytes=",
        "bytes=-",
        "bytes",
        "=0-1",
        "bytes=a-b",
        "bytes=0x0-0x9",
        "bytes=0.5-9",
        "bytes=+0-9",
        "bytes=0-9 junk",
        "bytes=0--9",
        "bytes=1-2-3",
        "items=0-9",
        "0-9",
        "",
        // Several parts: never multipart.
        "bytes=0-9,20-29",
        "bytes=0-9, -10",
        "bytes=0-0,0-0",
        "bytes=0-9,bytes=20-29",
      ]
    ) await expectWhole(await shelf.read({ Range: range }), shelf, range);
  });
});

Deno.test("HEAD has the headers of the whole and ignores Range", async () => {
  await onBothPaths(async (shelf) => {
    const requests: Record<string, string>[] = [{}, { Range: "bytes=0-9" }];
    for (const headers of requests) {
      const response = await shelf.read(headers, "HEAD");
      assert.equal(response.headers.get("content-length"), "1000");
      assert.equal(response.headers.get("content-range"), null);
      assert.equal(response.headers.get("etag"), shelf.etag);
      assert.equal(response.headers.get("accept-ranges"), "bytes");
      await expectEmpty(response, 200);
    }
    const matched = { "If-None-Match": shelf.etag };
    await expectEmpty(await shelf.read(matched, "HEAD"), 304);
  });
});

Deno.test("If-None-Match compares weakly, and a match is 304", async () => {
  await onBothPaths(async (shelf) => {
    const { etag, path } = shelf;
    for (
      const condition of [
        etag,
        `W/${etag}`,
        "*",
        `"x", ${etag}`,
        `${etag}, "x"`,
        `"x",W/${etag},"y"`,
        `"a, b", ${etag}`,
      ]
    ) {
      for (const range of [undefined, "bytes=0-9"]) {
        const response = await shelf.read({
          "If-None-Match": condition,
          ...(range === undefined ? {} : { Range: range }),
        });
        assert.equal(response.headers.get("etag"), etag, path);
        assert(response.headers.has("last-modified"), path);
        assert.equal(response.headers.get("content-type"), null);
        assert.equal(response.headers.get("content-range"), null);
        await expectEmpty(response, 304);
      }
    }
    for (
      const condition of [
        '"x"',
        etag.replaceAll('"', ""),
        etag.toUpperCase().replace(/"$/, '0"'),
        `W/"x", "y"`,
        `"${etag.slice(1, 20)}"`,
        "",
      ]
    ) {
      const headers = { "If-None-Match": condition };
      await expectWhole(await shelf.read(headers), shelf, condition);
    }
    const ranged = { "If-None-Match": '"x"', Range: "bytes=0-9" };
    await expectPart(await shelf.read(ranged), shelf, [0, 9], "ranged");
  });
});

Deno.test("If-Modified-Since counts only without If-None-Match", async () => {
  await onBothPaths(async (shelf) => {
    const first = await shelf.read({}, "HEAD");
    const modified = first.headers.get("last-modified") ?? "";
    const moved = (seconds: number) =>
      new Date(Date.parse(modified) + seconds * 1_000).toUTCString();
    for (const since of [modified, moved(1), moved(86_400)]) {
      const response = await shelf.read({ "If-Modified-Since": since });
      assert.equal(response.headers.get("etag"), shelf.etag);
      assert.equal(response.headers.get("last-modified"), modified);
      await expectEmpty(response, 304);
    }
    for (const since of [moved(-1), "yesterday", "", "2026-11-21", "0"]) {
      const headers = { "If-Modified-Since": since };
      await expectWhole(await shelf.read(headers), shelf, since);
    }
    const both = { "If-None-Match": '"x"', "If-Modified-Since": moved(60) };
    await expectWhole(await shelf.read(both), shelf, "both");
    await expectEmpty(
      await shelf.read({
        "If-None-Match": shelf.etag,
        "If-Modified-Since": moved(-60),
      }),
      304,
    );
  });
});

Deno.test("If-Range is honoured by strong comparison only", async () => {
  await onBothPaths(async (shelf) => {
    const ranged = (condition: string) =>
      shelf.read({ Range: "bytes=10-19", "If-Range": condition });
    await expectPart(await ranged(shelf.etag), shelf, [10, 19], "strong");
    for (
      const condition of [
        `W/${shelf.etag}`,
        '"x"',
        shelf.etag.replaceAll('"', ""),
        `${shelf.etag}, "x"`,
        "*",
        "",
        "Sat, 01 Jan 2000 00:00:00 GMT",
        "Sat, 01 Jan 2050 00:00:00 GMT",
        "yesterday",
      ]
    ) await expectWhole(await ranged(condition), shelf, condition);
    // Without Range it is nothing.
    const alone = { "If-Range": '"x"' };
    await expectWhole(await shelf.read(alone), shelf, "alone");
  });
});

Deno.test("If-Match and If-Unmodified-Since are not looked at", async () => {
  await onBothPaths(async (shelf) => {
    const headers = {
      "If-Match": '"x"',
      "If-Unmodified-Since": "Sat, 01 Jan 2000 00:00:00 GMT",
    };
    await expectWhole(await shelf.read(headers), shelf, "preconditions");
  });
});
