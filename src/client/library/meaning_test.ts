import assert from "node:assert/strict";
import type { ServedModels } from "../../core/meaning.ts";
import { readMeaning, readServed } from "../../core/meaning.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { utf8 } from "../../core/bytes.ts";
import { keptVector, Vectors } from "../meaning/vectors.ts";
import { keyOfBlob, modelId, openMeanings } from "./meaning.ts";
import { memoryStore } from "./store.ts";

const described = {
  name: "Colours",
  dimension: 8,
  image: { file: "image.onnx", size: 16 },
  text: { file: "text.onnx", tokens: 8 },
  tokenizer: "tokenizer.json",
  least: 0.5,
  below: 0.3,
};

function models(change: Partial<ServedModels> = {}): ServedModels {
  const file = (name: string) => [name, {
    sha256: sha256Hex(utf8(name)),
    size: name.length,
  }];
  const files = Object.fromEntries(
    ["image.onnx", "text.onnx", "tokenizer.json"].map(file),
  );
  const served = readServed({ meaning: { ...described, files } });
  assert(served !== undefined);
  return { ...served, ...change };
}

const blob = (name: string) => sha256Hex(utf8(name));
const vector = (...numbers: readonly number[]) =>
  Float32Array.from({ length: 8 }, (_, at) => numbers[at] ?? 0);

Deno.test("what is most alike is found first, what is much less alike than that is not", async () => {
  const meanings = await openMeanings(memoryStore(), models(), 1);
  await meanings.add(
    new Map([
      [blob("red"), vector(1, -1, -1)],
      [blob("reddish"), vector(0.9, -0.4, -0.9)],
      [blob("orange"), vector(1, 0.2, -1)],
      [blob("blue"), vector(-1, -1, 1)],
      [blob("none"), null],
    ]),
  );
  assert.equal(meanings.count, 5);
  const found = meanings.find(vector(10, -10, -10));
  assert.deepEqual(
    found.map(({ key }) => key),
    ["red", "reddish", "orange"].map((one) => keyOfBlob(blob(one))),
  );
  assert(Math.abs((found[0]?.likeness ?? 0) - 1) < 0.001);
  assert.deepEqual(meanings.find(vector(0, 0, 0)), []);
  assert.deepEqual(meanings.find([1, 2]), [], "of another size");
});

Deno.test("what a device found is there the next time, page after page", async () => {
  const store = memoryStore();
  const first = await openMeanings(store, models(), 1);
  for (let batch = 0; batch < 7; batch++) {
    await first.add(
      new Map(Array.from({ length: 100 }, (_, at) => [
        blob(`${batch}/${at}`),
        vector(batch + 1, at),
      ])),
    );
  }
  // Once more: nothing is kept twice.
  await first.add(new Map([[blob("0/0"), vector(9)]]));
  const again = await openMeanings(store, models(), 1);
  assert.equal(again.count, 700);
  assert(again.has(blob("6/99")));
  assert.deepEqual(
    again.find(vector(3, 17)).slice(0, 1).map(({ key }) => key),
    [keyOfBlob(blob("2/17"))],
  );
});

Deno.test("with another model, or turned off and on, a device begins anew", async () => {
  const store = memoryStore();
  const first = await openMeanings(store, models(), 1);
  await first.add(new Map([[blob("one"), vector(1)]]));
  const files = models().files;
  const renamed = models({ name: "The same by another name" });
  assert.equal(modelId(renamed), modelId(models()));
  assert.equal((await openMeanings(store, renamed, 1)).count, 1);
  const other = models({
    files: { ...files, "image.onnx": { sha256: blob("other"), size: 5 } },
  });
  assert.equal((await openMeanings(store, other, 1)).count, 0);
  assert.equal((await openMeanings(store, models(), 1)).count, 0);
  await (await openMeanings(store, models(), 1)).add(
    new Map([[blob("one"), vector(1)]]),
  );
  assert.equal((await openMeanings(store, models(), 2)).count, 0);
  const left = (await store.list("program")).map(({ key }) => key);
  assert.deepEqual(left, ["meaning/about"]);
});

Deno.test("vectors that are none are like nothing", () => {
  assert.deepEqual([...keptVector([NaN, 1])], [0, 0]);
  assert.deepEqual([...keptVector([Infinity, 1])], [0, 0]);
  assert.deepEqual([...keptVector([-2, 1])], [-127, 64]);
  const vectors = new Vectors(3);
  vectors.add("none", [0, 0, 0]);
  vectors.add("short", [1]);
  vectors.add("one", [1, 2, 3]);
  assert.deepEqual(
    vectors.alike([1, 2, 3], -1).map(({ key }) => key),
    ["one"],
  );
});

Deno.test("a description says what is wrong with it", () => {
  const { image, text } = described;
  for (
    const [change, fault] of [
      [{ name: "" }, "name has to be a text"],
      [{ dimension: 3.5 }, "dimension has to be a whole number"],
      [{ dimension: 5_000 }, "dimension has to be a number from 8 to 2048"],
      [{ image: undefined }, "image has to be an object"],
      [
        { image: { ...image, file: "../keys/id" } },
        "image.file has to be a file's name",
      ],
      [
        { image: { ...image, std: [1, 0, 1] } },
        "image.std has to be numbers above 0",
      ],
      [
        { text: { ...text, tokens: 1 } },
        "text.tokens has to be a number from 3 to 512",
      ],
      [{ tokenizer: ".hidden" }, "tokenizer has to be a file's name"],
      [{ least: 2 }, "least has to be a number from -1 to 1"],
    ] as const
  ) {
    assert.throws(
      () => readMeaning({ ...described, ...change }),
      { name: "MeaningFault", message: fault },
    );
  }
  assert.equal(readServed({}), undefined);
  assert.throws(() => readServed({ meaning: described }), /files/);
});
