/**
 * What the server lost or damaged of a photo is given back by whoever has the
 * file, and the photo stays what it was.
 *
 * @module
 */
import assert from "node:assert/strict";
import { healFromCopies } from "../../src/library/care/other_copies.ts";
import { sealGuestFile } from "../../src/client/documents/documents.ts";
import { openUploadLink } from "../../src/library/sharing/guest_delivery.ts";
import { createGuest, createViewer } from "../../src/client/api/links.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { invite, seen, withCast } from "../support/album_cast.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  platformOn,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";
import { check, namesOf } from "../support/check.ts";
import { ciphertext } from "../support/people.ts";
import { damageBlob, writeBlob } from "../support/storage.ts";

Deno.test("a photo whose blobs the server lost is healed from the file, and keeps its caption, marks and lists", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const derivatives = [{
      kind: "thumbnail",
      mime: "image/jpeg",
      width: 9,
      height: 9,
      bytes: photo("small"),
    }];
    for (const lost of ["original", "derivative", "metadata"] as const) {
      const row = await take(laptop, lost, { derivatives });
      await laptop.amend(row.id, { about: { caption: "At the gate" } });
      await laptop.flags.change([row.id], { favourite: true });
      const now = laptop.index.get(row.id);
      const blob = now?.blobs.find(({ role }) => role === lost);
      await damageBlob(app, blob?.hash ?? "", "a missing file");
      const phone = await secondDevice(wire, laptop, "ada", `phone ${lost}`);
      if (lost !== "metadata") {
        assert.deepEqual((await phone.confirm()).missing, [row.id]);
      }
      assert.deepEqual((await laptop.confirm()).missing, [row.id]);

      const { outcome, row: healed } = await laptop.take({
        ...fileOf(`${lost}.jpg`, photo(lost)),
        derivatives,
      });
      assert.deepEqual([outcome, healed.id], ["kept", row.id]);
      assert.equal(healed.metadata?.caption, "At the gate");
      assert.ok(laptop.flags.of(healed).favourite);
      assert.deepEqual((await laptop.confirm({ deep: true })).missing, []);
      assert.deepEqual((await laptop.receipts({ all: true })).without, []);
      await phone.sync();
      assert.deepEqual((await phone.confirm()).missing, []);
      assert.deepEqual(await wholeOf(phone.read(row.id)), photo(lost));
      assert.deepEqual(
        await wholeOf(phone.read(row.id, { derivative: "thumbnail" })),
        photo("small"),
      );
      const again = await laptop.take(fileOf(`${lost}.jpg`, photo(lost)));
      assert.equal(again.outcome, "known");
    }
    assert.equal(laptop.list().length, 3);
    assert.deepEqual(laptop.trashed(), []);
  });
});

Deno.test("a healed photo has the very blobs that it had: links, albums and other people's copies have them again", async () => {
  await withCast(async ({ app, wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await seen(bob, id);
    const thumbnail = (word: string) => [{
      kind: "thumbnail",
      mime: "image/jpeg",
      width: 9,
      height: 9,
      bytes: photo(word),
    }];
    const derivatives = thumbnail("small");
    const large = fileOf("large.jpg", ciphertext("large", 150_000));
    const { row } = await ada.take({ ...large, derivatives });
    const { row: copy } = await ada.copyInto(row.id, id);
    await bob.sync();
    const { row: bobs } = await bob.copyInto(copy.id, bob.vault.libraryAlbumId);
    const link = await ada.share({ assetIds: [row.id] });
    const phone = await secondDevice(wire, ada, "ada");
    const lost = row.blobs.filter(({ role }) =>
      role === "original" || role === "derivative"
    );
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    // Another device can make them, too.
    for (
      const [by, damage] of [
        [ada, "a missing file"],
        [phone, "a flipped byte"],
      ] as const
    ) {
      for (const { hash } of lost) await damageBlob(app, hash, damage);
      await by.confirm({ deep: true });
      const kept = await by.take({ ...large, derivatives });
      assert.deepEqual([kept.isBack, kept.unreached], [true, undefined]);
      assert.deepEqual(kept.row.blobs, row.blobs);
      assert.equal(kept.row.head, row.head);
      for (const library of [ada, bob, phone]) {
        await library.sync();
        const { missing, damaged } = await library.confirm({ deep: true });
        assert.deepEqual([missing, damaged], [[], []]);
        const own = library === bob ? bobs.id : row.id;
        assert.deepEqual(
          (await library.readBack({ assetIds: [own] })).damaged,
          [],
        );
        assert.deepEqual(
          await wholeOf(library.read(own, { derivative: "thumbnail" })),
          photo("small"),
        );
      }
      for (const { hash } of lost) {
        await viewer.sharedBlob(link.opaqueId, hash).then(({ stream }) =>
          stream.cancel()
        );
      }
      assert.deepEqual((await ada.receipts({ all: true })).without, []);
      assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    }
  });
});

Deno.test("a link shows a photo whose preview was made again in another way, and one that cannot be changed is named", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const thumbnail = (word: string) => [{
      kind: "thumbnail",
      mime: "image/jpeg",
      width: 9,
      height: 9,
      bytes: photo(word),
    }];
    const row = await take(laptop, "1", { derivatives: thumbnail("small") });
    const given = await laptop.share({ assetIds: [row.id], title: "given" });
    const broken = await laptop.share({ assetIds: [row.id], title: "broken" });
    const index = laptop.index.get(broken.row.id) ?? broken.row;
    for (const { hash, role } of [...row.blobs, ...index.blobs]) {
      const isLost = role === "derivative" ||
        index.blobs.some((one) => one.hash === hash && role === "original");
      if (isLost) await damageBlob(app, hash, "a missing file");
    }
    await laptop.confirm();
    const kept = await laptop.take({
      ...fileOf("1.jpg", photo("1")),
      derivatives: thumbnail("small, but otherwise"),
    });
    assert.deepEqual(kept.unreached, ["broken"]);
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
    const now = kept.row.metadata?.derivatives[0]?.hash ?? "";
    const { stream } = await viewer.sharedBlob(given.opaqueId, now);
    assert.ok((await new Response(stream).bytes()).length > 3_000);
    await laptop.revokeShare(broken.opaqueId);
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    assert.deepEqual((await laptop.confirm({ deep: true })).missing, []);
  });
});

Deno.test("of a file that another program sent under a salt of its own, the very blob is given back as long as its beginning is there", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url, opaqueId } = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
    });
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const { recipientKey, binding } = await openUploadLink(camera, url);
    const bytes = photo("1");
    const key = camera.random(32);
    const blob = await encryptBytes({ fileKey: key }, camera.random(16), bytes);
    const guest = createGuest({ baseUrl: ORIGIN, fetch: wire.fetch }, opaqueId);
    const hash = sha256Hex(blob);
    const upload = await guest.createUpload({
      hash,
      size: blob.length,
      sealedMetadata: sealGuestFile(
        { v: 1, name: "1.jpg", mime: "image/jpeg", key, size: bytes.length },
        recipientKey,
        binding,
        camera.random,
      ),
    });
    await guest.putUpload(upload.upload_id, blob);
    const [waiting] = await ada.inbox();
    const { row } = await ada.accept(opaqueId, waiting?.uploadId ?? "");
    const link = await ada.share({ assetIds: [row.id], title: "given" });
    const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });

    const spoiled = blob.slice();
    spoiled[100] = (spoiled[100] ?? 0) ^ 1;
    await writeBlob(app, hash, spoiled);
    await ada.confirm({ deep: true });
    const again = await ada.take(fileOf("1.jpg", bytes));
    assert.deepEqual([again.isBack, again.row.head], [true, row.head]);
    const { stream } = await viewer.sharedBlob(link.opaqueId, hash);
    assert.deepEqual(await new Response(stream).bytes(), blob);

    // Without its beginning it is stored under another address.
    await damageBlob(app, hash, "a missing file");
    await ada.confirm();
    const anew = await ada.take(fileOf("1.jpg", bytes));
    assert.deepEqual([anew.isBack, anew.row.id], [true, row.id]);
    assert.deepEqual(anew.unreached, []);
    const { items } = await ada.shareContents(link.opaqueId);
    assert.notEqual(items[0]?.hash, hash);
    await viewer.sharedBlob(link.opaqueId, items[0]?.hash ?? "")
      .then(({ stream }) => stream.cancel());
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    assert.deepEqual((await ada.confirm({ deep: true })).missing, []);
  });
});

Deno.test("a photo that the server lost with its copies in albums is back in all of them by one file", async () => {
  await withTestApp(async (app) => {
    const laptop = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const row = await take(laptop, "1");
    const albums = [];
    for (const title of ["Summer", "Best"]) {
      const { id } = await laptop.albums.create({ title });
      await laptop.copyInto(row.id, id);
      albums.push(id);
    }
    for (const { hash } of row.blobs) {
      await damageBlob(app, hash, "a missing file");
    }
    assert.equal((await laptop.confirm()).missing.length, 3);
    const { rows } = await laptop.lossReport();
    assert.deepEqual(rows.map(({ fault }) => fault), Array(3).fill("missing"));

    const file = fileOf("1.jpg", photo("1"));
    const { isBack, row: healed } = await laptop.take(file);
    assert.deepEqual([isBack, healed.id], [true, row.id]);
    assert.deepEqual((await laptop.confirm({ deep: true })).missing, []);
    assert.deepEqual((await laptop.lossReport()).rows, []);
    await laptop.sync();
    for (const album of albums) {
      const [copy, ...more] = laptop.list()
        .filter((one) => one.album === album);
      assert.deepEqual(more, []);
      assert.deepEqual(await wholeOf(laptop.read(copy?.id ?? "")), photo("1"));
    }
    assert.equal((await laptop.take(file)).isBack, undefined);
  });
});

Deno.test("a live photo that is healed from its still alone keeps its video", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1", {
      derivatives: [
        { kind: "thumbnail", mime: "image/jpeg", bytes: photo("small") },
        { kind: "motion", mime: "video/mp4", bytes: photo("film") },
      ],
    });
    const original = row.blobs.find(({ role }) => role === "original");
    await damageBlob(app, original?.hash ?? "", "a missing file");
    await laptop.confirm();
    await laptop.take({
      ...fileOf("1.jpg", photo("1")),
      derivatives: [
        { kind: "thumbnail", mime: "image/jpeg", bytes: photo("small 2") },
      ],
    });
    const phone = await secondDevice(wire, laptop, "ada");
    assert.deepEqual((await phone.confirm({ deep: true })).missing, []);
    for (const library of [laptop, phone]) {
      assert.deepEqual(
        await wholeOf(library.read(row.id, { derivative: "motion" })),
        photo("film"),
      );
    }
  });
});

Deno.test("a photo that the server lost is healed from a copy in an album that has blobs of its own, without the file", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const album = await laptop.albums.create({ title: "Summer" });
    const thumbnail = (word: string) => [{
      kind: "thumbnail" as const,
      mime: "image/jpeg",
      bytes: photo(word),
    }];
    const file = fileOf("1.jpg", photo("1"));
    const { row } = await laptop.take({
      ...file,
      derivatives: thumbnail("small"),
    });
    await laptop.amend(row.id, { about: { caption: "At the gate" } });
    await laptop.flags.change([row.id], { favourite: true });
    const { row: copy } = await laptop.take(
      { ...file, derivatives: thumbnail("small too") },
      { albumId: album.id },
    );
    const lose = (id: string, role: string) => {
      const { blobs = [] } = laptop.index.get(id) ?? {};
      const hash = blobs.find((one) => one.role === role)?.hash ?? "";
      return damageBlob(app, hash, "a missing file");
    };
    for (const role of ["original", "derivative"]) {
      await lose(row.id, role);
      assert.deepEqual((await laptop.confirm()).missing, [row.id]);
      const healed = await healFromCopies(laptop);
      assert.deepEqual(
        healed.map(({ id, from }) => [id, from.id]),
        [[row.id, copy.id]],
      );
      const phone = await secondDevice(wire, laptop, "ada", `phone ${role}`);
      assert.deepEqual((await phone.confirm({ deep: true })).missing, []);
      const now = phone.index.get(row.id);
      assert.equal(now?.metadata?.caption, "At the gate");
      assert.ok(now !== undefined && phone.flags.of(now).favourite);
      assert.deepEqual(await wholeOf(phone.read(row.id)), photo("1"));
    }
    // Where the copy is lost as well, both wait for the file.
    await lose(row.id, "original");
    await lose(copy.id, "original");
    assert.equal((await laptop.confirm()).missing.length, 2);
    assert.deepEqual(await healFromCopies(laptop), []);
    assert.equal((await laptop.take(file)).isBack, true);
    assert.deepEqual((await laptop.confirm({ deep: true })).missing, []);
  });
});
