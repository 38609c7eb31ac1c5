/**
 * Favourite albums between the devices of an account, through a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { albumOfCollection } from "../../src/library/albums/collection_album.ts";
import { openFavouriteAlbums } from "../../src/library/albums/favourite_albums.ts";
import type { Library } from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { secondDevice } from "../support/library_sharing.ts";

const now = () => Date.parse("2026-11-26T12:00:00Z");
const favouritesOf = ({ state }: Library) => openFavouriteAlbums(state, now);

Deno.test("an album that one device marks as a favourite comes first on another, until that takes the mark away", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const spring = await laptop.albums.create({ title: "Spring" });
    const summer = await laptop.albums.create({ title: "Summer" });
    await favouritesOf(laptop).change(summer.id, true);
    const phone = await secondDevice(wire, laptop, "ada", "phone");
    await phone.sync();
    const first = (albums: readonly { id: string }[]) =>
      favouritesOf(phone).first(albums).map(({ id }) => id);
    assert.deepEqual(first([spring, summer]), [summer.id, spring.id]);
    await favouritesOf(phone).change(summer.id, false);
    await laptop.sync();
    assert(!favouritesOf(laptop).has(summer.id));
  });
});

Deno.test("the album of a favourite collection is a favourite", async () => {
  await withTestApp(async (app) => {
    const laptop = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const lake = await laptop.collections.create("Lake");
    const town = await laptop.collections.create("Town");
    await favouritesOf(laptop).change(lake.id, true);
    const made = await albumOfCollection(laptop, lake.id, {}, now);
    assert(favouritesOf(laptop).has(made.id));
    const other = await albumOfCollection(laptop, town.id, {}, now);
    assert(!favouritesOf(laptop).has(other.id));
  });
});
