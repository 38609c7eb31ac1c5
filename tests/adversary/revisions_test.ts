/**
 * A photo whose owner and server want a member to go back to an earlier
 * manifest (protocol/client-cryptography.md#manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import { openManifest } from "../../src/client/documents/manifest.ts";
import type { Library, Row } from "../../src/library/mod.ts";
import { invite, seen, take, withCast } from "../support/album_cast.ts";

async function revisionOf(library: Library, row: Row): Promise<number> {
  const { account } = library.vault.session;
  const { stream } = await account.blob(row.id, row.head);
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return openManifest(bytes).revision;
}

Deno.test("each manifest of a photo has the next revision, on every device", async () => {
  await withCast(async ({ ada, bob, reopen }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    const { row } = await take(ada, "one", id);
    await invite(id, ada, "bob");
    await seen(bob, id);
    assert.equal(await revisionOf(ada, row), 0);
    const again = await reopen(ada);
    for (const revision of [1, 2, 3]) {
      const library = revision === 2 ? again : ada;
      await library.sync();
      const made = await library.amend(row.id, {
        about: { caption: `caption ${revision}` },
      });
      assert.equal(await revisionOf(ada, made), revision);
      await bob.sync();
      assert.equal(bob.index.get(row.id)?.revision, revision);
    }
  });
});

Deno.test("a manifest that is no later one than was seen is refused, though its owner signed it", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    const { row } = await take(ada, "one", id);
    await invite(id, ada, "bob");
    await seen(bob, id);
    const amend = (caption: string) =>
      ada.amend(row.id, { about: { caption } });
    await amend("first");
    await amend("second");
    await bob.sync();
    const before = bob.index.get(row.id);
    assert.equal(before?.metadata?.caption, "second");
    // A program of the owner's that counts from what it likes.
    for (const revision of [0, 1]) {
      const held = ada.index.get(row.id);
      assert(held !== undefined);
      ada.index.put({ ...held, revision });
      await amend(`again ${revision}`);
      await bob.sync();
      const now = bob.index.get(row.id);
      assert.match(now?.fault ?? "", /no later one than was seen/);
      assert.equal(now?.metadata?.caption, "second");
    }
    const held = ada.index.get(row.id);
    assert(held !== undefined);
    ada.index.put({ ...held, revision: 2 });
    await amend("third");
    await bob.sync();
    const now = bob.index.get(row.id);
    assert.equal(now?.metadata?.caption, "third");
    assert.equal(now.fault, undefined);
  });
});
