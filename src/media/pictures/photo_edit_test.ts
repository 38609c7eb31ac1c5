/**
 * The geometry and the light of edited photos.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { PhotoEdit } from "../../client/documents/metadata.ts";
import {
  automaticLight,
  type Corner,
  CORNERS,
  drawingOf,
  light,
  mirrored,
  movedBy,
  proportioned,
  simplified,
  turnedRight,
  WHOLE,
  withCorner,
} from "./photo_edit.ts";

const PICTURE = { width: 400, height: 300 };

/** Where a point of the picture is drawn. */
function drawn(edit: PhotoEdit, x: number, y: number) {
  const { width, height, matrix: [a, b, c, d, e, f] } = drawingOf(
    PICTURE,
    edit,
  );
  const at = [a * x + c * y + e, b * x + d * y + f].map(Math.round);
  return { size: [width, height], at };
}

Deno.test("a recipe without anything draws the picture as it is", () => {
  assert.deepEqual(drawingOf(PICTURE, {}), {
    ...PICTURE,
    matrix: [1, 0, 0, 1, 0, 0],
  });
});

Deno.test("quarter turns go clockwise, and a mirror exchanges left and right before them", () => {
  assert.deepEqual(drawn({ turns: 1 }, 0, 0), {
    size: [300, 400],
    at: [300, 0],
  });
  assert.deepEqual(drawn({ turns: 2 }, 0, 0), {
    size: [400, 300],
    at: [400, 300],
  });
  assert.deepEqual(drawn({ turns: 3 }, 0, 0), {
    size: [300, 400],
    at: [0, 400],
  });
  assert.deepEqual(drawn({ mirrored: true }, 0, 0), {
    size: [400, 300],
    at: [400, 0],
  });
  assert.deepEqual(drawn({ mirrored: true, turns: 1 }, 400, 0), {
    size: [300, 400],
    at: [300, 0],
  });
});

Deno.test("a part is cut out of the turned picture, at its own scale", () => {
  const crop = { x: 0.5, y: 0, width: 0.5, height: 0.5 };
  assert.deepEqual(drawn({ crop }, 200, 0), { size: [200, 150], at: [0, 0] });
  // Turned, the upper right part is what was the upper left one.
  assert.deepEqual(drawn({ crop, turns: 1 }, 0, 0), {
    size: [150, 200],
    at: [150, 0],
  });
});

Deno.test("a straightened picture has no empty corner, whatever the angle and the side", () => {
  for (const angle of [-45, -10, 3.5, 30, 45]) {
    for (const turns of [0, 1]) {
      const { width, height, matrix: [a, b, c, d, e, f] } = drawingOf(
        PICTURE,
        { angle, turns },
      );
      const determinant = a * d - b * c;
      // Each corner of what is made comes from within the picture.
      for (const [x, y] of [[0, 0], [width, 0], [0, height], [width, height]]) {
        const [u, v] = [(x ?? 0) - e, (y ?? 0) - f];
        const from = [
          (d * u - c * v) / determinant,
          (a * v - b * u) / determinant,
        ];
        assert((from[0] ?? -9) >= -1 && (from[0] ?? 999) <= 401, `${angle}`);
        assert((from[1] ?? -9) >= -1 && (from[1] ?? 999) <= 301, `${angle}`);
      }
    }
  }
});

Deno.test("no more pixels are drawn than are allowed, whatever the part says", () => {
  const { width, height } = drawingOf(
    { width: 8_000, height: 6_000 },
    {},
    1_000_000,
  );
  assert(width * height <= 1_001_000 && width / height > 1.3);
  for (
    const crop of [
      { x: 1, y: 1, width: 1, height: 1 },
      { x: 0.5, y: 0.5, width: 0, height: 0 },
    ]
  ) {
    const made = drawingOf(PICTURE, { crop });
    assert(made.width >= 1 && made.height >= 1 && made.width <= 400);
  }
});

Deno.test("what is turned and mirrored as it is seen shows the same part", () => {
  const seen = (edit: PhotoEdit) => {
    const { size, at } = drawn(edit, 250, 100);
    return [...size, ...at];
  };
  const edit = { crop: { x: 0.5, y: 0.2, width: 0.4, height: 0.5 } };
  const [width = 0, height = 0, x = 0, y = 0] = seen(edit);
  assert.deepEqual(seen(turnedRight(edit)), [height, width, height - y, x]);
  assert.deepEqual(seen(mirrored(edit)), [width, height, width - x, y]);
  // A mirror after a turn, and four turns.
  const turned = turnedRight(edit);
  const [w = 0, h = 0, tx = 0, ty = 0] = seen(turned);
  assert.deepEqual(seen(mirrored(turned)), [w, h, w - tx, ty]);
  const around = [1, 2, 3, 4].reduce(turnedRight, edit);
  assert.deepEqual(seen(around), seen(edit));
  assert.equal(simplified(around)?.turns, undefined);
  assert.deepEqual(mirrored({ angle: 5 }).angle, -5);
});

Deno.test("a recipe that changes nothing counts as none", () => {
  assert.equal(
    simplified({
      turns: 0,
      angle: 0,
      brightness: 0,
      crop: WHOLE,
      mirrored: false,
    }),
    undefined,
  );
  assert.deepEqual(simplified({ turns: 1, contrast: 0 }), { turns: 1 });
});

Deno.test("corners stay within the picture, apart from each other, and in proportion", () => {
  const crop = { x: 0.2, y: 0.2, width: 0.6, height: 0.6 };
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  const goals: Readonly<Record<Corner, readonly [number, number]>> = {
    nw: [-1, -1],
    ne: [2, -1],
    sw: [-1, 2],
    se: [2, 2],
  };
  for (const corner of CORNERS) {
    const [x, y] = goals[corner];
    const wide = withCorner(crop, corner, { x, y });
    assert(near(wide.width, 0.8) && near(wide.height, 0.8), corner);
    assert(wide.x >= -1e-9 && wide.x + wide.width <= 1 + 1e-9, corner);
    // Drawn over the corner across.
    const least = withCorner(crop, corner, { x: 1 - x, y: 1 - y });
    assert(near(least.width, 0.05) && near(least.height, 0.05), corner);
    const square = withCorner(crop, corner, { x, y: 0.5 }, 2);
    assert(near(square.width, 2 * square.height), corner);
  }
  assert.deepEqual(movedBy(crop, 9, -9), { ...crop, x: 0.4, y: 0 });
  const half = proportioned(WHOLE, PICTURE, 1);
  assert(near(half.width, 0.75) && near(half.height, 1) && near(half.x, 0.125));
});

Deno.test("light changes colours and no opacity, and nothing by zero", () => {
  const lit = (edit: PhotoEdit, ...pixel: number[]) => {
    const rgba = new Uint8ClampedArray(pixel);
    light(rgba, edit);
    return [...rgba];
  };
  assert.deepEqual(lit({}, 1, 2, 3, 4), [1, 2, 3, 4]);
  assert.deepEqual(lit({ brightness: 100 }, 60, 120, 200, 9), [
    120,
    240,
    255,
    9,
  ]);
  assert.deepEqual(lit({ brightness: -100 }, 60, 120, 200, 9), [
    30,
    60,
    100,
    9,
  ]);
  assert.deepEqual(lit({ contrast: 100 }, 28, 128, 228, 255), [
    0,
    128,
    255,
    255,
  ]);
  assert.deepEqual(lit({ contrast: -100 }, 28, 128, 228, 255), [
    128,
    128,
    128,
    255,
  ]);
  const [red, green, blue] = lit({ saturation: -100 }, 200, 100, 50, 255);
  assert(red === green && green === blue && red === 118);
});

/** Pixels of a ramp of greys from one level to another. */
function ramp(from: number, to: number): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(4_000).fill(255);
  for (let at = 0; at < 1_000; at++) {
    rgba.fill(from + (to - from) * at / 999, at * 4, at * 4 + 3);
  }
  return rgba;
}

Deno.test("automatic light spreads dull levels, and leaves alone what has the whole range or no range", () => {
  for (const [from, to] of [[60, 160], [20, 120], [120, 200]] as const) {
    const rgba = ramp(from, to);
    const found = automaticLight(rgba);
    light(rgba, found);
    const after = [rgba[0] ?? 0, rgba.at(-4) ?? 0];
    assert((after[1] ?? 0) - (after[0] ?? 0) > (to - from) * 1.3, `${after}`);
    assert((after[1] ?? 0) > 190, `${after}`);
    for (const value of Object.values(found)) {
      assert(Number.isInteger(value) && Math.abs(value) <= 60);
    }
  }
  const whole = automaticLight(ramp(0, 255));
  assert(Math.abs(whole.brightness) <= 3 && Math.abs(whole.contrast) <= 3);
  const none = { brightness: 0, contrast: 0 };
  assert.deepEqual(automaticLight(ramp(0, 0)), none);
  assert.deepEqual(automaticLight(ramp(90, 90)), none);
  assert.deepEqual(automaticLight(new Uint8ClampedArray(0)), none);
});
