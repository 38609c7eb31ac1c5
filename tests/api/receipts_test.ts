/**
 * Custody receipts: shape, chain, and verification without the server.
 *
 * @module
 */
import assert from "node:assert/strict";
import * as ed25519 from "@noble/ed25519";
import { ml_dsa65 } from "@noble/post-quantum/ml-dsa.js";
import { concatBytes, fromBase64, toHex, utf8 } from "../../src/core/bytes.ts";
import { decodeCanonical, isCborMap } from "../../src/core/cbor.ts";
import {
  parsePublishedKeys,
  verifyReceipt,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { ORIGIN, START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { sendManifest } from "../support/api.ts";

const FIELDS = [
  "blob_role",
  "ciphertext_hash",
  "prior_receipt_hash",
  "envelope_hash",
  "receipt_cbor",
  "receipt_seq",
  "received_at",
  "server_id",
  "server_key_id",
  "size",
  "upload_id",
];

async function receiptsOf(
  app: TestApp,
  person: Person,
  assetId: string,
): Promise<Json[]> {
  const answer = await expectJson(
    await app.send("GET", `/v1/assets/${assetId}/receipts`, {
      token: person.token,
    }),
    200,
  );
  assert.deepEqual(Object.keys(answer).toSorted(), ["asset_id", "receipts"]);
  assert.equal(answer.asset_id, assetId);
  return answer.receipts;
}

function attestationKeys(app: TestApp): Promise<Json> {
  return app.send("GET", "/.well-known/service/attestation-keys", {
    protocol: null,
  }).then((response) => expectJson(response, 200));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(base64);
  assert(bytes !== undefined, base64);
  return bytes;
}

/** The map that the receipt's signed payload is. */
function payloadOf(receipt: Json): Json {
  const envelope = decodeCanonical(bytesOf(receipt.receipt_cbor));
  assert(isCborMap(envelope));
  assert.deepEqual(Object.keys(envelope).toSorted(), ["payload", "signature"]);
  const payload = envelope["payload"];
  assert(payload instanceof Uint8Array);
  return decodeCanonical(payload);
}

Deno.test("an asset's receipts are listed in receipt_seq order, one a blob", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, ...asset } = await createAsset(app, ada, "photo");
    const receipts = await receiptsOf(app, ada, assetId);
    assert.deepEqual(
      receipts.map(({ blob_role, ciphertext_hash, size }) => ({
        blob_role,
        ciphertext_hash,
        size,
      })),
      (["original", "metadata"] as const).map((role) => ({
        blob_role: role,
        ciphertext_hash: hashOf(asset[role]),
        size: asset[role].length,
      })).concat({
        blob_role: "provenance" as "original",
        ciphertext_hash: hashOf(asset.manifest),
        size: asset.manifest.length,
      }),
    );
    const { keys: [key] } = await attestationKeys(app);
    for (const [index, receipt] of receipts.entries()) {
      const unknown = Object.keys(receipt).filter((name) =>
        !FIELDS.includes(name)
      );
      assert.deepEqual(unknown, []);
      assert(
        index === 0 || receipt.receipt_seq > receipts[index - 1].receipt_seq,
      );
      assert.equal(receipt.server_id, ORIGIN);
      assert.equal(receipt.server_key_id, key.key_id);
      assert.equal(Date.parse(receipt.received_at), START_MS);
      assert.match(receipt.received_at, /Z$/);
    }
    // Absent for the first ever.
    assert.equal(receipts[0].prior_receipt_hash ?? null, null);
    assert.deepEqual(receipts.at(-1), asset.applied.receipt);
  });
});

Deno.test("envelope_hash is the manifest's hash, on the provenance receipt alone", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, manifest } = await createAsset(app, ada, "photo");
    const thumbnail = ciphertext("thumbnail", 20);
    await uploadBlob(app, ada, thumbnail, {
      fileId: assetId,
      role: "derivative",
    });
    for (const receipt of await receiptsOf(app, ada, assetId)) {
      const expected = receipt.blob_role === "provenance"
        ? hashOf(manifest)
        : null;
      assert.equal(receipt.envelope_hash ?? null, expected);
    }
  });
});

Deno.test("receipt_cbor is the receipt, and the other fields are a reading of it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    for (const receipt of await receiptsOf(app, ada, assetId)) {
      const { receipt_cbor: _, ...read } = receipt;
      const payload = payloadOf(receipt);
      const hex = (value: Uint8Array | null) => value && toHex(value);
      assert.deepEqual({ ...payload }, {
        ...payload,
        type: "service-custody-receipt/v1",
        asset_id: assetId,
      });
      assert.deepEqual(
        Object.keys(payload).toSorted(),
        [
          "asset_id",
          ...FIELDS.filter((name) => name !== "receipt_cbor"),
          "type",
        ].toSorted(),
      );
      const reading = {
        receipt_seq: payload.receipt_seq,
        server_id: payload.server_id,
        server_key_id: payload.server_key_id,
        prior_receipt_hash: hex(payload.prior_receipt_hash),
        upload_id: payload.upload_id,
        blob_role: payload.blob_role,
        ciphertext_hash: hex(payload.ciphertext_hash),
        size: payload.size,
        envelope_hash: hex(payload.envelope_hash),
        received_at: payload.received_at,
      };
      assert.deepEqual(
        { prior_receipt_hash: null, envelope_hash: null, ...read },
        reading,
      );
    }
  });
});

Deno.test("the receipts of the whole server are one chain, over accounts and restarts", async () => {
  await withTestApp(async (first) => {
    const ada = await registerWriter(first, "ada");
    const bob = await registerWriter(first, "bob");
    const assets = [
      [ada, (await createAsset(first, ada, "one")).assetId],
      [bob, (await createAsset(first, bob, "two")).assetId],
    ] as [Person, string][];
    const app = await first.reopen();
    app.clock.advance(1_000);
    assets.push([ada, (await createAsset(app, ada, "three")).assetId]);
    const listed = await Promise.all(
      assets.map(([person, id]) => receiptsOf(app, person, id)),
    );
    const receipts = listed.flat().toSorted((a, b) =>
      a.receipt_seq - b.receipt_seq
    );
    assert.equal(receipts.length, 9);
    for (const [index, receipt] of receipts.entries()) {
      const previous = receipts[index - 1];
      assert.equal(
        receipt.prior_receipt_hash ?? null,
        previous === undefined ? null : hashOf(bytesOf(previous.receipt_cbor)),
      );
    }
    const published = parsePublishedKeys(await attestationKeys(app));
    const chain = receipts.map((receipt) => bytesOf(receipt.receipt_cbor));
    const verdict = await verifyReceiptChain(chain, published);
    assert(verdict.ok);
    assert.equal(verdict.count, 9);
    const [one = new Uint8Array(), two = new Uint8Array()] = chain;
    const swapped = await verifyReceiptChain([two, one], published, {
      partial: true,
    });
    assert.equal(swapped.ok, false);
  });
});

Deno.test("a receipt is verified offline, and no changed bit passes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { applied } = await createAsset(app, ada, "photo");
    const record = await attestationKeys(app);
    const bytes = bytesOf(applied.receipt.receipt_cbor);
    const published = parsePublishedKeys(record);
    assert((await verifyReceipt(bytes, published)).ok);
    for (let at = 0; at < bytes.length; at += 397) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal((await verifyReceipt(changed, published)).ok, false);
    }
    // By the specification's own words, with other implementations.
    const envelope = decodeCanonical(bytes);
    assert(isCborMap(envelope));
    const { payload, signature } = envelope;
    assert(payload instanceof Uint8Array && signature instanceof Uint8Array);
    const key = bytesOf(record.keys[0].public);
    const message = concatBytes(
      utf8("service-custody-receipt/v1"),
      new Uint8Array(1),
      payload,
    );
    assert.equal(signature.length, 64 + 3_309);
    assert(
      await ed25519.verifyAsync(
        signature.slice(0, 64),
        message,
        key.slice(0, 32),
      ),
    );
    assert(ml_dsa65.verify(signature.slice(64), message, key.slice(32)));
  });
});

Deno.test("receipts outlive the blobs that they are for", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, manifest } = await createAsset(app, ada, "photo");
    const before = await receiptsOf(app, ada, assetId);
    const edited = ciphertext("edited", 100);
    await uploadBlob(app, ada, edited, { fileId: assetId });
    await expectJson(
      await sendManifest(app, ada, assetId, ciphertext("second", 40), {
        action: "replace",
        original: edited,
        prior: hashOf(manifest),
      }),
      200,
    );
    await app.purge();
    const after = await receiptsOf(app, ada, assetId);
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.slice(before.length).map(({ blob_role }) => blob_role),
      ["original", "provenance"],
    );
  });
});

Deno.test("a replay issues no second receipt", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, applied } = await createAsset(app, ada, "photo");
    const replay = await expectJson(
      await app.send("POST", `/v1/upload/${applied.upload_id}/finalize`, {
        token: ada.token,
      }),
      200,
    );
    assert.deepEqual(replay.receipt, applied.receipt);
    assert.equal((await receiptsOf(app, ada, assetId)).length, 3);
  });
});

Deno.test("of receipts issued at once none has another's place", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const fileId = uuidOf("many");
    const answers = await Promise.all(
      Array.from(
        { length: 12 },
        (_, index) =>
          uploadBlob(app, ada, ciphertext(`many ${index}`, 50), {
            fileId,
            role: "derivative",
          }),
      ),
    );
    const chain = answers.map(({ receipt }) => receipt)
      .toSorted((a, b) => a.receipt_seq - b.receipt_seq)
      .map(({ receipt_cbor }) => bytesOf(receipt_cbor));
    const published = parsePublishedKeys(await attestationKeys(app));
    const verdict = await verifyReceiptChain(chain, published);
    assert(verdict.ok, JSON.stringify(verdict));
    assert.equal(verdict.count, 12);
  });
});

Deno.test("receipts are the owner's alone", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const { assetId } = await createAsset(app, ada, "photo");
    for (const id of [assetId, uuidOf("no asset")]) {
      await expectProblem(
        await app.send("GET", `/v1/assets/${id}/receipts`, {
          token: bob.token,
        }),
        "error.asset.not_found",
      );
    }
  });
});

Deno.test("receipts are numbered above those that a restore lost, and name the one before it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const put = async (word: string) =>
      (await uploadBlob(app, ada, ciphertext(word, 10), {
        fileId: uuidOf(word),
      })).receipt;
    const setFloor = (floor: number) =>
      app.app.db.updateTable("server").set({ receipt_seq_floor: floor })
        .execute();
    await setFloor(40);
    const first = await put("first of all");
    assert.equal(first.receipt_seq, 41);
    assert.equal(first.prior_receipt_hash, undefined);
    await setFloor(1_000_000);
    const numbers = [first];
    for (const word of ["second", "third"]) numbers.push(await put(word));
    assert.deepEqual(
      numbers.map(({ receipt_seq }) => receipt_seq),
      [41, 1_000_001, 1_000_002],
    );
    const published = parsePublishedKeys(await attestationKeys(app));
    const chain = numbers.map(({ receipt_cbor }) => bytesOf(receipt_cbor));
    const verdict = await verifyReceiptChain(chain, published);
    assert(verdict.ok && verdict.count === 3);
  });
});
