/**
 * What a file is by its bytes, and the small pictures that the command makes:
 * upright, and on white where they are transparent.
 *
 * @module
 */
import assert from "node:assert/strict";
import { describe } from "../../src/cli/person/files/describing.ts";
import type { FoundFile } from "../../src/cli/person/files/files.ts";
import { type Bytes, utf8 } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { decodePng } from "../../src/media/pictures/png.ts";
import { BMP, encoded, PNG, QUARTERED } from "../support/quartered.ts";

const JPEG = await Deno.readFile(
  new URL("../samples/rocket.jpg", import.meta.url),
);

async function described(name: string, bytes: Bytes) {
  const file = { name, folder: "", modifiedAt: 0, path: name } as FoundFile;
  return await describe(file, plainOf(bytes));
}

/** The middles of the quarters of a small picture: R, G, B, W or K (black). */
async function quartersOf(jpeg: Bytes): Promise<string> {
  const bitmap = await createImageBitmap(
    new Blob([jpeg], { type: "image/jpeg" }),
  );
  const { width, height } = bitmap;
  const png = await encoded(bitmap, "image/png");
  const { rgba } = await decodePng(plainOf(png)) ?? {};
  assert(rgba !== undefined);
  return [[1, 1], [3, 1], [1, 3], [3, 3]].map(([x = 0, y = 0]) => {
    const across = Math.floor(width * x / 4);
    const at = (Math.floor(height * y / 4) * width + across) * 4;
    const bright = [...rgba.subarray(at, at + 3)]
      .map((one) => one > 200 ? 1 : one < 55 ? 0 : "?").join("");
    const known: Record<string, string> = {
      "100": "R",
      "010": "G",
      "001": "B",
      "111": "W",
      "000": "K",
    };
    return known[bright] ?? bright;
  }).join("");
}

/** What the command leaves to the app, and why. */
const UNMADE: Readonly<Record<string, string>> = {
  "an AVIF": "neither the runtime nor the program has a decoder of AV1",
  "a HEIC": "libheif is the bundled app's; it is compared with the app's there",
};

for (const [what, file, quarters] of QUARTERED) {
  if (what in UNMADE) continue;
  Deno.test(`the small picture of ${what} is upright and on white`, async () => {
    const { about, derivatives = [] } = await described("a.png", file);
    const [small] = derivatives;
    assert(small !== undefined);
    assert.equal(await quartersOf(small.bytes), quarters);
    const { width = 0, height = 0 } = about;
    assert.equal(width > height, (small.width ?? 0) > (small.height ?? 0));
  });
}

const TYPES: readonly (readonly [name: string, file: Bytes, mime: string])[] = [
  ["without-ending", JPEG, "image/jpeg"],
  ["twitter.jpg_large", JPEG, "image/jpeg"],
  ["picture.heic", JPEG, "image/jpeg"],
  ["picture.png", JPEG, "image/jpeg"],
  ["picture.mov", JPEG, "image/jpeg"],
  ["picture.jpg", PNG, "image/png"],
  ["picture.jpg", BMP, "image/bmp"],
  // These are no pictures, whatever their first letters are.
  ["list.csv", utf8("GIF89a is a format of pictures\n"), "text/csv"],
  ["note.jpg", utf8("This is a text, and no picture."), "image/jpeg"],
];

for (const [name, file, mime] of TYPES) {
  Deno.test(`the type is read from the bytes: ${mime} in ${name}`, async () => {
    const { about, derivatives } = await described(name, file);
    assert.equal(about.mime, mime);
    if (file === JPEG) assert.equal(derivatives?.length, 1);
  });
}

Deno.test("the type is read from the bytes: video/mp4 in a.jpg, and a TIFF keeps its finer name", async () => {
  const media = new URL("../support/media/", import.meta.url);
  const film = await Deno.readFile(new URL("android.mp4", media));
  assert.equal((await described("a.jpg", film)).about.mime, "video/mp4");
  assert.equal((await described("a.m4v", film)).about.mime, "video/mp4");
  const tiff = await Deno.readFile(new URL("camera.tiff", media));
  assert.equal((await described("a.jpg", tiff)).about.mime, "image/tiff");
  assert.equal(
    (await described("a.nef", tiff)).about.mime,
    "image/x-nikon-nef",
  );
});
