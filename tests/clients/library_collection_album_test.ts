/**
 * A collection that becomes an album, because people are invited to it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { albumOfCollection } from "../../src/library/albums/collection_album.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { take } from "../support/library_sharing.ts";

Deno.test("a hidden photo of a collection does not come into the album that others join, and stays in the collection", async () => {
  await withTestApp(async (app) => {
    const ada = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const [a, b] = [await take(ada, "a"), await take(ada, "b")];
    const lake = await ada.collections.create("Lake", [a.id, b.id]);
    await ada.flags.change([b.id], { hidden: true });
    const now = () => app.clock.now;
    const { id, failed } = await albumOfCollection(ada, lake.id, {}, now);
    assert.equal(failed, 0);
    const inAlbum = [...ada.index.rows()].filter(({ album }) => album === id);
    assert.deepEqual(inAlbum.map(({ metadata }) => metadata?.sha256), [
      a.metadata?.sha256,
    ]);
    assert.deepEqual(ada.collections.get(lake.id)?.assets, [b.id]);
    // Without hidden ones the collection has become the album.
    await ada.flags.change([b.id], { hidden: false });
    await albumOfCollection(ada, lake.id, {}, now);
    assert.equal(ada.collections.get(lake.id), undefined);
  });
});
