/**
 * Previews of pictures that are too large to be decoded whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { describe } from "../../src/cli/person/files/describing.ts";
import type { FoundFile } from "../../src/cli/person/files/files.ts";
import { type Bytes, concatBytes, utf8 } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { lookAtBytes } from "../../src/media/exif/extent.ts";
import { decodePng } from "../../src/media/pictures/png.ts";
import { decodeTiff } from "../../src/media/pictures/tiff.ts";
import { seededRandom } from "../support/app.ts";
import { heifFile, type Sides } from "../support/heif_files.ts";
import { encoded } from "../support/quartered.ts";
import { tiffFile, u32 } from "../support/raw_files.ts";
import { sampleBytes } from "../support/samples.ts";

const CJPEG = "/usr/bin/cjpeg";
/** Whether Debian's libjpeg-turbo-progs are there. */
const HAS_CJPEG = await Deno.stat(CJPEG).then(() => true, () => false);

async function* rowsOf(width: number, height: number): AsyncGenerator<Bytes> {
  const row = new Uint8Array(width * 3);
  yield utf8(`P6 ${width} ${height} 255\n`);
  for (let y = 0; y < height; y++) {
    const isLow = y >= height / 2;
    for (let x = 0; x < width; x++) {
      const isRight = x >= width / 2;
      // Some noise, as every photograph has.
      const noise = (x * 31 ^ y * 17) & 15;
      row[3 * x] = isLow ? isRight ? 255 : noise : isRight ? noise : 255;
      row[3 * x + 1] = isRight ? 255 - noise : noise;
      row[3 * x + 2] = isLow ? 255 - noise : noise;
    }
    yield row.slice();
    await Promise.resolve();
  }
}

/** A JPEG of red, green, blue and white quarters. */
async function jpeg(
  width: number,
  height: number,
  ...options: string[]
): Promise<Bytes> {
  const child = new Deno.Command(CJPEG, {
    args: [...options, "-quality", "75"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const [{ stdout }] = await Promise.all([
    child.output(),
    ReadableStream.from(rowsOf(width, height)).pipeTo(child.stdin),
  ]);
  return stdout;
}

function chunk(name: string, bytes: Bytes): Bytes {
  const whole = new Uint8Array(12 + bytes.length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, bytes.length);
  whole.set(utf8(name), 4);
  whole.set(bytes, 8);
  return whole;
}

/** Grey rows, dark on the left and light on the right. */
function greys(width: number, rows: number, before: number): Bytes {
  const bytes = new Uint8Array((before + width) * rows);
  for (let at = 0; at < bytes.length; at++) {
    const x = at % (before + width) - before;
    bytes[at] = x < 0 ? 0 : (x >= width / 2 ? 240 : 0) + (at * 7 & 15);
  }
  return bytes;
}

function png(width: number, height: number): Bytes {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(greys(width, height, 1), { level: 1 });
  return concatBytes(
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", new Uint8Array(pixels)),
    chunk("IEND", new Uint8Array()),
  );
}

/** Of one strip. */
function tiff(width: number, height: number): Bytes {
  const strip = deflateSync(greys(width, height, 0), { level: 1 });
  return tiffFile([[
    [0x0100, 4, width],
    [0x0101, 4, height],
    [0x0102, 3, 8],
    [0x0103, 3, 8],
    [0x0106, 3, 1],
    [0x0111, 4, { place: new Uint8Array(strip) }],
    [0x0115, 3, 1],
    [0x0116, 4, height],
    [0x0117, 4, strip.length],
  ]]);
}

/** The sides of the preview, and the quarters of the thumbnail. */
async function smallOf(file: Bytes) {
  const found = { name: "a", folder: "", modifiedAt: 0, path: "a" };
  const { derivatives = [], odd } = await describe(
    found as FoundFile,
    plainOf(file),
  );
  assert.equal(odd, undefined);
  const [preview, thumbnail] = derivatives;
  assert(thumbnail !== undefined && preview?.kind === "preview");
  const bitmap = await createImageBitmap(new Blob([thumbnail.bytes]));
  const { width, height } = bitmap;
  const { rgba } =
    await decodePng(plainOf(await encoded(bitmap, "image/png"))) ??
      {};
  assert(rgba !== undefined);
  const quarters = [[1, 1], [3, 1], [1, 3], [3, 3]].map(([x = 0, y = 0]) => {
    const across = Math.floor(width * x / 4);
    const at = (Math.floor(height * y / 4) * width + across) * 4;
    const [red, green, blue] = [...rgba.subarray(at, at + 3)]
      .map((one) => one > 200);
    return red && green && blue
      ? "W"
      : red
      ? "R"
      : green
      ? "G"
      : blue
      ? "B"
      : "K";
  });
  const longest = Math.max(preview.width ?? 0, preview.height ?? 0);
  return { longest, quarters: quarters.join("") };
}

for (const kind of ["baseline", "progressive"]) {
  Deno.test({
    name: `a ${kind} JPEG of 150 million pixels gets a preview`,
    ignore: !HAS_CJPEG,
    async fn() {
      const options = kind === "progressive" ? ["-progressive"] : [];
      const file = await jpeg(15_000, 10_000, ...options);
      const { longest, quarters } = await smallOf(file);
      assert.equal(quarters, "RGBW");
      // A progressive one is decoded at an eighth of its sides.
      assert.equal(longest, kind === "progressive" ? 1_875 : 1_920);
    },
  });
}

Deno.test("a PNG of 100 million pixels gets a preview", async () => {
  assert.deepEqual(await smallOf(png(10_000, 10_000)), {
    longest: 1_920,
    quarters: "KWKW",
  });
});

Deno.test("a TIFF of 100 million pixels gets a preview", async () => {
  assert.deepEqual(await smallOf(tiff(12_500, 8_000)), {
    longest: 1_920,
    quarters: "KWKW",
  });
});

Deno.test("a TIFF whose one strip expands to 400 MB gets a preview, and is read and expanded in pieces", async () => {
  const [width, height, samples] = [8_000, 6_400, 8];
  const band = new Uint8Array(width * samples * 100);
  for (let at = 0; at < band.length; at++) {
    band[at] = at / samples % width < width / 2 ? 0 : 240;
  }
  // What is packed is in proportion to it, by samples that are not shown.
  const noise = seededRandom("noise")(28_000);
  const bands = ReadableStream.from((function* () {
    for (let y = 0; y < height; y += 100) {
      for (const [at, byte] of noise.entries()) {
        if (at % samples !== 0) band[at] = byte;
      }
      yield band;
    }
  })());
  const strip = await new Response(
    bands.pipeThrough(new CompressionStream("deflate")),
  ).bytes();
  const file = tiffFile([[
    [0x0100, 4, width],
    [0x0101, 4, height],
    [0x0102, 3, Array<number>(samples).fill(8)],
    [0x0103, 3, 8],
    [0x0106, 3, 1],
    [0x0111, 4, { place: strip }],
    [0x0115, 3, samples],
    [0x0116, 4, height],
    [0x0117, 4, strip.length],
  ]]);
  let mostRead = 0;
  const picture = await decodeTiff({
    size: file.length,
    read(offset, length) {
      mostRead = Math.max(mostRead, length);
      return Promise.resolve(file.slice(offset, offset + length));
    },
  }, 100);
  assert.deepEqual([picture?.width, picture?.height], [100, 80]);
  const [left, right] = [picture?.rgba[4 * 20], picture?.rgba[4 * 80]];
  assert.deepEqual([left, right], [0, 240]);
  assert(mostRead <= 1024 * 1024, `${mostRead} bytes at once`);
});

/** The EXIF of a picture, with a small JPEG. */
const exifWith = (jpeg: Bytes, orientation = 6) =>
  tiffFile([
    [[0x0112, 3, orientation]],
    [
      [0x0103, 3, 6],
      [0x0201, 4, { place: jpeg }],
      [0x0202, 4, jpeg.length],
    ],
  ], { chain: 2 });

/** Pictures that nothing here decodes, with such EXIF and sides. */
const UNDECODED: Readonly<
  Record<
    string,
    { readonly sides: Sides; readonly make: (exif: Bytes, of: Sides) => Bytes }
  >
> = {
  "a WebP of 180 million pixels": {
    sides: [16_384, 10_906],
    make(exif, [width, height]) {
      const part = (name: string, bytes: Bytes) => {
        const length = new Uint8Array(4);
        new DataView(length.buffer).setUint32(0, bytes.length, true);
        const pad = new Uint8Array(bytes.length & 1);
        return concatBytes(utf8(name), length, bytes, pad);
      };
      const [x, y] = [width - 1, height - 1];
      const sides = new Uint8Array([
        ...[8, 0, 0, 0, x & 0xff, x >> 8, 0, y & 0xff, y >> 8, 0],
      ]);
      return part(
        "RIFF",
        concatBytes(
          utf8("WEBP"),
          part("VP8X", sides),
          part("VP8 ", new Uint8Array(300_000)),
          part("EXIF", exif),
        ),
      );
    },
  },
  "a JPEG of a frame that no decoder knows": {
    sides: [1_024, 682],
    make(exif, [width, height]) {
      const length = exif.length + 8;
      const sides = [height >> 8, height & 0xff, width >> 8, width & 0xff];
      return concatBytes(
        new Uint8Array([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 0xff]),
        utf8("Exif\0\0"),
        exif,
        new Uint8Array([0xff, 0xc3, 0, 11, 8, ...sides, 1, 1, 0x11, 0]),
        new Uint8Array([0xff, 0xd9]),
      );
    },
  },
  "a PNG of 600 million pixels": {
    sides: [30_000, 19_969],
    make(exif, [width, height]) {
      const header = concatBytes(
        u32(width),
        u32(height),
        new Uint8Array([8, 0, 0, 0, 0]),
      );
      return concatBytes(
        new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk("IHDR", header),
        chunk("eXIf", exif),
        chunk("IDAT", new Uint8Array(1_000)),
        chunk("IEND", new Uint8Array()),
      );
    },
  },
  "an AVIF of 180 million pixels": {
    sides: [16_384, 10_906],
    make: (exif, sides) => heifFile("avif", exif, sides, true),
  },
};

const describing = (file: Bytes) =>
  describe(
    { name: "a.jpg", folder: "", modifiedAt: 0, path: "a" } as FoundFile,
    plainOf(file),
  );

for (const [what, { sides, make }] of Object.entries(UNDECODED)) {
  Deno.test(`the small picture in the EXIF of ${what} is taken, upright`, async () => {
    const jpeg = await sampleBytes("thumbnails/cat.jpg");
    const { width = 0, height = 0 } = await lookAtBytes(jpeg) ?? {};
    assert(width > height && jpeg.length < 60_000);
    const { derivatives = [], odd } = await describing(
      make(exifWith(jpeg), sides),
    );
    assert.equal(odd, undefined);
    const small = derivatives.at(-1);
    assert.equal(small?.kind, "thumbnail");
    assert((small.width ?? 0) < (small.height ?? 0), "it is not upright");
    const bare = make(tiffFile([[[0x0112, 3, 6]]]), sides);
    const plain = await describing(bare);
    assert.deepEqual([plain.odd, plain.derivatives], ["unpictured", []]);
  });

  Deno.test(`the small picture in the EXIF of ${what} is not taken if it is tiny, or its sides are in another ratio`, async () => {
    const jpeg = await sampleBytes("thumbnails/cat.jpg");
    const smaller = async (resizeWidth: number, resizeHeight: number) =>
      await encoded(
        await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }), {
          resizeWidth,
          resizeHeight,
        }),
        "image/jpeg",
      );
    const [width, height] = sides;
    const wrong: Readonly<Record<string, Bytes>> = {
      tiny: make(exifWith(await smaller(60, 40)), sides),
      "one pixel": make(exifWith(await smaller(1, 1)), sides),
      "with bars": make(exifWith(await smaller(160, 120)), sides),
      "of another crop": make(exifWith(await smaller(150, 150)), sides),
      "turned already": make(exifWith(await smaller(142, 213)), sides),
      "of a picture that was cropped": make(exifWith(jpeg), [width, width]),
      "of one that was turned": make(exifWith(jpeg), [height, width]),
    };
    for (const [how, file] of Object.entries(wrong)) {
      const { odd, derivatives } = await describing(file);
      assert.deepEqual([odd, derivatives], ["unpictured", []], how);
    }
  });
}

Deno.test("an AVIF whose EXIF says it is turned, and whose own boxes do not, has no small picture on its side", async () => {
  const jpeg = await sampleBytes("thumbnails/cat.jpg");
  const sides: Sides = [16_384, 10_906];
  const odd = async (orientation: number, isTurned: boolean) =>
    (await describing(
      heifFile("avif", exifWith(jpeg, orientation), sides, isTurned),
    )).odd;
  assert.equal(await odd(6, false), "unpictured");
  assert.equal(await odd(1, true), "unpictured");
  assert.equal(await odd(1, false), undefined);
});
