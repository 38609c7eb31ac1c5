/**
 * Similar photos: what one small picture takes to be looked at, once decoded,
 * and what 50,000 photos take to be grouped, with the longest time in which
 * others have no turn. Half of the photos are of bursts or copies.
 *
 * @module
 */
import { looksOf } from "../../src/client/pictures/looks.ts";
import {
  type Resembling,
  similarGroups,
} from "../../src/client/library/similar.ts";
import { drawn, numbersOf } from "../../tests/support/drawings.ts";
import { say } from "./support.ts";

const PHOTOS = 50_000;
const LOOKED = 50;
const MINUTE_MS = 60_000;

const small = drawn(1, 512, 384);
const began = performance.now();
for (let i = 0; i < LOOKED; i++) {
  looksOf(small.pixels, small.width, small.height);
}
const each = (performance.now() - began) / LOOKED;
say(`one picture of 512 × 384 pixels: ${each.toFixed(1)} ms`);

const photos: Resembling[] = [];
const next = numbersOf(7);
for (let scene = 1; photos.length < PHOTOS; scene++) {
  const { pixels, width, height } = drawn(scene, 36, 24);
  const looks = looksOf(pixels, width, height);
  if (looks === undefined) throw new Error("a picture without looks");
  const taken = scene * 20 * MINUTE_MS;
  const shots = next() < 0.75 ? 1 : 1 + Math.floor(next() * 7);
  for (let shot = 0; shot < shots; shot++) {
    const hash = looks.hash.slice();
    for (let bit = 0; bit < Math.min(shot, 4); bit++) {
      const at = Math.floor(next() * 128);
      hash[at >>> 5] = (hash[at >>> 5] ?? 0) ^ (1 << (at & 31));
    }
    const id = `${scene}/${shot}`;
    photos.push({
      id,
      content: id,
      taken: taken + shot * 1_000,
      isRaw: false,
      looks: { hash, sharpness: 100 },
    });
  }
}

let [longest, since] = [0, performance.now()];
const started = since;
const groups = await similarGroups(photos, {
  areDifferent: () => false,
  pause: async () => {
    longest = Math.max(longest, performance.now() - since);
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  },
});
const took = performance.now() - started;
longest = Math.max(longest, performance.now() - since);
const grouped = groups.reduce((sum, { length }) => sum + length, 0);
say(
  `${photos.length} photos: ${took.toFixed(0)} ms, at most ` +
    `${longest.toFixed(0)} ms at a stretch; ${groups.length} groups of ` +
    `${grouped} photos`,
);
