/**
 * Private lists, albums that end, and names of people, on every device.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openLibrary,
  openVault,
  resumeSession,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  fileOf,
  type TestDevice,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";

/** The same device, started again. */
async function startedAnew(device: TestDevice): Promise<Library> {
  const { platform, entrance, store } = device;
  const session = await resumeSession(platform, entrance);
  return await openLibrary(await openVault(session), store);
}

Deno.test("a private list is on every device, keeps its order, and is nothing but a list", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const ada = await beginLibrary(laptop, "ada");
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await take(ada, name)).id);
    const [a = "", b = "", c = ""] = ids;
    const { id } = await ada.collections.create("Best", [a, b, a]);
    const other = await secondDevice(wire, ada, "ada");
    assert.deepEqual(
      other.collections.list().map(({ title, assets }) => [title, assets]),
      [["Best", [a, b]]],
    );
    await other.collections.add(id, [c, a]);
    await other.collections.move(id, [c], a);
    await other.collections.rename(id, "The best");
    await ada.sync();
    assert.deepEqual(ada.collections.get(id)?.assets, [c, a, b]);
    await ada.collections.takeOut(id, [a]);
    assert.equal(ada.index.get(a)?.state, "live");

    // What a device knew it shows without a connection, after a restart too.
    const sent = wire.sent.length;
    const again = await startedAnew(laptop);
    assert.deepEqual(again.collections.get(id)?.assets, [c, b]);
    assert.deepEqual(
      wire.sent.slice(sent).filter((one) => one.includes("/state")),
      [],
    );

    await ada.collections.remove(id);
    await other.sync();
    assert.deepEqual(other.collections.list(), []);
    await assert.rejects(other.collections.add(id, [a]));
  });
});

Deno.test("a list that this device saw stays, where the server shows the state of before", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await ada.collections.create("First");
    const { account } = ada.vault.session;
    const before = await account.slot("library");
    await ada.collections.create("Second");
    wire.intercept = (request) =>
      request.method === "GET" && request.url.endsWith("/state/library")
        ? Promise.resolve(
          new Response(before.bytes, { headers: { ETag: before.etag } }),
        )
        : undefined;
    await ada.state.read();
    assert.deepEqual(
      ada.collections.list().map(({ title }) => title),
      ["First", "Second"],
    );
  });
});

Deno.test("an album ends without losing a photo, and no one else can read it any more", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's"), "ada");
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const found = await ada.people.find({ address: addressOf("bob") });
    assert.equal(found.displayName, undefined);
    const { id } = await ada.albums.create({ title: "Summer" });
    await ada.albums.invite(id, found.userId, "contributor");
    const both = await take(ada, "both");
    await ada.copyInto(both.id, id);
    await ada.take(fileOf("alone.jpg", photo("alone")), { albumId: id });
    await bob.sync();
    await bob.albums.accept(id);
    const theirs = await bob.take(fileOf("bobs.jpg", photo("bobs")), {
      albumId: id,
    });

    const discarded = await ada.discardAlbum(id);
    assert.deepEqual(discarded, { ended: false, kept: 1 });
    const live = () =>
      ada.list().map(({ metadata, album }) => [metadata?.name, album]).sort();
    const own = ada.vault.libraryAlbumId;
    assert.deepEqual(live(), [["alone.jpg", own], ["both.jpg", own]]);
    await bob.sync();
    assert.equal(bob.albums.get(id), undefined);
    // It is in the trash, and not by Bob: Ada, whose album it was, may do that.
    assert.deepEqual(bob.trashed(), []);
    assert.deepEqual(bob.missing(), []);
    assert.deepEqual(bob.removed().map((row) => row.id), [theirs.row.id]);

    // When what others added has left their trash, so does the album.
    await bob.purge(theirs.row.id);
    await ada.sync();
    assert.deepEqual(await ada.discardAlbum(id), { ended: true, kept: 0 });
    assert.equal(ada.albums.get(id), undefined);
    await ada.sync();
    assert.deepEqual(live(), [["alone.jpg", own], ["both.jpg", own]]);
    assert.deepEqual(ada.trashed(), []);
  });
});

Deno.test("a hidden photo that is only in an album stays hidden when the album ends", async () => {
  await withTestApp(async (app) => {
    const ada = await beginLibrary(deviceOf(wireTo(app), "ada's"), "ada");
    const { id } = await ada.albums.create({ title: "Summer" });
    for (const name of ["secret", "open"]) {
      const { row } = await ada.take(fileOf(`${name}.jpg`, photo(name)), {
        albumId: id,
      });
      await ada.flags.change([row.id], { hidden: name === "secret" });
    }
    assert.deepEqual(await ada.discardAlbum(id), { ended: true, kept: 2 });
    await ada.sync();
    assert.deepEqual(
      ada.list().map((row) => [row.metadata?.name, ada.flags.of(row).hidden])
        .sort(),
      [["open.jpg", false], ["secret.jpg", true]],
    );
  });
});

Deno.test("a photo taken out of an album stays in the library that has it, and goes to the trash where it was alone and not hidden", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's"), "ada");
    const { id } = await ada.albums.create({ title: "Summer" });
    const both = await take(ada, "both");
    const copy = await ada.copyInto(both.id, id);
    const alone = await ada.take(fileOf("alone.jpg", photo("alone")), {
      albumId: id,
    });
    const { row: hidden } = await ada.take(
      fileOf("hidden.jpg", photo("hidden")),
      { albumId: id },
    );
    await ada.flags.change([hidden.id], { hidden: true });
    await ada.takeOutOf([copy.row.id, alone.row.id, hidden.id]);
    await ada.sync();
    const { libraryAlbumId } = ada.vault;
    assert.deepEqual(
      ada.list().map(({ metadata, album }) => [metadata?.name, album]).sort(),
      [["both.jpg", libraryAlbumId], ["hidden.jpg", libraryAlbumId]],
    );
    const kept = ada.list().find((row) => row.metadata?.name === "hidden.jpg");
    assert.ok(kept !== undefined && ada.flags.of(kept).hidden);
    assert.deepEqual(ada.trashed().map((row) => row.id), [alone.row.id]);
    assert.deepEqual(await wholeOf(ada.read(both.id)), photo("both"));
  });
});

Deno.test("people have the names that one gives them, on every device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's"), "ada");
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const { userId } = bob.vault.session;
    await ada.people.compared(userId);
    await ada.people.call(userId, "Bob");
    assert.equal(ada.people.nameOf(userId), "Bob");
    assert.equal(await ada.people.changed(userId), undefined);
    const other = await secondDevice(wire, ada, "ada");
    assert.equal(other.people.nameOf(userId), "Bob");
    assert.ok((await other.people.known(userId)).comparedAt !== undefined);
  });
});
