/**
 * Albums sorted by hand, between the devices of an account, through a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  albumPlaceIn,
  type Beside,
  withAlbumMoved,
  withFirstPlaces,
} from "../../src/library/albums/album_places.ts";
import { albumOfCollection } from "../../src/library/albums/collection_album.ts";
import type { Library } from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { secondDevice } from "../support/library_sharing.ts";

const now = () => Date.parse("2026-11-26T12:00:00Z");

function albumsOf(ids: readonly string[]) {
  return ids.map((id) => ({ id, title: id, count: 1, changed: 0, taken: {} }));
}

function placed({ state }: Library, ids: readonly string[]) {
  const { settings } = state.held;
  return ids.toSorted((a, b) =>
    (albumPlaceIn(settings, a) ?? -1) - (albumPlaceIn(settings, b) ?? -1)
  );
}

Deno.test("two devices move different albums without knowing of each other, and both moves count", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const titles = ["Spring", "Summer", "Autumn", "Winter"];
    const ids: string[] = [];
    for (const title of titles) {
      ids.push((await laptop.collections.create(title)).id);
    }
    const titled = (library: Library) =>
      placed(library, ids).map((id) => titles[ids.indexOf(id)]).join(" ");
    const [spring = "", summer = "", autumn = "", winter = ""] = ids;
    await laptop.state.change((held) => ({
      ...held,
      settings: withFirstPlaces(held.settings, ids, now()),
    }));
    const phone = await secondDevice(wire, laptop, "ada", "phone");
    await phone.sync();
    assert.equal(titled(phone), "Spring Summer Autumn Winter");
    const move = (library: Library, id: string, beside: Beside) =>
      library.state.change((held) => ({
        ...held,
        settings: withAlbumMoved(
          held.settings,
          albumsOf(ids),
          id,
          beside,
          now(),
        ),
      }));
    await move(laptop, winter, { before: spring });
    // The phone has not heard of that.
    await move(phone, summer, { after: autumn });
    await laptop.sync();
    assert.equal(titled(phone), "Winter Spring Autumn Summer");
    assert.equal(titled(laptop), "Winter Spring Autumn Summer");
  });
});

Deno.test("the album of a collection has its place", async () => {
  await withTestApp(async (app) => {
    const laptop = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const lake = await laptop.collections.create("Lake");
    const town = await laptop.collections.create("Town");
    await laptop.state.change((held) => ({
      ...held,
      settings: withFirstPlaces(held.settings, ["first", lake.id], now()),
    }));
    const placeOf = (id: string) =>
      albumPlaceIn(laptop.state.held.settings, id);
    const made = await albumOfCollection(laptop, lake.id, {}, now);
    assert.equal(placeOf(made.id), 1);
    const other = await albumOfCollection(laptop, town.id, {}, now);
    assert.equal(placeOf(other.id), undefined);
  });
});
