import assert from "node:assert/strict";
import { looksOf } from "../../media/pictures/looks.ts";
import {
  compressed,
  type Drawing,
  drawn,
  moved,
} from "../../../tests/support/drawings.ts";
import {
  ALIKE,
  CLOSE,
  isLargest,
  isSharpest,
  MOMENT_MS,
  MOST_IN_GROUP,
  type Resembling,
  similarGroups,
  SLICE,
  toKeep,
  type Weighed,
} from "./similar.ts";

const DAY_MS = 86_400_000;

/** A photo of a picture; each has a content of its own if none is given. */
function photo(
  id: string,
  drawing: Drawing | undefined,
  more: Partial<Resembling> = {},
): Resembling {
  const { pixels, width, height } = drawing ?? {};
  return {
    id,
    content: id,
    taken: 0,
    isRaw: false,
    looks: pixels === undefined
      ? undefined
      : looksOf(pixels, width ?? 0, height ?? 0),
    ...more,
  };
}

/** A photo with a hash that is given. */
function hashed(id: string, words: readonly number[], taken = 0): Resembling {
  const looks = { hash: Uint32Array.from(words), sharpness: 1 };
  return { id, content: id, taken, isRaw: false, looks };
}

async function groupsOf(
  photos: readonly Resembling[],
  different: readonly (readonly [string, string])[] = [],
): Promise<string[][]> {
  const groups = await similarGroups(photos, {
    areDifferent: (one, other) =>
      different.some((pair) => pair.includes(one) && pair.includes(other)),
    pause: () => Promise.resolve(),
  });
  return groups.map((group) => group.map(({ id }) => id));
}

const cat = drawn(1, 192, 128);
const dog = drawn(2, 192, 128);

Deno.test("a smaller copy from another year belongs to its picture, another picture does not", async () => {
  const photos = [
    photo("cat", cat, { taken: 5 * DAY_MS }),
    photo("dog", dog, { taken: 5 * DAY_MS }),
    photo("sent", drawn(1, 96, 64), { taken: 400 * DAY_MS }),
    photo("saved again", compressed(cat, 1), { taken: 900 * DAY_MS }),
  ];
  assert.deepEqual(await groupsOf(photos), [["cat", "sent", "saved again"]]);
});

Deno.test("pictures of one moment belong together, and those of the next day do not", async () => {
  const next = moved(cat, 3, 2);
  const photos = (taken: number) => [
    photo("first", cat),
    photo("second", next, { taken }),
  ];
  assert.deepEqual(await groupsOf(photos(4_000)), [["first", "second"]]);
  assert.deepEqual(await groupsOf(photos(MOMENT_MS + 1)), []);
});

Deno.test("the limits are what they are said to be, wherever the bits are", async () => {
  const base = [0x0f0f0f0f, 0x00ff00ff, 0x33333333, 0x12345678];
  /** The base with as many of its bits changed, spread over all parts. */
  const off = (count: number, from: number) => {
    const words = Uint32Array.from(base);
    for (let i = 0; i < count; i++) {
      const bit = (i * 21) % 64;
      const word = from + (bit >>> 5);
      words[word] = (words[word] ?? 0) ^ (1 << (bit & 31));
    }
    return [...words];
  };
  for (const from of [0, 2]) {
    const far = async (count: number, taken: number) =>
      await groupsOf([hashed("a", base), hashed("b", off(count, from), taken)]);
    assert.equal((await far(CLOSE, 900 * DAY_MS)).length, 1);
    assert.equal((await far(CLOSE + 1, 900 * DAY_MS)).length, 0);
    assert.equal((await far(ALIKE, MOMENT_MS)).length, 1);
    assert.equal((await far(ALIKE + 1, MOMENT_MS)).length, 0);
  }
});

Deno.test("the same content belongs together, also of videos and of pictures of nothing", async () => {
  const night: Drawing = {
    pixels: new Uint8ClampedArray(64 * 64 * 4),
    width: 64,
    height: 64,
  };
  const photos = [
    photo("film", undefined, { content: "film" }),
    photo("other film", undefined),
    photo("night", night, { content: "night", taken: 1 }),
    photo("other night", night, { taken: 2 }),
    photo("film again", undefined, { content: "film", taken: 90 * DAY_MS }),
    photo("night again", night, { content: "night", taken: 90 * DAY_MS }),
  ];
  assert.deepEqual(
    await groupsOf(photos),
    [["night", "night again"], ["film", "film again"]],
  );
});

Deno.test("a raw file and its picture are no copies of each other", async () => {
  const photos = [
    photo("raw", cat, { isRaw: true }),
    photo("jpeg", cat),
    photo("raw again", cat, { isRaw: true, taken: 1 }),
  ];
  assert.deepEqual(await groupsOf(photos), [["raw", "raw again"]]);
});

Deno.test("what the person called different is not shown together again, and a new copy is", async () => {
  const photos = [
    photo("a", cat, { content: "cat" }),
    photo("b", cat, { content: "cat", taken: 1 }),
  ];
  assert.deepEqual(await groupsOf(photos), [["a", "b"]]);
  assert.deepEqual(await groupsOf(photos, [["a", "b"]]), []);
  const third = photo("c", cat, { content: "cat", taken: 2 });
  assert.deepEqual(await groupsOf([...photos, third], [["a", "b"]]), [[
    "a",
    "c",
  ]]);
});

Deno.test("a chain of small differences does not lead to another picture", async () => {
  const word = (bits: number) => (2 ** bits - 1) >>> 0;
  // Each differs from the one before in three bits.
  const chain = [0, 3, 6, 9, 12, 15].map((bits, at) =>
    hashed(`${at}`, [word(bits), 0, 0xffff, 0xffff], at * DAY_MS)
  );
  for (const group of await groupsOf(chain)) assert(group.length <= 2);
});

Deno.test("many copies are several groups that can be looked through", async () => {
  const copies = Array.from(
    { length: MOST_IN_GROUP * 2 },
    (_, taken) =>
      photo(String(taken).padStart(3, "0"), undefined, {
        content: "same",
        taken,
      }),
  );
  assert.deepEqual(
    (await groupsOf(copies)).map(({ length }) => length),
    [MOST_IN_GROUP, MOST_IN_GROUP],
  );
});

Deno.test("others have their turn while many photos are compared", async () => {
  const photos = Array.from(
    { length: SLICE + 1 },
    (_, i) => photo(String(i), undefined),
  );
  let turns = 0;
  await similarGroups(photos, {
    areDifferent: () => false,
    pause: () => {
      turns++;
      return Promise.resolve();
    },
  });
  assert.equal(turns, 1);
});

/** A photo to weigh. */
function weighed(id: string, more: Partial<Weighed> = {}): Weighed {
  return {
    id,
    content: id,
    taken: 0,
    isFavourite: false,
    isUsed: false,
    pixels: 12_000_000,
    bytes: 3_000_000,
    sharpness: 100,
    ...more,
  };
}

Deno.test("the larger one is kept, then the sharper one, then the favourite", () => {
  const kept = (...group: Weighed[]) => [...toKeep(group)].sort();
  const small = weighed("small", { pixels: 1_000_000, sharpness: 900 });
  assert.deepEqual(kept(small, weighed("large")), ["large"]);
  const sharp = weighed("sharp", { sharpness: 130, bytes: 2_000_000 });
  assert.deepEqual(kept(weighed("soft"), sharp), ["sharp"]);
  // A little sharper is not seen.
  const same = weighed("same", { sharpness: 101, bytes: 2_000_000 });
  assert.deepEqual(kept(same, weighed("longer")), ["longer"]);
  const loved = weighed("loved", { isFavourite: true, bytes: 1 });
  assert.deepEqual(kept(weighed("a"), loved, weighed("b")), ["loved"]);
  assert.equal(toKeep([]).size, 0);
});

Deno.test("no favourite and nothing that is used elsewhere is suggested to be deleted", () => {
  const group = [
    weighed("best", { pixels: 24_000_000 }),
    weighed("loved", { isFavourite: true }),
    weighed("in an album", { isUsed: true, sharpness: 10 }),
    weighed("other"),
  ];
  assert.deepEqual(
    [...toKeep(group)].sort(),
    ["best", "in an album", "loved"],
  );
});

Deno.test("of copies the one that is used is enough", () => {
  const used = weighed("used", { content: "same", isUsed: true });
  const group = [
    weighed("a", { content: "same" }),
    used,
    weighed("b", { content: "same" }),
  ];
  assert.deepEqual([...toKeep(group)], ["used"]);
});

Deno.test("the largest and the sharpest are named only if they clearly are", () => {
  const large = weighed("large", { pixels: 24_000_000 });
  const sharp = weighed("sharp", { sharpness: 200 });
  const soft = weighed("soft");
  const group = [large, sharp, soft];
  assert.deepEqual(group.map((one) => isLargest(one, group)), [
    true,
    false,
    false,
  ]);
  assert.deepEqual(
    [large, sharp, soft].map((one) => isSharpest(one, [sharp, soft, one])),
    [false, true, false],
  );
  assert(!isLargest(sharp, [sharp, soft]));
  // What was made smaller is sharp for that reason alone.
  const small = weighed("small", { pixels: 1_000_000, sharpness: 900 });
  assert(!isSharpest(small, [soft, small]));
});

Deno.test("a photo that looks like one of another occasion is kept, and a copy of the same content is not", () => {
  const YEAR_MS = 365 * 86_400_000;
  const tree = weighed("tree", { sharpness: 200 });
  const nextYear = weighed("next year", { taken: YEAR_MS });
  const minutesLater = weighed("minutes later", { taken: 60_000 });
  const copy = weighed("copy", { content: "tree", taken: YEAR_MS });
  assert.deepEqual([...toKeep([tree, nextYear])], ["tree", "next year"]);
  assert.deepEqual([...toKeep([tree, minutesLater])], ["tree"]);
  assert.deepEqual([...toKeep([tree, copy])], ["tree"]);
  // Of the other occasion one is enough.
  const again = weighed("again", { taken: YEAR_MS + 1_000, sharpness: 50 });
  assert.deepEqual(
    [...toKeep([tree, again, nextYear])],
    ["tree", "next year"],
  );
});
