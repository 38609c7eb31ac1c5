/**
 * A guest's file, encrypted while it is read, and the link that names whom it
 * is encrypted for (protocol/client-cryptography.md#blob,
 * protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type PlainSource,
  sealedSource,
  SourceChanged,
} from "../../src/client/stream/sealed_source.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import { encryptBytes, HEAD_BYTES } from "../../src/client/stream/stream.ts";
import {
  buildUploadLink,
  isRecipient,
  parseUploadLink,
  recipientFingerprint,
  unwrapGate,
  wrapGate,
} from "../../src/client/documents/upload_link.ts";
import { protectShare } from "../../src/client/documents/share.ts";
import type { Bytes } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { seededRandom } from "../support/app.ts";
import { ciphertext } from "../support/people.ts";

const FILE_KEY = ciphertext("file key", 32);
const SALT = ciphertext("salt", 16);
const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 };

/** Bytes that a test may change while they are being read. */
function plain(bytes: Bytes): PlainSource {
  return {
    size: bytes.length,
    read: (offset, length) =>
      Promise.resolve(bytes.slice(offset, offset + length)),
  };
}

Deno.test("a sealed source is the blob that encrypting at once gives, wherever it is read", async () => {
  for (const chunkSize of [4_096, 8_192, 65_536]) {
    for (const size of [0, 1, 4_095, 4_096, 4_097, 8_193]) {
      const bytes = ciphertext(`plain ${size}`, size);
      const key = { fileKey: FILE_KEY, chunkSize };
      const blob = await encryptBytes(key, SALT, bytes);
      const source = await sealedSource(plain(bytes), key, SALT);
      assert.equal(source.size, blob.length);
      assert.equal(source.hash, sha256Hex(blob));
      assert.deepEqual(await source.read(0, blob.length), blob);
      for (const length of [1, 17, 49, 100, 4_113]) {
        for (let offset = 0; offset + length <= blob.length; offset += 61) {
          assert.deepEqual(
            await source.read(offset, length),
            blob.slice(offset, offset + length),
            `${chunkSize} ${size} ${offset} ${length}`,
          );
        }
      }
    }
  }
});

Deno.test("a source over a mebibyte is hashed piece by piece, and tells how far", async () => {
  const bytes = ciphertext("large", 3_000_000);
  const key = { fileKey: FILE_KEY };
  const told: number[] = [];
  const source = await sealedSource(
    plain(bytes),
    key,
    SALT,
    (done) => told.push(done),
  );
  const blob = await encryptBytes(key, SALT, bytes);
  assert.equal(source.hash, sha256Hex(blob));
  assert.deepEqual(told, [1_048_576, 2_097_152, 3_000_000]);
  assert.deepEqual(
    await source.read(1_000_000, 1_500_000),
    blob.slice(1_000_000, 2_500_000),
  );
});

Deno.test("no chunk of a plaintext that changed leaves a sealed source", async () => {
  const bytes = ciphertext("plain", 20_000);
  const key = { fileKey: FILE_KEY, chunkSize: 4_096 };
  const fourth = HEAD_BYTES + 3 * (4_096 + 16);
  const source = await sealedSource(plain(bytes), key, SALT);
  bytes[13_000] = (bytes[13_000] ?? 0) ^ 1;
  await assert.rejects(source.read(0, source.size), SourceChanged);
  await assert.rejects(source.read(fourth, 1), SourceChanged);
  // The chunks before it are what they were.
  assert.equal((await source.read(0, fourth)).length, fourth);

  const shorter = ciphertext("plain", 300);
  const cut = { ...plain(shorter), size: 301 };
  await assert.rejects(sealedSource(cut, key, SALT), SourceChanged);
});

Deno.test("an upload link names its recipient by the key's fingerprint", () => {
  const { publicKey } = sealingKeyPairFromSeed(ciphertext("seed", 32));
  const other = sealingKeyPairFromSeed(ciphertext("another", 32)).publicKey;
  const fingerprint = recipientFingerprint(publicKey);
  const opaqueId = "0123456789abcdef".repeat(2);
  const link = { origin: "https://example.org", opaqueId, fingerprint };
  const text = buildUploadLink(link);
  assert.match(
    text,
    /^https:\/\/example\.org\/u\/[0-9a-f]{32}#[A-Za-z0-9_-]{43}$/,
  );
  assert.deepEqual(parseUploadLink(text), link);
  assert(isRecipient(publicKey, fingerprint));
  assert(!isRecipient(other, fingerprint));
  const bare = text.split("#")[0] ?? "";
  assert.deepEqual(parseUploadLink(bare), { origin: link.origin, opaqueId });
  for (
    const damaged of [
      text.slice(0, -1),
      `${text}A`,
      bare.slice(0, -1),
      bare.replace("/u/", "/s/"),
      "not a link",
    ]
  ) assert.equal(parseUploadLink(damaged), undefined, damaged);
});

Deno.test("a passphrase opens the gate of its own link alone", async () => {
  const random = seededRandom("upload link");
  const [gate, opaqueId] = [
    ciphertext("gate", 32),
    "0123456789abcdef".repeat(2),
  ];
  const of = { opaqueId, gate };
  const box = await wrapGate("two words", of, random, { cost: CHEAP });
  assert.deepEqual(await unwrapGate(" two  words", box, opaqueId), gate);
  const wrong = { name: "EscrowError", fault: "passphrase_wrong" };
  await assert.rejects(unwrapGate("two worlds", box, opaqueId), wrong);
  await assert.rejects(unwrapGate("two words", box, "0".repeat(32)), wrong);
  // A share's box in the gate's place does not open.
  const fragment = ciphertext("fragment", 32);
  const share = await protectShare(
    "two words",
    { opaqueId, fragment },
    random,
    { cost: CHEAP },
  );
  const { wrappedSecret } = share;
  await assert.rejects(unwrapGate("two words", wrappedSecret, opaqueId), wrong);
});
