/**
 * A server that gives false receipts, or none, is caught and named.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  type CustodyError,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import { seeReceipt } from "../../src/library/trust/trust_rules.ts";
import { fromBase64, toBase64, toHex } from "../../src/core/bytes.ts";
import { readReceipt, signReceipt } from "../../src/crypto/receipt.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { sha256 } from "../../src/crypto/sha256.ts";
import { rotateKey } from "../../src/features/keys/keys.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keysPath } from "../../src/store/data_paths.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { ORIGIN, seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  libraryOn,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { changeJson } from "../support/false_receipts.ts";

async function expectCaught(
  library: Library,
  fault: CustodyError["fault"],
  name = "a.jpg",
): Promise<void> {
  const file = fileOf(name, ciphertext(name, 2_000));
  await assert.rejects(library.take(file), { name: "CustodyError", fault });
  assert.equal(
    library.list().some(({ metadata }) => metadata?.name === name),
    false,
  );
}

Deno.test("a receipt that is changed, another's or missing is caught, and the file is not called kept", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const first = await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    const [held] = await library.custody.held();
    assert.ok(held?.cbor !== undefined);
    const whole = held.cbor;
    const finalize = /^\/v1\/upload\/[^/]+$/;

    changeJson(wire, finalize, (json) => {
      const bytes = fromBase64(json.receipt.receipt_cbor) ?? new Uint8Array();
      // The last byte is of the signature.
      bytes[bytes.length - 1] = 1 ^ (bytes[bytes.length - 1] ?? 0);
      json.receipt.receipt_cbor = toBase64(bytes);
      return json;
    });
    await expectCaught(library, "receipt_forged");

    changeJson(wire, finalize, (json) => {
      json.receipt.receipt_cbor = toBase64(whole);
      return json;
    });
    await expectCaught(library, "receipt_mismatch", "b.jpg");

    const random = seededRandom("a forger");
    const forger = await hybridSignerFromSeeds({
      ed25519: random(32),
      mlDsa65: random(32),
    });
    changeJson(wire, finalize, async (json) => {
      const bytes = fromBase64(json.receipt.receipt_cbor) ?? new Uint8Array();
      const forged = await signReceipt(forger, readReceipt(bytes));
      json.receipt.receipt_cbor = toBase64(forged);
      return json;
    });
    await expectCaught(library, "receipt_forged", "c.jpg");

    changeJson(wire, /\/receipts$/, (json) => ({ ...json, receipts: [] }));
    await expectCaught(library, "receipt_missing", "d.jpg");

    wire.intercept = undefined;
    await library.sync();
    assert.equal(library.index.get(first.row.id)?.custody, "receipted");
    // Once the truth is told, the same files go on where they were.
    const later = await library.take(
      fileOf("d.jpg", ciphertext("d.jpg", 2_000)),
    );
    assert.equal(later.row.custody, "receipted");
  });
});

Deno.test("where digests alone are kept a lie is caught all the same, and whole receipts are fetched again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    const before = await library.custody.held();
    await library.custody.keep("digest");
    await library.take(fileOf("1.jpg", ciphertext("1", 100)));
    // Opened again, it goes on the same way.
    const again = await openLibrary(library.vault, laptop.store);
    assert.equal(await again.custody.kept(), "digest");
    for (const { value } of await laptop.store.list("receipts")) {
      assert.ok(value.length < 200, `${value.length} bytes`);
    }
    const digests = await again.custody.held();
    assert.equal(digests.length, 2 * before.length);
    assert.deepEqual(
      digests.slice(0, before.length).map((one) => [one.digest(), one.blob()]),
      before.map((one) => [one.digest(), one.blob()]),
    );
    const clean = { faults: [], denied: [], without: [], vanished: [] };
    const { seen, verified, ...found } = await again.receipts({ all: true });
    assert.deepEqual([seen, verified, found], [digests.length, 0, clean]);

    // As if this device had been shown another receipt of the next number.
    const last = digests.at(-1)?.seq ?? 0;
    const keyOf = (seq: number) => String(seq).padStart(16, "0");
    const value = await laptop.store.get("receipts", keyOf(last));
    assert.ok(value !== undefined);
    const key = keyOf(last + 1);
    await laptop.store.write([{ space: "receipts", key, value }]);
    await expectCaught(again, "number_used_twice", "2.jpg");
    await laptop.store.write([{ space: "receipts", key, value: null }]);

    await again.custody.keep("whole");
    const { verified: fetched } = await again.receipts({ all: true });
    assert.ok(fetched >= digests.length);
    const whole = await again.custody.held();
    assert.deepEqual(
      whole.slice(0, before.length).map(({ cbor }) => cbor),
      before.map(({ cbor }) => cbor),
    );
  });
});

Deno.test("two receipts of one number, and a chain with a fork, are caught", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    const held = await library.custody.held();
    const last = held.at(-1);
    assert.ok(last !== undefined);
    const name = String(last.seq).padStart(16, "0");
    const value = await laptop.store.get("receipts", name);
    assert.ok(value !== undefined);
    // As if this device had been shown another receipt of the next number.
    const key = String(last.seq + 1).padStart(16, "0");
    await laptop.store.write([{ space: "receipts", key, value }]);
    await expectCaught(library, "number_used_twice", "b.jpg");
    // And the one after that does not follow it.
    await expectCaught(library, "chain_forked", "c.jpg");
  });
});

Deno.test("the newest receipt that a device verified is known to the others, and a server that falls behind it or signs another one is told of", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    const last = (await library.custody.held()).at(-1);
    assert.ok(last?.cbor !== undefined);
    const newest = { seq: last.seq, sha256: toHex(last.digest()) };
    assert.equal(library.custody.newest(), last.seq);
    await library.sync();
    assert.deepEqual(library.trust.record.server.receipt, newest);
    const reopened = await openLibrary(library.vault, laptop.store);
    assert.equal(reopened.custody.newest(), last.seq);

    const phone = deviceOf(wire, "phone");
    const other = await libraryOn(phone, library, "ada");
    await other.sync();
    assert.deepEqual(other.trust.record.server.receipt, newest);

    changeJson(wire, /\/v1\/receipts$/, (json) => {
      const receipts = json.receipts.filter((
        one: { receipt_seq: number },
      ) => one.receipt_seq < last.seq);
      return { ...json, receipts, next_after: last.seq - 1 };
    });
    assert.deepEqual((await other.receipts()).denied, [last.seq]);
    assert.deepEqual((await other.receipts()).denied, [last.seq]);
    wire.intercept = undefined;
    assert.deepEqual((await other.receipts()).denied, []);

    // As if another device had been shown another receipt of the next number.
    const next = { seq: last.seq + 1, sha256: "5".repeat(64) };
    await other.trust.change((record) => seeReceipt(record, next));
    await expectCaught(other, "number_used_twice", "b.jpg");
  });
});

Deno.test("a server that says again and again that more receipts follow, and shows the same ones, is not asked for ever", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    changeJson(
      wire,
      /\/v1\/receipts$/,
      (json) => ({ ...json, next_after: 0, more: true }),
    );
    await assert.rejects(
      library.receipts({ all: true }),
      { name: "UnexpectedAnswer" },
    );
    wire.intercept = undefined;
    assert.deepEqual((await library.receipts({ all: true })).denied, []);
  });
});

Deno.test("receipts go on to be believed through rotations that this device saw and that it missed", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const beside = await openBesideServer(app.dataDir);
    const place = { files: denoFiles, directory: keysPath(app.dataDir) };
    const rotate = async () => {
      app.clock.advance(60_000);
      await rotateKey(beside, place, "attestation", {
        random: app.app.platform.random,
        now: () => app.clock.now,
        serverId: ORIGIN,
      });
      app.clock.advance(60_000);
    };
    try {
      await library.take(fileOf("0.jpg", ciphertext("0", 100)));
      for (const [name, rotations] of [["1", 1], ["2", 2]] as const) {
        for (let i = 0; i < rotations; i++) await rotate();
        await library.take(fileOf(`${name}.jpg`, ciphertext(name, 100)));
      }
    } finally {
      await beside.destroy();
    }
    const keys = new Set(
      (await library.custody.held())
        .map(({ cbor }) => readReceipt(cbor ?? new Uint8Array()).server_key_id),
    );
    assert.equal(keys.size, 3);
    const { faults, denied } = await library.receipts({ all: true });
    assert.deepEqual([faults, denied], [[], []]);
  });
});

Deno.test("a server whose keys are others, and none vouches for them, is caught", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));

    const random = seededRandom("another server");
    const other = await hybridSignerFromSeeds({
      ed25519: random(32),
      mlDsa65: random(32),
    });
    const resigned = async (cbor: string) => {
      const bytes = fromBase64(cbor) ?? new Uint8Array();
      return toBase64(await signReceipt(other, readReceipt(bytes)));
    };
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      const isKeys = pathname.endsWith("/attestation-keys");
      if (!isKeys && !/^\/v1\/upload\/[^/]+$/.test(pathname)) return undefined;
      return pass(request).then(async (answer) => {
        const json = await answer.json();
        if (isKeys) {
          json.keys = [{
            ...json.keys[0],
            key_id: other.keyId,
            public: toBase64(other.publicKey),
          }];
        } else {
          const { receipt } = json;
          receipt.receipt_cbor = await resigned(receipt.receipt_cbor);
        }
        const headers = { "Content-Type": "application/json" };
        return new Response(JSON.stringify(json), { headers });
      });
    };
    await expectCaught(library, "keys_replaced");
    wire.intercept = undefined;
    await library.take(fileOf("1.jpg", ciphertext("1", 100)));
  });
});

Deno.test("another device's receipts are verified by number, and what is missing, changed or denied is named", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const one = await library.take(fileOf("1.jpg", ciphertext("1", 100)));
    const two = await library.take(fileOf("2.jpg", ciphertext("2", 100)));
    const seen = await library.receipts();
    assert.deepEqual(seen, {
      seen: 6,
      verified: 0,
      faults: [],
      denied: [],
      without: [],
      vanished: [],
    });

    const phone = deviceOf(wire, "phone");
    const session = await enter(phone, "ada");
    const masterKey = library.vault.session.masterKey() ?? new Uint8Array();
    const vault = await adoptMasterKey(session, masterKey);
    const other = await openLibrary(vault, phone.store);
    await other.sync();
    assert.equal(other.index.get(one.row.id)?.custody, "unverified");

    // One is kept back, and one is not what it was.
    changeJson(wire, /\/v1\/receipts$/, (json) => {
      json.receipts.splice(1, 1);
      const { receipt_cbor: cbor } = json.receipts[0];
      if (cbor === undefined) return json;
      const bytes = fromBase64(cbor) ?? new Uint8Array();
      bytes[bytes.length - 1] = 1 ^ (bytes[bytes.length - 1] ?? 0);
      json.receipts[0].receipt_cbor = toBase64(bytes);
      return json;
    });
    const lied = await other.receipts();
    assert.deepEqual(lied.faults.map(({ fault }) => fault), ["receipt_forged"]);
    assert.deepEqual(lied.without, [one.row.id]);
    assert.equal(other.index.get(two.row.id)?.custody, "receipted");
    const denied = await library.receipts({ all: true });
    assert.deepEqual(denied.denied.length, 1);
    assert.equal(denied.faults.length, 0);

    wire.intercept = undefined;
    const honest = await other.receipts();
    assert.deepEqual(honest.without, []);
    assert.equal(other.index.get(one.row.id)?.custody, "receipted");
    assert.equal((await other.custody.held()).length, 6);
  });
});

Deno.test("receipts that are verified together are compared with each other, and each has its signature", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    await library.take(fileOf("0.jpg", ciphertext("0", 100)));
    const last = (await library.custody.held()).at(-1);
    assert.ok(last?.cbor !== undefined);
    const payload = readReceipt(last.cbor);
    const key = app.app.secrets.attestationKeys.at(-1);
    assert.ok(key !== undefined);
    const { asset_id: assetId, blob_role: role, size } = payload;
    const receiptOf = async (name: string, number: number) => {
      const ciphertext_hash = sha256(new TextEncoder().encode(name));
      const signed = await signReceipt(key.signer, {
        ...payload,
        receipt_seq: number,
        ciphertext_hash,
        envelope_hash: role === "provenance" ? ciphertext_hash : null,
      });
      const hash = toHex(ciphertext_hash);
      return {
        sent: { assetId, role, hash, size },
        receiptCbor: toBase64(signed),
      };
    };
    const { custody } = library;
    const far = payload.receipt_seq + 50;
    const [a, b, other] = [
      await receiptOf("a", far),
      await receiptOf("b", far + 10),
      await receiptOf("c", far),
    ];
    await assert.rejects(custody.verifyAll([b, a, other]), {
      fault: "number_used_twice",
    });
    const bytes = fromBase64(b.receiptCbor) ?? new Uint8Array();
    bytes[bytes.length - 1] = 1 ^ (bytes[bytes.length - 1] ?? 0);
    const forged = { ...b, receiptCbor: toBase64(bytes) };
    await assert.rejects(custody.verifyAll([a, forged]), {
      fault: "receipt_forged",
    });
    const verified = await custody.verifyAll([a, b]);
    assert.deepEqual(
      verified.map(({ receipt }) => receipt.receipt_seq),
      [far, far + 10],
    );
    assert.deepEqual(await custody.verifyAll([]), []);
  });
});
