/**
 * Albums that are kept here and could not be opened when the library was, for
 * want of a connection: they open by themselves once they are needed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Library, openLibrary } from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  accepting,
  beginLibrary,
  deviceOf,
  type TestDevice,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { until } from "../support/until.ts";

/**
 * Opens a library again on a device that has to ask who an album's owner is,
 * and cannot.
 */
async function openedWithoutDirectories(
  wire: Wire,
  { vault }: Library,
  { store }: TestDevice,
  owner: Library,
): Promise<Library> {
  const key = `user/${owner.vault.session.userId}`;
  assert(await store.get("pins", key) !== undefined);
  await store.write([{ space: "pins", key, value: null }]);
  wire.intercept = (request, pass) =>
    new URL(request.url).pathname.endsWith("/directory")
      ? Promise.reject(new TypeError("the network is gone for a moment"))
      : pass(request);
  return await openLibrary(vault, store);
}

Deno.test("an album that could not be opened for want of a connection opens when its keys are needed, without a sync", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's laptop"), "ada");
    const device = deviceOf(wire, "ben's laptop");
    const ben = accepting(await beginLibrary(device, "ben"));
    const ids: string[] = [];
    for (const title of ["Walk", "Lake"]) {
      const { id } = await ada.albums.create({ title });
      await ada.albums.invite(id, ben.vault.session.userId, "contributor");
      ids.push(id);
    }
    await ben.sync();
    const [walk = "", lake = ""] = ids;
    const again = await openedWithoutDirectories(wire, ben, device, ada);
    const seen = () =>
      ids.map((id) => {
        const { title, fault, isUnopened } = again.albums.get(id) ?? {};
        return { title, isFaulty: fault !== undefined, isUnopened };
      });
    const unopened = { title: undefined, isFaulty: true, isUnopened: true };
    assert.deepEqual(seen(), [unopened, unopened]);
    // It is tried when it is needed, and stays so while it cannot be.
    assert.equal(await again.albums.reopen(), false);
    assert.deepEqual(await again.albums.keysOf(walk), []);
    await assert.rejects(again.albums.newestOf(walk), {
      name: "DocumentError",
    });
    assert.deepEqual(seen(), [unopened, unopened]);

    wire.intercept = undefined;
    const before = wire.sent.length;
    const [key, ...others] = await again.albums.keysOf(walk);
    assert.deepEqual([key?.epoch, others], [0, []]);
    assert.deepEqual(seen(), [
      { title: "Walk", isFaulty: false, isUnopened: false },
      { title: "Lake", isFaulty: false, isUnopened: false },
    ]);
    assert.equal(again.albums.isDoubtful(), false);
    assert.equal((await again.albums.newestOf(lake)).epoch, 0);
    const asked = wire.sent.slice(before);
    assert(!asked.some((one) => one.includes("/sync")), asked.join("\n"));
    assert.equal(await again.albums.reopen(), false);
  });
});

Deno.test("an album that a sync froze meanwhile opens with its keys and stays frozen", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's laptop"), "ada");
    const device = deviceOf(wire, "ben's laptop");
    const ben = accepting(await beginLibrary(device, "ben"));
    const { id } = await ada.albums.create({ title: "Walk" });
    await ada.albums.invite(id, ben.vault.session.userId, "viewer");
    await ben.sync();
    const again = await openedWithoutDirectories(wire, ben, device, ada);
    const cut = wire.intercept;
    wire.intercept = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/v1/albums") {
        return await (cut?.(request, pass) ?? pass(request));
      }
      const json = await (await pass(request)).json();
      for (const album of json.albums) {
        if (album.album_id === id) album.roster_version -= 1;
      }
      return Response.json(json);
    };
    await again.sync();
    const older = /older list of members/;
    assert.match(again.albums.get(id)?.fault ?? "", older);
    assert.equal(again.albums.get(id)?.isUnopened, false);
    wire.intercept = undefined;
    assert.equal((await again.albums.keysOf(id)).length, 1);
    const { title, fault } = again.albums.get(id) ?? {};
    assert.equal(title, "Walk");
    assert.match(fault ?? "", older);
    // What is recorded is the same.
    const third = await openLibrary(ben.vault, device.store);
    assert.match(third.albums.get(id)?.fault ?? "", older);
    await third.sync();
    assert.equal(third.albums.get(id)?.fault, undefined);
  });
});

/** What this test calls. The modules themselves want the types of a browser. */
interface Worker {
  peopleBook(context: unknown): {
    handleOf(userId: string): Promise<unknown>;
  };
  albumCalls(context: unknown, people: unknown): {
    overview(): Promise<{
      readonly albums: readonly { title: string; unopened: boolean }[];
    }>;
  };
}

Deno.test("the app shows an album that could not be opened as such, opens it by itself meanwhile, and its page is told", async () => {
  const at = (path: string) =>
    new URL(`../../src/web/workers/library/${path}`, import.meta.url).href;
  const { peopleBook, albumCalls }: Worker = {
    ...await import(at("people_calls.ts")),
    ...await import(at("albums/album_calls.ts")),
  };
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's laptop"), "ada");
    const device = deviceOf(wire, "ben's laptop");
    const ben = accepting(await beginLibrary(device, "ben"));
    const { id } = await ada.albums.create({ title: "Walk" });
    await ada.albums.invite(id, ben.vault.session.userId, "viewer");
    await ben.sync();
    const again = await openedWithoutDirectories(wire, ben, device, ada);
    let told = 0;
    const context = {
      opened: () => again,
      changed: () => told += 1,
      signedIn: () => again.vault.session,
      platform: again.vault.session.platform,
      view: () => ({ isShut: () => false }),
      caughtUp: { promise: Promise.resolve() },
    };
    const book = peopleBook(context);
    // Names are news to the page, too: this one is asked for before.
    await book.handleOf(ada.vault.session.userId);
    wire.intercept = undefined;
    const before = told;
    const { overview } = albumCalls(context, book);
    const seen = async () =>
      (await overview()).albums.map(({ title, unopened }) => [title, unopened]);
    assert.deepEqual(await seen(), [["", true]]);
    await until(() => Promise.resolve(told > before), true);
    assert.deepEqual(await seen(), [["Walk", false]]);
  });
});
