import assert from "node:assert/strict";
import { toHex } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { openEnvelope, signEnvelope } from "../../src/crypto/envelope.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import {
  readReceipt,
  RECEIPT_TYPE,
  receiptHash,
  signReceipt,
} from "../../src/crypto/receipt.ts";
import {
  parsePublishedKeys,
  type ReceiptFault,
  verifyReceipt,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { backends, base64, flipped } from "../support/vectors.ts";
import vectors from "./receipts.json" with { type: "json" };

const PUBLISHED = parsePublishedKeys(vectors.attestation_keys);
const CHAIN = vectors.receipts.map(({ cbor }) => base64(cbor));

async function chainFails(
  receipts: Uint8Array[],
  fault: ReceiptFault,
  index: number,
) {
  const verdict = await verifyReceiptChain(receipts, PUBLISHED);
  assert(!verdict.ok);
  assert.equal(verdict.fault, fault, verdict.detail);
  assert.equal(verdict.index, index);
  return verdict;
}

/** The n-th receipt of the chain, and all others as they are. */
function replaced(index: number, receipt: Uint8Array): Uint8Array[] {
  return CHAIN.map((one, i) => i === index ? receipt : one);
}

Deno.test("the chain of the vectors holds, in native and in portable code", async () => {
  for (const backend of await backends()) {
    const verdict = await verifyReceiptChain(CHAIN, PUBLISHED, { backend });
    assert(verdict.ok);
    assert.equal(verdict.count, 4);
    assert.equal(verdict.last?.receipt_seq, 1_000_004);
  }
});

Deno.test("each receipt reads as it was signed, and names the hash before", () => {
  let prior: string | null = null;
  for (const { cbor, sha256 } of vectors.receipts) {
    const receipt = readReceipt(base64(cbor));
    assert.equal(receipt.type, RECEIPT_TYPE);
    const named = receipt.prior_receipt_hash;
    assert.equal(named === null ? null : toHex(named), prior);
    assert.equal(
      receipt.envelope_hash === null,
      receipt.blob_role !== "provenance",
    );
    prior = toHex(receiptHash(base64(cbor)));
    assert.equal(prior, sha256);
  }
});

Deno.test("an empty chain holds, and a part of one when it is called so", async () => {
  const empty = await verifyReceiptChain([], PUBLISHED);
  assert.deepEqual(empty, { ok: true, count: 0, last: null });
  const tail = CHAIN.slice(2);
  const partial = await verifyReceiptChain(tail, PUBLISHED, { partial: true });
  assert(partial.ok);
  await chainFails(tail, "prior_hash_mismatch", 0);
});

Deno.test("a receipt left out or out of its place breaks the chain there", async () => {
  const [first, second, third, fourth] = CHAIN;
  assert(first && second && third && fourth);
  await chainFails([first, third, fourth], "prior_hash_mismatch", 1);
  await chainFails([first, first], "sequence_not_increasing", 1);
  const swapped = await chainFails(
    [first, third, second],
    "prior_hash_mismatch",
    1,
  );
  assert.equal(swapped.receiptSeq, 3);
});

Deno.test("a changed receipt is found out, wherever the bit was", async () => {
  const second = CHAIN[1];
  assert(second);
  await chainFails(replaced(1, flipped(second, -1)), "signature_invalid", 1);
  const unreadable = await chainFails(
    replaced(1, second.subarray(1)),
    "unreadable",
    1,
  );
  assert.equal(unreadable.receiptSeq, null);
  // In the payload: some bytes still read as a receipt, none as a signed one.
  const end = second.length - 3_390;
  for (let offset = 12; offset < end; offset += 7) {
    const verdict = await verifyReceipt(flipped(second, offset), PUBLISHED);
    assert(!verdict.ok, `bit at ${offset}`);
  }
});

Deno.test("a receipt counts only under a key that was published and active", async () => {
  const seeds = {
    ed25519: new Uint8Array(32).fill(1),
    mlDsa65: new Uint8Array(32).fill(2),
  };
  const signer = await hybridSignerFromSeeds(seeds);
  const template = CHAIN[0];
  assert(template);
  const { type: _type, server_key_id: _key, ...fields } = readReceipt(template);
  const own = {
    keyId: signer.keyId,
    publicKey: signer.publicKey,
    activeFrom: Date.parse("2026-10-01T00:00:00Z"),
    activeTo: Date.parse("2026-10-01T01:00:00Z"),
  };
  const published = { serverId: PUBLISHED.serverId, keys: [own] };
  const faultAt = async (receivedAt: string) => {
    const receipt = await signReceipt(signer, {
      ...fields,
      received_at: receivedAt,
    });
    const verdict = await verifyReceipt(receipt, published);
    return verdict.ok ? "none" : verdict.fault;
  };
  assert.equal(await faultAt("2026-10-01T00:00:00.000Z"), "none");
  assert.equal(await faultAt("2026-10-01T01:00:00.000Z"), "none");
  const late = await faultAt("2026-10-01T01:00:00.001Z");
  assert.equal(late, "key_outside_window");
  const early = await faultAt("2026-09-30T23:59:59.999Z");
  assert.equal(early, "key_outside_window");

  const receipt = await signReceipt(signer, fields);
  const unknown = await verifyReceipt(receipt, PUBLISHED);
  assert(!unknown.ok && unknown.fault === "key_unknown");
  const posing = {
    ...published,
    keys: [{ ...own, publicKey: new Uint8Array(1_984) }],
  };
  const posed = await verifyReceipt(receipt, posing);
  assert(!posed.ok && posed.fault === "key_unknown");
  const foreign = await verifyReceipt(receipt, {
    ...published,
    serverId: "https://other.example",
  });
  assert(!foreign.ok && foreign.fault === "foreign_server");
});

Deno.test("anything that is not exactly a receipt does not read as one", async () => {
  const template = CHAIN[0];
  assert(template);
  const { payload, signature } = openEnvelope(template);
  const variants = {
    "another type": { ...payload, type: "service-manifest/v1" },
    "an unknown field": { ...payload, extra: 1 },
    "a short hash": { ...payload, ciphertext_hash: new Uint8Array(31) },
    "a sequence of 0": { ...payload, receipt_seq: 0 },
    "an unknown role": { ...payload, blob_role: "preview" },
    "no time": { ...payload, received_at: "yesterday" },
  };
  for (const [what, variant] of Object.entries(variants)) {
    const bytes = encodeCanonical({
      payload: encodeCanonical(variant),
      signature,
    });
    assert.throws(() => readReceipt(bytes), { name: "ReceiptError" }, what);
  }
  const seeds = {
    ed25519: new Uint8Array(32),
    mlDsa65: new Uint8Array(32),
  };
  const signer = await hybridSignerFromSeeds(seeds);
  const note = await signEnvelope(signer, { type: "service-note/v1" });
  assert.throws(() => readReceipt(note), { name: "ReceiptError" });
});

Deno.test("a record of keys whose fingerprints or sizes lie is refused", () => {
  const [key] = vectors.attestation_keys.keys;
  assert(key);
  const lies = [
    { ...key, key_id: "0".repeat(64) },
    { ...key, public: key.public.slice(4) },
    { ...key, algorithm: "Ed25519" },
    { ...key, active_from: "2026-09-31T00:00:00Z" },
    { ...key, succession: "not base64" },
  ];
  for (const lie of lies) {
    assert.throws(
      () => parsePublishedKeys({ server_id: "x", keys: [lie] }),
      { name: "ReceiptError" },
    );
  }
});

Deno.test("unknown fields of a record of keys are ignored", () => {
  const [key] = vectors.attestation_keys.keys;
  assert(key);
  const { keys } = parsePublishedKeys({
    server_id: "x",
    keys: [{ ...key, extra: true }],
    extra: true,
  });
  assert.deepEqual(keys.map(({ keyId }) => keyId), [key.key_id]);
});
