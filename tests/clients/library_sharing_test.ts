/**
 * What people do with what they share: private lists, links that change after
 * they were given out, notes on upload links, and albums that end.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  DamagedBlob,
  type Library,
  openGuestBox,
  openLibrary,
  openVault,
  plainOf,
  resumeSession,
} from "../../src/client/library/mod.ts";
import { createViewer } from "../../src/client/links.ts";
import { decodeShareIndex, parseShareLink } from "../../src/client/share.ts";
import { decryptBytes } from "../../src/client/stream.ts";
import {
  buildUploadLink,
  parseUploadLink,
} from "../../src/client/upload_link.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  platformOn,
  type TestDevice,
  wholeOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const photo = (name: string) => ciphertext(name, 3_000);

async function take(library: Library, name: string, more: object = {}) {
  const { row } = await library.take({
    ...fileOf(`${name}.jpg`, photo(name)),
    ...more,
  });
  return row;
}

/** Another device of the same person's. */
async function secondDevice(
  wire: Wire,
  library: Library,
  name: string,
): Promise<Library> {
  const phone = deviceOf(wire, `${name}'s phone`);
  const masterKey = library.vault.session.masterKey() ?? new Uint8Array();
  const vault = await adoptMasterKey(await enter(phone, name), masterKey);
  const other = await openLibrary(vault, phone.store);
  await other.sync();
  return other;
}

/** The same device, started anew. */
async function startedAnew(device: TestDevice): Promise<Library> {
  const { platform, entrance, store } = device;
  const session = await resumeSession(platform, entrance);
  return await openLibrary(await openVault(session), store);
}

/** What whoever has a link sees. */
async function seen(wire: Wire, url: string) {
  const { opaqueId, secret } = parseShareLink(url) ?? { opaqueId: "" };
  const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
  const { metadata_hash } = await viewer.viewShare(opaqueId);
  const { stream } = await viewer.sharedBlob(opaqueId, metadata_hash);
  const sealed = new Uint8Array(await new Response(stream).arrayBuffer());
  const key = { fileKey: new Uint8Array(secret ?? []) };
  const index = decodeShareIndex(await decryptBytes(key, sealed));
  const files = await Promise.all(index.items.map(async (item) => {
    const body = await viewer.sharedBlob(opaqueId, item.hash);
    const blob = new Uint8Array(await new Response(body.stream).arrayBuffer());
    const key = { fileKey: item.key, chunkSize: item.chunk_size };
    return await decryptBytes(key, blob);
  }));
  return { index, files, names: index.items.map(({ name }) => name) };
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
    wire.meddle = (request) =>
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

Deno.test("a link changes after it was given out: its address stays, and its old index goes", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const rows = [];
    for (const name of ["a", "b", "c"]) rows.push(await take(ada, name));
    const [a, b, c] = rows.map(({ id }) => id);
    const { url, opaqueId } = await ada.share({
      assetIds: [a ?? "", b ?? ""],
      title: "Walk",
      message: "As promised",
      from: "Ada",
    });
    const first = await seen(wire, url);
    assert.deepEqual(first.names, ["a.jpg", "b.jpg"]);
    assert.equal(first.index.message, "As promised");
    assert.equal(first.index.from, "Ada");

    // On another device of the same person.
    const other = await secondDevice(wire, ada, "ada");
    const contents = await other.shareContents(opaqueId);
    assert.equal(contents.title, "Walk");
    assert.deepEqual(contents.items.map(({ assetId }) => assetId), [a, b]);
    await other.changeShare(opaqueId, {
      title: "The walk",
      message: null,
      add: [c ?? "", a ?? ""],
      remove: [contents.items[1]?.hash ?? ""],
      expiresAt: "2026-12-01T00:00:00Z",
    });
    const second = await seen(wire, url);
    assert.deepEqual(second.names, ["a.jpg", "c.jpg"]);
    assert.deepEqual(second.files, [photo("a"), photo("c")]);
    assert.equal(second.index.title, "The walk");
    assert.equal(second.index.message, undefined);
    assert.equal(second.index.from, "Ada");
    await ada.sync();
    const [own] = await ada.shares();
    assert.equal(own?.url, url);
    assert.equal(own?.title, "The walk");
    assert.equal(own?.expires_at, "2026-12-01T00:00:00.000Z");
    await ada.changeShare(opaqueId, { expiresAt: null });
    assert.equal((await ada.shares())[0]?.expires_at ?? undefined, undefined);

    // Indexes hold keys: none that is not in use stays behind.
    const indexes = () =>
      [...ada.index.rows()].filter(({ metadata }) =>
        metadata?.kind === "share-index"
      );
    assert.equal(indexes().length, 1);
    const items = (await ada.shareContents(opaqueId)).items;
    await assert.rejects(
      ada.changeShare(opaqueId, { remove: items.map(({ hash }) => hash) }),
    );
    await ada.revokeShare(opaqueId);
    assert.equal(indexes().length, 0);
    await ada.sync();
    assert.deepEqual(ada.trashed(), []);
  });
});

Deno.test("a link that leaves places out hands out no file that tells one", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const place = { latitude: 52.5, longitude: 13.4 };
    const at = (name: string) => ({
      about: { name: `${name}.heic`, mime: "image/heic", place },
    });
    const picture = photo("preview of home");
    const home = await take(ada, "home", {
      ...at("home"),
      derivatives: [{
        kind: "preview",
        mime: "image/jpeg",
        width: 40,
        height: 30,
        bytes: picture,
      }],
    });
    const film = await take(ada, "film", at("film"));
    const plain = await take(ada, "plain");
    const assetIds = [home.id, film.id, plain.id];
    const made = await ada.share({ assetIds });
    assert.deepEqual(made.leftOut, [film.id]);
    const { names, files } = await seen(wire, made.url);
    assert.deepEqual(names, ["home.jpg", "plain.jpg"]);
    assert.deepEqual(files, [picture, photo("plain")]);
    const original = home.blobs.find(({ role }) => role === "original");
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    await assert.rejects(
      viewer.sharedBlob(made.opaqueId, original?.hash ?? ""),
      { code: "error.share.not_found" },
    );
    // Unless the person says otherwise.
    const { url } = await ada.share({ assetIds, places: "kept" });
    assert.deepEqual((await seen(wire, url)).names, [
      "home.heic",
      "film.heic",
      "plain.jpg",
    ]);
  });
});

Deno.test("an upload link says who asks, to guests and to all devices, and not to the server", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const note = "Photos of the fête, for Ada";
    const made = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
      note,
    });
    const link = parseUploadLink(made.url);
    assert.equal(link?.note, note);
    assert.equal(link?.fingerprint?.length, 32);
    const other = await secondDevice(wire, ada, "ada");
    const [own] = await other.requests();
    assert.equal(own?.url, made.url);
    assert.equal(own?.note, note);
    const { origin, opaqueId } = { ...link, opaqueId: made.opaqueId };
    const bare = buildUploadLink({ origin: origin ?? "", opaqueId, note });
    assert.deepEqual(parseUploadLink(bare), { origin, opaqueId, note });
    assert.equal(parseUploadLink(`${made.url}${"A".repeat(3_000)}`), undefined);
    assert.equal(parseUploadLink(`${made.url}.!`), undefined);

    // What waits is looked at before it is taken, and gets its small picture.
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, made.url);
    const about = { name: "gate.jpg", mime: "image/jpeg" };
    await box.send({ source: plainOf(photo("gate")), about });
    const [waiting] = await ada.inbox();
    const { opaqueId: of, uploadId } = waiting ??
      { opaqueId: "", uploadId: "" };
    const peeked = await ada.peek(of, uploadId, 1_000_000);
    assert.deepEqual(peeked.bytes, photo("gate"));
    assert.equal(peeked.file?.name, "gate.jpg");
    await assert.rejects(ada.peek(of, uploadId, 100), /too large/);
    const small = photo("small");
    const row = await ada.accept(of, uploadId, {
      about: { taken_at: "2026-05-01T00:00:00Z", width: 40, height: 30 },
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 4,
        height: 3,
        bytes: small,
      }],
    });
    await other.sync();
    assert.equal(other.index.get(row.id)?.metadata?.width, 40);
    assert.deepEqual(
      await wholeOf(other.read(row.id, { derivative: "thumbnail" })),
      small,
    );
    await assert.rejects(ada.peek(of, uploadId, 1_000_000), /nothing/);

    // The very same photo once more is no second photo.
    await box.send({ source: plainOf(photo("gate")), about });
    const [again] = await ada.inbox();
    const same = await ada.accept(of, again?.uploadId ?? "");
    assert.equal(same.id, row.id);
    assert.deepEqual(await ada.inbox(), []);
    assert.deepEqual(ada.list().map(({ id }) => id), [row.id]);
  });
});

Deno.test("what a guest sealed badly is not shown", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
    });
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, url);
    const about = { name: "gate.jpg", mime: "image/jpeg" };
    await box.send({ source: plainOf(photo("gate")), about });
    const [waiting] = await ada.inbox();
    const { opaqueId, uploadId } = waiting ?? { opaqueId: "", uploadId: "" };
    wire.meddle = (request, pass) =>
      !request.url.endsWith(`/contributions/${uploadId}/blob`)
        ? undefined
        : pass(request).then(async (answer) => {
          const bytes = new Uint8Array(await answer.arrayBuffer());
          bytes[40] = 1 ^ (bytes[40] ?? 0);
          return new Response(bytes, answer);
        });
    await assert.rejects(ada.peek(opaqueId, uploadId, 1_000_000), DamagedBlob);
  });
});

Deno.test("an album ends without losing a photo, and nobody else reads it any more", async () => {
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
    assert.deepEqual(bob.trashed().map((row) => row.id), [theirs.row.id]);

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

Deno.test("a photo taken out of an album stays in the library that has it, and goes to the trash where it was alone", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "ada's"), "ada");
    const { id } = await ada.albums.create({ title: "Summer" });
    const both = await take(ada, "both");
    const copy = await ada.copyInto(both.id, id);
    const alone = await ada.take(fileOf("alone.jpg", photo("alone")), {
      albumId: id,
    });
    await ada.takeOutOf([copy.row.id, alone.row.id]);
    await ada.sync();
    assert.deepEqual(ada.list().map((row) => row.id), [both.id]);
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
    const { pins } = await other.state.read();
    assert.ok(pins[userId]?.compared_at !== undefined);
  });
});
