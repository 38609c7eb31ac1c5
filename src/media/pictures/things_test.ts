/**
 * What is kept of what a model sees in a picture.
 *
 * @module
 */
import assert from "node:assert/strict";
import { MOST_THINGS, THING_COUNT, THINGS, thingsSeen } from "./things.ts";

/** How sure a model is at places of a picture, each thing at one of them. */
function places(sure: Readonly<Record<string, number>>): Float32Array {
  const all = new Float32Array(THING_COUNT * 100);
  Object.entries(sure).forEach(([thing, is], place) => {
    all[place * THING_COUNT + THINGS.indexOf(thing)] = is;
  });
  return all;
}

const names = (things: Uint8Array) => [...things].map((thing) => THINGS[thing]);

Deno.test("a picture has the things that the model is sure of somewhere, the surest first", () => {
  const [near, far] = [
    places({ cat: 0.6, dog: 0.4, bed: 0.5 }),
    places({ cat: 0.2, cup: 0.9 }),
  ];
  assert.deepEqual(names(thingsSeen([near, far])), ["cup", "cat", "bed"]);
  assert.deepEqual(names(thingsSeen([places({ dog: 0.49 })])), []);
  assert.deepEqual(names(thingsSeen([])), []);
});

Deno.test("a picture of everything has the surest things alone", () => {
  const all = thingsSeen([new Float32Array(THING_COUNT).fill(0.9)]);
  assert.equal(all.length, MOST_THINGS);
});

Deno.test("the model's 80 kinds have a name each", () => {
  assert.equal(THINGS.length, THING_COUNT);
  assert.equal(new Set(THINGS).size, THING_COUNT);
});
