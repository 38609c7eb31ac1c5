import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import {
  isSafetyNumber,
  judgeAnchor,
  safetyCode,
  safetyNumber,
} from "../../src/client/documents/anchors.ts";
import {
  changedAt,
  decodeState,
  emptyState,
  encodeState,
  type LibraryState,
  mergeStates,
  openState,
  present,
  sealState,
} from "../../src/client/documents/state.ts";
import { randomOf } from "../../scripts/vectors/seeds.ts";
import { base64, flipped, hex, PRIMITIVES } from "../support/vectors.ts";
import safety from "./safety_numbers.json" with { type: "json" };
import vectors from "./state.json" with { type: "json" };

const KEY = hex(vectors.key);
const BLOB = base64(vectors.blob);
const refused = { name: "DocumentError" };

const read = (value: unknown) => decodeState(utf8(JSON.stringify(value)));
const LAPTOP = read(vectors.laptop);
const PHONE = read(vectors.phone);

Deno.test("a state slot opens under its own key alone, in native and portable code", async () => {
  for (const primitives of PRIMITIVES) {
    assert.deepEqual(await openState(BLOB, KEY, primitives), LAPTOP);
    const again = await sealState(LAPTOP, KEY, randomOf("state"), primitives);
    assert.deepEqual(again, BLOB);
    const damaged = { name: "StreamError" };
    await assert.rejects(openState(BLOB, flipped(KEY, 0), primitives), damaged);
    await assert.rejects(
      openState(flipped(BLOB, -1), KEY, primitives),
      damaged,
    );
  }
  assert.deepEqual(encodeState(LAPTOP), base64(vectors.json));
});

Deno.test("two devices that changed different things come to the same, whichever merges", () => {
  const merged = read(vectors.merged);
  assert.deepEqual(mergeStates(LAPTOP, PHONE), merged);
  assert.deepEqual(mergeStates(PHONE, LAPTOP), merged);
  assert.deepEqual(mergeStates(merged, LAPTOP), merged);
  assert.deepEqual(mergeStates(merged, merged), merged);
  assert.deepEqual(mergeStates(emptyState(), merged), merged);
  const [collection] = present(merged.collections);
  assert.equal(collection?.[1].title, "Best of 2026");
  const flags = Object.values(merged.flags).map(({ favourite }) => favourite);
  assert.deepEqual(flags.toSorted(), [true, undefined]);
});

Deno.test("what was taken out on one device does not come back from another", () => {
  const merged = mergeStates(PHONE, LAPTOP);
  assert.equal(Object.keys(merged.links).length, 1);
  assert.deepEqual(present(merged.links), []);
});

Deno.test("entries of the same time go to the same side on every device", () => {
  const [id] = Object.keys(LAPTOP.collections);
  assert(id !== undefined);
  const with_ = (title: string): LibraryState => ({
    ...emptyState(),
    collections: { [id]: { title, assets: [], at: "2026-10-01T12:00:00Z" } },
  });
  const [one, other] = [with_("one"), with_("other")];
  assert.deepEqual(mergeStates(one, other), mergeStates(other, one));
});

Deno.test("a change counts as later than what it changes, whatever the clock says", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  assert.equal(changedAt(undefined, now), "2026-11-21T12:00:00.000Z");
  const ahead = { at: "2027-01-01T00:00:00.000Z" };
  assert.equal(changedAt(ahead, now), "2027-01-01T00:00:00.001Z");
  const behind = { at: "2026-01-01T00:00:00.000Z" };
  assert.equal(changedAt(behind, now), "2026-11-21T12:00:00.000Z");
});

Deno.test("what a newer program wrote survives an older one that merges and writes", () => {
  const newer = read({
    ...vectors.laptop,
    smart_albums: { a: { rule: "x", at: "2026-10-01T12:00:00Z" } },
    beside: [1],
    flags: Object.fromEntries(
      Object.entries(vectors.laptop.flags).map(([id, flag]) => [
        id,
        { ...flag, stars: 5 },
      ]),
    ),
  });
  const merged = mergeStates(newer, PHONE);
  const written: unknown = JSON.parse(
    new TextDecoder().decode(encodeState(merged)),
  );
  assert(typeof written === "object" && written !== null);
  assert("smart_albums" in written && "beside" in written);
  assert.match(JSON.stringify(written), /"stars":5/);
  const later = { name: "NewerDocumentError" };
  assert.throws(() => read({ ...vectors.laptop, v: 2 }), later);
});

Deno.test("a state of another shape, or more than a slot holds, is refused", async () => {
  const lies = [
    { v: 1, collections: { a: { title: "x", assets: ["b"], at: "2026" } } },
    { v: 1, pins: { a: { key_id: "00", at: "2026-10-01T12:00:00Z" } } },
    { v: 1, flags: [] },
    { flags: {} },
    [],
  ];
  for (const lie of lies) assert.throws(() => read(lie), refused);
  assert.deepEqual(read({ v: 1 }), emptyState());
  const at = "2026-10-01T12:00:00.000Z";
  const settings = { much: { value: "x".repeat(4 * 1024 * 1024), at } };
  await assert.rejects(
    sealState({ ...emptyState(), settings }, KEY, randomOf("much")),
    RangeError,
  );
});

Deno.test("a safety number is the same for both, and another for every other pair", () => {
  const numbers = new Set<string>();
  for (const { one, other, number } of safety.pairs) {
    for (const primitives of PRIMITIVES) {
      assert.equal(safetyNumber(one, other, primitives), number);
      assert.equal(safetyNumber(other, one, primitives), number);
    }
    assert.match(number, /^\d{5}(?: \d{5}){11}$/);
    assert(isSafetyNumber(number, `\n${safetyCode(number)} `));
    assert(isSafetyNumber(number, number));
    assert(!isSafetyNumber(number, number.slice(1)));
    numbers.add(number);
  }
  assert.equal(numbers.size, safety.pairs.length);
  assert.throws(() => safetyNumber("00", "11"), RangeError);
});

Deno.test("an anchor is pinned on first sight, and a changed one is told", () => {
  const [pair] = safety.pairs;
  assert(pair !== undefined);
  assert.equal(judgeAnchor(undefined, pair.one), "first_sight");
  assert.equal(judgeAnchor(pair.one, pair.one), "same");
  assert.equal(judgeAnchor(pair.one, pair.other), "changed");
});
