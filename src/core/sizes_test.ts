import assert from "node:assert/strict";
import { blobsInWords, bytesInWords, counted, readBytes } from "./sizes.ts";

Deno.test("bytes are told in the unit in which they are read best", () => {
  const told: readonly [number, string][] = [
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_023, "1,023 bytes"],
    [1_024, "1 KiB"],
    [1_536, "1.5 KiB"],
    [50 * 1024 ** 3, "50 GiB"],
    [1024 ** 6, "1024 PiB"],
  ];
  for (const [bytes, words] of told) assert.equal(bytesInWords(bytes), words);
});

Deno.test("what is counted has its plural and its thousands", () => {
  assert.equal(counted(1, "asset"), "1 asset");
  assert.equal(counted(1_204, "asset"), "1,204 assets");
  assert.equal(blobsInWords({ count: 3, bytes: 1_536 }), "3 blobs (1.5 KiB)");
});

Deno.test("a size is read back from its words", () => {
  for (const bytes of [1024, 50 * 1024 ** 3]) {
    assert.equal(readBytes(bytesInWords(bytes)), bytes);
  }
  assert.equal(readBytes("1.5 GiB"), undefined);
});
