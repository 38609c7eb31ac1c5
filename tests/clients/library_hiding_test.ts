/**
 * Hiding photos that others see: who sees them, and taking them out there.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type StillSeen,
  stillSeen,
  takeOutWhereSeen,
} from "../../src/library/sharing/hiding.ts";
import { invite, photo, seen, take, withCast } from "../support/album_cast.ts";
import { fileOf } from "../support/library.ts";

const titlesOf = ({ albums, links, unread }: StillSeen) => ({
  albums: albums.map(({ title }) => title),
  links: links.filter(({ isFrame }) => !isFrame).map(({ title }) => title)
    .toSorted(),
  frames: links.filter(({ isFrame }) => isFrame).map(({ title }) => title),
  unread,
});

Deno.test("others see what one hides in shared albums, by links and in frames, and nowhere once it is taken out; nothing else leaves, and no photo is lost", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id: summer } = await ada.albums.create({ title: "Summer" });
    await invite(summer, ada, "bob", "viewer");
    await bob.sync();
    await bob.albums.accept(summer);
    const { id: mine } = await ada.albums.create({ title: "Only mine" });
    const { row: gift } = await ada.take(fileOf("gift.jpg", photo("gift")));
    const { row: lake } = await ada.take(fileOf("lake.jpg", photo("lake")));
    await ada.copyInto(gift.id, summer);
    await ada.copyInto(gift.id, mine);
    const { row: loose } = await take(ada, "loose", summer);
    await take(ada, "stays", summer);
    const both = { assetIds: [gift.id, lake.id] };
    const { opaqueId: shared } = await ada.share({ ...both, title: "Both" });
    await ada.share({ assetIds: [gift.id], title: "Gift alone" });
    await ada.share({ assetIds: [lake.id], title: "Lake alone" });
    const follows = "favourites";
    const { opaqueId: frame } = await ada.share({
      ...both,
      title: "Hall",
      follows,
    });
    const hidden = [gift.id, loose.id];
    await ada.flags.change(hidden, { hidden: true, favourite: true });

    assert.deepEqual(titlesOf(await stillSeen(ada, hidden)), {
      albums: ["Summer"],
      links: ["Both", "Gift alone"],
      frames: ["Hall"],
      unread: false,
    });
    assert.deepEqual(await seen(bob, summer), ["gift", "loose", "stays"]);

    assert.deepEqual(titlesOf(await takeOutWhereSeen(ada, hidden)), {
      albums: [],
      links: [],
      frames: [],
      unread: false,
    });
    assert.deepEqual(await seen(bob, summer), ["stays"]);
    const links = await ada.shares();
    assert.deepEqual(links.map(({ title }) => title).toSorted(), [
      "Both",
      "Hall",
      "Lake alone",
    ]);
    for (const id of [shared, frame]) {
      const { items } = await ada.shareContents(id);
      assert.deepEqual(items.map(({ name }) => name), ["lake.jpg"]);
    }
    // What was only in the album is in the library, hidden.
    const [kept] = ada.list().filter(({ metadata }) =>
      metadata?.name === "loose.jpg"
    );
    assert.equal(kept?.album, ada.vault.libraryAlbumId);
    assert.deepEqual(ada.flags.of(kept), {
      favourite: true,
      hidden: true,
      archived: false,
    });
    // It stays in the album, which no one else sees.
    assert.ok(
      ada.list().some(({ album, metadata }) =>
        album === mine && metadata?.name === "gift.jpg"
      ),
    );
  });
});

Deno.test("what others added to an album is named when one hides it, and stays there", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    await bob.albums.accept(id);
    const { row } = await take(bob, "of bob", id);
    await ada.sync();
    await ada.flags.change([row.id], { hidden: true });
    const { albums } = await stillSeen(ada, [row.id]);
    assert.deepEqual(albums, [{ title: "Summer", own: [] }]);
    const left = await takeOutWhereSeen(ada, [row.id]);
    assert.deepEqual(left.albums, albums);
    assert.deepEqual(await seen(bob, id), ["of bob"]);
  });
});
