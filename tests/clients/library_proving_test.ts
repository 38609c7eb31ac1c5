/**
 * What a device has proven of an asset stays proven, and what another device
 * was given receipts for is proven on this one.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const COPIES = 16;

const take = (library: Library, name: string) =>
  library.take(fileOf(`${name}.jpg`, ciphertext(name, 500)));

/** Another device of the same account, in step. */
async function otherDevice(wire: Wire, first: Library): Promise<Library> {
  const device = deviceOf(wire, "phone");
  const session = await enter(device, "ada");
  const masterKey = first.vault.session.masterKey() ?? new Uint8Array();
  const vault = await adoptMasterKey(session, masterKey);
  const library = await openLibrary(vault, device.store);
  await library.sync();
  return library;
}

Deno.test("what this device proved while it stored an asset stays so, though the feed tells of the asset meanwhile", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const { id } = await library.albums.create({ title: "Summer" });
    const { row } = await take(library, "1");
    let storing = true;
    const follow = async () => {
      while (storing) {
        await library.sync();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const following = follow();
    const names = Array.from({ length: COPIES }, (_, at) => `photo ${at}`);
    for (const name of names) {
      const { row } = await take(library, name);
      await library.copyInto(row.id, id);
    }
    await library.copyInto(row.id, id);
    storing = false;
    await following;
    const states = [...library.index.rows()].map(({ custody }) => custody);
    assert.equal(states.length, 2 * COPIES + 2);
    assert.deepEqual(new Set(states), new Set(["receipted"]));
  });
});

Deno.test("a photo of another device is proven by its receipts, and not by the server's word", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const first = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { row: one } = await take(first, "1");
    const { row: two } = await take(first, "2");
    const other = await otherDevice(wire, first);
    const stateOf = (id: string) => other.index.get(id)?.custody;

    const { confirmed } = await other.confirm();
    assert.equal(confirmed.length, 2);
    assert.equal(stateOf(one.id), "unverified");

    wire.intercept = (request, pass) =>
      new URL(request.url).pathname === `/v1/assets/${one.id}/receipts`
        ? pass(request).then(async (answer) => {
          const json = await answer.json();
          return Response.json({ ...json, receipts: [] });
        })
        : undefined;
    const lied = await other.prove([one.id, two.id, "not there"]);
    assert.deepEqual(lied.proven, [two.id]);
    assert.deepEqual(
      lied.faults.map(({ assetId, fault }) => [assetId, fault]),
      [[one.id, "receipt_missing"]],
    );
    assert.equal(stateOf(one.id), "unverified");
    assert.equal(stateOf(two.id), "receipted");

    wire.intercept = undefined;
    const { proven } = await other.prove([one.id, two.id]);
    assert.deepEqual(proven, [one.id]);
    await other.confirm();
    assert.deepEqual([stateOf(one.id), stateOf(two.id)], [
      "confirmed",
      "confirmed",
    ]);
  });
});

Deno.test("a check says nothing of what changed while the server was asked", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { row } = await take(library, "1");
    wire.intercept = (request, pass) => {
      if (!new URL(request.url).pathname.includes("verify")) return undefined;
      wire.intercept = undefined;
      return library.trash(row.id).then(() => pass(request));
    };
    await library.confirm();
    assert.equal(library.index.get(row.id)?.state, "deleted");
  });
});
