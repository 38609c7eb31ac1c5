/**
 * Pictures of four quarters, in kinds that decoders turn and fill in ways of
 * their own.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { type Bytes, concatBytes, utf8 } from "../../src/core/bytes.ts";
import { tiffFile, u32 } from "./raw_files.ts";
import { sampleBytes } from "./samples.ts";

const [WIDTH, HEIGHT] = [900, 600];
const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
/** One that shows through, with a colour that must not be seen. */
const CLEAR = [0, 0, 0, 0];

/** Red, green, blue and transparent quarters, in the order of reading. */
function drawing(): Promise<ImageBitmap> {
  const rgba = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const isRight = at % WIDTH >= WIDTH / 2;
    const isLow = at >= WIDTH * HEIGHT / 2;
    const colour = isLow ? isRight ? CLEAR : BLUE : isRight ? GREEN : RED;
    rgba.set(colour, at * 4);
  }
  return createImageBitmap(new ImageData(rgba, WIDTH, HEIGHT));
}

/** The file of a bitmap, which is closed. */
export async function encoded(
  bitmap: ImageBitmap,
  type: string,
): Promise<Bytes> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  return await (await canvas.convertToBlob({ type })).bytes();
}

/** A PNG that says how it is turned (PNG 3.0, 11.3.4.4). */
function turnedPng(png: Bytes, orientation: number): Bytes {
  const said = concatBytes(
    utf8("eXIf"),
    tiffFile([[[0x0112, 3, orientation]]]),
  );
  const chunk = concatBytes(u32(said.length - 4), said, u32(crc32(said)));
  // The first chunk is the header, of 13 bytes.
  return concatBytes(png.subarray(0, 33), chunk, png.subarray(33));
}

/** One that another program wrote. */
function kind(name: string): Promise<Bytes> {
  return sampleBytes(`../pictures/${name}`);
}

/** As it is drawn, with a quarter transparent. */
export const PNG = await encoded(await drawing(), "image/png");
/** The same as a BMP. */
export const BMP = await encoded(await drawing(), "image/bmp");

/**
 * Red, green, blue, white and black (K) by the quarter in which each is to be
 * seen.
 */
export const QUARTERED: readonly (readonly [
  what: string,
  file: Bytes,
  quarters: string,
])[] = [
  ["a transparent PNG", PNG, "RGBW"],
  ["a transparent BMP", BMP, "RGBW"],
  ["a mirrored PNG", turnedPng(PNG, 2), "GRWB"],
  ["a PNG upside down", turnedPng(PNG, 3), "WBGR"],
  ["a PNG turned to the right", turnedPng(PNG, 6), "BRWG"],
  ["a PNG turned to the left", turnedPng(PNG, 8), "GWRB"],
  ["a transparent PNG of grey", await kind("grey_alpha.png"), "WKKW"],
  ["an interlaced PNG", await kind("interlaced.png"), "RGBW"],
  ["a PNG with a palette", await kind("palette.png"), "RGBW"],
  ["a transparent WebP", await kind("transparent.webp"), "RGBW"],
  ["a transparent GIF", await kind("transparent.gif"), "RGBW"],
  ["a HEIC", await kind("picture.heic"), "RGBW"],
  ["an AVIF", await kind("picture.avif"), "RGBW"],
  ["a baseline JPEG", await kind("baseline.jpg"), "RGBW"],
  ["a progressive JPEG", await kind("progressive.jpg"), "RGBW"],
  ["a JPEG with restarts", await kind("restarts.jpg"), "RGBW"],
  ["a 4:1:1 JPEG", await kind("411.jpg"), "RGBW"],
  ["an arithmetic JPEG", await kind("arithmetic.jpg"), "RGBW"],
  [
    "a progressive arithmetic JPEG",
    await kind("arithmetic_progressive.jpg"),
    "RGBW",
  ],
  ["a CMYK JPEG", await kind("cmyk.jpg"), "RGBW"],
  ["a YCCK JPEG", await kind("ycck.jpg"), "RGBW"],
  [
    "a CMYK JPEG without Adobe's marker",
    await kind("cmyk_unmarked.jpg"),
    "RGBW",
  ],
  ["a TIFF", await kind("rgb.tif"), "RGBW"],
  ["a CMYK TIFF", await kind("cmyk.tif"), "RGBW"],
];
