/**
 * Decoding PNGs (ISO/IEC 15948) row by row: those that are too large for the
 * platform's decoder, and those of the runtime, which gives the pixels of a
 * bitmap in no other way.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { mostPixelsIn } from "../exif/extent.ts";
import {
  codeAt,
  MalformedMedia,
  readWithin,
  Turns,
  viewOf,
} from "../exif/reading.ts";
import { inflated } from "./inflating.ts";
import { canvasOf, MOST_SIDE, type Pixels } from "./reducing.ts";
import { type Read, windowed } from "./windowed.ts";

const MOST_CHUNKS = 1_000_000;
/** Of its packed pixels so many are read at a time (bytes). */
const PIECE_BYTES = 1024 * 1024;

/** Samples of a pixel by the PNG's type of colour (11.2.2). */
const SAMPLES: Readonly<Record<number, number>> = {
  0: 1,
  2: 3,
  3: 1,
  4: 2,
  6: 4,
};
/** The passes of an interlaced picture (8.2). */
const PASSES = [
  { left: 0, top: 0, right: 8, down: 8 },
  { left: 4, top: 0, right: 8, down: 8 },
  { left: 0, top: 4, right: 4, down: 8 },
  { left: 2, top: 0, right: 4, down: 4 },
  { left: 0, top: 2, right: 2, down: 4 },
  { left: 1, top: 0, right: 2, down: 2 },
  { left: 0, top: 1, right: 1, down: 2 },
];
const WHOLE = [{ left: 0, top: 0, right: 1, down: 1 }];

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colours: number;
  readonly isInterlaced: boolean;
}

/** What its first chunks say of its colours. */
interface Colours {
  palette: Bytes;
  transparent: Bytes;
}

/**
 * The picture of a PNG, whose longest side is at least `longest`, or as it is
 * if that is shorter. It is not turned. Undefined where it cannot be decoded.
 */
export async function decodePng(
  source: PlainSource,
  longest: number = Infinity,
): Promise<Pixels | undefined> {
  return await readWithin(source, async (source) => {
    const read = windowed(source);
    const header = headerOf(viewOf(await read(0, 33)));
    const { width, height } = header;
    const isBounded = Math.max(width, height) <= MOST_SIDE &&
      await mayHave(source, read, width * height);
    if (!isBounded) return undefined;
    const colours = {
      palette: new Uint8Array(),
      transparent: new Uint8Array(),
    };
    return await drawn(
      packedIn(source, read, colours),
      header,
      colours,
      longest,
    );
  });
}

function headerOf(view: DataView): Header {
  const [depth, colours] = [view.getUint8(24), view.getUint8(25)];
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const isKnown = codeAt(view, 12) === "IHDR" && width > 0 && height > 0 &&
    [1, 2, 4, 8, 16].includes(depth) && SAMPLES[colours] !== undefined;
  if (!isKnown) throw new MalformedMedia("no PNG");
  return {
    width,
    height,
    depth,
    colours,
    isInterlaced: view.getUint8(28) === 1,
  };
}

/** Whether so many pixels are in proportion to what there is of them. */
async function mayHave(
  source: PlainSource,
  read: Read,
  pixels: number,
): Promise<boolean> {
  if (pixels <= mostPixelsIn(0)) return true;
  if (pixels > mostPixelsIn(source.size)) return false;
  let packed = 0;
  for await (const { type, length } of chunksIn(source, read)) {
    if (type === "IDAT") packed += length;
    if (pixels <= mostPixelsIn(packed)) return true;
  }
  return false;
}

interface Chunk {
  readonly type: string;
  /** Where its content begins, and its length as far as it is there. */
  readonly at: number;
  readonly length: number;
}

/** The chunks behind the header, up to the last one. */
async function* chunksIn(
  source: PlainSource,
  read: Read,
): AsyncGenerator<Chunk> {
  const turns = new Turns();
  for (let at = 33, n = 0; n < MOST_CHUNKS && at + 12 <= source.size; n++) {
    const turn = turns.after(64);
    if (turn !== undefined) await turn;
    const head = viewOf(await read(at, 8));
    const said = head.getUint32(0);
    const type = codeAt(head, 4);
    if (type === "IEND") return;
    const length = Math.min(said, source.size - at - 8);
    yield { type, at: at + 8, length };
    at += 12 + said;
  }
}

/** The packed pixels; fills in what the chunks before them say. */
async function* packedIn(
  source: PlainSource,
  read: Read,
  colours: Colours,
): AsyncGenerator<Bytes> {
  for await (const { type, at, length } of chunksIn(source, read)) {
    if (type === "IDAT") {
      const end = at + length;
      for (let from = at; from < end; from += PIECE_BYTES) {
        yield (await read(from, Math.min(PIECE_BYTES, end - from))).slice();
      }
    } else if (type === "PLTE" && length <= 768) {
      colours.palette = (await read(at, length)).slice();
    } else if (type === "tRNS" && length <= 256) {
      colours.transparent = (await read(at, length)).slice();
    }
  }
}

/** Draws the rows of all passes, as far as there are any. */
async function drawn(
  packed: AsyncIterable<Bytes>,
  header: Header,
  colours: Colours,
  longest: number,
): Promise<Pixels> {
  const { width, height, depth } = header;
  const bits = (SAMPLES[header.colours] ?? 1) * depth;
  const step = Math.max(1, bits / 8);
  const canvas = canvasOf(header, longest);
  const passes = (header.isInterlaced ? PASSES : WHOLE).map((pass) => ({
    ...pass,
    columns: Math.max(0, Math.ceil((width - pass.left) / pass.right)),
    rows: Math.max(0, Math.ceil((height - pass.top) / pass.down)),
  })).filter(({ columns, rows }) => columns > 0 && rows > 0);
  const pixel = new Uint8ClampedArray(4);
  let colour:
    | ((row: Bytes, x: number, pixel: Uint8ClampedArray) => void)
    | undefined;
  const rows = inRows(
    inflated(packed),
    passes.map(({ columns, rows }) => ({
      rows,
      bytes: 1 + Math.ceil(columns * bits / 8),
    })),
  );
  const turns = new Turns();
  for (const { left, top, right, down, columns, rows: count } of passes) {
    let above: Bytes = new Uint8Array(Math.ceil(columns * bits / 8));
    for (let y = 0; y < count; y++) {
      const { done, value } = await rows.next();
      if (done === true) {
        if (colour === undefined) throw new MalformedMedia("no pixels");
        return canvas.done();
      }
      // A byte may have eight pixels.
      const turn = turns.after(Math.max(value.length, 4 * columns));
      if (turn !== undefined) await turn;
      const row = value.subarray(1);
      unfilter(row, above, value[0] ?? 0, step);
      colour ??= colourIn(header, colours);
      for (let x = 0; x < columns; x++) {
        colour(row, x, pixel);
        canvas.put(left + x * right, top + y * down, pixel);
      }
      above = row;
    }
  }
  return canvas.done();
}

/** Cuts bytes into the rows of all passes; ends early where they do. */
async function* inRows(
  pieces: AsyncIterable<Bytes>,
  passes: readonly { readonly rows: number; readonly bytes: number }[],
): AsyncGenerator<Bytes, void> {
  const coming = pieces[Symbol.asyncIterator]();
  let piece: Bytes = new Uint8Array();
  for (const { rows, bytes } of passes) {
    for (let y = 0; y < rows; y++) {
      const row = new Uint8Array(bytes);
      for (let filled = 0; filled < bytes;) {
        if (piece.length === 0) {
          try {
            const { done, value } = await coming.next();
            if (done === true) return;
            piece = value;
          } catch (error) {
            // What there is of a file that was cut is shown.
            if (error instanceof TypeError) return;
            throw error;
          }
          continue;
        }
        const part = piece.subarray(0, bytes - filled);
        row.set(part, filled);
        filled += part.length;
        piece = piece.subarray(part.length);
      }
      yield row;
    }
  }
}

/** Reads the colour of a row's pixel; of 16 bits the upper eight are shown. */
function colourIn(
  { depth, colours }: Header,
  { palette, transparent }: Colours,
): (row: Bytes, x: number, pixel: Uint8ClampedArray) => void {
  const samples = SAMPLES[colours] ?? 1;
  const bytes = depth === 16 ? 2 : 1;
  const step = samples * bytes;
  const most = 2 ** depth - 1;
  const isPalette = colours === 3;
  const isGrey = colours === 0 || colours === 4;
  const hasOpacity = colours === 4 || colours === 6;
  /** The one colour that is not seen, of two bytes a sample (11.3.2.1). */
  const unseen = !hasOpacity && !isPalette && transparent.length >= 2 * samples
    ? transparent
    : undefined;
  if (depth < 8) {
    return (row, x, pixel) => {
      const byte = row[x * depth >> 3] ?? 0;
      const value = byte >> (8 - depth - (x * depth & 7)) & most;
      const level = value * 255 / most;
      for (let n = 0; n < 3; n++) {
        pixel[n] = isPalette ? palette[3 * value + n] ?? 0 : level;
      }
      pixel[3] = isPalette
        ? transparent[value] ?? 255
        : unseen !== undefined && unseen[1] === value
        ? 0
        : 255;
    };
  }
  return (row, x, pixel) => {
    const from = x * step;
    if (isPalette) {
      const value = row[from] ?? 0;
      for (let n = 0; n < 3; n++) pixel[n] = palette[3 * value + n] ?? 0;
      pixel[3] = transparent[value] ?? 255;
      return;
    }
    const first = row[from] ?? 0;
    pixel[0] = first;
    pixel[1] = isGrey ? first : row[from + bytes] ?? 0;
    pixel[2] = isGrey ? first : row[from + 2 * bytes] ?? 0;
    pixel[3] = hasOpacity ? row[from + step - bytes] ?? 0 : 255;
    if (unseen === undefined) return;
    for (let n = 0; n < samples; n++) {
      const at = from + n * bytes;
      const isSame = row[at + bytes - 1] === unseen[2 * n + 1] &&
        (bytes === 1 || row[at] === unseen[2 * n]);
      if (!isSame) return;
    }
    pixel[3] = 0;
  };
}

/** Undoes a row's filter (9.2). */
function unfilter(
  row: Bytes,
  above: Bytes,
  filter: number,
  step: number,
): void {
  const length = row.length;
  switch (filter) {
    case 1:
      for (let n = step; n < length; n++) {
        row[n] = (row[n] ?? 0) + (row[n - step] ?? 0);
      }
      return;
    case 2:
      for (let n = 0; n < length; n++) row[n] = (row[n] ?? 0) + (above[n] ?? 0);
      return;
    case 3:
      for (let n = 0; n < length; n++) {
        const left = n < step ? 0 : row[n - step] ?? 0;
        row[n] = (row[n] ?? 0) + (left + (above[n] ?? 0) >> 1);
      }
      return;
    case 4:
      for (let n = 0; n < length; n++) {
        const isFirst = n < step;
        const left = isFirst ? 0 : row[n - step] ?? 0;
        const corner = isFirst ? 0 : above[n - step] ?? 0;
        row[n] = (row[n] ?? 0) + nearest(left, above[n] ?? 0, corner);
      }
  }
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
