/**
 * Following a feed that a server leads astray: past entries, or without an end.
 *
 * @module
 */
import assert from "node:assert/strict";
import { UnexpectedAnswer } from "../../src/library/mod.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { secondDevice, take } from "../support/library_sharing.ts";

/** Changes every page of the feed that is not read from its beginning. */
function interceptFeed(wire: Wire, change: (page: Json) => void): void {
  wire.intercept = (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/v1/sync") return undefined;
    return pass(request).then(async (answer) => {
      const page = await answer.json();
      change(page);
      return Response.json(page);
    });
  };
}

Deno.test("a device that was led past an entry of the feed has it a day later", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    interceptFeed(wire, (page) => page.next_after += 1_000);
    await phone.sync();
    wire.intercept = undefined;
    const row = await take(laptop, "walk");
    await phone.sync();
    assert.deepEqual(phone.list(), []);
    app.clock.advance(DAY_MS + 1);
    await phone.sync();
    assert.deepEqual(phone.list().map(({ id }) => id), [row.id]);
    // From then on it follows the feed again.
    const next = await take(laptop, "talk");
    await phone.sync();
    assert.equal(phone.list().some(({ id }) => id === next.id), true);
  });
});

Deno.test("a place in the feed that a server invented for a photo hides its changes for a day at most", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "walk");
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (!pathname.endsWith("/assets/query")) return undefined;
      return pass(request).then(async (answer) => {
        const { assets } = await answer.json();
        for (const asset of assets) asset.sync_seq += 1_000_000;
        return Response.json({ assets });
      });
    };
    const phone = await secondDevice(wire, laptop, "ada");
    wire.intercept = undefined;
    await laptop.trash(row.id);
    // Its newest entry is not the last one of the feed.
    await take(laptop, "talk");
    app.clock.advance(DAY_MS + 1);
    await phone.sync();
    assert.equal(phone.index.get(row.id)?.state, "deleted");
  });
});

Deno.test("an honest feed that is read from its beginning again has nothing to ask about", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const [walk, talk] = [
      await take(laptop, "walk"),
      await take(laptop, "talk"),
    ];
    await laptop.amend(walk.id, { about: { caption: "Sunday" } });
    await laptop.flags.change([talk.id], { favourite: true });
    const phone = await secondDevice(wire, laptop, "ada");
    await laptop.sync();
    app.clock.advance(DAY_MS + 1);
    const asked: string[] = [];
    wire.intercept = (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/assets/query")) asked.push(pathname);
      return undefined;
    };
    for (const device of [laptop, phone]) await device.sync();
    assert.deepEqual(asked, []);
  });
});

for (const isBlank of [true, false]) {
  const how = isBlank ? "goes on without entries" : "stays where it is";
  Deno.test(`a feed that ${how} is refused, and followed once it is honest`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      const phone = await secondDevice(wire, laptop, "ada");
      const row = await take(laptop, "walk");
      interceptFeed(wire, (page) => {
        page.more = true;
        if (isBlank) {
          page.entries = [];
          page.next_after += 1;
        } else page.next_after = 0;
      });
      await assert.rejects(phone.sync(), UnexpectedAnswer);
      wire.intercept = undefined;
      app.clock.advance(DAY_MS + 1);
      await phone.sync();
      assert.deepEqual(phone.list().map(({ id }) => id), [row.id]);
    });
  });
}

Deno.test("a feed that always starts over is refused, and followed once it is honest", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "walk");
    let asked = 0;
    wire.intercept = (request, pass) => {
      const url = new URL(request.url);
      if (url.pathname !== "/v1/sync") return undefined;
      asked += 1;
      if (asked > 100) return Promise.reject(new TypeError("asked for ever"));
      url.searchParams.set("epoch", crypto.randomUUID());
      return pass(new Request(url, request));
    };
    await assert.rejects(phone.sync(), UnexpectedAnswer);
    wire.intercept = undefined;
    await phone.sync();
    assert.deepEqual(phone.list().map(({ id }) => id), [row.id]);
  });
});

Deno.test("a new device reads a page of the feed, then slots and albums once, and then the newest photos before the others", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) ids.push((await take(laptop, `${n}`)).id);
    const asked: string[] = [];
    const wanted: string[][] = [];
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (/^\/v1\/(?:sync|state\/|albums$|assets\/query$)/.test(pathname)) {
        asked.push(`${request.method} ${pathname.slice("/v1/".length)}`);
      }
      if (!pathname.endsWith("/assets/query")) return undefined;
      return request.clone().json().then((body) => {
        wanted.push(body.asset_ids);
        return pass(request);
      });
    };
    const phone = await secondDevice(wire, laptop, "ada");
    const [from, until] = ["GET sync", "POST assets/query"]
      .map((one) => asked.indexOf(one));
    assert(!asked.slice(0, from).some((one) => one.endsWith("/trust")));
    assert.deepEqual(asked.slice((from ?? 0) + 1, until).sort(), [
      "GET albums",
      "GET state/deletions",
      "GET state/library",
      "GET state/trust",
    ]);
    assert.deepEqual(wanted, [ids.slice(2), ids.slice(0, 2)]);
    assert.equal(phone.list().length, 50);
  });
});
