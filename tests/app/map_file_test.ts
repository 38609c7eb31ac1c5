/**
 * The operator's map with streets, as the server gives it to browsers.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import { mapAround } from "../support/map_file.ts";

const BELLAGIO = { latitude: 45.987, longitude: 9.261 };
const FILE = "/app/map.pmtiles";
const UNKNOWN = "error.request.route_unknown";

/** An application whose operator named a file, and where that is. */
async function withMapFile(
  test: (app: TestApp, path: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-map-" });
  const path = `${folder}/streets.pmtiles`;
  try {
    await withTestApp((app) => test(app, path), {
      settings: { STRONGROOM_MAP_FILE: path },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function offered({ send }: Pick<TestApp, "send">): Promise<boolean> {
  const reply = await send("GET", "/app/map.json");
  assert.equal(reply.status, 200);
  return (await reply.json()).streets;
}

const range = (Range: string, more: Record<string, string> = {}) => ({
  headers: { Range, ...more },
});

Deno.test("a part of the map is sent with a strong tag, and is kept by no cache", async () => {
  await withMapFile(async (app, path) => {
    const map = mapAround(BELLAGIO);
    await Deno.writeFile(path, map);
    assert.equal(await offered(app), true);

    const part = await app.send("GET", FILE, range("bytes=7-106"));
    assert.equal(part.status, 206);
    assert.equal(
      part.headers.get("Content-Range"),
      `bytes 7-106/${map.length}`,
    );
    assert.equal(part.headers.get("Content-Length"), "100");
    assert.equal(part.headers.get("Cache-Control"), "no-store");
    assert.equal(
      part.headers.get("Cross-Origin-Resource-Policy"),
      "same-origin",
    );
    assert.match(part.headers.get("ETag") ?? "", /^"[0-9a-f]{64}"$/);
    assert.deepEqual(await part.bytes(), map.slice(7, 107));

    // Less is there than a reader asks for first.
    const all = await app.send("GET", FILE, range("bytes=0-99999999"));
    assert.equal(all.status, 206);
    assert.deepEqual(await all.bytes(), map);

    const ETag = part.headers.get("ETag") ?? "";
    const known = await app.send("GET", FILE, {
      headers: { "If-None-Match": ETag },
    });
    assert.equal(known.status, 304);
    const head = await app.send("HEAD", FILE);
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("Content-Length"), String(map.length));
    assert.equal(head.headers.get("Accept-Ranges"), "bytes");
  });
});

Deno.test("the map is never served as a whole, or more of it at once than is held in memory", async () => {
  await withMapFile(async ({ send }, path) => {
    const large = new Uint8Array(5 * 1024 * 1024).fill(7);
    await Deno.writeFile(path, large);
    await expectProblem(await send("GET", FILE), UNKNOWN);
    for (
      const nothing of ["bytes=0-1,5-6", "bytes=99999999-", "pages=1-2"]
    ) {
      await expectProblem(await send("GET", FILE, range(nothing)), UNKNOWN);
    }
    // Of another version nothing is sent.
    const other = range("bytes=0-9", { "If-Range": `"${"0".repeat(64)}"` });
    await expectProblem(await send("GET", FILE, other), UNKNOWN);

    const begun = await send("GET", FILE, range("bytes=10-"));
    assert.equal(begun.status, 206);
    const last = 10 + 4 * 1024 * 1024 - 1;
    assert.equal(
      begun.headers.get("Content-Range"),
      `bytes 10-${last}/${large.length}`,
    );
    assert.equal((await begun.bytes()).length, 4 * 1024 * 1024);
  });
});

Deno.test("without a file, or with one that is no map, no streets are offered", async () => {
  await withTestApp(async (app) => {
    assert.equal(await offered(app), false);
    await expectProblem(
      await app.send("GET", FILE, range("bytes=0-9")),
      UNKNOWN,
    );
  });
  await withMapFile(async (app, path) => {
    // It is named, and not there yet.
    assert.equal(await offered(app), false);
    await expectProblem(
      await app.send("GET", FILE, range("bytes=0-9")),
      UNKNOWN,
    );
    await Deno.mkdir(path);
    assert.equal(await offered(app), false);
    await Deno.remove(path);
    await Deno.writeTextFile(path, "PMTiles");
    assert.equal(await offered(app), false);
    await Deno.writeTextFile(path, "A page about maps. ".repeat(100));
    assert.equal(await offered(app), false);
    const pictures = mapAround(BELLAGIO);
    // PNG, which the app does not draw.
    pictures[99] = 2;
    await Deno.writeFile(path, pictures);
    assert.equal(await offered(app), false);
    await Deno.writeFile(path, mapAround(BELLAGIO));
    assert.equal(await offered(app), true);
  });
});

Deno.test("the log says once why no streets are offered, and a path that cannot be looked at is no internal error", async () => {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-map-" });
  try {
    const place = `${folder}/place`;
    const path = `${place}/streets.pmtiles`;
    // A folder would have to be where a file is.
    await Deno.writeTextFile(place, "");
    await withTestApp(async (app) => {
      assert.equal(await offered(app), false);
      assert.equal(await offered(app), false);
      await expectProblem(
        await app.send("GET", FILE, range("bytes=0-9")),
        UNKNOWN,
      );
      await Deno.remove(place);
      assert.equal(await offered(app), false);
      await Deno.mkdir(path, { recursive: true });
      assert.equal(await offered(app), false);
      await Deno.remove(path);
      await Deno.writeTextFile(path, "A page about maps. ".repeat(100));
      assert.equal(await offered(app), false);
      const pictures = mapAround(BELLAGIO);
      pictures[99] = 2;
      await Deno.writeFile(path, pictures);
      assert.equal(await offered(app), false);
      await Deno.writeFile(path, mapAround(BELLAGIO));
      assert.equal(await offered(app), true);
      await Deno.remove(path);
      assert.equal(await offered(app), false);
      const reasons = app.logged
        .filter(({ message }) => message.startsWith("streets of"))
        .map(({ properties }) => properties["reason"]);
      assert.match(String(reasons.shift()), /^Not a directory/);
      assert.deepEqual(reasons, [
        "there is no such file",
        "it is no file",
        "it is no PMTiles 3 file",
        "its tiles are not vector tiles",
        "there is no such file",
      ]);
    }, { settings: { STRONGROOM_MAP_FILE: path } });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a map that is replaced while it is read has another tag, and no part is of both", async () => {
  await withMapFile(async ({ app, send }, path) => {
    const [older, newer] = [mapAround(BELLAGIO), mapAround(BELLAGIO, "Other")];
    await Deno.writeFile(path, older);
    const first = await send("GET", FILE, range("bytes=0-99"));
    assert.deepEqual(await first.bytes(), older.slice(0, 100));

    // Whoever opened the older one goes on with it.
    const opened = await app.documents.mapFile?.open();
    assert(opened !== undefined);
    try {
      await Deno.writeFile(`${path}.new`, newer);
      await Deno.rename(`${path}.new`, path);
      const whole = await opened.read(0, older.length - 1);
      assert.deepEqual(whole, older);
    } finally {
      opened.close();
    }
    const second = await send("GET", FILE, range("bytes=0-99"));
    assert.deepEqual(await second.bytes(), newer.slice(0, 100));
    assert.notEqual(second.headers.get("ETag"), first.headers.get("ETag"));

    // Nothing is sent of a file that is being written.
    const written = await app.documents.mapFile?.open();
    assert(written !== undefined);
    try {
      await Deno.truncate(path, 50);
      assert.equal(await written.read(0, 99), undefined);
    } finally {
      written.close();
    }
  });
});
