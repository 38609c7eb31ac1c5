import assert from "node:assert/strict";
import fc from "fast-check";
import { ml_kem768_x25519 as theirs } from "@noble/post-quantum/hybrid.js";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import {
  openSealed,
  sealingKeyPairFromSeed,
  sealTo,
} from "../../src/client/sealing.ts";
import {
  X_WING_CIPHERTEXT_BYTES,
  xWingDecapsulate,
  xWingEncapsulate,
  xWingPublicKey,
} from "../../src/client/x_wing.ts";

const bytesOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length });

Deno.test("X-Wing gives the keys, ciphertexts and secrets of another implementation", () => {
  fc.assert(
    fc.property(bytesOf(32), bytesOf(64), (seed, coins) => {
      const publicKey = xWingPublicKey(seed);
      assert.deepEqual(publicKey, theirs.keygen(seed).publicKey);
      const { ciphertext, sharedSecret } = xWingEncapsulate(publicKey, coins);
      const expected = theirs.encapsulate(publicKey, coins);
      assert.deepEqual(ciphertext, expected.cipherText);
      assert.deepEqual(sharedSecret, expected.sharedSecret);
      assert.deepEqual(xWingDecapsulate(seed, ciphertext), sharedSecret);
      ciphertext[5] = (ciphertext[5] ?? 0) ^ 1;
      assert.deepEqual(
        xWingDecapsulate(seed, ciphertext),
        theirs.decapsulate(ciphertext, seed),
      );
    }),
    { numRuns: 10 },
  );
});

Deno.test("a sealed thing with a point of low order is none, and a key with one is refused", () => {
  const seed = new Uint8Array(32).fill(7);
  const random = (length: number) => new Uint8Array(length).fill(9);
  const { publicKey, secretKey } = sealingKeyPairFromSeed(seed);
  const sealed = sealTo(
    publicKey,
    utf8("a key"),
    "label",
    utf8("context"),
    random,
  );
  const point = X_WING_CIPHERTEXT_BYTES - 32;
  const weak = concatBytes(
    sealed.subarray(0, point),
    new Uint8Array(32),
    sealed.subarray(X_WING_CIPHERTEXT_BYTES),
  );
  const open = (bytes: Uint8Array) =>
    openSealed(secretKey, bytes, "label", utf8("context"));
  assert.deepEqual(open(sealed), utf8("a key"));
  assert.equal(open(weak), undefined);
  const weakKey = concatBytes(publicKey.subarray(0, -32), new Uint8Array(32));
  assert.throws(() =>
    sealTo(weakKey, utf8("a key"), "label", utf8("context"), random)
  );
});
