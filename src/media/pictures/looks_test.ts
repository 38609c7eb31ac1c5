import assert from "node:assert/strict";
import { differenceOf, isPlain, type Looks, looksOf } from "./looks.ts";
import {
  blurred,
  brighter,
  compressed,
  type Drawing,
  drawn,
  moved,
  seascape,
} from "../../../tests/support/drawings.ts";

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

function looks(drawing: Drawing): Looks {
  const { pixels, width, height } = drawing;
  const found = looksOf(pixels, width, height);
  assert(found !== undefined);
  return found;
}

function between(one: Drawing, other: Drawing): number {
  return differenceOf(looks(one).hash, looks(other).hash);
}

Deno.test("a picture that was scaled, compressed or made brighter looks almost the same", () => {
  for (const seed of SEEDS) {
    const picture = drawn(seed, 192, 128);
    assert.equal(between(picture, picture), 0);
    for (
      const other of [
        drawn(seed, 96, 64),
        drawn(seed, 300, 200),
        compressed(picture, seed),
        brighter(picture, 1.08),
      ]
    ) {
      const difference = between(picture, other);
      assert(difference <= 3, `${difference} of picture ${seed}`);
    }
  }
});

Deno.test("one that was taken a moment later looks alike, and another one does not", () => {
  const seen = SEEDS.map((seed) => {
    const picture = drawn(seed, 192, 128);
    const later = between(picture, moved(picture, 2, 1));
    assert(later <= 10, `${later} of picture ${seed}`);
    return looks(picture).hash;
  });
  for (const [at, one] of seen.entries()) {
    for (const other of seen.slice(at + 1)) {
      const difference = differenceOf(one, other);
      assert(difference > 10, `${difference} of another than ${SEEDS[at]}`);
    }
  }
});

Deno.test("a blurred picture is less sharp", () => {
  for (const seed of SEEDS) {
    const picture = drawn(seed, 192, 128);
    const sharp = looks(picture).sharpness;
    const soft = looks(blurred(picture, 1)).sharpness;
    assert(soft * 1.15 < sharp, `${soft} and ${sharp} of picture ${seed}`);
  }
});

Deno.test("a picture of nothing has nothing to compare", () => {
  for (const light of [0, 40, 200, 255]) {
    assert(isPlain(looks(seascape(192, 128, light)).hash));
  }
  for (const seed of SEEDS) assert(!isPlain(looks(drawn(seed, 192, 128)).hash));
});

Deno.test("a picture of a few pixels has no looks", () => {
  assert.equal(looksOf(new Uint8ClampedArray(8 * 8 * 4), 8, 8), undefined);
  const { pixels, width, height } = drawn(1, 9, 9);
  assert(looksOf(pixels, width, height) !== undefined);
});
