/**
 * Own photos in another person's album outlive the membership.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  bringHome,
  deleteAccount,
  PHRASE_LABEL,
  restoreOrCopy,
} from "../../src/library/mod.ts";
import {
  idOf,
  invite,
  photo,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";
import { wholeOf } from "../support/library.ts";
import { secondDevice } from "../support/library_sharing.ts";
import { PHRASE, recovered } from "../support/new_devices.ts";

Deno.test("a removed member still reads their own photos of the album, and has them in the library", async () => {
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

Deno.test("after an album's owner deleted their account, a contributor's new device opens, counts and deletes the contributor's photos", async () => {
  await withCast(async (cast) => {
    const { ada, bob } = cast;
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    const { id } = await bob.albums.create({ title: "Summer" });
    await invite(id, bob, "ada");
    await seen(ada, id);
    const { row } = await take(ada, "mine", id);
    await bob.sync();
    await ada.sync();
    await deleteAccount(bob.vault);
    // No device that was in the album is used again before.
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    await ada.sync();
    for (const device of [ada, tablet]) {
      assert.deepEqual(device.unopened(), []);
      assert.deepEqual(device.list().map((one) => one.id), [row.id]);
      assert.equal(device.list()[0]?.album, undefined);
      assert.deepEqual(await wholeOf(device.read(row.id)), photo("mine"));
      const { missing, damaged } = await device.confirm();
      assert.deepEqual([missing, damaged], [[], []]);
    }
    await tablet.trash(row.id);
    await tablet.purge(row.id);
    await ada.sync();
    assert.deepEqual(ada.list(), []);
    assert.deepEqual(ada.missing(), []);
  });
});

Deno.test("an own photo whose album's key no program kept says why it does not open, and can be deleted", async () => {
  await withCast(async (cast) => {
    const { ada, bob } = cast;
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    const { id } = await bob.albums.create({ title: "Summer" });
    await invite(id, bob, "ada");
    await seen(ada, id);
    const { row } = await take(ada, "mine", id);
    await deleteAccount(bob.vault);
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    const [lost, ...more] = tablet.unopened();
    assert.deepEqual([lost?.id, more], [row.id, []]);
    assert.match(lost?.fault ?? "", /album that it was in was deleted.*key/);
    const { account } = tablet.vault.session;
    const { used_bytes: before } = await account.usage();
    await tablet.trash(row.id);
    assert.deepEqual(tablet.unopened(), []);
    await tablet.purge(row.id);
    assert.ok((await account.usage()).used_bytes < before - 3_000);
  });
});
