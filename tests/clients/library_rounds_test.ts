/**
 * The receipts of many files are fetched in one request, and each of them is
 * verified all the same.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { withTestApp } from "../support/app.ts";
import { changeJson } from "../support/false_receipts.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type TestDevice,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const FILES = 8;

/** A device that waits for the others until all have come. */
function patient(wire: Wire, seed: string): TestDevice {
  const device = deviceOf(wire, seed);
  const platform = {
    ...device.platform,
    wait: () => new Promise<void>(() => {}),
  };
  return { ...device, platform };
}

async function otherDevice(wire: Wire, first: Library): Promise<Library> {
  const device = patient(wire, "phone");
  const session = await enter(device, "ada");
  const masterKey = first.vault.session.masterKey() ?? new Uint8Array();
  const vault = await adoptMasterKey(session, masterKey);
  return await openLibrary(vault, device.store);
}

function takeMany(library: Library, series: string) {
  return Promise.allSettled(
    Array.from({ length: FILES }, (_, at) => {
      const name = `${series} ${at}.jpg`;
      return library.take(fileOf(name, ciphertext(name, 400)));
    }),
  );
}

/** How often receipts were asked for: of many assets, and of single ones. */
function asked({ sent }: Wire) {
  const times = (path: RegExp) => sent.filter((one) => path.test(one)).length;
  return {
    together: times(/^GET \/v1\/receipts$/),
    alone: times(/^GET \/v1\/assets\/[^/]+\/receipts$/),
  };
}

Deno.test("the receipts of files that are taken in at once come in one request, whatever another device does meanwhile", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(patient(wire, "laptop"), "ada");
    const phone = await otherDevice(wire, laptop);
    const libraries = [laptop, phone];
    const taken = (await Promise.all(
      libraries.map((library, at) => takeMany(library, `series ${at}`)),
    )).flat();
    for (const one of taken) assert.equal(one.status, "fulfilled");
    const { together, alone } = asked(wire);
    assert.ok(together <= 4, `${together} requests`);
    assert.equal(alone, 0);
    for (const library of libraries) {
      // Of each an original, its metadata and the manifest.
      assert.equal((await library.custody.held()).length, 3 * FILES);
      const states = library.list().map(({ custody }) => custody);
      assert.deepEqual(states, Array(FILES).fill("receipted"));
      const { verified, faults, denied, without } = await library.receipts();
      assert.equal(verified, 3 * FILES);
      assert.deepEqual({ faults, denied, without }, {
        faults: [],
        denied: [],
        without: [],
      });
    }
  });
});

Deno.test("a receipt that is not among the many is asked for by itself, and a false one costs its own file alone", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(patient(wire, "laptop"), "ada");
    const list = /^\/v1\/receipts$/;
    changeJson(wire, list, (json) => ({ ...json, receipts: [], more: false }));
    for (const one of await takeMany(library, "hidden")) {
      assert.equal(one.status, "fulfilled");
    }
    assert.equal(asked(wire).alone, FILES);

    changeJson(wire, list, (json) => {
      const last = json.receipts.at(-1);
      const bytes = fromBase64(last.receipt_cbor) ?? new Uint8Array();
      // The last byte is of the signature.
      bytes[bytes.length - 1] = 1 ^ (bytes[bytes.length - 1] ?? 0);
      last.receipt_cbor = toBase64(bytes);
      return json;
    });
    const taken = await takeMany(library, "forged");
    const refused = taken.filter((one) => one.status === "rejected");
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.reason.fault, "receipt_forged");
    assert.equal(library.list().length, 2 * FILES - 1);

    wire.intercept = undefined;
    await library.sync();
    for (const one of await takeMany(library, "forged")) {
      assert.equal(one.status, "fulfilled");
    }
    assert.equal(library.list().length, 2 * FILES);
    for (const { custody } of library.list()) {
      assert.equal(custody, "receipted");
    }
  });
});
