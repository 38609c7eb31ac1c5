/**
 * The web app that a browser holds, against the one that the public log names
 * (protocol/logs.md#the-web-app).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { ServedApp } from "../../src/library/base/platform.ts";
import type { Library } from "../../src/library/mod.ts";
import { utf8 } from "../../src/core/bytes.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { appendEntry, appEntry } from "../../src/features/log/entries.ts";
import { transaction } from "../../src/store/sqlite/database.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";

/** What the first check by itself compares. */
const PAGES = ["/", "/sw.js"];

interface World {
  readonly app: TestApp;
  readonly library: Library;
  /** Paths that are handed out otherwise, and with what. */
  readonly swapped: Map<string, Uint8Array<ArrayBuffer>>;
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** A person in a browser that has all of the app in its cache. */
async function withBrowser(test: (world: World) => Promise<void>) {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const swapped: World["swapped"] = new Map();
    const served = servedBy(wire, swapped);
    const device = deviceOf(wire, "browser");
    const platform = {
      ...device.platform,
      servedApp: () => Promise.resolve(served),
    };
    const library = await beginLibrary({ ...device, platform }, "ada");
    await app.advanceLogs();
    await test({ app, library, swapped, read: (path) => read(wire, path) });
  });
}

async function read(wire: Wire, path: string) {
  const headers = { Accept: "text/html,*/*;q=0.8" };
  const response = await wire.fetch(`${ORIGIN}${path}`, { headers });
  assert.equal(response.status, 200, path);
  return new Uint8Array(await response.arrayBuffer());
}

function servedBy(wire: Wire, swapped: World["swapped"]): ServedApp {
  const given = async (path: string) =>
    swapped.get(path) ?? await read(wire, path);
  return { fetched: given, held: given };
}

async function check({ library }: World) {
  const { findings, appFiles } = await library.logs.check();
  return { kinds: findings.map(({ kind }) => kind), findings, appFiles };
}

Deno.test("a browser says how many files of its app are those that the log names", async () => {
  await withBrowser(async (world) => {
    const { kinds, appFiles } = await check(world);
    assert.deepEqual(kinds, []);
    const list = await world.read("/app/files.json");
    const paths = Object.keys(JSON.parse(new TextDecoder().decode(list)));
    const compared = paths.filter((path) =>
      path.startsWith("/app/") || PAGES.includes(path)
    );
    assert(compared.length > 20);
    assert.equal(appFiles, compared.length);
  });
});

Deno.test("a file that was swapped before a browser's first check is found by the next one, as soon as the feed is asked again, and by each that a person asks for", async () => {
  for (const isAsked of [false, true]) {
    await withBrowser(async (world) => {
      const { library: { logs }, swapped } = world;
      const list = await world.read("/app/files.json");
      const paths = Object.keys(JSON.parse(new TextDecoder().decode(list)));
      const main = paths.find((path) => path.endsWith("/main.js")) ?? "";
      swapped.set(main, utf8("steal()"));
      if (isAsked) {
        // It does not take the one that is under way for its own.
        const [first, asked] = await Promise.all([
          logs.check({ app: "pages" }),
          logs.check(),
        ]);
        assert.deepEqual(first.findings, []);
        assert.deepEqual(asked.findings.map(({ kind }) => kind), ["other_app"]);
        return;
      }
      const first = await logs.checkIfDue();
      assert.equal(first?.appFiles, PAGES.length);
      assert.deepEqual(first?.findings, []);
      const next = await logs.checkIfDue();
      assert.deepEqual(next?.findings.map(({ kind }) => kind), ["other_app"]);
      assert.equal(await logs.checkIfDue(), undefined);
    });
  }
});

Deno.test("a file of the app that is not the listed one is told at once", async () => {
  await withBrowser(async (world) => {
    const list = await world.read("/app/files.json");
    const paths = Object.keys(JSON.parse(new TextDecoder().decode(list)));
    const main = paths.find((path) => path.endsWith("/main.js")) ?? "";
    for (const path of [main, "/", "/sw.js"]) {
      world.swapped.clear();
      world.swapped.set(path, utf8("steal()"));
      const { kinds, findings } = await check(world);
      assert(kinds.includes("other_app"), path);
      assert(findings.some(({ detail }) => detail.endsWith(path)), path);
    }
    // What is found stays found, on other devices as well.
    world.swapped.clear();
    assert.deepEqual(
      new Set((await check(world)).kinds),
      new Set(["other_app"]),
    );
  });
});

Deno.test("an app that the log does not name is told after an hour, and an update never", async () => {
  await withBrowser(async (world) => {
    const { app, swapped } = world;
    // A list that fits what is served, for this browser alone.
    const list = JSON.parse(
      new TextDecoder().decode(await world.read("/app/files.json")),
    );
    const page = utf8("<!doctype html><title>ours</title>");
    const other = utf8(JSON.stringify({ ...list, "/": sha256Hex(page) }));
    swapped.set("/", page);
    swapped.set("/app/files.json", other);
    assert.deepEqual((await check(world)).kinds, []);
    app.clock.now += HOUR_MS / 2;
    assert.deepEqual((await check(world)).kinds, []);
    // The update of an honest server is in the log by then.
    swapped.clear();
    assert.deepEqual((await check(world)).kinds, []);
    app.clock.now += HOUR_MS;
    swapped.set("/", page);
    swapped.set("/app/files.json", other);
    assert.deepEqual((await check(world)).kinds, []);
    app.clock.now += HOUR_MS + 1;
    assert.deepEqual((await check(world)).kinds, ["other_app"]);
  });
});

Deno.test("a clock that was ahead for a while delays no alarm", async () => {
  await withBrowser(async (world) => {
    const { app } = world;
    await transaction(
      app.app.db,
      (tx) => appendEntry(tx, appEntry("ab".repeat(32))),
    );
    await app.advanceLogs();
    for (const ms of [12 * HOUR_MS, -12 * HOUR_MS]) {
      app.clock.now += ms;
      assert.deepEqual((await check(world)).kinds, [], String(ms));
    }
    app.clock.now += HOUR_MS + 1;
    assert.deepEqual((await check(world)).kinds, ["other_app"]);
  });
});

Deno.test("a log that names another app than everybody is handed is told", async () => {
  await withBrowser(async (world) => {
    const { app } = world;
    assert.deepEqual((await check(world)).kinds, []);
    await transaction(
      app.app.db,
      (tx) => appendEntry(tx, appEntry("ab".repeat(32))),
    );
    await app.advanceLogs();
    assert.deepEqual((await check(world)).kinds, []);
    app.clock.now += HOUR_MS + 1;
    assert.deepEqual((await check(world)).kinds, ["other_app"]);
  });
});

Deno.test("a server that lists no app is told of", async () => {
  await withBrowser(async (world) => {
    for (const bad of ["", "[]", '{"/": 1}', " ".repeat(300 * 1024)]) {
      world.swapped.set("/app/files.json", utf8(bad));
      assert((await check(world)).kinds.includes("other_app"), bad.slice(0, 9));
    }
  });
});
