/**
 * TIFF pictures as libtiff stores them, and those that lie.
 *
 * @module
 */
import assert from "node:assert/strict";
import { decodeTiff } from "../../src/media/pictures/tiff.ts";
import { derivativesOf } from "../../src/cli/person/files/pictures.ts";
import { type Bytes, concatBytes } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { decodeJpeg } from "../../src/media/pictures/jpeg.ts";
import { type Entry, tiffFile } from "../support/raw_files.ts";
import { sampleBytes } from "../support/samples.ts";

const SAMPLES = new URL("../support/media/", import.meta.url);
const PATTERNS = [
  "plain",
  "lzw",
  "lzw-16-big",
  "deflate-planar",
  "packbits-tiles",
];
const [WIDTH, HEIGHT] = [20, 14];

async function sample(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(`pattern-${name}.tiff`, SAMPLES));
}

for (const name of PATTERNS) {
  Deno.test(`a picture in TIFF is decoded as another program stored it: ${name}`, async () => {
    const decoded = await decodeTiff(plainOf(await sample(name)));
    assert.equal(decoded?.width, WIDTH);
    assert.equal(decoded.height, HEIGHT);
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const at = (y * WIDTH + x) * 4;
        const pixel = [...decoded.rgba.subarray(at, at + 4)];
        const meant = [x * 12, y * 18, (x * y) % 256, 255];
        // Of 16 bits the lower eight are left out.
        const off = pixel.map((one, n) => Math.abs(one - (meant[n] ?? 0)));
        assert(Math.max(...off) <= 1, `${x} ${y}: ${pixel} and not ${meant}`);
      }
    }
  });
}

/** A picture of bytes, three by two pixels, with what is said of it. */
function picture(
  bytes: readonly number[],
  ...entries: readonly Entry[]
): Uint8Array<ArrayBuffer> {
  const said = new Map<number, Entry>([
    [0x0100, [0x0100, 3, 3]],
    [0x0101, [0x0101, 3, 2]],
    [0x0102, [0x0102, 3, 8]],
    [0x0103, [0x0103, 3, 1]],
    [0x0106, [0x0106, 3, 1]],
    [0x0111, [0x0111, 4, { place: new Uint8Array(bytes) }]],
    [0x0115, [0x0115, 3, 1]],
    [0x0116, [0x0116, 3, 2]],
    [0x0117, [0x0117, 4, bytes.length]],
    ...entries.map((entry) => [entry[0], entry] as const),
  ]);
  return tiffFile([[...said.values()]], { little: false });
}

/** The red of each pixel of a decoded picture. */
async function reds(file: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const decoded = await decodeTiff(plainOf(file));
  return [...decoded?.rgba ?? []].filter((_, at) => at % 4 === 0);
}

Deno.test("a picture in TIFF is turned as it says", async () => {
  const grey = [1, 2, 3, 4, 5, 6];
  const turned: readonly (readonly number[])[] = [
    [1, 2, 3, 4, 5, 6],
    [3, 2, 1, 6, 5, 4],
    [6, 5, 4, 3, 2, 1],
    [4, 5, 6, 1, 2, 3],
    [1, 4, 2, 5, 3, 6],
    [4, 1, 5, 2, 6, 3],
    [6, 3, 5, 2, 4, 1],
    [3, 6, 2, 5, 1, 4],
  ];
  for (const [n, meant] of turned.entries()) {
    const file = picture(grey, [0x0112, 3, n + 1]);
    assert.deepEqual(await reds(file), meant, `orientation ${n + 1}`);
    const { width } = await decodeTiff(plainOf(file)) ?? {};
    assert.equal(width, n < 4 ? 3 : 2);
  }
});

Deno.test("grey in both directions, palettes, CMYK and opacity have their colours", async () => {
  const grey = [0, 50, 100, 150, 200, 255];
  assert.deepEqual(
    await reds(picture(grey, [0x0106, 3, 0])),
    grey.map((level) => 255 - level),
  );
  // One bit each, a row a byte.
  assert.deepEqual(
    await reds(picture([0b1010_0000, 0b0100_0000], [0x0102, 3, 1])),
    [255, 0, 255, 0, 255, 0],
  );
  const palette = Array.from({ length: 768 }, (_, n) => n < 256 ? n << 8 : 0);
  assert.deepEqual(
    await reds(picture(grey, [0x0106, 3, 3], [0x0140, 3, palette])),
    grey,
  );
  const cmyk = Array.from({ length: 6 }, () => [55, 0, 0, 0]).flat();
  const four: Entry[] = [[0x0102, 3, [8, 8, 8, 8]], [0x0115, 3, 4]];
  assert.deepEqual(
    await reds(picture(cmyk, [0x0106, 3, 5], ...four)),
    Array(6).fill(200),
  );
  // Multiplied by an opacity of a half.
  const rgba = Array.from({ length: 6 }, () => [64, 0, 0, 128]).flat();
  const half = picture(rgba, [0x0106, 3, 2], ...four, [0x0152, 3, 1]);
  const [red, , , shown] = (await decodeTiff(plainOf(half)))?.rgba ?? [];
  assert.deepEqual([red, shown], [128, 128]);
});

Deno.test("a picture that swells, or says what is not so, is not decoded", async () => {
  const grey = [1, 2, 3, 4, 5, 6];
  const lies: readonly (readonly Entry[])[] = [
    // A gigabyte, in six bytes.
    [[0x0100, 4, 32_768], [0x0101, 4, 32_768]],
    [[0x0100, 4, 0xffff_ffff], [0x0101, 4, 0xffff_ffff]],
    [[0x0100, 4, 0]],
    [[0x0115, 3, 200]],
    [[0x0102, 3, 12]],
    [[0x0153, 3, 3]],
    [[0x0103, 3, 7]],
    [[0x0106, 3, 32_803]],
    [[0x0116, 3, 0]],
    [[0x0116, 3, 1]],
    [[0x0111, 4, 0xffff_fff0]],
    [[0x0117, 4, 0xffff_fff0]],
    [[0x013d, 3, 3]],
    [[0x0106, 3, 3]],
    [[0x0103, 3, 8]],
    [[0x0144, 4, 8], [0x0145, 4, 6], [0x0142, 3, 0], [0x0143, 3, 0]],
    // Four tiles of 300 MB each, for four pixels.
    [
      [0x0100, 4, 1],
      [0x0101, 4, 4],
      [0x0103, 3, 32_773],
      [0x0142, 4, 300_000_000],
      [0x0143, 4, 1],
      [0x0144, 4, [8, 8, 8, 8]],
      [0x0145, 4, [6, 6, 6, 6]],
    ],
    // A tile one bit wide, and so high that its rows have 3 GB.
    [
      [0x0100, 4, 1],
      [0x0101, 4, 1],
      [0x0102, 3, 1],
      [0x0103, 3, 32_773],
      [0x0142, 4, 1],
      [0x0143, 4, 3_000_000_000],
      [0x0144, 4, 8],
      [0x0145, 4, 6],
    ],
  ];
  for (const [n, entries] of lies.entries()) {
    assert.equal(
      await decodeTiff(plainOf(picture(grey, ...entries))),
      undefined,
      `lie ${n}`,
    );
  }
});

Deno.test("what expands beyond its picture is cut off there, and what falls short is black", async () => {
  const zeros = new Blob([new Uint8Array(50_000_000)]).stream()
    .pipeThrough(new CompressionStream("deflate"));
  const bomb = [...new Uint8Array(await new Response(zeros).arrayBuffer())];
  assert.deepEqual(await reds(picture(bomb, [0x0103, 3, 8])), Array(6).fill(0));
  assert.deepEqual(
    await reds(picture([0x83, 9, 0x83, 9], [0x0103, 3, 32_773])),
    Array(6).fill(9),
  );
  assert.deepEqual(await reds(picture([7, 7])), [7, 7, 0, 0, 0, 0]);
});

Deno.test("files in TIFF that lie in any byte are decoded within bounds and never throw", async () => {
  for (const name of PATTERNS) {
    const whole = await sample(name);
    for (let at = 0; at < whole.length; at += 5) {
      await decodeTiff(plainOf(whole.slice(0, at)));
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const changed = whole.slice();
        changed[at] = value;
        await decodeTiff(plainOf(changed));
      }
    }
  }
});

Deno.test("the command line makes small pictures of TIFF, upright", async () => {
  const made = await derivativesOf(
    plainOf(await sample("lzw")),
    "image/tiff",
    {},
  );
  assert.deepEqual(
    made?.map(({ kind, mime, width, height }) => [kind, mime, width, height]),
    [["thumbnail", "image/jpeg", WIDTH, HEIGHT]],
  );
});

/** The segments of a JPEG before its scan, and the rest of it. */
function partsOfJpeg(jpeg: Bytes) {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset);
  const tables: Bytes[] = [];
  const others: Bytes[] = [];
  let at = 2;
  while (view.getUint16(at) !== 0xffda) {
    const end = at + 2 + view.getUint16(at + 2);
    const isTable = [0xffdb, 0xffc4].includes(view.getUint16(at));
    (isTable ? tables : others).push(jpeg.slice(at, end));
    at = end;
  }
  return { tables, rest: [...others, jpeg.slice(at)] };
}

Deno.test("strips and tiles that are JPEGs are drawn, with tables of their own or in common", async () => {
  const jpeg = await sampleBytes("thumbnails/cat.jpg");
  const right = await decodeJpeg(plainOf(jpeg), Infinity);
  assert(right !== undefined);
  const { width, height } = right;
  const { tables, rest } = partsOfJpeg(jpeg);
  const start = new Uint8Array([0xff, 0xd8]);
  const end = new Uint8Array([0xff, 0xd9]);
  const common = concatBytes(start, ...tables, end);
  const bare = concatBytes(start, ...rest);
  const file = (rows: number, colours: number, more: readonly Entry[]) =>
    tiffFile([
      ([
        [0x0100, 4, width],
        [0x0101, 4, rows],
        [0x0102, 3, [8, 8, 8]],
        [0x0103, 3, 7],
        [0x0106, 3, colours],
        [0x0115, 3, 3],
        ...more,
      ] as Entry[]).toSorted(([a], [b]) => a - b),
    ]);
  const whole = file(height, 6, [
    [0x0111, 4, { place: jpeg }],
    [0x0117, 4, jpeg.length],
  ]);
  assert.deepEqual(await decodeTiff(plainOf(whole)), right);
  // Two strips, one after the other in one place.
  const strips = concatBytes(bare, bare);
  const shared = file(2 * height, 6, [
    [0x0111, 4, [0, 0]],
    [0x0116, 4, height],
    [0x0117, 4, [bare.length, bare.length]],
    [0x015b, 7, { bytes: common }],
    [0xc000, 4, { place: strips }],
  ]);
  const at = new TextDecoder("latin1").decode(shared).indexOf(
    new TextDecoder("latin1").decode(strips),
  );
  const offsets = new DataView(shared.buffer);
  // The values of the offsets are the first that are not in the directory.
  const values = offsets.getUint32(8 + 2 + 12 * 5 + 8, true);
  offsets.setUint32(values, at, true);
  offsets.setUint32(values + 4, at + bare.length, true);
  const twice = await decodeTiff(plainOf(shared));
  assert.deepEqual([twice?.width, twice?.height], [width, 2 * height]);
  const half = width * height * 4;
  assert.deepEqual(twice?.rgba.slice(0, half), right.rgba);
  assert.deepEqual(twice?.rgba.slice(half), right.rgba);

  // Colours that are red, green and blue are not transformed.
  const untransformed = file(height, 2, [
    [0x0111, 4, { place: jpeg }],
    [0x0117, 4, jpeg.length],
  ]);
  assert.notDeepEqual(await decodeTiff(plainOf(untransformed)), right);
  // A tile reaches over the edges.
  const tile = file(height - 20, 6, [
    [0x0142, 4, width],
    [0x0143, 4, height],
    [0x0144, 4, { place: jpeg }],
    [0x0145, 4, jpeg.length],
  ]);
  const cropped = await decodeTiff(plainOf(tile));
  assert.deepEqual([cropped?.width, cropped?.height], [width, height - 20]);
  assert.deepEqual(
    cropped?.rgba,
    right.rgba.slice(0, width * (height - 20) * 4),
  );
  // That of the whole picture is made smaller as it is decoded.
  const reduced = await decodeTiff(plainOf(whole), width / 2);
  assert.deepEqual(reduced, await decodeJpeg(plainOf(jpeg), width / 2));
  // A JPEG that is larger than its strip is not decoded.
  const larger = whole.slice();
  new DataView(larger.buffer).setUint32(8 + 2 + 8, width / 2, true);
  assert.equal(await decodeTiff(plainOf(larger)), undefined);
});
