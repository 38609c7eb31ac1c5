/**
 * Saving what others share to one's own library: from an album, and from a link.
 *
 * @module
 */
import assert from "node:assert/strict";
import { parseShareLink } from "../../src/client/documents/share.ts";
import { saveShared } from "../../src/library/sharing/saving_shared.ts";
import { sampleBytes } from "../support/samples.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { invite, takeFalsely, withCast } from "../support/album_cast.ts";
import { photo, take } from "../support/library_sharing.ts";

function linkOf(url: string) {
  const link = parseShareLink(url);
  assert.ok(link);
  return link;
}

Deno.test("what a link shows is saved once, with its caption and date, and stays when the link ends", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const file = fileOf("a.jpg", photo("a"));
    const { row: a } = await ada.take({
      ...file,
      about: {
        ...file.about,
        taken_at: "2024-06-01T10:00:00Z",
        caption: "The pier",
      },
    });
    const b = await take(ada, "b");
    const { url, opaqueId } = await ada.share({ assetIds: [a.id, b.id] });
    const link = linkOf(url);
    assert.deepEqual(
      await saveShared(bob, link),
      { kept: 2, known: 0, failed: 0 },
    );
    assert.deepEqual(
      await saveShared(bob, link),
      { kept: 0, known: 2, failed: 0 },
    );
    await ada.revokeShare(opaqueId);
    await assert.rejects(saveShared(bob, link), { status: 404 });
    await bob.sync();
    const saved = bob.list().find(({ metadata }) => metadata?.name === "a.jpg");
    assert.equal(saved?.metadata?.caption, "The pier");
    assert.match(saved?.metadata?.taken_at ?? "", /^2024-06-01T10:00:00/);
    assert.equal(saved?.owner, bob.vault.session.userId);
    assert.deepEqual(await wholeOf(bob.read(saved?.id ?? "")), photo("a"));
  });
});

Deno.test("what a link shows of an album that the account is in is saved without being sent again", async () => {
  await withCast(async ({ wire, ada, bob, eve }) => {
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    await invite(albumId, ada, "bob", "viewer");
    const file = fileOf("a.jpg", photo("a"));
    const about = {
      ...file.about,
      taken_at: "2024-06-01T10:00:00Z",
      caption: "The pier",
    };
    const { row } = await ada.take({ ...file, about }, { albumId });
    await bob.sync();
    await bob.albums.accept(albumId);
    await bob.sync();
    const { url } = await ada.share({ assetIds: [row.id] });
    const stop = new AbortController();
    wire.intercept = (request, pass) => {
      if (/\/v1\/assets\/.*blobs?\//.test(request.url)) stop.abort();
      return pass(request);
    };
    await assert.rejects(
      saveShared(bob, linkOf(url), { signal: stop.signal }),
      { name: "AbortError" },
    );
    let copies = 0;
    wire.intercept = async (request, pass) => {
      const body = await request.clone().text();
      if (body.includes(`"copies":"${row.id}"`)) copies += 1;
      return await pass(request);
    };
    const kept = { kept: 1, known: 0, failed: 0 };
    assert.deepEqual(await saveShared(eve, linkOf(url)), kept);
    assert.equal(copies, 0);
    const blobs = () =>
      wire.sent.filter((one) => one.startsWith("GET /s/")).length;
    const before = blobs();
    const sent = () => wire.sent.filter((one) => /\/v1\/upload/.test(one));
    const sentBefore = sent();
    assert.deepEqual(await saveShared(bob, linkOf(url)), kept);
    assert.equal(copies, 1);
    // The link, its index, and nothing that it shows.
    assert.equal(blobs() - before, 2);
    assert.deepEqual(sent(), sentBefore);
    const saved = bob.list().find(({ album }) => album !== albumId);
    assert.equal(saved?.metadata?.caption, "The pier");
    assert.equal(saved?.metadata?.taken_at, "2024-06-01T10:00:00Z");
    assert.deepEqual(await wholeOf(bob.read(saved?.id ?? "")), photo("a"));
  });
});

Deno.test("a link of another server, or one that was cut off, is not asked for; a wrong passphrase saves nothing", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const passphrase = "lake and boats";
    const { url } = await ada.share({ assetIds: [id], passphrase });
    const link = linkOf(url);
    const { secret: _, ...cut } = link;
    for (const one of [{ ...link, origin: "https://b.example" }, cut]) {
      await assert.rejects(saveShared(ada, one), { name: "DocumentError" });
    }
    await assert.rejects(
      saveShared(ada, { ...link, passphrase: "lake or boats" }),
      { name: "EscrowError" },
    );
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const { kept } = await saveShared(bob, { ...link, passphrase });
    assert.equal(kept, 1);
  });
});

Deno.test("a member's photo under the hash of another one does not get into another member's library, which still takes the true one", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    await invite(albumId, ada, "bob");
    await invite(albumId, ada, "eve");
    for (const one of [bob, eve]) {
      await one.sync();
      await one.albums.accept(albumId);
    }
    const truth = photo("p");
    await takeFalsely(eve, "p.jpg", albumId, truth);
    await eve.take(fileOf("q.jpg", photo("q")), { albumId });
    await bob.sync();
    const own = bob.vault.libraryAlbumId;
    const inAlbum = bob.list().filter(({ album }) => album === albumId);
    const copied = (name: string) =>
      bob.copyInto(
        inAlbum.find(({ metadata }) => metadata?.name === name)?.id ?? "",
        own,
      );
    await assert.rejects(copied("p.jpg"), { name: "DocumentError" });
    assert.equal((await copied("q.jpg")).outcome, "kept");
    const { outcome, row } = await bob.take(fileOf("p.jpg", truth));
    assert.equal(outcome, "kept");
    assert.deepEqual(await wholeOf(bob.read(row.id)), truth);
  });
});

Deno.test("what a link of such a member shows is known by what it is, and by nothing that is said of it", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id: albumId } = await eve.albums.create({ title: "Lake" });
    const truth = photo("p");
    await takeFalsely(eve, "p.jpg", albumId, truth);
    const row = eve.list().find(({ album }) => album === albumId);
    const { url } = await eve.share({ assetIds: [row?.id ?? ""] });
    for (const one of [ada, bob]) {
      assert.equal((await saveShared(one, linkOf(url))).kept, 1);
      assert.equal((await one.take(fileOf("p.jpg", truth))).outcome, "kept");
    }
  });
});

Deno.test("a member's false hash does not keep a photo of a link from who has the photo of that hash", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id: albumId } = await eve.albums.create({ title: "Lake" });
    await invite(albumId, eve, "bob");
    await bob.sync();
    await bob.albums.accept(albumId);
    const truth = photo("p");
    await takeFalsely(eve, "p.jpg", albumId, truth);
    await bob.take(fileOf("mine.jpg", truth));
    await bob.sync();
    const row = eve.list().find(({ album }) => album === albumId);
    const { url } = await eve.share({ assetIds: [row?.id ?? ""] });
    assert.equal((await saveShared(ada, linkOf(url))).kept, 1);
    assert.deepEqual(
      await saveShared(bob, linkOf(url)),
      { kept: 1, known: 0, failed: 0 },
    );
  });
});

Deno.test("what is saved from a link is said to tell a place only if its file does", async () => {
  await withCast(async ({ ada, bob }) => {
    const cat = await sampleBytes("cat.jpg");
    const { row: known } = await ada.take(fileOf("cat.jpg", cat));
    const { url } = await ada.share({ assetIds: [known.id] });
    assert.equal((await saveShared(bob, linkOf(url))).kept, 1);
    const [saved] = bob.list();
    assert.equal(saved?.metadata?.name, "cat.jpg");
    assert.equal(saved?.metadata?.inside, undefined);
  });
});
