/**
 * One's own photos in somebody else's album outlive the membership.
 *
 * @module
 */
import assert from "node:assert/strict";
import { bringHome, restoreOrCopy } from "../../src/client/library/mod.ts";
import { idOf, invite, photo, take, withCast } from "../support/album_cast.ts";
import { wholeOf } from "../support/library.ts";
import { secondDevice } from "../support/library_sharing.ts";

Deno.test("whoever is removed from an album still reads their own photos there, and has them in the library", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    const { row } = await take(bob, "of bob", id);
    await take(bob, "of bob, too", id);
    await ada.albums.remove(id, idOf(bob));
    await bob.sync();
    assert.equal(bob.albums.get(id), undefined);
    // The key is kept, and nothing new is sealed with it.
    assert.deepEqual(await wholeOf(bob.read(row.id)), photo("of bob"));
    await assert.rejects(take(bob, "late", id));

    const { kept, failed } = await bringHome(bob);
    assert.deepEqual([kept.length, failed.size], [2, 0]);
    assert.deepEqual((await bringHome(bob)).kept, []);
    // A device that never was in the album.
    const phone = await secondDevice(wire, bob, "bob");
    const hashes = new Set(kept);
    const own = phone.list().filter((one) => hashes.has(one.id));
    assert.deepEqual(
      own.map(({ metadata }) => metadata?.name).sort(),
      ["of bob, too.jpg", "of bob.jpg"],
    );
    for (const { id: one, metadata } of own) {
      const name = metadata?.name.replace(".jpg", "") ?? "";
      assert.deepEqual(await wholeOf(phone.read(one)), photo(name));
    }
    // What it cannot open there is the same photos, and nothing is wrong.
    assert.equal(phone.index.size, 4);
    assert.deepEqual(phone.unopened(), []);
  });
});

Deno.test("a photo that the owner of the album put into the trash comes back to whom it belongs", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    const { row } = await take(bob, "of bob", id);
    const mine = await take(bob, "trashed by bob", id);
    await bob.trash(mine.row.id);
    await ada.sync();
    await ada.trash(row.id);
    await bob.sync();
    assert.equal(await restoreOrCopy(bob, mine.row.id), "restored");
    assert.equal(await restoreOrCopy(bob, row.id), "copied");
    const { libraryAlbumId } = bob.vault;
    const [copy] = bob.list().filter(({ album }) => album === libraryAlbumId);
    assert.deepEqual(await wholeOf(bob.read(copy?.id ?? "")), photo("of bob"));
  });
});
