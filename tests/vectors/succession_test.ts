import assert from "node:assert/strict";
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { verifyHybrid } from "../../src/crypto/hybrid.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { followSuccession } from "../../src/crypto/succession.ts";
import { backends, base64, flipped, hex } from "../support/vectors.ts";
import vectors from "./succession.json" with { type: "json" };

const RECORD = vectors.attestation_keys;
const PUBLISHED = parsePublishedKeys(RECORD);
const [FIRST = "", SECOND = "", THIRD = ""] = PUBLISHED.keys.map((key) =>
  key.keyId
);

/** The record with one key changed, as a server might publish it. */
function withKey(place: number, over: object) {
  const keys = RECORD.keys.map((key, i) =>
    i === place ? { ...key, ...over } : key
  );
  return parsePublishedKeys({ ...RECORD, keys });
}

Deno.test("a client that pinned one key follows the server through its rotations and names", async () => {
  for (const backend of await backends()) {
    for (const [i, pinned] of [FIRST, SECOND, THIRD].entries()) {
      const followed = await followSuccession(PUBLISHED, pinned, backend);
      assert.deepEqual(
        followed?.published.keys.map(({ keyId }) => keyId),
        [FIRST, SECOND, THIRD].slice(i),
      );
      assert.equal(followed?.endsBefore, undefined);
    }
    assert.equal(
      await followSuccession(PUBLISHED, "0".repeat(64), backend),
      undefined,
    );
  }
});

Deno.test("what is signed of a succession is the bytes of the vectors", async () => {
  const before = [PUBLISHED.keys[0], PUBLISHED.keys[1]];
  const under = [RECORD.server_ids[0], RECORD.server_ids[1]];
  for (const [i, { key_id, payload }] of vectors.payloads.entries()) {
    const key = RECORD.keys[i + 1];
    assert(key?.succession !== undefined);
    const bytes = encodeCanonical([
      "service-key-succession/v1",
      under[i]?.server_id ?? "",
      key_id,
      key.active_from,
    ]);
    assert.equal(toHex(bytes), payload);
    for (const backend of await backends()) {
      assert(
        await verifyHybrid(
          before[i]?.publicKey ?? hex(""),
          "service-key-succession/v1",
          hex(payload),
          base64(key.succession),
          backend,
        ),
      );
    }
  }
});

Deno.test("a key that the one before does not vouch for ends the line there", async () => {
  const second = base64(RECORD.keys[1]?.succession ?? "");
  const broken = {
    "no succession": withKey(1, { succession: undefined }),
    "a bit of its Ed25519 half": withKey(1, {
      succession: toBase64(flipped(second, 5)),
    }),
    "a bit of its ML-DSA half": withKey(1, {
      succession: toBase64(flipped(second, -1)),
    }),
    "another time": withKey(1, { active_from: "2026-09-02T00:00:00.000Z" }),
    "that of another key": withKey(1, {
      succession: RECORD.keys[2]?.succession,
    }),
    "under an id that the server never had": parsePublishedKeys({
      ...RECORD,
      server_ids: RECORD.server_ids.slice(1),
    }),
  };
  for (const [what, published] of Object.entries(broken)) {
    const followed = await followSuccession(published, FIRST);
    assert.equal(followed?.endsBefore, SECOND, what);
    assert.equal(followed?.published.keys.length, 1, what);
  }
});
