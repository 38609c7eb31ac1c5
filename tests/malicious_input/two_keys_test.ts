/**
 * One blob that was made to open under two keys: ChaCha20-Poly1305 commits to
 * none (protocol/client-cryptography.md#blob).
 *
 * @module
 */
import assert from "node:assert/strict";
import { chacha20 } from "@noble/ciphers/chacha.js";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import { sha256 } from "../../src/crypto/sha256.ts";
import {
  chunkOpener,
  decryptBlob,
  decryptBytes,
  HEAD_BYTES,
  streamKey,
} from "../../src/client/stream/stream.ts";

const P = (1n << 130n) - 5n;
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;
const LENGTH = 256;

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from(
    { length: 16 },
    (_, at) => Number((value >> BigInt(8 * at)) & 255n),
  );
}

function mod(value: bigint): bigint {
  return ((value % P) + P) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

/**
 * A chunk that is authentic under both keys: two blocks at its end are the
 * solution of the two equations of Poly1305.
 */
function chunkOfBoth(keys: readonly Uint8Array[], nonce: Uint8Array) {
  const halves = keys.map((key) => {
    const block = chacha20(key, nonce, new Uint8Array(32));
    const r = numberOf(block.subarray(0, 16)) & CLAMP;
    return { r, s: numberOf(block.subarray(16)) };
  });
  const start = concatBytes(
    ...keys.map((key) =>
      chacha20(key, nonce, utf8("A photo.".repeat(14)), undefined, 1)
    ),
  );
  const lengths = (BigInt(LENGTH) << 64n) + (1n << 128n);
  for (let draw = 0;; draw++) {
    const tag = numberOf(sha256(utf8(`tag ${draw}`)).subarray(0, 16));
    const [e, f] = halves.map(({ r, s }) => {
      let before = 0n;
      for (let at = 0; at < start.length; at += 16) {
        const block = numberOf(start.subarray(at, at + 16)) + (1n << 128n);
        before = mod((before + block) * r);
      }
      const sum = mod((tag - s) & ((1n << 128n) - 1n));
      const rest = mod(sum - before * power(r, 3n) - lengths * r);
      return { a: power(r, 3n), b: power(r, 2n), rest };
    });
    assert(e !== undefined && f !== undefined);
    const inverse = power(mod(e.a * f.b - f.a * e.b), P - 2n);
    const blocks = [
      mod((e.rest * f.b - f.rest * e.b) * inverse),
      mod((e.a * f.rest - f.a * e.rest) * inverse),
    ];
    const isBlock = blocks.every((one) => one >> 128n === 1n);
    if (!isBlock) continue;
    return concatBytes(
      start,
      ...blocks.map((one) => bytesOf(one - (1n << 128n))),
      bytesOf(tag),
    );
  }
}

Deno.test("a blob that was made to open under two keys opens under one at most", async () => {
  const salt = new Uint8Array(16).fill(9);
  const fileKeys = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const streams = fileKeys.map((fileKey) => streamKey({ fileKey }, salt));
  const nonce = new Uint8Array(12);
  nonce[11] = 1;
  const chunk = chunkOfBoth(streams.map(({ key }) => key), nonce);
  for (const { key } of streams) {
    const opened = portablePrimitives.open(key, nonce, chunk);
    assert.equal(opened?.length, LENGTH, "the chunk opens under both keys");
  }
  for (const [own, { head }] of streams.entries()) {
    assert.equal(head.length, HEAD_BYTES);
    const blob = concatBytes(head, chunk);
    for (const [at, fileKey] of fileKeys.entries()) {
      const readers = [
        () => decryptBytes({ fileKey }, blob),
        () => Array.fromAsync(decryptBlob({ fileKey }, [blob])),
        () => Promise.resolve().then(() => chunkOpener({ fileKey }, head)),
      ];
      for (const read of readers) {
        if (at === own) await read();
        else await assert.rejects(read, { name: "StreamError" });
      }
    }
  }
  const neither = concatBytes(salt, new Uint8Array(32), chunk);
  for (const fileKey of fileKeys) {
    await assert.rejects(decryptBytes({ fileKey }, neither), {
      fault: "corrupt",
    });
  }
});
