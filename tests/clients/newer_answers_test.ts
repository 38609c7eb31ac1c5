/**
 * What a newer server or client says more than this one knows is passed over
 * (protocol/client-cryptography.md#rules-for-readers,
 * protocol/transport.md#bodies).
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import { decodeShareIndex } from "../../src/client/documents/share.ts";

const item = {
  name: "a.jpg",
  mime: "image/jpeg",
  size: 3,
  hash: "ab".repeat(32),
  key: btoa("k".repeat(32)),
  chunk_size: 65_536,
  thumbnail: {
    hash: "cd".repeat(32),
    key: btoa("t".repeat(32)),
    mime: "image/jpeg",
    width: 1,
    height: 1,
  },
};

Deno.test("an index with keys that are not known yet is read like one without them", () => {
  const read = (value: unknown) =>
    decodeShareIndex(utf8(JSON.stringify(value)));
  const thumbnail = { ...item.thumbnail, newer: {} };
  assert.deepEqual(
    read({ v: 1, n: 0, items: [{ ...item, thumbnail, newer: 1 }], newer: [] }),
    read({ v: 1, n: 0, items: [item] }),
  );
});
