/**
 * Which small pictures a photo needs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { isSpared, lacksPictures, MOST_ITSELF_BYTES } from "./drawn_itself.ts";

Deno.test("a picture of few pixels is shown itself, unless its file is large or it cannot be shown", () => {
  const cases: readonly (readonly [
    longest: number,
    itselfBytes: number | undefined,
    preview: boolean,
    thumbnail: boolean,
  ])[] = [
    [400, 30_000, true, true],
    [400, MOST_ITSELF_BYTES, true, true],
    // It moves, or a video stands after it.
    [400, MOST_ITSELF_BYTES + 1, true, false],
    // No browser draws it, or it tells its place.
    [400, undefined, true, false],
    [1_600, 300_000, true, false],
    [1_600, 600_000, true, false],
    [1_600, undefined, false, false],
    [4_000, 300_000, true, false],
    [4_000, 3_000_000, false, false],
  ];
  for (const [longest, itselfBytes, preview, thumbnail] of cases) {
    assert.deepEqual(
      [
        isSpared("preview", longest, itselfBytes),
        isSpared("thumbnail", longest, itselfBytes),
      ],
      [preview, thumbnail],
      `${longest} pixels, ${itselfBytes} bytes`,
    );
  }
});

Deno.test("the small picture that EXIF had is replaced, and one that was made stays", () => {
  const sides = { width: 900, height: 600 };
  const thumbnail = (width: number, height: number) => ({
    kind: "thumbnail",
    width,
    height,
  });
  const preview = { kind: "preview", width: 900, height: 600 };
  const lacks = (
    derivatives: Parameters<typeof lacksPictures>[0]["derivatives"],
    more: object = {},
  ) => lacksPictures({ ...sides, ...more, derivatives });
  assert.equal(lacks([]), true);
  assert.equal(lacks([preview]), true);
  assert.equal(lacks([thumbnail(160, 107)]), true);
  assert.equal(lacks([thumbnail(512, 341)]), false);
  assert.equal(lacks([thumbnail(160, 107), preview]), false);
  // What was cut out, the photo itself, and a size that is not known.
  assert.equal(lacks([thumbnail(160, 107)], { edit: { turns: 1 } }), false);
  assert.equal(
    lacks([thumbnail(160, 107)], { width: 160, height: 107 }),
    false,
  );
  assert.equal(lacks([{ kind: "thumbnail" }]), false);
});
