/**
 * What every backend refuses alike (protocol/signed-things.md#hybrid-signature,
 * protocol/client-cryptography.md#sealing-to-a-person). The reader in Python
 * holds the same vectors against OpenSSL.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, toHex, utf8 } from "../../src/core/bytes.ts";
import { verifyHybrid } from "../../src/crypto/hybrid.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  signDirectory,
  verifyDirectory,
} from "../../src/client/documents/directory.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  openSealed,
  sealingKeyPairFromSeed,
  sealTo,
} from "../../src/client/keys/sealing.ts";
import { isSealingKey } from "../../src/client/documents/suite.ts";
import {
  X_WING_CIPHERTEXT_BYTES,
  xWingDecapsulate,
  xWingEncapsulate,
  xWingPublicKey,
} from "../../src/client/keys/x_wing.ts";
import { backends, base64, flipped, hex } from "../support/vectors.ts";
import hybrid from "./hybrid.json" with { type: "json" };
import vectors from "./refusals.json" with { type: "json" };

const { draft, implicit_rejection, low_order, modulus } = vectors.x_wing;
const [FIRST = assert.fail()] = draft;

Deno.test("no backend takes an Ed25519 key of small order, one that is not canonical, an S that is not below the order, or an equation that holds times eight alone", async () => {
  for (const backend of await backends()) {
    for (const { why, public_key, signature, holds } of vectors.ed25519) {
      const verified = await backend.verifyEd25519(
        hex(public_key),
        hex(vectors.message),
        hex(signature),
      );
      assert.equal(verified, holds, `${why} ${public_key}`);
    }
  }
});

Deno.test("a hybrid signature with one wrong half is invalid, in every backend", async () => {
  const [key, payload, signature] = [
    base64(hybrid.public_key),
    hex(hybrid.payload),
    base64(hybrid.signature),
  ];
  for (const backend of await backends()) {
    const verify = (bytes: Uint8Array) =>
      verifyHybrid(key, hybrid.domain, payload, bytes, backend);
    assert.equal(await verify(signature), true);
    for (const at of vectors.hybrid.bytes) {
      assert.equal(await verify(flipped(signature, at)), false, String(at));
    }
  }
});

Deno.test("X-Wing gives the shared secrets of the draft's vectors", () => {
  for (const one of draft) {
    const publicKey = xWingPublicKey(hex(one.seed));
    assert.equal(sha256Hex(publicKey), one.public_key_sha256);
    const { ciphertext, sharedSecret } = xWingEncapsulate(
      publicKey,
      hex(one.coins),
    );
    assert.deepEqual(ciphertext, base64(one.ciphertext));
    assert.equal(toHex(sharedSecret), one.shared_secret);
    assert.deepEqual(xWingDecapsulate(hex(one.seed), ciphertext), sharedSecret);
  }
  // ML-KEM rejects implicitly: another secret, and no error.
  const changed = flipped(base64(FIRST.ciphertext), 5);
  const other = xWingDecapsulate(hex(FIRST.seed), changed);
  assert.equal(toHex(other), implicit_rejection.shared_secret);
});

Deno.test("a sealed thing with a point of low order is refused", () => {
  const context = utf8("context");
  const random = (length: number) => new Uint8Array(length).fill(9);
  const { publicKey, secretKey } = sealingKeyPairFromSeed(hex(FIRST.seed));
  const open = (bytes: Uint8Array) =>
    openSealed(secretKey, bytes, "label", context);
  const sealed = sealTo(publicKey, utf8("a key"), "label", context, random);
  assert.deepEqual(open(sealed), utf8("a key"));
  for (const point of low_order.map(hex)) {
    const weak = concatBytes(
      sealed.subarray(0, X_WING_CIPHERTEXT_BYTES - point.length),
      point,
      sealed.subarray(X_WING_CIPHERTEXT_BYTES),
    );
    assert.equal(open(weak), undefined);
  }
});

Deno.test("a directory counts only with a sealing key that can be sealed to", async () => {
  const { signer } = await openIdentity(new Uint8Array(32).fill(7));
  const good = xWingPublicKey(hex(FIRST.seed));
  const keys: (readonly [Uint8Array, boolean])[] = [
    [good, true],
    [good.subarray(1), false],
    ...modulus.bytes.map(({ bytes, holds }) =>
      [concatBytes(hex(bytes), good.subarray(3)), holds] as const
    ),
    ...low_order.map((point) =>
      [concatBytes(good.subarray(0, -32), hex(point)), false] as const
    ),
  ];
  const coins = new Uint8Array(64).fill(5);
  for (const [at, [sealing_key, holds]] of keys.entries()) {
    let isSealed = true;
    try {
      xWingEncapsulate(sealing_key, coins);
    } catch {
      isSealed = false;
    }
    assert.equal(isSealed, holds, `key ${at}`);
    assert.equal(isSealingKey(sealing_key), isSealed, `key ${at}`);
    if (sealing_key.length !== good.length) continue;
    const user_id = "0198c5f0-0000-7000-8000-00000000000a";
    const bytes = await signDirectory(signer, {
      user_id,
      server_id: "https://photos.example",
      directory_version: 1,
      sealing_key,
      devices: [],
      signed_at: "2026-11-21T12:00:00Z",
    });
    for (const backend of await backends()) {
      const read = verifyDirectory(bytes, signer.publicKey, user_id, backend);
      if (isSealed) assert.deepEqual((await read).sealing_key, sealing_key);
      else await assert.rejects(read, /sealing key is damaged/);
    }
  }
});
