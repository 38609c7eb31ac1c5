/**
 * The library that programs for people share, over the real application: from
 * an account to a link that a stranger opens.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  memoryStore,
  openLibrary,
  openVault,
  PHRASE_LABEL,
  plainOf,
  recoverVault,
  resumeSession,
  SPACES,
  StoreError,
} from "../../src/library/mod.ts";
import {
  decodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import { createViewer } from "../../src/client/api/links.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext, uuidOf } from "../support/people.ts";

const PHRASE = "a phrase that nobody guesses";

Deno.test("what one device takes in, another of the same account lists and reads back", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const photo = ciphertext("a photo", 200_000);
    const thumbnail = ciphertext("its thumbnail", 3_000);
    const kept = await library.take({
      source: plainOf(photo),
      about: {
        name: "walk.jpg",
        mime: "image/jpeg",
        taken_at: "2026-06-01T10:00:00Z",
      },
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 512,
        height: 384,
        bytes: thumbnail,
      }],
    });
    assert.equal(kept.outcome, "kept");
    assert.equal(kept.row.custody, "receipted");
    assert.equal((await library.custody.held()).length, 4);
    await library.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });

    const phone = deviceOf(wire, "phone");
    const session = await enter(phone, "ada");
    await assert.rejects(openVault(session), { fault: "locked" });
    const vault = await recoverVault(session, PHRASE);
    const other = await openLibrary(vault, phone.store);
    const report = await other.sync();
    assert.deepEqual(report.changed, [kept.row.id]);
    const [row] = other.list();
    assert.equal(row?.metadata?.name, "walk.jpg");
    assert.deepEqual(await wholeOf(other.read(kept.row.id)), photo);
    assert.deepEqual(
      await wholeOf(other.read(kept.row.id, { derivative: "thumbnail" })),
      thumbnail,
    );
    assert.deepEqual(
      await other.range(kept.row.id, { first: 65_530, last: 140_000 }),
      photo.slice(65_530, 140_001),
    );
    const video = await other.ranges(kept.row.id);
    assert.equal(video.size, photo.length);
    const before = wire.sent.length;
    const last = photo.length - 1;
    for (const first of [0, 70_000, last]) {
      assert.deepEqual(await video.read({ first, last }), photo.slice(first));
    }
    // One request a range, and one for what opens all of them.
    assert.equal(wire.sent.length - before, 4);
  });
});

Deno.test("a part of a blob whose size is not the manifest's is refused", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const photo = ciphertext("a photo", 200_000);
    const { row } = await library.take(fileOf("a.jpg", photo));
    const video = await library.ranges(row.id);
    let isLying = true;
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      const range = answer.headers.get("Content-Range");
      if (range === null || !isLying) return answer;
      const headers = new Headers(answer.headers);
      headers.set("Content-Range", range.replace(/\d+$/, (size) => `${size}0`));
      return new Response(answer.body, { status: answer.status, headers });
    };
    const part = { first: 70_000, last: 80_000 };
    await assert.rejects(video.read(part), /another size was served/);
    isLying = false;
    assert.deepEqual(await video.read(part), photo.slice(70_000, 80_001));
  });
});

Deno.test("what the library has already is not sent again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const photo = ciphertext("a photo", 5_000);
    const first = await library.take(fileOf("a.jpg", photo));
    await library.vault.session.settled();

    const again = await resumeSession(laptop.platform, laptop.entrance);
    const reopened = await openLibrary(await openVault(again), laptop.store);
    await reopened.sync();
    const before = wire.sent.length;
    const second = await reopened.take(fileOf("copy of a.jpg", photo));
    assert.equal(second.outcome, "known");
    assert.equal(second.row.id, first.row.id);
    assert.deepEqual(wire.sent.slice(before), []);
  });
});

Deno.test("a link to chosen photos opens for a stranger, and its owner sees it again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const photos = [ciphertext("one", 70_000), ciphertext("two", 100)];
    const ids = [];
    for (const [i, photo] of photos.entries()) {
      ids.push((await library.take(fileOf(`${i}.jpg`, photo))).row.id);
    }
    const made = await library.share({ assetIds: ids, title: "The walk" });

    const link = parseShareLink(made.url);
    assert.ok(link?.secret !== undefined);
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    const read = async (hash: string, key: Uint8Array) => {
      const { stream } = await viewer.sharedBlob(link.opaqueId, hash);
      const blob = new Uint8Array(await new Response(stream).arrayBuffer());
      return await decryptBytes({ fileKey: key }, blob);
    };
    const { metadata_hash: hash } = await viewer.viewShare(link.opaqueId);
    const index = decodeShareIndex(await read(hash, link.secret));
    assert.equal(index.title, "The walk");
    for (const [i, item] of index.items.entries()) {
      assert.deepEqual(await read(item.hash, item.key), photos[i]);
    }
    // The index is no photo of a gallery's.
    assert.equal(library.list().length, 2);
    await library.sync();
    assert.equal(library.list().length, 2);
    const [shown] = await library.shares();
    assert.equal(shown?.url, made.url);
    await library.revokeShare(link.opaqueId);
    assert.deepEqual(await library.shares(), []);
    await assert.rejects(viewer.viewShare(link.opaqueId));
  });
});

Deno.test("what goes to the trash comes back, or ends for good on every device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const photo = ciphertext(name, 100);
      ids.push((await library.take(fileOf(`${name}.jpg`, photo))).row.id);
    }
    const [a = "", b = "", c = ""] = ids;
    const session = await resumeSession(laptop.platform, laptop.entrance);
    const phone = memoryStore();
    const other = await openLibrary(await openVault(session), phone);
    await other.sync();
    for (const id of ids) await library.trash(id);
    assert.deepEqual(library.list(), []);
    await library.restore(a);
    await other.sync();
    assert.deepEqual(other.list().map(({ id }) => id), [a]);
    assert.equal(other.trashed().length, 2);
    await library.purge(b);
    const emptied = await library.emptyTrash();
    assert.equal(emptied.assets, 1);
    await other.sync();
    for (const one of [library, other]) {
      assert.deepEqual(one.trashed(), []);
      assert.equal(one.index.get(b), undefined);
      assert.equal(one.index.get(c), undefined);
      assert.equal(one.index.size, 1);
    }
    // What was deleted for good may be taken in again.
    const again = await library.take(fileOf("b.jpg", ciphertext("b", 100)));
    assert.equal(again.outcome, "kept");
  });
});

Deno.test("what lies on this device's disk tells a thief nothing, and what was changed or moved there is refused", async () => {
  await withTestApp(async (app) => {
    const laptop = deviceOf(wireTo(app), "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.albums.create({ title: "Secret garden" });
    await library.take(fileOf("walk.jpg", ciphertext("a photo", 100)));
    await library.sync();
    const { store } = laptop;
    const decoder = new TextDecoder();
    for (const space of SPACES) {
      for (const { value } of await store.list(space)) {
        const text = decoder.decode(value);
        assert.ok(!/walk|garden/.test(text), space);
        // Receipts alone may be read: they are the server's own words.
        assert.ok(space === "receipts" || !/[0-9a-f]{32}/.test(text), space);
      }
    }
    const again = async () => {
      const session = await resumeSession(laptop.platform, laptop.entrance);
      const vault = await openVault(session);
      return await openLibrary(vault, store);
    };
    assert.equal((await again()).list().length, 1);
    const [page] = await store.list("index", { after: "page" });
    assert.ok(page !== undefined);
    const { key, value } = page;
    const changed = new Uint8Array(value);
    changed[20] = 1 ^ (changed[20] ?? 0);
    await store.write([{ space: "index", key, value: changed }]);
    await assert.rejects(again(), StoreError);
    await store.write([
      { space: "index", key, value: null },
      { space: "index", key: "page/0000000000000009", value },
    ]);
    await assert.rejects(again(), StoreError);
  });
});

Deno.test("a page of the feed costs two of the requests that the server counts, for assets of any author; a new device's first one costs three", async () => {
  for (
    const [others, isNew, requests] of [
      [0, true, 3],
      [0, false, 2],
      [300, false, 2],
      [499, false, 2],
      [1_000, false, 2],
    ] as const
  ) {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      if (!isNew) await library.take(fileOf("walk.jpg", new Uint8Array([1])));
      wire.intercept = (request, pass) =>
        new URL(request.url).pathname === "/v1/sync"
          ? pass(request).then((answer) => withManyEntries(answer, others))
          : undefined;
      wire.sent.length = 0;
      await library.sync();
      const asked = wire.sent.filter((one) => one === "POST /v1/assets/query");
      assert.equal(asked.length, requests);
    });
  }
});

/** The answer, as if it told of a thousand assets, some in others' albums. */
async function withManyEntries(
  answer: Response,
  others: number,
): Promise<Response> {
  const page: Record<string, unknown> = await answer.json();
  const entries = Array.from({ length: 1_000 }, (_, i) => ({
    sync_seq: i + 1,
    action: "create",
    ...i < others ? { album_id: uuidOf("an album of bob's") } : {},
    asset_id: uuidOf(`asset ${i}`),
    chain_head: "ab".repeat(32),
    at: "2026-11-22T10:00:00Z",
  }));
  return Response.json({ ...page, entries });
}
