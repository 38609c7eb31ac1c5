import assert from "node:assert/strict";
import { DocumentError } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { decodePage } from "./row_pages.ts";
import { encodeRow, encodeRows, type Row, rowSchema } from "./rows.ts";

const BARE: Row = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  owner: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  head: "ab".repeat(32),
  seq: 7,
  state: "live",
  at: "2026-11-22T10:00:00Z",
  blobs: [{ hash: "cd".repeat(32), role: "original", size: 1_048 }],
  epoch: 0,
  chunk_size: 65_536,
  custody: "unverified",
};
const FULL: Row = {
  ...BARE,
  album: "16fd2706-8baf-433b-82eb-8c7fada847da",
  key: new Uint8Array(32).fill(0xfb),
  metadata: {
    kind: "file",
    name: "walk ☔.jpg",
    mime: "image/jpeg",
    size: 1_000,
    sha256: "ef".repeat(32),
    taken_at: "2024-06-30T12:00:00Z",
    place: { latitude: 46.5, longitude: 7.9 },
    thumbhash: new Uint8Array([0xfb, 0xff, 1]),
    derivatives: [{
      hash: "12".repeat(32),
      kind: "thumbnail",
      mime: "image/jpeg",
      key: new Uint8Array(32).fill(0xfe),
    }],
  },
  custody: "receipted",
  custody_at: "2026-11-22T10:00:01Z",
};

Deno.test("a row is written as its schema would write it, and comes back", () => {
  for (const row of [BARE, FULL]) {
    assert.deepEqual(decodeJson(rowSchema, encodeRow(row), "row"), row);
    const slowly = encodeJson(rowSchema, row, "row");
    assert.deepEqual(decodeJson(rowSchema, slowly, "row"), row);
  }
  assert.deepEqual(decodePage(encodeRows([BARE, FULL])), [BARE, FULL]);
  assert.deepEqual(decodePage(encodeRows([])), []);
});

Deno.test("a page that another version wrote does not pass for this one's", () => {
  const { owner: _, ...other } = BARE;
  for (const page of [[other, FULL], { rows: [] }, [7]]) {
    const bytes = new TextEncoder().encode(JSON.stringify(page));
    assert.throws(() => decodePage(bytes), DocumentError);
  }
});
