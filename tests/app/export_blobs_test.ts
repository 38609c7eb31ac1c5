/**
 * The bytes of a zip's entries as a browser gets them, without a browser.
 *
 * @module
 */
import assert from "node:assert/strict";
import { plainOf } from "../../src/library/rows/plaintext_cache.ts";
import { MalformedZip, readZip } from "../../src/media/zip.ts";
import { blobOf } from "../../src/web/workers/library/exports/blobs.ts";
import { type ZipFile, zipOf } from "../support/zips.ts";

const BYTES = new TextEncoder().encode("a photograph ".repeat(500));

async function blobsOf(files: readonly ZipFile[]) {
  const zip = zipOf(files);
  const { entries } = await readZip(plainOf(zip));
  return entries.map((entry) => blobOf(new Blob([zip]), entry));
}

for (const isStored of [true, false]) {
  const how = isStored ? "not packed" : "packed";
  Deno.test(`an entry that is ${how} comes with every byte`, async () => {
    const blobs = await blobsOf([
      { name: "before.jpg", bytes: BYTES.subarray(7) },
      { name: "walk.jpg", bytes: BYTES, isStored },
      { name: "empty.jpg", bytes: new Uint8Array(), isStored },
    ]);
    const bytes = await Promise.all(
      blobs.map(async (blob) => await (await blob).bytes()),
    );
    assert.deepEqual(bytes, [BYTES.subarray(7), BYTES, new Uint8Array()]);
  });

  Deno.test(`an entry that is ${how} and damaged has no bytes`, async () => {
    const [blob] = await blobsOf([
      { name: "walk.jpg", bytes: BYTES, isStored, lie: { crc: 1 } },
    ]);
    await assert.rejects(async () => await blob, MalformedZip);
  });
}

Deno.test("a small bomb ends where its directory says", async () => {
  const [blob] = await blobsOf([
    {
      name: "bomb.jpg",
      bytes: new Uint8Array(8 * 1024 * 1024),
      lie: { size: 1_000 },
    },
  ]);
  await assert.rejects(async () => await blob, MalformedZip);
});
