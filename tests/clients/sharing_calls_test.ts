/**
 * The calls of the web app about links, in front of a real library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { shareBothWays } from "../../src/library/sharing/both_ways.ts";
import type { Library } from "../../src/library/mod.ts";
import { invite, take, withCast } from "../support/album_cast.ts";

/** What these tests call. The module itself wants the types of a browser. */
interface Calls {
  share(wish: Readonly<Record<string, unknown>>): Promise<{ opaqueId: string }>;
  requests(): Promise<readonly unknown[]>;
  shareable(
    ids: readonly string[],
    list: { readonly kind: "album"; readonly id: string },
  ): { readonly othersAdd: boolean };
}

const CALLS = new URL(
  "../../src/web/workers/library/sharing/sharing_calls.ts",
  import.meta.url,
);
const { sharingCalls }: { sharingCalls(vault: unknown): Calls } = await import(
  CALLS.href
);

/** What of the vault the calls of these tests use. */
const callsOf = (library: Library) =>
  sharingCalls({
    opened: () => library,
    view: () => ({ isShut: () => false }),
  });

Deno.test("the page that makes a link gets its address alone, and nothing of the index that holds its keys", async () => {
  await withCast(async ({ ada }) => {
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    const { row } = await take(ada, "a", albumId);
    const wish = {
      assetIds: [row.id],
      title: "",
      message: "",
      from: "",
      withPlaces: false,
    } as const;
    const list = { kind: "album", id: albumId } as const;
    for (const more of [{}, { list }, { list, takesMore: true }]) {
      const made = await callsOf(ada).share({ ...wish, ...more });
      assert.deepEqual(Object.keys(made).toSorted(), ["opaqueId", "url"]);
    }
  });
});

Deno.test("an upload half that outlives its link is among the links that ask for photos", async () => {
  await withCast(async ({ ada }) => {
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    const { row } = await take(ada, "a", albumId);
    const { opaqueId } = await shareBothWays(ada, {
      assetIds: [row.id],
      follows: `album/${albumId}`,
      gives: {},
    });
    const { requests } = callsOf(ada);
    assert.deepEqual(await requests(), []);
    // As a program did that was interrupted in between.
    await ada.vault.session.account.revokeShare(opaqueId);
    assert.equal((await requests()).length, 1);
  });
});

Deno.test("who makes a link of an album is told whether others can add to it", async () => {
  await withCast(async ({ ada }) => {
    const { id } = await ada.albums.create({ title: "Lake" });
    const othersAdd = () =>
      callsOf(ada).shareable([], { kind: "album", id }).othersAdd;
    assert.equal(othersAdd(), false);
    await invite(id, ada, "bob", "viewer");
    assert.equal(othersAdd(), false);
    await invite(id, ada, "eve");
    assert.equal(othersAdd(), true);
  });
});
