/**
 * What an account's devices remember together, merged
 * (protocol/client-cryptography.md#trust-record).
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import {
  decodeDeletions,
  mergeDeletions,
} from "../../src/library/trust/deletions_record.ts";
import { withDocuments } from "../../src/library/vault/published.ts";
import {
  decodeTrust,
  encodeTrust,
  mergeTrust,
} from "../../src/library/trust/trust_record.ts";
import {
  handedTrust,
  trustStatusOf,
} from "../../src/library/trust/trust_status.ts";
import { saidBy } from "../../scripts/vectors/remembered.ts";
import vectors from "./remembered.json" with { type: "json" };

const json = (value: unknown) => utf8(JSON.stringify(value));

/** Merging in either order, and again, comes to the same. */
function assertMerges<T>(
  [laptop, phone, merged]: readonly [T, T, T],
  merge: (one: T, other: T) => T,
): void {
  assert.deepEqual(merge(laptop, phone), merged);
  assert.deepEqual(merge(phone, laptop), merged);
  assert.deepEqual(merge(merged, laptop), merged);
  assert.deepEqual(merge(phone, merged), merged);
}

Deno.test("trust records merge to that of the vectors, in either order and again", () => {
  const { laptop, phone, merged, says } = vectors.trust;
  const read = (one: unknown) => decodeTrust(json(one));
  assertMerges([read(laptop), read(phone), read(merged)], mergeTrust);
  const said = [laptop, phone, merged].map((one) => saidBy(read(one)));
  assert.deepEqual(said, says);
  // An unknown word for how keys came is the most cautious one, and stays.
  const record = decodeTrust(encodeTrust(read(merged)));
  assert.equal(record.devices["a tablet"]?.came, "passkey");
  const known = { ...record, directory: undefined };
  assert.equal(trustStatusOf(known, "a tablet"), "unconfirmed");
});

Deno.test("what is handed over of a trust record is that of the vectors, and is merged like any other", () => {
  const laptop = decodeTrust(json(vectors.trust.laptop));
  for (const { most_bytes, copy, trust } of vectors.handed) {
    const text = handedTrust(laptop, copy, most_bytes);
    assert(utf8(text).length <= most_bytes);
    assert.deepEqual(JSON.parse(text), trust);
    const merged = mergeTrust(laptop, decodeTrust(utf8(text)));
    assert.deepEqual(merged, laptop);
  }
});

Deno.test("deletions, and what was published, merge to those of the vectors", () => {
  const { deletions, published } = vectors;
  const read = (one: unknown) => decodeDeletions(json(one));
  assertMerges([
    read(deletions.laptop),
    read(deletions.phone),
    read(deletions.merged),
  ], mergeDeletions);
  type Record = Parameters<typeof withDocuments>[0];
  const noted = (one: { documents: object }): Record => ({
    v: 1,
    documents: { ...one.documents } as Record["documents"],
  });
  assertMerges(
    [
      noted(published.laptop),
      noted(published.phone),
      noted(published.merged),
    ],
    (one, other) => withDocuments(one, other.documents),
  );
});
