/**
 * Saving what a share link shows to another account's library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { parseShareLink } from "../../src/client/documents/share.ts";
import { saveShared } from "../../src/library/sharing/saving_shared.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { photo, take } from "../support/library_sharing.ts";

function linkOf(url: string) {
  const link = parseShareLink(url);
  assert.ok(link);
  return link;
}

Deno.test("what a link shows is saved once, with its caption and date, and stays when the link ends", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const file = fileOf("a.jpg", photo("a"));
    const { row: a } = await ada.take({
      ...file,
      about: {
        ...file.about,
        taken_at: "2024-06-01T10:00:00Z",
        caption: "The pier",
      },
    });
    const b = await take(ada, "b");
    const { url, opaqueId } = await ada.share({ assetIds: [a.id, b.id] });
    const link = linkOf(url);
    assert.deepEqual(
      await saveShared(bob, link),
      { kept: 2, known: 0, failed: 0 },
    );
    assert.deepEqual(
      await saveShared(bob, link),
      { kept: 0, known: 2, failed: 0 },
    );
    await ada.revokeShare(opaqueId);
    await assert.rejects(saveShared(bob, link), { status: 404 });
    await bob.sync();
    const saved = bob.list().find(({ metadata }) => metadata?.name === "a.jpg");
    assert.equal(saved?.metadata?.caption, "The pier");
    assert.match(saved?.metadata?.taken_at ?? "", /^2024-06-01T10:00:00/);
    assert.equal(saved?.owner, bob.vault.session.userId);
    assert.deepEqual(await wholeOf(bob.read(saved?.id ?? "")), photo("a"));
  });
});

Deno.test("a link of another server, or one that was cut off, is not asked for; a wrong passphrase saves nothing", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(ada, "a");
    const passphrase = "lake and boats";
    const { url } = await ada.share({ assetIds: [id], passphrase });
    const link = linkOf(url);
    const { secret: _, ...cut } = link;
    for (const one of [{ ...link, origin: "https://b.example" }, cut]) {
      await assert.rejects(saveShared(ada, one), { name: "DocumentError" });
    }
    await assert.rejects(
      saveShared(ada, { ...link, passphrase: "lake or boats" }),
      { name: "EscrowError" },
    );
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const { kept } = await saveShared(bob, { ...link, passphrase });
    assert.equal(kept, 1);
  });
});
