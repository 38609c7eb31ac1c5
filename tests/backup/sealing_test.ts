/**
 * Sealed pieces of a remote backup take no memory once they were used.
 *
 * @module
 */
import assert from "node:assert/strict";
import { seal, sealedSize } from "../../src/store/remote/backup/sealing.ts";

Deno.test("of an object that is sealed, one piece at a time takes memory", async () => {
  const size = 1024 * 1024;
  const pieces = seal(
    { master: new Uint8Array(32), name: "name", salt: new Uint8Array(32) },
    size,
    (async function* () {
      yield await Promise.resolve(new Uint8Array(size));
    })(),
  );
  const seen: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    // The object's head is a few bytes.
    assert.deepEqual(seen.filter(({ length }) => length > 1024), []);
    bytes += piece.length;
    seen.push(piece);
  }
  assert.equal(bytes, sealedSize(size));
});
