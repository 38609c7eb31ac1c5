import assert from "node:assert/strict";
import { sha256Hex } from "../../crypto/sha256.ts";
import { utf8 } from "../../core/bytes.ts";
import { type FoundLooks, openKnownLooks } from "./appearance_hashes.ts";
import { memoryStore } from "../base/store.ts";

const blobOf = (i: number) => sha256Hex(utf8(`${i}`));

function looks(i: number): FoundLooks {
  if (i % 7 === 0) return null;
  const hash = Uint32Array.of(i, 0xffffffff - i, i * i, 0x80000000);
  return { hash, sharpness: i / 4 };
}

Deno.test("what pictures look like is known again, also of thousands, and of those without looks", async () => {
  const store = memoryStore();
  const known = await openKnownLooks(store);
  const all = Array.from({ length: 2_345 }, (_, i) => i);
  const batch = (from: number, to: number) =>
    new Map(all.slice(from, to).map((i) => [blobOf(i), looks(i)]));
  await Promise.all([
    known.add(batch(0, 10)),
    known.add(batch(10, 990)),
    known.add(batch(990, 1_010)),
  ]);
  await known.add(batch(1_000, 2_345));
  await known.add(new Map());
  for (const again of [known, await openKnownLooks(store)]) {
    for (const i of all) assert.deepEqual(again.of(blobOf(i)), looks(i));
    assert.equal(again.of(blobOf(9_999)), undefined);
  }
  const pages = await store.list("program");
  assert.deepEqual(
    pages.map(({ value }) => value.length / 28),
    [1_000, 1_000, 345],
  );
});

Deno.test("what is found after the library was opened again is added", async () => {
  const store = memoryStore();
  const one = (i: number) => new Map([[blobOf(i), looks(i)]]);
  await (await openKnownLooks(store)).add(one(1));
  await (await openKnownLooks(store)).add(one(2));
  const known = await openKnownLooks(store);
  assert.deepEqual(known.of(blobOf(1)), looks(1));
  assert.deepEqual(known.of(blobOf(2)), looks(2));
});
