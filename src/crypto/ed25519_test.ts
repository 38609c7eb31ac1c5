import assert from "node:assert/strict";
import { utf8 } from "../core/bytes.ts";
import { Point } from "@noble/ed25519";
import { sha256 } from "./sha256.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { isEd25519PublicKey } from "./ed25519_strict.ts";
import { hybridBackend } from "./hybrid.ts";

const MESSAGE = utf8("a report");
/** RFC 8032 section 7.1, test 1: the empty message. */
const RFC8032 = {
  publicKey: Uint8Array.fromHex(
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  ),
  signature: Uint8Array.fromHex(
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555" +
      "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ),
};

Deno.test("RFC 8032's first signature verifies, and over nothing else", async () => {
  const { publicKey, signature } = RFC8032;
  assert(await verifyEd25519(publicKey, new Uint8Array(), signature));
  assert(!await verifyEd25519(publicKey, new Uint8Array(1), signature));
});

Deno.test("a signature of another key, message or length is invalid", async () => {
  const backend = await hybridBackend();
  const key = await backend.openEd25519(new Uint8Array(32).fill(7));
  const other = await backend.openEd25519(new Uint8Array(32).fill(8));
  const signature = await key.sign(MESSAGE);
  const { publicKey } = key;
  assert(await verifyEd25519(publicKey, MESSAGE, signature));
  const longer = new Uint8Array([...signature, 0]);
  const changed = signature.with(0, (signature[0] ?? 0) ^ 1);
  // S + L signs the same message where a verifier forgets to look (8032 5.1.7).
  const malleable = signature.slice();
  addOrder(malleable.subarray(32));
  for (
    const [bytes, message, signed] of [
      [other.publicKey, MESSAGE, signature],
      [publicKey, utf8("another report"), signature],
      [publicKey, MESSAGE, new Uint8Array()],
      [publicKey, MESSAGE, new Uint8Array(64)],
      [publicKey, MESSAGE, signature.subarray(0, 63)],
      [publicKey, MESSAGE, longer],
      [publicKey, MESSAGE, changed],
      [publicKey, MESSAGE, malleable],
      [publicKey.subarray(1), MESSAGE, signature],
      [new Uint8Array(32).fill(0xff), MESSAGE, signature],
    ] as const
  ) assert(!await verifyEd25519(bytes, message, signed));
});

Deno.test("a public key is a point that a private key can belong to", () => {
  assert(isEd25519PublicKey(RFC8032.publicKey));
  const smallOrder = [
    "01" + "00".repeat(31),
    "00".repeat(32),
    "ec" + "ff".repeat(30) + "7f",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  ];
  const noPoint = ["02" + "00".repeat(31), "ff".repeat(32)];
  const anotherLength = ["", "00".repeat(31), "01".repeat(33)];
  for (const hex of [...smallOrder, ...noPoint, ...anotherLength]) {
    assert(!isEd25519PublicKey(Uint8Array.fromHex(hex)), hex);
  }
  for (let n = 0; n < 64; n++) {
    const bytes = sha256(utf8(`bytes ${n}`));
    let isPoint = true;
    try {
      Point.fromBytes(bytes);
    } catch {
      isPoint = false;
    }
    assert.equal(isEd25519PublicKey(bytes), isPoint, String(n));
  }
});

/** Adds the order of the group to a little-endian number of 32 bytes. */
function addOrder(bytes: Uint8Array): void {
  const order = Uint8Array.fromHex(
    "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
  );
  let carry = 0;
  for (const [index, byte] of order.entries()) {
    const sum = (bytes[index] ?? 0) + byte + carry;
    bytes[index] = sum & 0xff;
    carry = sum >>> 8;
  }
}
