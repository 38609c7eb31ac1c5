/**
 * A person's file as a page's threads read it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { type PlainSource, sealerOf } from "../../src/client/stream/sealer.ts";
import { streamKey } from "../../src/client/stream/stream.ts";
import { sourceOfFile } from "../../src/client/stream/threads/file_source.ts";
import { bodyOf } from "../../src/web/browser.ts";
import { ciphertext } from "../support/people.ts";

const MIB = 1024 * 1024;

Deno.test("what was read of a file is freed once it was hashed and sealed, and no two readers share it", async () => {
  const file = new Blob([ciphertext("a file", 4 * MIB)]);
  const source = sourceOfFile(file);
  const given: Uint8Array[] = [];
  const watched: PlainSource = {
    ...source,
    read: async (offset, length) => {
      const bytes = await source.read(offset, length);
      given.push(bytes);
      return bytes;
    },
  };
  const sealer = sealerOf(nativePrimitives);
  const key = streamKey(
    { fileKey: ciphertext("file key", 32), chunkSize: 65_536 },
    ciphertext("salt", 16),
  );
  const { sha256 } = await sealer.whole(watched, key);
  assert.equal(await sealer.hash(watched), sha256);
  assert.deepEqual(given.map(({ length }) => length), Array(8).fill(0));
  // By then the third part is read ahead.
  await source.read(0, MIB);
  await source.read(MIB, MIB);
  const [one, other] = await Promise.all([
    source.read(2 * MIB, MIB),
    source.read(2 * MIB, MIB),
  ]);
  assert.deepEqual(one, other);
  assert.notEqual(one?.buffer, other?.buffer);
});

Deno.test("a browser is asked for a buffer, so that it collects, each time that 24 MiB were read or sent", async () => {
  const sizes: number[] = [];
  const real = globalThis.ArrayBuffer;
  const source = sourceOfFile(new Blob([new Uint8Array(3 * MIB)]));
  const sent = new Uint8Array(MIB);
  globalThis.ArrayBuffer = new Proxy(real, {
    construct(target, [size]: [number]) {
      if (size > 24 * MIB) sizes.push(size);
      return new target(Math.min(size, MIB));
    },
  });
  try {
    for (let megabytes = 0; megabytes < 96; megabytes += 4) {
      await source.read(0, 3 * MIB);
      bodyOf({ body: sent });
    }
  } finally {
    globalThis.ArrayBuffer = real;
  }
  assert.equal(sizes.length, 4);
});

Deno.test("a body of bytes is sent as a Blob, which a browser need not copy", async () => {
  const bytes = ciphertext("a body", MIB);
  const { body } = bodyOf({ body: bytes });
  assert(body instanceof Blob);
  assert.deepEqual(await body.bytes(), bytes);
  assert.deepEqual(bodyOf({ body: "text" }), {});
  assert.deepEqual(bodyOf({}), {});
});
