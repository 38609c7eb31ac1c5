/**
 * The calls of the web app about the members of albums, in front of a real
 * library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fillRules, withFillRule } from "../../src/library/albums/filling.ts";
import {
  timelineAlbums,
  withTimelineAlbum,
} from "../../src/library/albums/timeline_albums.ts";
import type { Library } from "../../src/library/mod.ts";
import { idOf, invite, seen, take, withCast } from "../support/album_cast.ts";

/** What these tests call. The module itself wants the types of a browser. */
interface Calls {
  leave(id: string, along?: boolean): Promise<number>;
}

const CALLS = new URL(
  "../../src/web/workers/library/albums/member_calls.ts",
  import.meta.url,
);
const { memberCalls }: {
  memberCalls(vault: unknown, changes: unknown): Calls;
} = await import(CALLS.href);

/** What of the vault the call of these tests uses. */
const callsOf = (library: Library) =>
  memberCalls({
    opened: () => library,
    changed: () => {},
    signedIn: () => library.vault.session,
    platform: library.vault.session.platform,
  }, {});

for (const isAlong of [true, false]) {
  Deno.test(
    `who leaves an album in the app ${
      isAlong ? "takes their own photos along" : "leaves their own photos there"
    }, fills it no more, and this device keeps none of the others' photos`,
    async () => {
      await withCast(async ({ ada, bob }) => {
        const { id } = await ada.albums.create({ title: "Family" });
        await invite(id, ada, "bob");
        await bob.sync();
        await bob.albums.accept(id);
        await take(ada, "of ada", id);
        await take(bob, "of bob", id);
        await bob.state.change((held) => {
          const rule = { persons: [], places: ["PT"] };
          const filled = withFillRule(held.settings, id, rule, 1_000);
          const settings = withTimelineAlbum(filled, id, true, 1_000);
          return { ...held, settings };
        });
        assert.deepEqual(await seen(bob, id), ["of ada", "of bob"]);

        assert.equal(await callsOf(bob).leave(id, isAlong), 0);
        const owners = [...bob.index.rows()].map(({ owner }) => owner);
        assert.deepEqual(new Set(owners), new Set([idOf(bob)]));
        const { libraryAlbumId } = bob.vault;
        const own = bob.list().filter(({ album }) => album === libraryAlbumId)
          .map(({ metadata }) => metadata?.name);
        assert.deepEqual(own, isAlong ? ["of bob.jpg"] : []);
        const left = isAlong ? ["of ada"] : ["of ada", "of bob"];
        assert.deepEqual(await seen(ada, id), left);
        const { settings } = bob.state.held;
        assert.equal(fillRules(settings).has(id), false);
        assert.equal(timelineAlbums(settings).has(id), false);
        await bob.sync();
        assert.equal(bob.albums.get(id), undefined);
      });
    },
  );
}
