/**
 * Guests' files that two devices of an account decide about at the same time:
 * each is taken once, and the one that comes late is told so.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Library, NoLongerWaits } from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { NAMES, SMALL, twoDevices } from "../support/guest_inbox.ts";
import { wholeOf, wireTo } from "../support/library.ts";
import { photo } from "../support/library_sharing.ts";

/** Every photo is there once, whole, and nothing waits any more. */
async function assertAllOnce(library: Library): Promise<void> {
  await library.sync();
  assert.deepEqual(await library.inbox(), []);
  const rows = library.list();
  assert.deepEqual(
    rows.map(({ metadata }) => metadata?.name).sort(),
    NAMES.map((name) => `${name}.jpg`),
  );
  for (const { id, metadata } of rows) {
    const name = metadata?.name.replace(".jpg", "") ?? "";
    assert.deepEqual(await wholeOf(library.read(id)), photo(name));
  }
}

Deno.test("two devices accept the same inbox at once: each file is taken once, and who is late learns that it waits no more", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, phone, waiting } = await twoDevices(wire);
    const outcomes = await Promise.all(
      waiting.map(({ opaqueId, uploadId }) =>
        Promise.allSettled(
          [laptop, phone].map((one) => one.accept(opaqueId, uploadId, SMALL)),
        )
      ),
    );
    for (const both of outcomes) {
      const late = both.filter((one) => one.status === "rejected");
      assert.equal(late.length, 1);
      assert.ok(late[0]?.reason instanceof NoLongerWaits, late[0]?.reason);
    }
    for (const one of [laptop, phone]) await assertAllOnce(one);
  });
});

Deno.test("what another device took or refused waits no more, wherever it is noticed", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, phone, waiting, opaqueId } = await twoDevices(wire);
    const [gate, hall, lake, moor] = waiting.map(({ uploadId }) => uploadId);
    assert.ok(gate && hall && lake && moor);
    const taken = (uploadId: string) => phone.accept(opaqueId, uploadId);

    // Before it is looked for.
    await taken(gate);
    await assert.rejects(laptop.accept(opaqueId, gate), NoLongerWaits);
    await assert.rejects(laptop.peek(opaqueId, gate, 1_000), NoLongerWaits);
    await assert.rejects(laptop.refuse(opaqueId, gate), NoLongerWaits);

    // While it is read.
    let meanwhile: Promise<unknown> | undefined;
    wire.intercept = (request, pass) => {
      if (!request.url.endsWith(`${hall}/blob`)) return undefined;
      wire.intercept = undefined;
      meanwhile = taken(hall);
      return meanwhile.then(() => pass(request));
    };
    await assert.rejects(laptop.accept(opaqueId, hall), NoLongerWaits);
    await meanwhile;

    // After it was read, just before it is adopted.
    wire.intercept = (request, pass) => {
      if (!new URL(request.url).pathname.endsWith("/ops")) return undefined;
      wire.intercept = undefined;
      meanwhile = taken(lake);
      return meanwhile.then(() => pass(request));
    };
    await assert.rejects(laptop.accept(opaqueId, lake), NoLongerWaits);
    await meanwhile;

    // The last one is taken, so the link has nothing more, and ends.
    await taken(moor);
    await phone.revokeRequest(opaqueId);
    await assert.rejects(laptop.accept(opaqueId, moor), NoLongerWaits);
    assert.deepEqual(await laptop.inbox(), []);
    for (const one of [laptop, phone]) await assertAllOnce(one);
  });
});

Deno.test("everything else of an accepted file is sent before it is taken out of the inbox", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, phone, waiting, opaqueId } = await twoDevices(wire);
    const [gate] = waiting.map(({ uploadId }) => uploadId);
    // Killed with its small picture on the way: the file waits on.
    wire.intercept = (request) => {
      if (request.method !== "PUT") return undefined;
      throw new Error("killed");
    };
    await assert.rejects(laptop.accept(opaqueId, gate ?? "", SMALL));
    wire.intercept = undefined;
    assert.equal((await phone.inbox()).length, NAMES.length);
    for (const { uploadId } of waiting) {
      await phone.accept(opaqueId, uploadId, SMALL);
    }
    await assertAllOnce(phone);
  });
});
