/**
 * Decoding plain TIFF 6.0 pictures, which no browser but one draws: grey, RGB,
 * palettes and CMYK of 1, 8 or 16 bits, in strips or tiles, stored as they are
 * or with LZW, deflate or PackBits; and strips or tiles that are JPEGs.
 *
 * Of a block some rows at a time are expanded and drawn, so that neither a
 * large picture in one strip nor a small file that swells fills the memory.
 * Blocks that share bytes are refused: all of them together are at most as long
 * as the file, so that a small file cannot take hours.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import {
  MalformedMedia,
  MediaReader,
  readWithin,
  Turns,
} from "../exif/reading.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { mostPixelsIn } from "../exif/extent.ts";
import { Directories } from "./directories.ts";
import { decodeJpeg, type Place } from "./jpeg.ts";
import { EXPANDERS } from "./expanding.ts";
import {
  type Canvas,
  canvasOf,
  MOST_SIDE,
  type Pixels,
  upright,
} from "./reducing.ts";
import { type Read, windowed } from "./windowed.ts";

/** Rows of a strip or a tile that are expanded before they are drawn (bytes). */
const PART_BYTES = 4 * 1024 * 1024;
/** Strips and tiles have so many bytes at most, ... */
const CHEAP_BLOCK_BYTES = 16 * 1024 * 1024;
/** ... or so many times what the file has of them: more is a claim. */
const MOST_TIMES = 320;
/** Packed bytes are read in pieces of so many. */
const PIECE_BYTES = 256 * 1024;
/** Longest row of a strip or a tile; a row is worked on without a pause (bytes). */
const MAX_ROW_BYTES = 32 * 1024 * 1024;
/** What a compressed block may have around its pixels (bytes). */
const SPARE_BYTES = 64 * 1024;
/** Most strips or tiles; a picture of 60,000 rows can have one for each. */
const MAX_BLOCKS = 65_536;
/** Most samples of a pixel. */
const MAX_SAMPLES = 8;
/** What tiles may have beyond the picture, over whose edges they reach (bytes). */
const MOST_OVER_BYTES = 16 * 1024 * 1024;

const TAG = {
  width: 0x0100,
  height: 0x0101,
  bits: 0x0102,
  compression: 0x0103,
  colours: 0x0106,
  bitOrder: 0x010a,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  samples: 0x0115,
  stripRows: 0x0116,
  stripLengths: 0x0117,
  planes: 0x011c,
  predictor: 0x013d,
  palette: 0x0140,
  tileWidth: 0x0142,
  tileHeight: 0x0143,
  tileOffsets: 0x0144,
  tileLengths: 0x0145,
  extraSamples: 0x0152,
  sampleFormat: 0x0153,
  jpegTables: 0x015b,
} as const;

/** What the numbers of a pixel mean (`PhotometricInterpretation`). */
const COLOURS = {
  white: 0,
  black: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  ycc: 6,
} as const;

/** Each block is a JPEG (Adobe's supplement 2 to TIFF 6.0). */
const JPEG = 7;
/**
 * Most pixels of one of several JPEGs, which are decoded whole; that of a
 * single one is made smaller as it is decoded.
 */
const MOST_JPEG_PIXELS = 32 * 1024 * 1024;
/** Longest tables that the JPEGs of a file share, ... */
const MOST_TABLE_BYTES = 16 * 1024;
/** ... and of all of them together, because each reads them again (bytes). */
const MOST_TABLES_BYTES = 8 * 1024 * 1024;

/**
 * Most blocks of eight by eight pixels that all JPEGs of a file visit, and most
 * Huffman tables that they have, so many in any picture and more for its
 * pixels, which have a twentieth of a block each in the one scan that most
 * JPEGs have.
 */
const MOST_SMALL_BLOCKS = 1_000_000;
const MOST_BLOCKS_A_PIXEL = 1 / 2;
const MOST_HUFFMAN_TABLES = 65_536;

/** How a picture is stored. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bits: 1 | 8 | 16;
  readonly little: boolean;
  readonly colours: number;
  readonly samples: number;
  /** Each sample has blocks of its own. */
  readonly isPlanar: boolean;
  readonly isDifferenced: boolean;
  readonly expand: (typeof EXPANDERS)[keyof typeof EXPANDERS];
  /** What precedes the blocks that are JPEGs. */
  readonly jpeg: Bytes | undefined;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  readonly palette: readonly number[];
  /** 1: colours are multiplied by it, 2: they are not; 0: there is none. */
  readonly opacity: 0 | 1 | 2;
  readonly orientation: number;
}

/**
 * Decodes the first picture of a TIFF file, upright, whose longest side is at
 * least `longest`, or as it is if that is shorter. Undefined if the file is no
 * TIFF, of a kind that is not decoded, or too large.
 */
export async function decodeTiff(
  source: PlainSource,
  longest: number = Infinity,
): Promise<Pixels | undefined> {
  return await readWithin(source, async (source) => {
    const layout = await layoutOf(new MediaReader(source));
    if (layout === undefined) return undefined;
    const { orientation } = layout;
    return upright(await decode(source, layout, longest), orientation);
  });
}

async function layoutOf(reader: MediaReader): Promise<Layout | undefined> {
  const directories = await Directories.open(reader);
  if (directories === undefined) return undefined;
  const { fields } = await directories.at(directories.first);
  const several = (tag: number, most: number) =>
    directories.numbers(fields.get(tag), most);
  const one = async (tag: number, otherwise: number) =>
    (await several(tag, 1))[0] ?? otherwise;

  const width = await one(TAG.width, 0);
  const height = await one(TAG.height, 0);
  const samples = await one(TAG.samples, 1);
  const [bits = 1, ...otherBits] = await several(TAG.bits, MAX_SAMPLES);
  const colours = await one(TAG.colours, -1);
  const compression = await one(TAG.compression, 1);
  const predictor = await one(TAG.predictor, 1);
  const [extra = 0] = await several(TAG.extraSamples, 1);
  const orientation = await one(TAG.orientation, 1);
  const isTiled = fields.has(TAG.tileOffsets);
  const isPlanar = await one(TAG.planes, 1) === 2;

  const pixels = width * height;
  const sampleBytes = pixels * samples * bits / 8;
  const known = pixels > 0 && Math.max(width, height) <= MOST_SIDE &&
    pixels <= mostPixelsIn(reader.size) &&
    (bits === 1 || bits === 8 || bits === 16) &&
    otherBits.every((other) => other === bits) &&
    samples >= 1 && samples <= MAX_SAMPLES &&
    samples >= samplesOf(colours) &&
    (bits !== 1 || samples === 1) &&
    (predictor === 1 || (predictor === 2 && bits !== 1)) &&
    await one(TAG.bitOrder, 1) === 1 &&
    (await several(TAG.sampleFormat, MAX_SAMPLES)).every((of) => of === 1);
  const isJpeg = compression === JPEG;
  const expand = Object.hasOwn(EXPANDERS, compression)
    ? EXPANDERS[compression]
    : undefined;
  const isOfJpeg = bits === 8 && !isPlanar && samples === samplesOf(colours) &&
    samples !== 4 && colours !== COLOURS.palette;
  const isKnown = isJpeg ? isOfJpeg : colours !== COLOURS.ycc;
  if (!known || !isKnown || (expand === undefined && !isJpeg)) return undefined;
  const jpeg = isJpeg
    ? beginningOf(await several(TAG.jpegTables, MOST_TABLE_BYTES), colours)
    : undefined;

  const blockWidth = isTiled ? await one(TAG.tileWidth, 0) : width;
  const stripRows = isTiled
    ? await one(TAG.tileHeight, 0)
    : Math.min(height, await one(TAG.stripRows, height));
  const planes = isPlanar ? samples : 1;
  const strips = Math.ceil(width / blockWidth) *
    Math.ceil(height / stripRows) * planes;
  // Each row of a block begins with a byte, however few bits it has.
  const rowBytes = Math.ceil(blockWidth * (isPlanar ? 1 : samples) * bits / 8);
  const isOne = blockWidth === width && stripRows === height;
  // Tiles reach over the edges. Many that are larger than the picture would be
  // hours of work for a small file.
  const isBounded = strips <= MAX_BLOCKS && rowBytes <= MAX_ROW_BYTES &&
    strips * (jpeg?.length ?? 0) <= MOST_TABLES_BYTES &&
    (!isJpeg || isOne || blockWidth * stripRows <= MOST_JPEG_PIXELS) &&
    strips * stripRows * rowBytes <= 2 * sampleBytes + MOST_OVER_BYTES;
  if (!isBounded) return undefined;
  const offsets = await several(
    isTiled ? TAG.tileOffsets : TAG.stripOffsets,
    strips,
  );
  const lengths = await several(
    isTiled ? TAG.tileLengths : TAG.stripLengths,
    strips,
  );
  const packed = lengths.reduce((sum, length) => sum + length, 0);
  // Blocks that share bytes would be expanded over and over.
  const isThere = packed <= reader.size && pixels <= mostPixelsIn(packed) &&
    stripRows * rowBytes * planes <=
      Math.max(CHEAP_BLOCK_BYTES, MOST_TIMES * packed);
  if (!isThere || offsets.length !== strips || lengths.length !== strips) {
    return undefined;
  }
  const palette = await several(TAG.palette, 3 * 2 ** bits);
  const isWhole = colours !== COLOURS.palette ||
    (bits <= 8 && palette.length === 3 * 2 ** bits);
  if (!isWhole) return undefined;
  const hasOpacity = samples > samplesOf(colours) && (extra === 1 ||
    extra === 2);
  return {
    width,
    height,
    bits,
    little: directories.little,
    colours,
    samples,
    isPlanar,
    isDifferenced: predictor === 2,
    expand: expand ?? noJpeg,
    jpeg,
    blockWidth,
    blockHeight: stripRows,
    offsets,
    lengths,
    palette,
    opacity: hasOpacity ? extra : 0,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
  };
}

/** Samples that a pixel's colour has; infinitely many if it is not known. */
function samplesOf(colours: number): number {
  switch (colours) {
    case COLOURS.white:
    case COLOURS.black:
    case COLOURS.palette:
      return 1;
    case COLOURS.rgb:
    case COLOURS.ycc:
      return 3;
    case COLOURS.cmyk:
      return 4;
    default:
      return Infinity;
  }
}

async function decode(
  source: PlainSource,
  layout: Layout,
  longest: number,
): Promise<Pixels> {
  const { width, height, blockWidth, blockHeight, isPlanar, samples } = layout;
  const read = windowed(source);
  const across = Math.ceil(width / blockWidth);
  const inPlane = across * Math.ceil(height / blockHeight);
  const turns = new Turns();
  const jpegs = {
    blocks: MOST_SMALL_BLOCKS + width * height * MOST_BLOCKS_A_PIXEL,
    tables: MOST_HUFFMAN_TABLES,
  };
  if (
    layout.jpeg !== undefined && blockWidth === width && blockHeight === height
  ) {
    return await jpegAt(layout, read, 0, jpegs, longest);
  }
  const canvas = canvasOf(layout, longest);
  for (let n = 0; n < inPlane; n++) {
    const left = (n % across) * blockWidth;
    const top = Math.floor(n / across) * blockHeight;
    if (layout.jpeg !== undefined) {
      const place = { number: n, left, top };
      await drawJpeg(canvas, layout, read, place, jpegs, turns);
      continue;
    }
    const rows = Math.min(blockHeight, height - top);
    const parts = Array.from(
      { length: isPlanar ? samples : 1 },
      (_, plane) => partsOf(read, layout, plane * inPlane + n, rows, turns),
    );
    try {
      for (let y = 0; y < rows;) {
        const planes: Part[] = [];
        for (const part of parts) {
          const { done, value } = await part.next();
          if (done !== true) planes.push(value);
        }
        await draw(canvas, layout, planes, { left, top: top + y }, turns);
        y += planes[0]?.rows ?? rows;
      }
    } finally {
      for (const part of parts) await part.return(undefined);
    }
  }
  return canvas.done();
}

function noJpeg(): never {
  throw new MalformedMedia("a JPEG is not expanded");
}

/**
 * What precedes each JPEG of a file: the tables that they share, which are a
 * JPEG without a picture, and Adobe's marker, which says whether its colours
 * are transformed.
 */
function beginningOf(tables: readonly number[], colours: number): Bytes {
  const isWhole = tables[0] === 0xff && tables[1] === 0xd8;
  const inside = isWhole ? tables.slice(2, -2) : [];
  return new Uint8Array([
    ...[0xff, 0xd8],
    ...inside,
    ...[0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65],
    ...[0, 100, 0, 0, 0, 0, colours === COLOURS.ycc ? 1 : 0],
  ]);
}

/** A strip or a tile that is a JPEG, which is no larger than it. */
async function jpegAt(
  { jpeg = new Uint8Array(), offsets, lengths, ...layout }: Layout,
  read: Read,
  number: number,
  left: Place["left"],
  longest: number,
): Promise<Pixels> {
  const { blockWidth: width, blockHeight: height } = layout;
  // Its own beginning is there already.
  const source = behind(
    jpeg,
    read,
    (offsets[number] ?? -Infinity) + 2,
    Math.max(0, (lengths[number] ?? 0) - 2),
  );
  // Only the decoder itself knows which sides it will take.
  const pixels = await decodeJpeg(source, longest, { width, height, left });
  if (pixels === undefined || left.blocks < 0 || left.tables < 0) {
    throw new MalformedMedia(
      "a JPEG of another kind, or larger than its place",
    );
  }
  return pixels;
}

/** A part of a file, behind bytes that are not in it. */
function behind(
  head: Bytes,
  read: Read,
  from: number,
  length: number,
): PlainSource {
  const size = head.length + length;
  return {
    size,
    async read(offset, wanted) {
      const end = Math.min(offset + wanted, size);
      const start = Math.max(offset, head.length);
      const own = head.subarray(offset, end);
      if (end <= start) return own;
      const rest = await read(from + start - head.length, end - start);
      return concatBytes(own, rest);
    },
  };
}

/** Draws a strip or a tile that is a JPEG. */
async function drawJpeg(
  canvas: Canvas,
  layout: Layout,
  read: Read,
  { number, left, top }: {
    readonly number: number;
    readonly left: number;
    readonly top: number;
  },
  jpegs: Place["left"],
  turns: Turns,
): Promise<void> {
  const pixels = await jpegAt(layout, read, number, jpegs, Infinity);
  const columns = Math.min(pixels.width, layout.width - left);
  const rows = Math.min(pixels.height, layout.height - top);
  const rgba = new Uint8ClampedArray(4);
  for (let y = 0; y < rows; y++) {
    const turn = turns.after(4 * columns);
    if (turn !== undefined) await turn;
    for (let x = 0, at = y * pixels.width * 4; x < columns; x++, at += 4) {
      for (let n = 0; n < 4; n++) rgba[n] = pixels.rgba[at + n] ?? 0;
      canvas.put(left + x, top + y, rgba);
    }
  }
}

/** Some rows of a strip or a tile, in one plane. */
interface Part {
  readonly rows: number;
  readonly bytes: Bytes;
}

/**
 * The samples of a strip or a tile with so many rows, some of them at a time.
 * What it has beyond them is left out, and what it lacks stays 0.
 */
async function* partsOf(
  read: Read,
  layout: Layout,
  number: number,
  rows: number,
  turns: Turns,
): AsyncGenerator<Part> {
  const { offsets, lengths, expand, blockWidth, bits, isPlanar } = layout;
  const samples = isPlanar ? 1 : layout.samples;
  const rowBytes = Math.ceil(blockWidth * samples * bits / 8);
  // No compression makes a block longer than that; what is behind it is
  // padding.
  const most = 2 * rowBytes * rows + SPARE_BYTES;
  const expanded = expand(
    piecesAt(read, offsets[number] ?? -1, Math.min(lengths[number] ?? 0, most)),
    turns,
  );
  const together = Math.max(1, Math.floor(PART_BYTES / rowBytes));
  let held: Bytes = new Uint8Array();
  try {
    for (let row = 0; row < rows; row += together) {
      const count = Math.min(together, rows - row);
      const bytes = new Uint8Array(rowBytes * count);
      for (let to = 0; to < bytes.length;) {
        if (held.length === 0) {
          const { done, value } = await expanded.next();
          if (done === true) break;
          held = value;
        }
        const some = held.subarray(0, bytes.length - to);
        bytes.set(some, to);
        to += some.length;
        held = held.subarray(some.length);
      }
      if (layout.isDifferenced) {
        await summed(bytes, rowBytes, samples, layout, turns);
      }
      yield { rows: count, bytes };
    }
  } finally {
    await expanded.return(undefined);
  }
}

async function* piecesAt(
  read: Read,
  offset: number,
  length: number,
): AsyncGenerator<Bytes> {
  for (let at = 0; at < length; at += PIECE_BYTES) {
    yield await read(offset + at, Math.min(PIECE_BYTES, length - at));
  }
}

/** Undoes the differences between neighbours (TIFF 6.0, section 14). */
async function summed(
  block: Bytes,
  rowBytes: number,
  samples: number,
  { bits, little }: Layout,
  turns: Turns,
): Promise<void> {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  for (let row = 0; row < block.length; row += rowBytes) {
    const turn = turns.after(rowBytes);
    if (turn !== undefined) await turn;
    if (bits === 8) {
      for (let at = row + samples; at < row + rowBytes; at++) {
        block[at] = (block[at] ?? 0) + (block[at - samples] ?? 0);
      }
    } else {
      const back = 2 * samples;
      for (let at = row + back; at + 1 < row + rowBytes; at += 2) {
        const sum = view.getUint16(at, little) +
          view.getUint16(at - back, little);
        view.setUint16(at, sum & 0xffff, little);
      }
    }
  }
}

/** Draws a block into the picture. */
async function draw(
  canvas: Canvas,
  layout: Layout,
  planes: readonly Part[],
  { left, top }: { readonly left: number; readonly top: number },
  turns: Turns,
): Promise<void> {
  const { width, blockWidth, bits, samples } = layout;
  const colour = colourIn(layout);
  const rgba = new Uint8ClampedArray(4);
  const { rows = 0, bytes: first = new Uint8Array() } = planes[0] ?? {};
  const perPixel = layout.isPlanar ? 1 : samples;
  const rowBytes = Math.ceil(blockWidth * perPixel * bits / 8);
  // Of 16 bits the upper eight are shown.
  const upper = bits === 16 && layout.little ? 1 : 0;
  const sampleBytes = bits === 16 ? 2 : 1;
  const pixel = new Uint8Array(samples);
  const columns = Math.min(blockWidth, width - left);
  for (let y = 0; y < rows; y++) {
    const turn = turns.after(4 * columns);
    if (turn !== undefined) await turn;
    for (let x = 0; x < columns; x++) {
      if (bits === 1) {
        const byte = first[y * rowBytes + (x >> 3)] ?? 0;
        pixel[0] = (byte >> (7 - (x & 7))) & 1;
      } else {
        for (let n = 0; n < samples; n++) {
          const plane = layout.isPlanar ? planes[n]?.bytes ?? first : first;
          const sample = x * perPixel + (layout.isPlanar ? 0 : n);
          pixel[n] = plane[y * rowBytes + sample * sampleBytes + upper] ?? 0;
        }
      }
      colour(pixel, rgba);
      canvas.put(left + x, top + y, rgba);
    }
  }
}

type Colour = (pixel: Uint8Array, rgba: Uint8ClampedArray) => void;

/** Writes the colour of a pixel. */
function colourIn(layout: Layout): Colour {
  const { colours, bits, palette, opacity } = layout;
  const own = samplesOf(colours);
  const most = bits === 1 ? 1 : 255;
  const put = (
    rgba: Uint8ClampedArray,
    [red, green, blue]: readonly [number, number, number],
    shown: number,
  ) => {
    // Colours that were multiplied by their opacity are divided by it.
    const by = opacity === 1 && shown > 0 ? 255 / shown : 1;
    rgba[0] = red * by;
    rgba[1] = green * by;
    rgba[2] = blue * by;
    rgba[3] = shown;
  };
  return (pixel, rgba) => {
    const shown = opacity === 0 ? 255 : pixel[own] ?? 255;
    const [a = 0, b = 0, c = 0, d = 0] = pixel;
    switch (colours) {
      case COLOURS.rgb:
        return put(rgba, [a, b, c], shown);
      case COLOURS.cmyk: {
        const light = (255 - d) / 255;
        return put(
          rgba,
          [(255 - a) * light, (255 - b) * light, (255 - c) * light],
          shown,
        );
      }
      case COLOURS.palette: {
        const size = 2 ** bits;
        const of = (n: number) => (palette[a + n * size] ?? 0) >> 8;
        return put(rgba, [of(0), of(1), of(2)], shown);
      }
      default: {
        const level = a * 255 / most;
        const grey = colours === COLOURS.white ? 255 - level : level;
        return put(rgba, [grey, grey, grey], shown);
      }
    }
  };
}
