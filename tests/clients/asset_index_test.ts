/**
 * The index of a large library, as a device keeps it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openIndex } from "../../src/library/rows/asset_index.ts";
import { memoryStore, type Store } from "../../src/library/mod.ts";
import { newestFirst, type Row } from "../../src/library/rows/rows.ts";
import { uuidOf } from "../support/people.ts";

function rowOf(n: number): Row {
  return {
    id: uuidOf(`asset ${n}`),
    owner: uuidOf("ada"),
    head: n.toString(16).padStart(64, "0"),
    seq: n,
    state: "live",
    at: "2026-06-01T10:00:00.000Z",
    blobs: [],
    epoch: 0,
    chunk_size: 65_536,
    custody: "receipted",
  };
}

Deno.test("an index is read a thousand rows at a time, and other requests are answered between them", async () => {
  const kept = memoryStore();
  const index = await openIndex(kept);
  for (let n = 0; n < 4_500; n++) index.put(rowOf(n));
  await index.commit();
  for (let n = 4_500; n < 4_600; n++) await index.append(rowOf(n));
  // As a browser's database answers: each answer is a turn of its own.
  const answers: number[] = [];
  const store: Store = {
    ...kept,
    async list(...asked) {
      const entries = await kept.list(...asked);
      await new Promise((resolve) => setTimeout(resolve));
      answers.push(entries.length);
      return entries;
    },
  };
  const again = await openIndex(store);
  assert.deepEqual([...again.rows()].length, 4_600);
  assert.deepEqual(answers, [1, 1, 1, 1, 1, 1, 99]);
});

Deno.test("photos of one moment have one order, whichever came to the device first", () => {
  const rows = [3, 1, 2].map(rowOf);
  const later = { ...rowOf(4), at: "2026-06-01T10:00:01.000Z" };
  const order = newestFirst([...rows, later]);
  assert.deepEqual(order[0], later);
  assert.deepEqual(newestFirst([later, ...rows.toReversed()]), order);
});
