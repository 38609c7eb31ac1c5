import assert from "node:assert/strict";
import { CHIP_SIDE, chipOf, type Pixels, type Point } from "./face_chip.ts";

/** Where the points are in a chip of an upright face (pixels). */
const UPRIGHT: Readonly<Record<number, Point>> = {
  36: { x: 37.0575, y: 46.3727 },
  39: { x: 58.4085, y: 47.9064 },
  42: { x: 89.606, y: 47.8967 },
  45: { x: 110.9567, y: 46.3498 },
  33: { x: 74.0112, y: 87.7798 },
};

/** A picture whose red grows to the right and whose green grows downwards. */
function slopes(side: number): Pixels {
  const data = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      data.set([x / side * 255, y / side * 255, 7, 255], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

/** The 68 points of a face that is turned, larger, and elsewhere. */
function turned(degrees: number, by: number, to: Point): Point[] {
  const angle = degrees * Math.PI / 180;
  const [cos, sin] = [Math.cos(angle) * by, Math.sin(angle) * by];
  return Array.from({ length: 68 }, (_, number) => {
    const { x, y } = UPRIGHT[number] ?? { x: 0, y: 0 };
    return { x: to.x + cos * x - sin * y, y: to.y + sin * x + cos * y };
  });
}

const at = (
  chip: Float32Array,
  x: number,
  y: number,
) => [...chip.subarray((y * CHIP_SIDE + x) * 3, (y * CHIP_SIDE + x) * 3 + 3)];

Deno.test("a face that lies as it should is cut out as it is", () => {
  const side = 300;
  const chip = chipOf(slopes(side), turned(0, 1, { x: 60, y: 90 }));
  assert(chip !== undefined);
  for (const [x, y] of [[20, 30], [75, 75], [140, 110]] as const) {
    const [red = 0, green = 0, blue] = at(chip, x, y);
    assert(Math.abs(red - (x + 60) / side * 255) < 1.5, `${red} at ${x}`);
    assert(Math.abs(green - (y + 90) / side * 255) < 1.5, `${green} at ${y}`);
    assert.equal(blue, 7);
  }
});

Deno.test("a face that is turned and larger comes out upright and as large as any", () => {
  const side = 600;
  const to = { x: 250, y: 80 };
  const chip = chipOf(slopes(side), turned(20, 2, to));
  assert(chip !== undefined);
  const angle = 20 * Math.PI / 180;
  for (const [x, y] of [[40, 40], [75, 90], [120, 60]] as const) {
    const [red = 0, green = 0] = at(chip, x, y);
    const right = to.x + 2 * (x * Math.cos(angle) - y * Math.sin(angle));
    const down = to.y + 2 * (x * Math.sin(angle) + y * Math.cos(angle));
    assert(Math.abs(red - right / side * 255) < 1.5, `${red} at ${x}`);
    assert(Math.abs(green - down / side * 255) < 1.5, `${green} at ${y}`);
  }
});

Deno.test("beyond the picture's edge its last pixels go on, and points in one place are no face", () => {
  const chip = chipOf(slopes(100), turned(0, 1, { x: -60, y: -60 }));
  assert.deepEqual(at(chip ?? new Float32Array(), 10, 10), [0, 0, 7]);
  const nowhere = Array.from({ length: 68 }, () => ({ x: 5, y: 5 }));
  assert.equal(chipOf(slopes(100), nowhere), undefined);
  assert.equal(chipOf(slopes(100), []), undefined);
});
