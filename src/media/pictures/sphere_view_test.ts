import assert from "node:assert/strict";
import type { Sides } from "./photo_edit.ts";
import {
  type Area,
  clampedLook,
  dragged,
  firstLook,
  fittedSides,
  goesAround,
  halves,
  isSame,
  levelOf,
  type Look,
  onTheWay,
  stepped,
  zoomed,
} from "./sphere_view.ts";

const WHOLE = { left: 0, top: 0, width: 1, height: 1 };
const WIDE = { width: 1_600, height: 900 };
const TALL = { width: 390, height: 844 };
const AHEAD = { yaw: 0, pitch: 0, fov: 90 };

/** Nearly equal, as cosines are. */
function near(actual: number, expected: number, by = 1e-6): void {
  assert(Math.abs(actual - expected) < by, `${actual}, not ${expected}`);
}

Deno.test("the angle of view is across the longer side", () => {
  near(halves(90, WIDE).across, 45);
  near(halves(90, TALL).up, 45);
  assert(halves(90, WIDE).up < 45);
  assert(halves(90, TALL).across < 45);
});

Deno.test("what is below a finger goes along with it", () => {
  for (const pitch of [0, 30, -60]) {
    const look = { yaw: 20, pitch, fov: 80 };
    const [x, y] = [6, -4];
    const moved = dragged(look, { x, y }, WIDE);
    const before = placeAt({ x: 0, y: 0 }, look, WHOLE, WIDE);
    const after = placeAt(
      { x: x / (WIDE.width / 2), y: -y / (WIDE.height / 2) },
      moved,
      WHOLE,
      WIDE,
    );
    near(after.u, before.u, 2e-5);
    near(after.v, before.v, 2e-5);
  }
});

Deno.test("one turns around without end, and up to the poles", () => {
  const look = clampedLook({ yaw: 200, pitch: 130, fov: 90 }, WHOLE, WIDE);
  near(look.yaw, -160);
  assert.equal(look.pitch, 90);
  assert.equal(
    clampedLook({ yaw: -540, pitch: -99, fov: 90 }, WHOLE, WIDE).pitch,
    -90,
  );
});

Deno.test("the view stays within a part of the sphere", () => {
  const areas = [
    // A phone's panorama: all around, and a stripe of it.
    { left: 0, top: 0.33, width: 1, height: 0.34 },
    { left: 0.1, top: 0.2, width: 0.6, height: 0.5 },
    { left: 0.6, top: 0.3, width: 0.2, height: 0.3 },
    { left: 0, top: 0, width: 1, height: 0.75 },
  ];
  for (const area of areas) {
    for (const sides of [WIDE, TALL]) {
      for (const yaw of [-180, -75, 0, 110]) {
        for (const pitch of [-90, -20, 0, 70]) {
          for (const fov of [5, 40, 170]) {
            const look = clampedLook({ yaw, pitch, fov }, area, sides);
            // Beyond a pole, a view has no left and right.
            if (Math.abs(look.pitch) > 50) continue;
            for (const [x, y] of [[0, 1], [0, -1], [1, 0], [-1, 0]] as const) {
              const { u, v } = placeAt({ x, y }, look, area, sides);
              const told = JSON.stringify({ area, look, x, y, u, v });
              assert(v > -1e-6 && v < 1 + 1e-6, told);
              // Left of the picture is what is right of it, all around. Where
              // one looks up or down, a view is a little wider.
              const isIn = u < 1.02 || u > 1 / area.width - 0.02;
              assert(goesAround(area) || isIn, told);
            }
          }
        }
      }
    }
  }
});

Deno.test("zooming changes the angle and ends somewhere", () => {
  const nearer = zoomed(AHEAD, 2);
  near(Math.tan(nearer.fov * Math.PI / 360), 0.5);
  near(zoomed(nearer, 0.5).fov, 90);
  const least = clampedLook(zoomed(AHEAD, 1_000), WHOLE, WIDE);
  assert.equal(least.fov, 20);
  const most = clampedLook(zoomed(AHEAD, 0.001), WHOLE, WIDE);
  assert.equal(most.fov, 110);
});

Deno.test("a step is smaller when one is nearer", () => {
  assert.deepEqual(stepped(AHEAD, 1, 0), { ...AHEAD, yaw: 15 });
  assert.deepEqual(stepped({ ...AHEAD, fov: 30 }, 0, -1), {
    yaw: 0,
    pitch: -5,
    fov: 30,
  });
});

Deno.test("the camera says where one looks at first", () => {
  const sphere = { ...WHOLE, heading: 275, pitch: -10 };
  const look = firstLook(sphere, WIDE);
  near(look.yaw, -85);
  assert.equal(look.pitch, -10);
});

Deno.test("a movement takes the shorter way around", () => {
  const half = onTheWay({ ...AHEAD, yaw: 170 }, { ...AHEAD, yaw: -150 }, 0.25);
  near(half.yaw, -180);
  assert(isSame({ ...AHEAD, yaw: 180 }, { ...AHEAD, yaw: -180 }));
  assert(!isSame(AHEAD, { ...AHEAD, pitch: 1 }));
});

Deno.test("a picture is made smaller for the graphics, never larger", () => {
  const most = 4_096;
  assert.deepEqual(fittedSides({ width: 8_192, height: 4_096 }, most), {
    width: 4_096,
    height: 2_048,
  });
  const small = { width: 1_000, height: 400 };
  assert.deepEqual(fittedSides(small, most), small);
  assert.equal(levelOf(1_000, AHEAD, WHOLE, WIDE), 0);
  const level = levelOf(8_192, { ...AHEAD, fov: 110 }, WHOLE, TALL);
  assert(level > 1 && level < 3, String(level));
});

const RADIANS = Math.PI / 180;
const tan = (degrees: number) => Math.tan(degrees * RADIANS);

/**
 * The place in the picture, 0 to 1 from its upper left corner, of a point of
 * the view, as shares of its half sides, right and up. The painter's shader
 * does the same.
 */
function placeAt(
  point: { readonly x: number; readonly y: number },
  look: Look,
  area: Area,
  sides: Sides,
): { readonly u: number; readonly v: number } {
  const { across, up } = halves(look.fov, sides);
  const [x, y] = [point.x * tan(across), point.y * tan(up)];
  const [sine, cosine] = [
    Math.sin(look.pitch * RADIANS),
    Math.cos(look.pitch * RADIANS),
  ];
  const forwards = cosine - y * sine;
  const longitude = look.yaw + Math.atan2(x, forwards) / RADIANS;
  const latitude = Math.atan2(y * cosine + sine, Math.hypot(x, forwards)) /
    RADIANS;
  const turn = longitude / 360 + 0.5 - area.left;
  return {
    u: (turn - Math.floor(turn)) / area.width,
    v: (0.5 - latitude / 180 - area.top) / area.height,
  };
}
