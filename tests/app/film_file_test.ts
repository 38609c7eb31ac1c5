/**
 * The file in which a copy of a film is made.
 *
 * @module
 */
import assert from "node:assert/strict";
import { BlobFile } from "../../src/web/workers/media/films/blob_file.ts";

const MIB = 1024 * 1024;

Deno.test("a file of several parts is what was written, also over what was there", async () => {
  const file = new BlobFile("video/mp4");
  const wanted = new Uint8Array(20 * MIB + 3);
  for (let at = 0; at < wanted.length; at += 3 * MIB) {
    const data = new Uint8Array(Math.min(3 * MIB, wanted.length - at));
    data.fill(1 + at % 251);
    wanted.set(data, at);
    await file.write({ data, position: at });
  }
  // The length of the media data, once it is known, and over two parts.
  for (const position of [32, 8 * MIB - 4, 20 * MIB]) {
    const data = new Uint8Array([9, 8, 7, 6, 5, 4, 3, 2].slice(0, 8));
    const some = data.subarray(0, Math.min(8, wanted.length - position));
    wanted.set(some, position);
    await file.write({ data: new Uint8Array(some), position });
  }
  assert.equal(file.size, wanted.length);
  const blob = file.blob();
  assert.equal(blob.type, "video/mp4");
  assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), wanted);
});

Deno.test("a hole in a file is refused", async () => {
  const file = new BlobFile("video/mp4");
  await assert.rejects(
    file.write({ data: new Uint8Array(1), position: 1 }),
    RangeError,
  );
});
