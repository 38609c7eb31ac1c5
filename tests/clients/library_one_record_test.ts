/**
 * One record that cannot be read costs that record, and no other.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
} from "../../src/library/mod.ts";
import { blobOf } from "../../src/library/rows/rows.ts";
import { withTestApp } from "../support/app.ts";
import {
  idOf,
  invite,
  seen,
  take as takeInto,
  withCast,
} from "../support/album_cast.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";
import { blobFile } from "../support/storage.ts";

const namesOf = (library: Library) =>
  library.list().map(({ metadata }) => metadata?.name).sort();

/** Rewrites the assets of every answer to a query of many. */
function rewriteAssets(
  wire: Wire,
  // deno-lint-ignore no-explicit-any -- whatever a server may send
  change: (assets: any[]) => unknown[],
): void {
  wire.intercept = (request, pass) =>
    request.url.endsWith("/assets/query")
      ? pass(request).then(async (answer) => {
        const json = await answer.json();
        return Response.json({ ...json, assets: change(json.assets) });
      })
      : undefined;
}

Deno.test("an album's owner throws one photo away, and a member's new device reads all the others", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    const { row: thrown } = await takeInto(ada, "thrown", id);
    await takeInto(ada, "kept", id);
    assert.deepEqual(await seen(bob, id), ["kept", "thrown"]);
    await ada.trash(thrown.id);

    // Of those who saw it before, of a new device, and of one by 24 words.
    assert.deepEqual(await seen(bob, id), ["kept"]);
    assert.deepEqual(bob.trashed(), []);
    const phone = await secondDevice(wire, bob, "bob");
    assert.deepEqual(namesOf(phone), ["kept.jpg"]);
    assert.deepEqual([phone.trashed(), phone.unopened()], [[], []]);
    const words = "a sentence that nobody guesses";
    await bob.vault.escrow({ label: PHRASE_LABEL, passphrase: words });
    const tablet = deviceOf(wire, "tablet");
    const recovered = await openLibrary(
      await recoverVault(await enter(tablet, "bob"), words),
      tablet.store,
    );
    await recovered.sync();
    assert.deepEqual(namesOf(recovered), ["kept.jpg"]);
    const { outcome } = await recovered.take(fileOf("mine.jpg", photo("mine")));
    assert.equal(outcome, "kept");

    // It comes back for everybody as soon as it is restored.
    await ada.restore(thrown.id);
    assert.deepEqual(await seen(phone, id), ["kept", "thrown"]);
  });
});

Deno.test("members' photos that an album's owner deletes stay in the owner's trash alone", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    const { row } = await takeInto(bob, "of bob", id);
    await seen(ada, id);
    await ada.trash(row.id);
    await ada.sync();
    assert.deepEqual(ada.trashed().map((one) => one.id), [row.id]);
    await ada.restore(row.id);
    assert.deepEqual(await seen(bob, id), ["of bob"]);
  });
});

Deno.test("one damaged metadata blob is told of, and everything else is read", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const broken = await take(laptop, "broken");
    await take(laptop, "whole");
    const blob = blobOf(broken, "metadata")?.hash ?? "";
    const path = blobFile(app, blob);
    const bytes = await Deno.readFile(path);
    await Deno.truncate(path, 3);

    const phone = await secondDevice(wire, laptop, "ada");
    assert.deepEqual(namesOf(phone), ["whole.jpg"]);
    const [row] = phone.unopened();
    assert.equal(row?.id, broken.id);
    assert.match(row?.fault ?? "", /the server does not have its metadata/);
    const { outcome } = await phone.take(fileOf("new.jpg", photo("new")));
    assert.equal(outcome, "kept");

    // It is asked for again, but not at every moment.
    await phone.sync();
    await Deno.writeFile(path, bytes);
    await phone.sync();
    assert.equal(phone.unopened().length, 1);
    app.clock.advance(301_000);
    await phone.sync();
    assert.deepEqual(phone.unopened(), []);
    assert.deepEqual(namesOf(phone), ["broken.jpg", "new.jpg", "whole.jpg"]);
  }, { blobs: "directory" });
});

Deno.test("an asset that no parser takes, one that was not asked for and one that is too large cost no other", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const rows = [];
    for (const name of ["a", "b", "c", "d"]) {
      rows.push(await take(laptop, name));
    }
    const [a, b, c] = rows;
    rewriteAssets(wire, (assets) => [
      { asset_id: "../../etc/passwd", owner: null },
      ...assets.map((asset) => {
        if (asset.asset_id === a?.id) asset.created_at = "23:59:60";
        if (asset.asset_id === b?.id) asset.metadata = "AAAA";
        if (asset.asset_id === c?.id) {
          delete asset.metadata;
          for (const blob of asset.blobs) blob.size = 4_200 * 1024 * 1024;
        }
        return asset;
      }),
      { ...assets[0], asset_id: "01890000-0000-7000-8000-000000000001" },
    ]);
    const sent = wire.sent.length;
    const phone = await secondDevice(wire, laptop, "ada");
    // What did not parse is asked for by itself only if it was held before.
    assert.deepEqual(namesOf(phone), ["d.jpg"]);
    assert.deepEqual(
      phone.unopened().map(({ id }) => id).sort(),
      [b?.id, c?.id].sort(),
    );
    assert.ok(
      wire.sent.slice(sent).every((one) => !one.includes(`${c?.id}/blobs`)),
    );
    assert.equal(phone.index.size, 3);
  });
});

Deno.test("an own photo that one answer leaves out is not forgotten, and one that the server denies is missing until it has it again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    const phone = await secondDevice(wire, laptop, "ada");
    await phone.amend(row.id, { about: { caption: "new" } });
    rewriteAssets(wire, () => []);
    const report = await laptop.sync();
    assert.deepEqual(report.missing, []);
    assert.equal(laptop.index.get(row.id)?.metadata?.caption, "new");

    await phone.amend(row.id, { about: { caption: "newer" } });
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/assets/query")) {
        return Promise.resolve(Response.json({ assets: [] }));
      }
      if (pathname !== `/v1/assets/${row.id}`) return undefined;
      const lie = new Request(
        `${new URL(request.url).origin}/v1/assets/${row.id.replace(/.$/, "0")}`,
        request,
      );
      return pass(lie);
    };
    assert.deepEqual((await laptop.sync()).missing, [row.id]);
    assert.equal(laptop.index.get(row.id)?.state, "missing");
    assert.equal(laptop.index.get(row.id)?.metadata?.name, "1.jpg");
    wire.intercept = undefined;
    app.clock.advance(61_000);
    await laptop.sync();
    assert.equal(laptop.index.get(row.id)?.state, "live");
    assert.equal(laptop.index.get(row.id)?.metadata?.caption, "newer");
  });
});

Deno.test("a device that moved a photo after another one had changed it reads the change, and can change it again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    const phone = await secondDevice(wire, laptop, "ada");
    await phone.amend(row.id, { about: { caption: "of the phone" } });
    // The laptop does not follow the feed in between.
    await laptop.trash(row.id);
    await laptop.restore(row.id);
    await laptop.sync();
    const now = laptop.index.get(row.id);
    assert.equal(now?.metadata?.caption, "of the phone");
    await laptop.amend(row.id, { about: { caption: "of the laptop" } });
    await phone.sync();
    assert.equal(
      phone.index.get(row.id)?.metadata?.caption,
      "of the laptop",
    );
    // A row that was left behind is put right by its first change.
    const { seq } = await phone.amend(row.id, { about: { caption: "again" } });
    if (now !== undefined) laptop.index.put({ ...now, head: row.head, seq });
    const change = () =>
      laptop.amend(row.id, { about: { caption: "at last" } });
    await assert.rejects(change(), { code: "error.asset.stale_revival" });
    assert.equal((await change()).metadata?.caption, "at last");
  });
});

Deno.test("a photo whose metadata came damaged once is opened again, and its bytes are not stored twice", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    rewriteAssets(
      wire,
      (assets) => assets.map((asset) => ({ ...asset, metadata: "AAAA" })),
    );
    const phone = await secondDevice(wire, laptop, "ada");
    assert.equal(phone.unopened().length, 1);
    wire.intercept = undefined;
    // Without a sync between, and before it is due.
    const kept = await phone.take(fileOf("1.jpg", photo("1")));
    assert.deepEqual([kept.outcome, kept.row.id], ["known", row.id]);
  });
});

Deno.test("two devices that take the same files at once end with each of them once", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    // Neither follows the feed in between.
    for (const name of ["a", "b"]) await take(laptop, name);
    for (const name of ["b", "a", "c"]) await take(phone, name);
    for (const library of [laptop, phone, laptop]) await library.sync();
    for (const library of [laptop, phone]) {
      assert.deepEqual(namesOf(library), ["a.jpg", "b.jpg", "c.jpg"]);
      // To the trash, never for ever.
      assert.equal(library.trashed().length, 2);
    }
    assert.equal(idOf(laptop), idOf(phone));
  });
});

Deno.test("of two copies that were stored at once the later stays if it was marked or has what the other lacks", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    for (const name of ["marked", "video"]) await take(laptop, name);
    const marked = await take(phone, "marked");
    await phone.flags.change([marked.id], { favourite: true });
    await take(phone, "video", {
      derivatives: [{
        kind: "motion",
        mime: "video/quicktime",
        bytes: photo("the video"),
      }],
    });
    for (const library of [laptop, phone, laptop]) await library.sync();
    assert.deepEqual(laptop.trashed(), []);
    assert.equal(laptop.list().length, 4);
  });
});
