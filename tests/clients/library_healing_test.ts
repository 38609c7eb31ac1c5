/**
 * What the server lost or damaged of a photo is given back by whoever has the
 * file, and the photo stays what it was.
 *
 * @module
 */
import assert from "node:assert/strict";
import { healFromCopies } from "../../src/client/library/other_copies.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";
import { damageBlob } from "../support/storage.ts";

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
