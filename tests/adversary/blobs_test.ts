/**
 * A blob that opens under two keys, and parts of a blob that are exchanged:
 * readers refuse them, whole or by ranges
 * (protocol/client-cryptography.md#blob).
 *
 * @module
 */
import assert from "node:assert/strict";
import { chacha20 } from "@noble/ciphers/chacha.js";
import { type Bytes, concatBytes, utf8 } from "../../src/core/bytes.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import { sha256, sha256Hex } from "../../src/crypto/sha256.ts";
import { derivedFileKey } from "../../src/client/documents/file_key.ts";
import { decryptBytes, encryptBytes } from "../../src/client/stream/stream.ts";
import { deriveKey } from "../../src/client/documents/suite.ts";
import type { Library } from "../../src/library/mod.ts";
import { rangesOver } from "../../src/library/rows/pull.ts";
import { withCast } from "../support/album_cast.ts";
import { fileOf, wholeOf, type Wire } from "../support/library.ts";

const P = (1n << 130n) - 5n;
const BLOCK = 1n << 128n;
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

const numberOf = (bytes: Uint8Array) =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const bytesOf = (value: bigint, length: number) =>
  Uint8Array.from(
    { length },
    (_, at) => Number((value >> BigInt(8 * at)) & 255n),
  );
const mod = (value: bigint) => ((value % P) + P) % P;
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let at = mod(base), left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * at);
    at = mod(at * at);
  }
  return result;
}

/** A chunk of one ciphertext and one tag that opens under both keys. */
function collide(keys: readonly Uint8Array[], nonce: Uint8Array): Bytes {
  const length = 256;
  const blocks = length / 16;
  const ciphertext = new Uint8Array(length).fill(7);
  const sizes = numberOf(bytesOf(BigInt(length) << 64n, 16)) + BLOCK;
  const halves = keys.map((key) => {
    const one = chacha20(key, nonce, new Uint8Array(32));
    return {
      r: numberOf(one.subarray(0, 16)) & CLAMP,
      s: numberOf(one.subarray(16)),
    };
  });
  for (let attempt = 0;; attempt++) {
    const tag = numberOf(sha256(utf8(`tag ${attempt}`)).subarray(0, 16));
    // Two blocks at the end are free: two linear equations, one for each key.
    const [one, other] = halves.map(({ r, s }) => {
      let sum = 0n;
      for (let at = 0; at < blocks - 2; at++) {
        const block = ciphertext.subarray(16 * at, 16 * at + 16);
        sum = mod((sum + numberOf(block) + BLOCK) * r);
      }
      const wanted = (tag - s) & (BLOCK - 1n);
      const [square, cube] = [power(r, 2n), power(r, 3n)];
      return { cube, square, rest: mod(wanted - sum * cube - sizes * r) };
    });
    assert(one !== undefined && other !== undefined);
    const inverse = power(
      mod(one.cube * other.square - other.cube * one.square),
      P - 2n,
    );
    const x = mod(
      (one.rest * other.square - other.rest * one.square) * inverse,
    );
    const y = mod((one.cube * other.rest - other.cube * one.rest) * inverse);
    const fits = [x, y].every((value) => value >= BLOCK && value < 2n * BLOCK);
    if (!fits) continue;
    ciphertext.set(bytesOf(x - BLOCK, 16), length - 32);
    ciphertext.set(bytesOf(y - BLOCK, 16), length - 16);
    return concatBytes(ciphertext, bytesOf(tag, 16));
  }
}

Deno.test("a blob that ChaCha20-Poly1305 opens under two keys is refused under one of them, whole and by ranges", async () => {
  const fileKeys = [1, 2].map((fill) => new Uint8Array(32).fill(fill));
  const salt = new Uint8Array(16).fill(9);
  const derived = (label: string) =>
    fileKeys.map((key) => deriveKey(portablePrimitives, key, salt, label));
  const nonce = new Uint8Array(12);
  nonce[11] = 1;
  const keys = derived("service-stream/v1");
  const chunk = collide(keys, nonce);
  // The attack is there: both keys open the chunk, to two plaintexts.
  const [one, other] = keys.map((key) =>
    portablePrimitives.open(key, nonce, chunk)
  );
  assert(one !== undefined && other !== undefined);
  assert.notDeepEqual(one, other);
  for (
    const [at, commitment] of derived("service-stream-commit/v1").entries()
  ) {
    const blob = concatBytes(salt, commitment, chunk);
    for (const [i, fileKey] of fileKeys.entries()) {
      const whole = decryptBytes({ fileKey }, blob);
      const ranged = rangesOver(
        { key: { fileKey }, size: blob.length },
        async function* ({ first, last }) {
          yield await Promise.resolve(blob.subarray(first, last + 1));
        },
      ).read({ first: 0, last: 19 });
      if (i === at) {
        const plain: Bytes = i === 0 ? one : other;
        assert.deepEqual(await whole, plain);
        assert.deepEqual(await ranged, plain.subarray(0, 20));
        continue;
      }
      const refused = { name: "StreamError", message: /another key/ };
      await assert.rejects(whole, refused);
      await assert.rejects(ranged, refused);
    }
  }
});

const CHUNK = 65_536 + 16;

/** Has the server answer for one blob out of other bytes. */
function serve(wire: Wire, hash: string, bytes: Bytes): void {
  wire.intercept = (request) => {
    if (!request.url.endsWith(`/blobs/${hash}`)) return undefined;
    const range = /bytes=(\d+)-(\d+)?/.exec(request.headers.get("range") ?? "");
    const first = Number(range?.[1] ?? 0);
    const last = Number(range?.[2] ?? bytes.length - 1);
    const part = bytes.slice(first, last + 1);
    const headers = {
      "Content-Length": String(part.length),
      ETag: `"${hash}"`,
      ...range === null
        ? {}
        : { "Content-Range": `bytes ${first}-${last}/${bytes.length}` },
    };
    return Promise.resolve(
      new Response(part, { status: range === null ? 200 : 206, headers }),
    );
  };
}

async function served(library: Library, id: string, hash: string) {
  const { stream } = await library.vault.session.account.blob(id, hash);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

Deno.test("parts of a blob that the server exchanges are refused: of another place, of another blob, of another end", async () => {
  await withCast(async ({ ada, wire }) => {
    const plain = Uint8Array.from(
      { length: 3 * 65_536 + 100 },
      (_, at) => (at * at + 7 * at) % 251,
    );
    const { row } = await ada.take(fileOf("film.mp4", plain));
    const original = ada.index.get(row.id)?.blobs
      .find(({ role }) => role === "original");
    assert(original !== undefined);
    const blob = await served(ada, row.id, original.hash);
    assert.equal(sha256Hex(blob), original.hash);
    const parts = [0, 1, 2, 3].map((at) =>
      blob.subarray(48 + at * CHUNK, 48 + (at + 1) * CHUNK)
    );
    const [a, b, c, d] = parts;
    assert(a && b && c && d);
    const head = blob.subarray(0, 48);
    // The same plaintext under the same key, with another salt.
    const held = await ada.albums.keysOf(undefined);
    const [library] = held;
    assert(library !== undefined);
    const again = await encryptBytes(
      { fileKey: derivedFileKey(library.amk, row.id) },
      new Uint8Array(16).fill(3),
      plain,
    );
    assert.equal(again.length, blob.length);
    const lies = {
      "two places exchanged": concatBytes(head, b, a, c, d),
      "one twice": concatBytes(head, a, a, c, d),
      "another blob of the same key": concatBytes(
        head,
        again.subarray(48),
      ),
      "another head": concatBytes(again.subarray(0, 48), a, b, c, d),
    };
    const first = { first: 65_536, last: 65_600 };
    assert.deepEqual(
      await ada.range(row.id, first),
      plain.slice(65_536, 65_601),
    );
    for (const [what, lie] of Object.entries(lies)) {
      serve(wire, original.hash, lie);
      await assert.rejects(ada.range(row.id, first), /open|key/, what);
      await assert.rejects(wholeOf(ada.read(row.id)), what);
    }
    // A shorter blob would have another end.
    serve(wire, original.hash, concatBytes(head, a, b, c));
    await assert.rejects(ada.range(row.id, first), /another size/);
    // What a holder of the file key makes of the whole opens by ranges, and the
    // hash tells of it where the whole is read (threat-model.md).
    const other = new Uint8Array(plain.length).fill(5);
    const made = await encryptBytes(
      { fileKey: derivedFileKey(library.amk, row.id) },
      new Uint8Array(16).fill(4),
      other,
    );
    serve(wire, original.hash, made);
    assert.deepEqual(
      await ada.range(row.id, first),
      other.slice(65_536, 65_601),
    );
    await assert.rejects(wholeOf(ada.read(row.id)), /not the blob/);
    wire.intercept = undefined;
    assert.deepEqual(await wholeOf(ada.read(row.id)), plain);
  });
});
