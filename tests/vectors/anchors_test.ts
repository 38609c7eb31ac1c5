/** Vectors of others: what makes the ones of our own mean something. */
import assert from "node:assert/strict";
import { toHex, utf8 } from "../../src/core/bytes.ts";
import { sha256Hex, sha256Stream } from "../../src/crypto/sha256.ts";
import { portableArgon2, wasmArgon2 } from "../../src/client/keys/argon2.ts";
import { backends, hex, oneByOne, PRIMITIVES } from "../support/vectors.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("SHA-256 of abc is that of FIPS 180-4, at once and byte by byte", async () => {
  assert.equal(sha256Hex(utf8("abc")), ABC);
  for (const { sha256 } of PRIMITIVES) {
    const digest = await sha256Stream(oneByOne(utf8("abc")), sha256);
    assert.equal(toHex(digest), ABC);
  }
});

Deno.test("ChaCha20-Poly1305 seals as in RFC 8439 section 2.8.2", () => {
  const key = hex(
    "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
  );
  const nonce = hex("070000004041424344454647");
  const associated = hex("50515253c0c1c2c3c4c5c6c7");
  const plaintext = utf8(
    "Ladies and Gentlemen of the class of '99: If I could offer you only " +
      "one tip for the future, sunscreen would be it.",
  );
  const sealed = "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736" +
    "ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692" +
    "ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e" +
    "4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691";
  for (const { seal, open } of PRIMITIVES) {
    assert.equal(toHex(seal(key, nonce, plaintext, associated)), sealed);
    assert.deepEqual(open(key, nonce, hex(sealed), associated), plaintext);
    assert.equal(open(key, nonce, hex(sealed)), undefined);
    assert.equal(open(key, nonce, hex(sealed), utf8("other")), undefined);
  }
});

Deno.test("an AEAD that is asked with the wrong sizes opens nothing", () => {
  for (const { seal, open } of PRIMITIVES) {
    const key = new Uint8Array(32);
    const nonce = new Uint8Array(12);
    const sealed = seal(key, nonce, new Uint8Array(0));
    assert.equal(sealed.length, 16);
    assert.deepEqual(open(key, nonce, sealed), new Uint8Array(0));
    assert.equal(open(key, nonce, sealed.subarray(1)), undefined);
    assert.equal(open(key, nonce.subarray(1), sealed), undefined);
    assert.equal(open(key.subarray(1), nonce, sealed), undefined);
  }
});

Deno.test("HKDF-SHA-256 derives as in RFC 5869 appendix A, with and without salt", () => {
  const ikm = new Uint8Array(22).fill(0x0b);
  for (const { hkdfSha256 } of PRIMITIVES) {
    assert.equal(
      toHex(
        hkdfSha256(
          ikm,
          hex("000102030405060708090a0b0c"),
          hex("f0f1f2f3f4f5f6f7f8f9"),
          42,
        ),
      ),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf" +
        "34007208d5b887185865",
    );
    assert.equal(
      toHex(hkdfSha256(ikm, new Uint8Array(), new Uint8Array(), 42)),
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d" +
        "9d201395faa4b61a96c8",
    );
  }
});

Deno.test("Ed25519 signs as in RFC 8032 section 7.1", async () => {
  const vectors = [
    {
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey:
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature:
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    },
    {
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey:
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature:
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac" +
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    },
  ];
  for (const backend of await backends()) {
    for (const vector of vectors) {
      const message = hex(vector.message);
      const key = await backend.openEd25519(hex(vector.seed));
      assert.equal(toHex(key.publicKey), vector.publicKey);
      const signature = await key.sign(message);
      assert.equal(toHex(signature), vector.signature);
      assert(await backend.verifyEd25519(key.publicKey, message, signature));
    }
  }
});

Deno.test("ML-DSA-65 of WebCrypto and of noble make one key and verify each other", async () => {
  const message = utf8("both ways");
  const keys = await Promise.all(
    (await backends()).map(async (backend) => {
      const key = await backend.openMlDsa65(new Uint8Array(32).fill(9));
      return { ...key, signature: await key.sign(message) };
    }),
  );
  for (const backend of await backends()) {
    for (const { publicKey, signature } of keys) {
      assert.deepEqual(publicKey, keys[0]?.publicKey);
      assert(await backend.verifyMlDsa65(publicKey, message, signature));
    }
  }
});

Deno.test("Argon2id agrees with the reference implementation's own test", async () => {
  const cost = { memoryKib: 256, passes: 2, lanes: 1 };
  for (const engine of [wasmArgon2, portableArgon2]) {
    assert.equal(
      toHex(await engine(utf8("password"), utf8("somesalt"), cost)),
      "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe",
    );
  }
});
