/**
 * Where a picture stands while it is zoomed, and what fingers meant.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  clamped,
  fitted,
  meantBy,
  WHOLE,
  zoomedAt,
} from "../../src/web/app/showing/lightbox/zoom.ts";

const STAGE = { width: 400, height: 800 };

Deno.test("what is under the finger stays there while a picture is zoomed", () => {
  const finger = { x: 120, y: -60 };
  const view = zoomedAt({ scale: 1.5, x: 10, y: 20 }, 2, finger);
  assert.equal(view.scale, 3);
  // The place of the picture that is seen there, before and after.
  const before = [(120 - 10) / 1.5, (-60 - 20) / 1.5];
  const after = [(120 - view.x) / 3, (-60 - view.y) / 3];
  assert.deepEqual(after, before);
});

Deno.test("a picture that is moved leaves no gap that need not be", () => {
  const picture = fitted(STAGE, 2);
  assert.deepEqual(picture, { width: 400, height: 200 });
  const far = { x: 9_999, y: -9_999 };
  assert.deepEqual(clamped({ scale: 1, ...far }, STAGE, picture), WHOLE);
  // Three times as wide as the stage, and lower than it: it moves sideways.
  assert.deepEqual(clamped({ scale: 3, ...far }, STAGE, picture), {
    scale: 3,
    x: 400,
    y: 0,
  });
  assert.equal(clamped({ scale: 99, x: 0, y: 0 }, STAGE, picture).scale, 8);
  assert.equal(clamped({ scale: 0.2, x: 0, y: 0 }, STAGE, picture).scale, 1);
});

Deno.test("a long way or a flick turns the page, and a small one does not", () => {
  for (
    const [by, ms, meant] of [
      [{ x: -150, y: 10 }, 900, "next"],
      [{ x: 150, y: 10 }, 900, "previous"],
      [{ x: -45, y: 5 }, 60, "next"],
      [{ x: -45, y: 5 }, 900, "nothing"],
      [{ x: 10, y: 200 }, 900, "close"],
      [{ x: 4, y: 60 }, 60, "close"],
      [{ x: 4, y: 60 }, 900, "nothing"],
      [{ x: 4, y: -300 }, 60, "nothing"],
    ] as const
  ) assert.equal(meantBy(by, ms, STAGE), meant, JSON.stringify(by));
});
