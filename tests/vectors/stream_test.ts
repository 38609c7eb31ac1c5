import assert from "node:assert/strict";
import { concatBytes, toHex } from "../../src/core/bytes.ts";
import { sha256Hex, sha256Stream } from "../../src/crypto/sha256.ts";
import { piecesOf } from "../../src/client/stream/chunks.ts";
import {
  type BlobKey,
  blobWriter,
  type ByteSource,
  ciphertextSize,
  decryptBlob,
  decryptBytes,
  encryptBlob,
  encryptBytes,
  HEAD_BYTES,
  plaintextSize,
  type StreamFault,
} from "../../src/client/stream/stream.ts";
import { patternOf } from "../../scripts/vectors/seeds.ts";
import { flipped, hex, oneByOne, PRIMITIVES } from "../support/vectors.ts";
import vectors from "./stream.json" with { type: "json" };

const FILE_KEY = hex(vectors.file_key);
const SALT = hex(vectors.salt);

async function whole(pieces: ByteSource): Promise<Uint8Array> {
  return concatBytes(...await Array.fromAsync(pieces));
}

/** Three chunks of 4,096 bytes, the last with 8. */
const SIZE = 4_096;
const KEY: BlobKey = { fileKey: FILE_KEY, chunkSize: SIZE };
const PLAINTEXT = patternOf(2 * SIZE + 8);
const CHUNK = SIZE + 16;
const BLOB = await encryptBytes(KEY, SALT, PLAINTEXT);
const [HEAD, FIRST, SECOND, LAST] = [
  BLOB.subarray(0, HEAD_BYTES),
  BLOB.subarray(HEAD_BYTES, HEAD_BYTES + CHUNK),
  BLOB.subarray(HEAD_BYTES + CHUNK, HEAD_BYTES + 2 * CHUNK),
  BLOB.subarray(HEAD_BYTES + 2 * CHUNK),
];
/** Every byte around the edges of its parts, and some between them. */
const PLACES = Array.from({ length: BLOB.length }, (_, at) => at).filter((at) =>
  at < 80 || at > BLOB.length - 40 || at % 509 === 0 ||
  [1, 2].some((n) => Math.abs(at - HEAD_BYTES - n * CHUNK) < 20)
);

async function refuses(
  blob: Uint8Array,
  fault: StreamFault,
  what: string,
  key: BlobKey = KEY,
) {
  for (const primitives of PRIMITIVES) {
    await assert.rejects(
      decryptBytes({ ...key, primitives }, blob),
      { name: "StreamError", fault },
      `${what} (${primitives.name})`,
    );
  }
}

Deno.test("every blob of the vectors comes out of native and of portable code", async () => {
  for (const primitives of PRIMITIVES) {
    for (const vector of vectors.cases) {
      const chunkSize = vector.chunk_size;
      const key = { fileKey: FILE_KEY, chunkSize, primitives };
      const plaintext = patternOf(vector.plaintext_size);
      const blob = await encryptBytes(key, SALT, plaintext);
      const label = `${primitives.name} ${chunkSize} ${plaintext.length}`;
      assert.equal(sha256Hex(blob), vector.ciphertext_sha256, label);
      if (vector.ciphertext !== undefined) {
        assert.equal(toHex(blob), vector.ciphertext, label);
      }
      assert.deepEqual(await decryptBytes(key, blob), plaintext, label);
    }
  }
});

Deno.test("a blob that is pushed in pieces of any length is the same", async () => {
  for (const primitives of PRIMITIVES) {
    for (const vector of vectors.cases) {
      const key = {
        fileKey: FILE_KEY,
        chunkSize: vector.chunk_size,
        primitives,
      };
      const plaintext = patternOf(vector.plaintext_size);
      for (const length of [1, vector.chunk_size, vector.chunk_size + 1]) {
        if (plaintext.length / length > 70_000) continue;
        const writer = blobWriter(key, SALT);
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < plaintext.length; at += length) {
          pieces.push(...writer.push(plaintext.subarray(at, at + length)));
        }
        assert.equal(writer.size, plaintext.length);
        const blob = concatBytes(...pieces, writer.end());
        const label = `${primitives.name} ${vector.chunk_size} by ${length}`;
        assert.equal(sha256Hex(blob), vector.ciphertext_sha256, label);
      }
    }
    const empty = blobWriter({ ...KEY, primitives }, SALT);
    assert.deepEqual(
      empty.end(),
      await encryptBytes(KEY, SALT, new Uint8Array()),
    );
  }
});

Deno.test("a blob does not depend on how its bytes arrive, one by one included", async () => {
  for (const primitives of PRIMITIVES) {
    for (
      const vector of vectors.cases.filter((one) => one.chunk_size === SIZE)
    ) {
      const chunkSize = vector.chunk_size;
      const key = { fileKey: FILE_KEY, chunkSize, primitives };
      const plaintext = patternOf(vector.plaintext_size);
      const blob = await whole(encryptBlob(key, SALT, oneByOne(plaintext)));
      assert.equal(sha256Hex(blob), vector.ciphertext_sha256);
      const opened = await whole(decryptBlob(key, oneByOne(blob)));
      assert.deepEqual(opened, plaintext);
    }
    // At the default chunk size one run over a boundary is enough.
    const key = { fileKey: FILE_KEY, primitives };
    const plaintext = patternOf(65_537);
    const blob = await whole(encryptBlob(key, SALT, oneByOne(plaintext)));
    const vector = vectors.cases.find((one) => one.plaintext_size === 65_537);
    assert.equal(sha256Hex(blob), vector?.ciphertext_sha256);
    const digest = await sha256Stream(oneByOne(blob), primitives.sha256);
    assert.equal(toHex(digest), vector?.ciphertext_sha256);
    const opened = await whole(decryptBlob(key, oneByOne(blob)));
    assert.deepEqual(opened, plaintext);
  }
});

Deno.test("sizes are known before and after encryption", () => {
  for (const vector of vectors.cases) {
    const { chunk_size: chunkSize } = vector;
    const size = ciphertextSize(vector.plaintext_size, chunkSize);
    assert.equal(size, vector.ciphertext_size);
    assert.equal(plaintextSize(size, chunkSize), vector.plaintext_size);
  }
  // No blob: less than a head and a tag, or a last chunk without a byte.
  for (const size of [0, 16, 63, 48 + CHUNK + 1, 48 + CHUNK + 16]) {
    assert.equal(plaintextSize(size, SIZE), undefined, String(size));
  }
  assert.throws(() => ciphertextSize(-1), RangeError);
  assert.throws(() => ciphertextSize(1.5), RangeError);
});

Deno.test("one bit changed anywhere in any chunk refuses the blob", async () => {
  for (const offset of PLACES) {
    await refuses(flipped(BLOB, offset), "corrupt", `bit at ${offset}`);
  }
});

Deno.test("chunks before a changed one are given out, it and what follows are not", async () => {
  const blob = flipped(BLOB, HEAD_BYTES + CHUNK);
  const given: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const piece of decryptBlob(KEY, [blob])) given.push(piece);
  }, { fault: "corrupt" });
  assert.deepEqual(concatBytes(...given), PLAINTEXT.subarray(0, SIZE));
});

Deno.test("a blob without its last chunk is truncated", async () => {
  const blob = concatBytes(HEAD, FIRST, SECOND);
  await refuses(blob, "truncated", "last chunk dropped");
  await refuses(concatBytes(HEAD, FIRST), "truncated", "two dropped");
  await refuses(HEAD, "truncated", "no chunk");
  await refuses(new Uint8Array(), "truncated", "nothing");
  await refuses(HEAD.subarray(1), "truncated", "part of a head");
});

Deno.test("a blob cut inside a chunk is refused at every length", async () => {
  for (const end of PLACES) {
    await assert.rejects(
      decryptBytes(KEY, BLOB.subarray(0, end)),
      { name: "StreamError" },
      `cut at ${end}`,
    );
  }
});

Deno.test("chunks in another order, repeated or left out are refused", async () => {
  const cases = {
    swapped: concatBytes(HEAD, SECOND, FIRST, LAST),
    repeated: concatBytes(HEAD, FIRST, FIRST, SECOND, LAST),
    "left out": concatBytes(HEAD, FIRST, LAST),
    "last first": concatBytes(HEAD, LAST),
  };
  for (const [what, blob] of Object.entries(cases)) {
    await refuses(blob, "corrupt", what);
  }
});

Deno.test("bytes after the end are refused", async () => {
  await refuses(concatBytes(BLOB, new Uint8Array(1)), "corrupt", "one byte");
  await refuses(concatBytes(BLOB, LAST), "corrupt", "last chunk twice");
  // A full last chunk shows what was done: it opens as the last alone.
  const full = await encryptBytes(KEY, SALT, PLAINTEXT.subarray(0, 2 * SIZE));
  await refuses(concatBytes(full, new Uint8Array(1)), "extended", "after full");
});

Deno.test("an empty last chunk after another is refused", async () => {
  for (const primitives of PRIMITIVES) {
    const key = primitives.hkdfSha256(
      FILE_KEY,
      SALT,
      new TextEncoder().encode("service-stream/v1"),
      32,
    );
    const nonce = new Uint8Array(12);
    const first = primitives.seal(key, nonce, PLAINTEXT.subarray(0, SIZE));
    nonce.set([1, 1], 10);
    const empty = primitives.seal(key, nonce, new Uint8Array());
    await refuses(concatBytes(HEAD, first, empty), "corrupt", "empty last");
  }
});

Deno.test("another key, salt or chunk size opens nothing", async () => {
  const otherKey = flipped(FILE_KEY, 0);
  await refuses(BLOB, "corrupt", "key", { ...KEY, fileKey: otherKey });
  await refuses(BLOB, "corrupt", "chunk size", { ...KEY, chunkSize: 8_192 });
  const head = flipped(HEAD, 3);
  await refuses(concatBytes(head, FIRST), "corrupt", "salt");
});

Deno.test("keys, salts and chunk sizes out of bounds are refused at once", async () => {
  const misuse: [BlobKey, Uint8Array][] = [
    [{ fileKey: FILE_KEY.subarray(1) }, SALT],
    [{ fileKey: FILE_KEY }, SALT.subarray(1)],
    ...[0, 1, 16, 2_048, 4_095, 4_097, 4_096.5, 65_537, 2 ** 24 + 1, 2 ** 25]
      .map((chunkSize): [BlobKey, Uint8Array] => [
        { fileKey: FILE_KEY, chunkSize },
        SALT,
      ]),
  ];
  for (const [key, salt] of misuse) {
    await assert.rejects(encryptBytes(key, salt, PLAINTEXT), RangeError);
  }
});

Deno.test("leaving a blob early cancels the web stream under it", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      controller.enqueue(BLOB.subarray(0, HEAD_BYTES + 2 * CHUNK)),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const piece of decryptBlob(KEY, piecesOf(stream))) {
    assert.deepEqual(piece, PLAINTEXT.subarray(0, SIZE));
    break;
  }
  assert(cancelled);
});
