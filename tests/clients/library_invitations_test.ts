/**
 * Albums come with consent: an invitation is accepted before anything of it is
 * fetched or shown.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import {
  type AlbumCast,
  idOf,
  invite,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";
import { beginLibrary, deviceOf, enter } from "../support/library.ts";

/** Zoe, who is asked, and Ada's album with a photo in it. */
async function withZoe(
  test: (
    cast: AlbumCast & {
      readonly id: string;
      readonly zoe: Library;
      readonly phone: () => Promise<Library>;
    },
  ) => Promise<void>,
) {
  await withCast(async (cast) => {
    const { ada, wire } = cast;
    const device = deviceOf(wire, "zoe's");
    const zoe = await beginLibrary(device, "zoe", { accepts: false });
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    const phone = async () => {
      const other = deviceOf(wire, "zoe's phone");
      const session = await enter(other, "zoe");
      const masterKey = zoe.vault.session.masterKey() ?? new Uint8Array();
      const vault = await adoptMasterKey(session, masterKey);
      return await openLibrary(vault, other.store);
    };
    await test({ ...cast, id, zoe, phone });
  });
}

const titles = (albums: readonly { readonly title: string | undefined }[]) =>
  albums.map(({ title }) => title);

Deno.test("nothing of an album is fetched or listed before its invitation is accepted, on any device", async () => {
  await withZoe(async ({ ada, id, phone, wire, zoe }) => {
    await zoe.sync();
    await invite(id, ada, "zoe");
    wire.sent.length = 0;
    await zoe.sync();
    await take(ada, "more", id);
    await zoe.sync();
    const [invitation] = zoe.albums.invitations();
    assert.equal(invitation?.title, "Summer");
    assert.equal(invitation.owner, idOf(ada));
    assert.deepEqual(zoe.albums.list(), []);
    assert.equal(zoe.albums.get(id), undefined);
    assert.equal(zoe.index.size, 0);
    assert.deepEqual(zoe.unopened(), []);
    assert.ok(!wire.sent.includes("POST /v1/assets/query"));
    await assert.rejects(take(zoe, "of zoe", id));
    const other = await phone();
    assert.deepEqual(await seen(other, id), []);
    assert.deepEqual(titles(other.albums.invitations()), ["Summer"]);

    await zoe.albums.accept(id);
    assert.deepEqual(titles(zoe.albums.list()), ["Summer"]);
    assert.deepEqual(zoe.albums.invitations(), []);
    for (const one of [zoe, other]) {
      assert.deepEqual(await seen(one, id), ["before", "more"]);
    }
    await take(zoe, "of zoe", id);
    assert.deepEqual(await seen(ada, id), ["before", "more", "of zoe"]);
  });
});

Deno.test("who declines is off the album, and is asked again only by a new invitation", async () => {
  await withZoe(async ({ ada, id, phone, zoe }) => {
    await ada.sync();
    await invite(id, ada, "zoe");
    const other = await phone();
    for (const one of [zoe, other]) {
      await one.sync();
      assert.equal(one.albums.invitations().length, 1);
    }
    await zoe.albums.leave(id);
    await ada.sync();
    assert.equal(ada.albums.get(id)?.members.length, 1);
    for (const one of [zoe, other]) {
      await one.sync();
      assert.deepEqual(one.albums.invitations(), []);
    }
    await invite(id, ada, "zoe");
    await other.sync();
    await other.albums.accept(id);
    for (const one of [zoe, other]) {
      assert.deepEqual(await seen(one, id), ["before"]);
    }
    // Who leaves has to accept again.
    await zoe.albums.leave(id);
    await ada.sync();
    await invite(id, ada, "zoe");
    for (const one of [zoe, other]) {
      assert.deepEqual(await seen(one, id), []);
      assert.equal(one.albums.invitations().length, 1);
    }
  });
});

Deno.test("the invitations of who is blocked are not shown until they are unblocked", async () => {
  await withZoe(async ({ ada, bob, id, phone, zoe }) => {
    await invite(id, ada, "zoe");
    await zoe.sync();
    await zoe.people.block(idOf(ada), true);
    const winter = await ada.albums.create({ title: "Winter" });
    await invite(winter.id, ada, "zoe");
    const spring = await bob.albums.create({ title: "Spring" });
    await invite(spring.id, bob, "zoe");
    const other = await phone();
    for (const one of [zoe, other]) {
      await one.sync();
      assert.deepEqual(titles(one.albums.invitations()), ["Spring"]);
      assert.deepEqual(one.people.blocked(), [idOf(ada)]);
    }
    await other.people.block(idOf(ada), false);
    await zoe.sync();
    assert.deepEqual(titles(zoe.albums.invitations()).sort(), [
      "Spring",
      "Summer",
      "Winter",
    ]);
    await assert.rejects(zoe.people.block(idOf(zoe), true));
  });
});
