/**
 * Our own decoders of pictures: a file that claims much, or asks for the same
 * work again and again, gets neither the memory nor the work.
 *
 * @module
 */
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { decodeJpeg } from "../../src/media/pictures/jpeg.ts";
import { decodePng } from "../../src/media/pictures/png.ts";
import { decodeTiff } from "../../src/media/pictures/tiff.ts";
import { type Entry, tiffFile } from "../support/raw_files.ts";
import { pngChunk } from "../support/refused_pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const MIB = 1024 * 1024;
const ARRAYS = [
  "Uint8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Int16Array",
  "Float32Array",
] as const;
type Allocated = Record<(typeof ARRAYS)[number], number>;

/** Bytes of the arrays that are made of a length meanwhile, by their kind. */
async function allocatedBy(work: () => Promise<unknown>): Promise<Allocated> {
  const sums = Object.fromEntries(ARRAYS.map((name) => [name, 0])) as Allocated;
  const originals = ARRAYS.map((name) => [name, globalThis[name]] as const);
  for (const [name, original] of originals) {
    const counting = new Proxy(original, {
      construct(target, given, made) {
        const array = Reflect.construct(target, given, made);
        if (typeof given[0] === "number") sums[name] += array.byteLength;
        return array;
      },
    });
    Object.assign(globalThis, { [name]: counting });
  }
  try {
    await work();
  } finally {
    Object.assign(globalThis, Object.fromEntries(originals));
  }
  return sums;
}

const sumOf = (allocated: Allocated) =>
  Object.values(allocated).reduce((sum, bytes) => sum + bytes, 0);

/** How often a block of coefficients was taken meanwhile. */
async function visitsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const { prototype } = Int16Array;
  const original = prototype.subarray;
  let visits = 0;
  Object.defineProperty(prototype, "subarray", {
    configurable: true,
    value(this: Int16Array, ...given: number[]) {
      visits += 1;
      return original.apply(this, given as [number, number]);
    },
  });
  try {
    return [await work(), visits];
  } finally {
    Reflect.deleteProperty(prototype, "subarray");
  }
}

function segment(marker: number, ...bytes: readonly number[]): Bytes {
  const length = bytes.length + 2;
  return new Uint8Array([0xff, marker, length >> 8, length & 0xff, ...bytes]);
}

const SIDE = 800;
/** Blocks of each component. */
const BLOCKS = (SIDE / 8) ** 2;
/** A Huffman table with one code, a 0. */
const table = (kind: number, symbol: number) => [
  ...[kind, 1, ...Array<number>(15).fill(0)],
  symbol,
];
const START = new Uint8Array([0xff, 0xd8]);
const END = new Uint8Array([0xff, 0xd9]);

/** A progressive JPEG of so many components, each with such sides of sampling. */
function progressive(
  scans: readonly (readonly number[])[],
  components = 1,
  sampling = 0x11,
): Bytes {
  const ids = Array.from({ length: components }, (_, n) => n + 1);
  return concatBytes(
    START,
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(
      0xc2,
      ...[8, SIDE >> 8, SIDE & 0xff, SIDE >> 8, SIDE & 0xff, components],
      ...ids.flatMap((id) => [id, id === 1 ? sampling : 0x11, 0]),
    ),
    // No difference, and the end of the next 16,384 blocks.
    segment(0xc4, ...table(0, 0), ...table(0x10, 0xe0)),
    ...scans.map((scan) =>
      concatBytes(segment(0xda, ...scan), new Uint8Array(4_000))
    ),
    END,
  );
}

/** A scan of such components, a band, and how many bits are missing. */
const scan = (
  ids: readonly number[],
  first: number,
  last: number,
  high = 0,
  low = 0,
) => [
  ids.length,
  ...ids.flatMap((id) => [id, 0]),
  first,
  last,
  high << 4 | low,
];

const decode = (jpeg: Bytes) =>
  visitsOf(() => decodeJpeg(plainOf(jpeg), 2 * SIDE));

Deno.test("a JPEG whose scan violates T.81 is not decoded, and no block of it is visited", async () => {
  const forbidden: Readonly<Record<string, Bytes>> = {
    "no component": progressive([scan([], 1, 63)]),
    "twenty times the same": progressive([scan(Array(20).fill(1), 1, 63)]),
    "the same twice": progressive([scan([1, 1], 0, 0)]),
    "five components": progressive([scan([1, 2, 3, 4, 4], 0, 0)], 4),
    "two components in a band": progressive([scan([1, 2], 1, 63)], 3),
    "units of eleven blocks": progressive([scan([1, 2, 3], 0, 0)], 3, 0x33),
    "a band that ends before it begins": progressive([scan([1], 5, 4)]),
    "a band beyond the last coefficient": progressive([scan([1], 1, 64)]),
    "a band that begins beyond it": progressive([scan([1], 64, 64)]),
    "the first coefficient and others": progressive([scan([1], 0, 5)]),
    "too many bits for later": progressive([scan([1], 1, 63, 0, 14)]),
    "two bits at once": progressive([scan([1], 1, 63, 3, 1)]),
    "a bit of what never was": progressive([scan([1], 1, 63, 1, 0)]),
    "no band": progressive([[1, 1, 0]]),
  };
  for (const [what, jpeg] of Object.entries(forbidden)) {
    const [pixels, visits] = await decode(jpeg);
    assert.deepEqual([pixels?.width, visits], [undefined, 0], what);
  }
  const [good] = await decode(progressive([scan([1, 2, 3], 0, 0)], 3, 0x22));
  assert.equal(good?.width, SIDE);
});

Deno.test("the scans of a JPEG visit its blocks a bounded number of times", async () => {
  // Afterwards each block is visited once more, to be drawn.
  const visited = async (...scans: (readonly number[])[]) => {
    const [pixels, visits] = await decode(progressive(scans));
    assert.equal(pixels?.width, SIDE);
    return visits / BLOCKS - 1;
  };
  const again = Array.from({ length: 60 }, () => scan([1], 1, 63));
  assert.equal(await visited(...again), 1);
  const refined = Array.from({ length: 40 }, () => scan([1], 1, 63, 1, 0));
  assert.equal(await visited(scan([1], 1, 63, 0, 1), ...refined), 2);
  const bits = Array.from({ length: 13 }, (_, n) => 12 - n);
  assert.equal(
    await visited(
      scan([1], 1, 63, 0, 13),
      ...bits.map((low) => scan([1], 1, 63, low + 1, low)),
    ),
    14,
  );
  const each = Array.from({ length: 63 }, (_, n) => scan([1], n + 1, n + 1));
  assert.equal(await visited(...each), 16);
});

Deno.test("a JPEG gets no more Huffman tables than its scans can use", async () => {
  const rest = progressive([scan([1], 1, 63)]).subarray(2);
  const tables = (inSegment: number, segments: number) => {
    const many = Array.from({ length: inSegment }, () => table(0, 0)).flat();
    return concatBytes(
      START,
      ...Array<Bytes>(segments).fill(segment(0xc4, ...many)),
      rest,
    );
  };
  const held = async (inSegment: number, segments: number) => {
    const jpeg = tables(inSegment, segments);
    const { Uint16Array } = await allocatedBy(() =>
      decodeJpeg(plainOf(jpeg), 2 * SIDE)
    );
    return Uint16Array;
  };
  assert(await held(3_600, 1) <= 2 * MIB);
  assert(await held(8, 2_000) <= 65 * MIB);
  const good = await decodeJpeg(plainOf(tables(8, 1)), 2 * SIDE);
  assert.equal(good?.width, SIDE);
});

/** A PNG of 16-bit red, green, blue and opacity, which has enough bytes. */
function png(
  width: number,
  height: number,
  { colours = 6, depth = 16, isInterlaced = false, packed = new Uint8Array(9) },
): Bytes {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colours, 0, 0, isInterlaced ? 1 : 0], 8);
  return concatBytes(
    new Uint8Array([0x89]),
    utf8("PNG\r\n\x1a\n"),
    pngChunk("IHDR", header),
    pngChunk("tEXt", new Uint8Array(500_000)),
    pngChunk("IDAT", packed),
    pngChunk("IEND", new Uint8Array()),
  );
}

function tiff(width: number, height: number, ...others: Entry[]): Bytes {
  const said = new Map<number, Entry>(
    ([
      [0x0100, 4, width],
      [0x0101, 4, height],
      [0x0102, 3, 8],
      [0x0103, 3, 8],
      [0x0106, 3, 1],
      [0x0111, 4, { place: new Uint8Array(500_000) }],
      [0x0115, 3, 1],
      [0x0116, 4, height],
      [0x0117, 4, 500_000],
      ...others,
    ] as Entry[]).map((entry) => [entry[0], entry]),
  );
  const entries = [...said.values()].sort(([a], [b]) => a - b);
  return tiffFile([entries]);
}

Deno.test("a PNG or TIFF with a side of millions, or a tile with such a row, gets no memory", async () => {
  const long: Readonly<Record<string, () => Promise<unknown>>> = {
    "a wide PNG": () => decodePng(plainOf(png(500_000_000, 1, {})), 1_920),
    "a high PNG": () => decodePng(plainOf(png(1, 500_000_000, {})), 1_920),
    "a wide TIFF": () => decodeTiff(plainOf(tiff(300_000_000, 1)), 1_920),
    "a high TIFF": () => decodeTiff(plainOf(tiff(1, 300_000_000)), 1_920),
    "a wide tile": () =>
      decodeTiff(
        plainOf(
          tiff(
            1_000_000,
            40,
            [0x0142, 4, 40_000_000],
            [0x0143, 4, 1],
            [0x0144, 4, Array<number>(40).fill(8)],
            [0x0145, 4, Array<number>(40).fill(8)],
          ),
        ),
        1_920,
      ),
  };
  for (const [what, decode] of Object.entries(long)) {
    let found: unknown;
    const bytes = sumOf(
      await allocatedBy(async () => {
        found = await decode();
      }),
    );
    assert.equal(found, undefined, what);
    assert(bytes < 4 * MIB, `${what}: ${bytes} bytes`);
  }
});

Deno.test("pixels that a PNG or TIFF claims are in proportion to those that it has", async () => {
  // Half a megabyte of text, and of pixels what a hundred kilobytes become.
  const rows = new Uint8Array(deflateSync(new Uint8Array(3_500 * 22_001)));
  assert(rows.length < 100_000);
  const claims: Readonly<Record<string, () => Promise<unknown>>> = {
    "a PNG": () =>
      decodePng(
        plainOf(png(22_000, 22_000, { colours: 0, depth: 1, packed: rows })),
        1_920,
      ),
    "a PNG whose length is a lie": () => {
      const lying = png(22_000, 22_000, { colours: 0, depth: 1, packed: rows });
      const at = lying.length - 12 - 12 - rows.length;
      new DataView(lying.buffer).setUint32(at, 0x7fff_ffff);
      return decodePng(plainOf(lying), 1_920);
    },
    "a TIFF of one strip": () =>
      decodeTiff(
        plainOf(
          tiff(
            7_000,
            18_000,
            [0x0102, 3, [8, 8, 8]],
            [0x0106, 3, 2],
            [0x0115, 3, 3],
            [0x0111, 4, { place: rows }],
            [0x0117, 4, rows.length],
          ),
        ),
        1_920,
      ),
    "a TIFF of a strip in a small picture": () =>
      decodeTiff(
        plainOf(
          tiff(
            6_000,
            6_000,
            [0x0102, 3, [8, 8, 8]],
            [0x0106, 3, 2],
            [0x0115, 3, 3],
            [0x0111, 4, { place: rows }],
            [0x0117, 4, rows.length],
          ),
        ),
        1_920,
      ),
  };
  for (const [what, decode] of Object.entries(claims)) {
    let found: unknown;
    const bytes = sumOf(
      await allocatedBy(async () => {
        found = await decode();
      }),
    );
    // Printing a picture would take gigabytes.
    assert.equal(found === undefined, true, what);
    assert(bytes < 4 * MIB, `${what}: ${bytes} bytes`);
  }
});

Deno.test("a JPEG in a TIFF is no larger than its strip, whatever precedes its frame", async () => {
  const rest = progressive([scan([1], 1, 63)]).subarray(2);
  const befores: Readonly<Record<string, Bytes>> = {
    "nothing": new Uint8Array(),
    "a marker that has no length": new Uint8Array([0xff, 0x01]),
    "a second start": START,
    "stray bytes": new Uint8Array(70_000),
  };
  for (const [what, before] of Object.entries(befores)) {
    const jpeg = concatBytes(START, before, rest);
    const file = tiff(
      256,
      256,
      [0x0103, 3, 7],
      [0x0111, 4, { place: jpeg }],
      [0x0117, 4, jpeg.length],
    );
    let found: unknown;
    const bytes = sumOf(
      await allocatedBy(async () => {
        found = await decodeTiff(plainOf(file));
      }),
    );
    assert(found === undefined, what);
    assert(bytes < MIB, `${what}: ${bytes} bytes`);
  }
});

Deno.test("all JPEGs of a picture share what they may visit, and their tables", async () => {
  const jpeg = progressive([scan([1], 1, 63)]);
  const left = { blocks: 2.5 * BLOCKS, tables: 100 };
  const place = { width: SIDE, height: SIDE, left };
  const [, visits] = await visitsOf(async () => {
    for (let n = 0; n < 5; n++) {
      await decodeJpeg(plainOf(jpeg), 2 * SIDE, place);
    }
  });
  const [, once] = await decode(jpeg);
  // Each that is begun is shown as far as it was decoded.
  assert(left.blocks < 0 && visits < 4.5 * once, `${visits} visits`);

  const few = { ...place, left: { blocks: 10 * BLOCKS, tables: 3 } };
  const first = await decodeJpeg(plainOf(jpeg), 2 * SIDE, few);
  assert.equal(first?.width, SIDE);
  await decodeJpeg(plainOf(jpeg), 2 * SIDE, few).catch(() => {});
  assert(few.left.tables < 0);
});

Deno.test("a TIFF whose single strip is stored as it is gets read in parts", async () => {
  const [width, height] = [4_000, 1_600];
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    grey.fill(y & 0xff, y * width, (y + 1) * width);
  }
  const whole = plainOf(
    tiff(
      width,
      height,
      [0x0103, 3, 1],
      [0x0111, 4, { place: grey }],
      [0x0117, 4, grey.length],
    ),
  );
  let longest = 0;
  const pixels = await decodeTiff({
    size: whole.size,
    read(offset, length) {
      longest = Math.max(longest, length);
      return whole.read(offset, length);
    },
  }, 1_000);
  assert.deepEqual([pixels?.width, pixels?.height], [1_000, 400]);
  // Rows of the first part, of where two parts meet, and of the last.
  for (const y of [0, 262, 399]) {
    const level = [0, 1, 2, 3].reduce((sum, n) => sum + (4 * y + n) % 256, 0);
    const seen = pixels?.rgba[y * 4_000] ?? 0;
    assert(Math.abs(seen - level / 4) <= 1, `${y}: ${seen}, ${level / 4}`);
  }
  assert(longest <= 4 * MIB, `${longest} bytes`);
});

Deno.test("a picture that is made smaller has at most 32 million pixels, and sums of the row that is read", async () => {
  // Its strip is damaged, which is seen once the canvas is there.
  const { Uint8ClampedArray, Float32Array } = await allocatedBy(() =>
    decodeTiff(
      plainOf(
        tiff(
          12_287,
          12_287,
          [0x0102, 3, 1],
          [0x0111, 4, { place: new Uint8Array(500_000) }],
          [0x0117, 4, 500_000],
        ),
      ),
      4_096,
    )
  );
  assert(Uint8ClampedArray <= 129 * MIB, `${Uint8ClampedArray} bytes`);
  assert(Float32Array <= MIB, `${Float32Array} bytes`);

  const strip = new Uint8Array(deflateSync(new Uint8Array(8_200 * 400)));
  const whole = tiff(
    8_200,
    400,
    [0x0111, 4, { place: strip }],
    [0x0117, 4, strip.length],
  );
  const sums = await allocatedBy(async () => {
    const pixels = await decodeTiff(plainOf(whole), 4_096);
    assert.deepEqual([pixels?.width, pixels?.height], [4_100, 200]);
  });
  // Four sums a pixel.
  assert(sums.Float32Array <= 4_100 * 4 * 4, `${sums.Float32Array} bytes`);
});

Deno.test("an interlaced PNG is made smaller like one that is not, and one that is cut keeps its rows", async () => {
  const [width, height] = [37, 22];
  const level = (x: number, y: number) => x * 5 + y * 3 & 0xff;
  const row = (y: number, left: number, step: number) => {
    const levels = [0];
    for (let x = left; x < width; x += step) levels.push(level(x, y));
    return levels.length > 1 ? levels : [];
  };
  const rows = (top: number, down: number, left: number, step: number) => {
    const all: number[] = [];
    for (let y = top; y < height; y += down) all.push(...row(y, left, step));
    return all;
  };
  const grey = { colours: 0, depth: 8 };
  const packedOf = (bytes: readonly number[]) =>
    new Uint8Array(deflateSync(new Uint8Array(bytes)));
  const plain = rows(0, 1, 0, 1);
  const passes = [
    ...rows(0, 8, 0, 8),
    ...rows(0, 8, 4, 8),
    ...rows(4, 8, 0, 4),
    ...rows(0, 4, 2, 4),
    ...rows(2, 4, 0, 2),
    ...rows(0, 2, 1, 2),
    ...rows(1, 2, 0, 1),
  ];
  const smaller = (packed: Bytes, isInterlaced = false) =>
    decodePng(
      plainOf(png(width, height, { ...grey, packed, isInterlaced })),
      9,
    );
  const meant = await smaller(packedOf(plain));
  assert.deepEqual([meant?.width, meant?.height], [10, 6]);
  assert.deepEqual(await smaller(packedOf(passes), true), meant);
  const half = await smaller(packedOf(plain.slice(0, 6 * (width + 1))));
  assert.deepEqual(half?.rgba.slice(0, 40), meant?.rgba.slice(0, 40));
  // Two of its four rows are there, and none of the next one.
  assert.equal(half?.rgba[43], 128);
  assert.equal(half?.rgba[83], 0);
});

Deno.test("a TIFF of which only small pictures are made is decoded as small as those", async () => {
  const strip = new Uint8Array(deflateSync(new Uint8Array(6_000 * 30)));
  const file = new Blob([
    tiff(
      6_000,
      30,
      [0x0111, 4, { place: strip }],
      [0x0117, 4, strip.length],
    ),
  ]);
  // Its canvas has the types of browsers.
  const worker = "../../src/web/workers/media/pictures/undrawn.ts";
  const { bitmapOfUndrawn } = await import(import.meta.resolve(worker));
  const width = async (use: "small pictures" | "whole") =>
    (await bitmapOfUndrawn(file, "image/tiff", use))?.width;
  assert.equal(await width("small pictures"), 2_000);
  assert.equal(await width("whole"), 4_096);
});
