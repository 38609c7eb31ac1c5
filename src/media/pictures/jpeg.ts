/**
 * Decoding JPEGs (ITU T.81) that the runtime's own decoder does not, or that
 * are too large for it: whole, or at a half, a quarter or an eighth of their
 * sides, by which no more than that is ever held. Coefficients are Huffman's or
 * arithmetic, in one scan or in many.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { mostPixelsOf } from "../exif/extent.ts";
import { MalformedMedia, readWithin, Turns } from "../exif/reading.ts";
import { arithmetic, type ArithmeticTables } from "./jpeg_arithmetic.ts";
import { type BlockReader, type Scan, ZIGZAG } from "./jpeg_blocks.ts";
import { huffman, huffmanTable } from "./jpeg_huffman.ts";
import { JpegBytes } from "./jpeg_bytes.ts";
import type { Pixels } from "./reducing.ts";

/** Most pixels of a JPEG that is read at all. */
const MOST_PIXELS = 500_000_000;
/** Most samples that are made, and most coefficients that are held (bytes). */
const MOST_SAMPLE_BYTES = 192 * 1024 * 1024;
const MOST_COEFFICIENT_BYTES = 256 * 1024 * 1024;
/** More scans make a small file hours of work. */
const MOST_SCANS = 64;
const MOST_SEGMENTS = 8_192;
/** All scans together visit each block at most this often, on average. */
const MOST_VISITS = 16;
/** Most blocks of a unit of an interleaved scan (T.81, B.2.3). */
const MOST_IN_UNIT = 10;
/** Most bits that are left to later scans (T.81, G.1.1.1.1). */
const MOST_LOW = 13;
/** Most Huffman tables of a segment, and of a file; each takes 128 KiB. */
const MOST_TABLES_AT_ONCE = 8;
const MOST_TABLES = MOST_TABLES_AT_ONCE * MOST_SCANS;

/** A component of the frame, such as its brightness. */
interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly table: number;
  /** Blocks that have something of the picture in them. */
  readonly columns: number;
  readonly rows: number;
  /** Blocks in a row, those over the edge included. */
  readonly stride: number;
  readonly samples: Uint8Array;
  /** How many bits of each coefficient are still missing; -1 for all. */
  readonly lows: Int8Array;
  /** Of a progressive picture: all of its coefficients, or the first of each. */
  readonly held?: Int16Array;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly isArithmetic: boolean;
  readonly components: readonly Component[];
  readonly across: number;
  readonly down: number;
  /** Of all components together. */
  readonly blocks: number;
  /** Sides of a block that is made of eight by eight pixels. */
  readonly side: Side;
}

type Side = 1 | 2 | 4 | 8;

/** The place of a JPEG that is a part of a picture. */
export interface Place {
  /** Its sides, which the JPEG does not exceed. */
  readonly width: number;
  readonly height: number;
  /** What is left for all parts together: blocks to visit, and tables. */
  readonly left: { blocks: number; tables: number };
}

/** What a scan says of itself. */
interface Scanning extends Scan {
  readonly scanned: readonly {
    readonly of: Component;
    readonly tables: number;
  }[];
}

/**
 * A JPEG whose longest side is at least `longest`, or as it is if that is
 * shorter. It is not turned. Undefined where it cannot be decoded, or is larger
 * than its `place`.
 */
export async function decodeJpeg(
  source: PlainSource,
  longest: number,
  place?: Place,
): Promise<Pixels | undefined> {
  return await readWithin(
    source,
    (source) => new Decoder(source, place).read(longest),
  );
}

class Decoder {
  readonly #bytes: JpegBytes;
  readonly #steps: (Uint16Array | undefined)[] = [];
  readonly #huffman: (ReturnType<typeof huffmanTable> | undefined)[] = [];
  readonly #arithmetic: ArithmeticTables = { lows: [], highs: [], splits: [] };
  readonly #turns = new Turns();
  #frame: Frame | undefined;
  #restart = 0;
  #transform: number | undefined;
  #tables = 0;
  #visited = 0;
  readonly #mostPixels: number;

  constructor(source: PlainSource, private readonly place?: Place) {
    this.#bytes = new JpegBytes(source, this.#turns);
    this.#mostPixels = mostPixelsOf(source, MOST_PIXELS);
  }

  async read(longest: number): Promise<Pixels | undefined> {
    const bytes = this.#bytes;
    let scans = 0;
    try {
      for (let n = 0; n < MOST_SEGMENTS; n++) {
        const marker = await bytes.marker();
        if (marker === undefined || marker === 0xd9) break;
        if (marker === 0xd8 || marker === 0x01) continue;
        const segment = await bytes.segment();
        if (marker === 0xda) {
          if (scans === MOST_SCANS) return undefined;
          const frame = this.#frame;
          if (frame === undefined) throw new MalformedMedia("no frame");
          const scanning = scanningOf(frame, segment);
          scans++;
          await this.#scan(frame, scanning);
        } else if (!this.#take(marker, segment, longest)) return undefined;
      }
    } catch (error) {
      // What there is of a file that was cut is shown.
      const isCut = error instanceof MalformedMedia ||
        error instanceof RangeError;
      if (!isCut || scans === 0) throw error;
    }
    const frame = this.#frame;
    if (frame === undefined || scans === 0) return undefined;
    if (frame.isProgressive) await this.#transformHeld(frame);
    return await this.#coloured(frame);
  }

  /** Takes a segment that is no scan; false for a picture that is not decoded. */
  #take(marker: number, segment: Bytes, longest: number): boolean {
    switch (marker) {
      case 0xc0:
      case 0xc1:
      case 0xc2:
      case 0xc9:
      case 0xca:
        if (this.#frame !== undefined) return false;
        if (!isWithin(segment, this.place)) return false;
        this.#frame = frameOf(marker, segment, longest, this.#mostPixels);
        return this.#frame !== undefined;
      case 0xc4:
        this.#huffmanTables(segment);
        return true;
      case 0xcc:
        for (let at = 0; at + 1 < segment.length; at += 2) {
          const [kind = 0, value = 0] = segment.subarray(at, at + 2);
          const { lows, highs, splits } = this.#arithmetic;
          if (kind >= 16) splits[kind & 3] = value;
          else [lows[kind & 3], highs[kind & 3]] = [value & 15, value >> 4];
        }
        return true;
      case 0xdb:
        this.#quantization(segment);
        return true;
      case 0xdd:
        this.#restart = u16(segment, 0);
        return true;
      case 0xee:
        if (new TextDecoder().decode(segment.subarray(0, 5)) === "Adobe") {
          this.#transform = segment[11];
        }
        return true;
      default:
        // Lossless, hierarchical: frames that are not decoded.
        return marker < 0xc0 || marker > 0xcf;
    }
  }

  #huffmanTables(segment: Bytes): void {
    for (let at = 0, n = 1; at + 17 <= segment.length; n++) {
      const isSpent = this.place !== undefined && --this.place.left.tables < 0;
      if (
        isSpent || n > MOST_TABLES_AT_ONCE || ++this.#tables > MOST_TABLES
      ) {
        throw new MalformedMedia("too many tables");
      }
      const kind = segment[at] ?? 0;
      const counts = segment.subarray(at + 1, at + 17);
      const sum = counts.reduce((sum, count) => sum + count, 0);
      const symbols = segment.slice(at + 17, at + 17 + sum);
      this.#huffman[kind & 0x13] = huffmanTable(counts, symbols);
      at += 17 + sum;
    }
  }

  #quantization(segment: Bytes): void {
    for (let at = 0; at < segment.length;) {
      const kind = segment[at++] ?? 0;
      const size = kind >= 16 ? 2 : 1;
      const steps = new Uint16Array(64);
      for (let n = 0; n < 64; n++, at += size) {
        steps[ZIGZAG[n] ?? 0] = size === 2
          ? u16(segment, at)
          : segment[at] ?? 0;
      }
      this.#steps[kind & 3] = steps;
    }
  }

  /** Decodes a scan: blocks of one component, or of several in turns. */
  async #scan(frame: Frame, scanning: Scanning): Promise<void> {
    const { scanned } = scanning;
    // Of an eighth only the first coefficients are held.
    if (frame.isProgressive && frame.side === 1 && scanning.first > 0) return;
    const [alone, ...others] = scanned;
    if (alone === undefined) throw new MalformedMedia("a scan of nothing");
    const isAlone = others.length === 0;
    const across = isAlone
      ? alone.of.columns
      : Math.ceil(frame.width / (8 * frame.across));
    const down = isAlone
      ? alone.of.rows
      : Math.ceil(frame.height / (8 * frame.down));
    const inRow = across * (isAlone ? 1 : inUnitOf(scanned));
    this.#visited += inRow * down;
    const left = this.place?.left;
    if (left !== undefined) left.blocks -= inRow * down;
    const isSpent = left !== undefined && left.blocks < 0;
    if (isSpent || this.#visited > MOST_VISITS * frame.blocks) {
      throw new MalformedMedia("too many scans of the same blocks");
    }
    const reader = this.#readerOf(frame, scanning);
    const block = new Int16Array(64);
    let toRestart = this.#restart;
    for (let y = 0; y < down; y++) {
      const turn = this.#turns.after(inRow * 64);
      if (turn !== undefined) await turn;
      for (let x = 0; x < across; x++) {
        if (this.#restart > 0 && toRestart-- === 0) {
          toRestart = this.#restart - 1;
          await this.#bytes.toRestart();
          reader.restart();
        }
        const more = this.#bytes.ready();
        if (more !== undefined) await more;
        for (const [n, { of }] of scanned.entries()) {
          const wide = isAlone ? 1 : of.across;
          const high = isAlone ? 1 : of.down;
          for (let at = 0; at < wide * high; at++) {
            const column = x * wide + at % wide;
            const row = y * high + Math.floor(at / wide);
            this.#block(frame, of, reader, n, block, column, row);
          }
        }
      }
    }
  }

  #readerOf(
    { isArithmetic, isProgressive }: Frame,
    scan: Scanning,
  ): BlockReader {
    const tables = scan.scanned.map(({ tables }) => tables);
    if (isArithmetic) {
      return arithmetic(
        this.#bytes,
        isProgressive ? scan : undefined,
        tables,
        this.#arithmetic,
      );
    }
    return huffman(
      this.#bytes,
      isProgressive ? scan : undefined,
      tables.map((table) => ({
        first: this.#huffman[table >> 4 & 3],
        others: this.#huffman[0x10 | table & 3],
      })),
    );
  }

  #block(
    { isProgressive, side }: Frame,
    of: Component,
    reader: BlockReader,
    number: number,
    block: Int16Array,
    column: number,
    row: number,
  ): void {
    const at = row * of.stride + column;
    if (isProgressive) {
      const held = of.held ?? block;
      if (side === 1) {
        block[0] = held[at] ?? 0;
        reader.block(number, block);
        held[at] = block[0] ?? 0;
      } else reader.block(number, held.subarray(at * 64, at * 64 + 64));
      return;
    }
    block.fill(0);
    reader.block(number, block);
    this.#draw(of, side, block, column, row);
  }

  #draw(
    of: Component,
    side: Side,
    block: Int16Array,
    column: number,
    row: number,
  ): void {
    const steps = this.#steps[of.table];
    if (steps === undefined) throw new MalformedMedia("no steps");
    const stride = of.stride * side;
    transform(
      block,
      steps,
      side,
      of.samples,
      row * side * stride + column * side,
      stride,
    );
  }

  async #transformHeld(frame: Frame): Promise<void> {
    const single = new Int16Array(64);
    for (const of of frame.components) {
      const held = of.held ?? single;
      for (let row = 0; row < of.rows; row++) {
        const turn = this.#turns.after(of.columns * 64);
        if (turn !== undefined) await turn;
        for (let column = 0; column < of.columns; column++) {
          const at = row * of.stride + column;
          if (frame.side === 1) single[0] = held[at] ?? 0;
          const block = frame.side === 1
            ? single
            : held.subarray(at * 64, at * 64 + 64);
          this.#draw(of, frame.side, block, column, row);
        }
      }
    }
  }

  /** The samples of all components as red, green and blue. */
  async #coloured(frame: Frame): Promise<Pixels> {
    const { side, components } = frame;
    const width = Math.ceil(frame.width * side / 8);
    const height = Math.ceil(frame.height * side / 8);
    const rgba = new Uint8ClampedArray(width * height * 4);
    const [a, b, c, d] = components;
    const isRgb = String.fromCharCode(...components.map(({ id }) => id)) ===
      "RGB";
    // As every browser reads them: YCCK where Adobe's marker says so, and both
    // with light where there is no ink.
    const isYcc = d === undefined
      ? this.#transform === undefined ? !isRgb : this.#transform !== 0
      : this.#transform === 2;
    for (let y = 0, to = 0; y < height; y++) {
      const turn = this.#turns.after(width * 8);
      if (turn !== undefined) await turn;
      const rows = components.map((one) =>
        Math.floor(y * one.down / frame.down) * one.stride * side
      );
      const sample = (one: Component | undefined, n: number, x: number) =>
        one === undefined ? 0 : one
          .samples[
            (rows[n] ?? 0) + Math.floor(x * one.across / frame.across)
          ] ??
          0;
      for (let x = 0; x < width; x++, to += 4) {
        const first = sample(a, 0, x);
        let [red, green, blue] = [first, first, first];
        if (c !== undefined) {
          const [second, third] = [sample(b, 1, x), sample(c, 2, x)];
          if (isYcc) {
            red = first + 1.402 * (third - 128);
            green = first - 0.344136 * (second - 128) -
              0.714136 * (third - 128);
            blue = first + 1.772 * (second - 128);
            // The inks' complement is what is turned into brightness and hue.
            if (d !== undefined) {
              [red, green, blue] = [255 - red, 255 - green, 255 - blue];
            }
          } else [green, blue] = [second, third];
        }
        const light = d === undefined ? 1 : sample(d, 3, x) / 255;
        rgba[to] = light === 1 ? red : clamped(red) * light;
        rgba[to + 1] = light === 1 ? green : clamped(green) * light;
        rgba[to + 2] = light === 1 ? blue : clamped(blue) * light;
        rgba[to + 3] = 255;
      }
    }
    return { width, height, rgba };
  }
}

const clamped = (value: number) => Math.max(0, Math.min(255, value));

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) << 8 | (bytes[at + 1] ?? 0);
}

/** Blocks that several components have in a unit of an interleaved scan. */
function inUnitOf(scanned: Scanning["scanned"]): number {
  return scanned.reduce((sum, { of }) => sum + of.across * of.down, 0);
}

/**
 * What a scan says of itself (T.81, B.2.3 and G.1.1.1), and notes which bits of
 * its coefficients it has. Throws MalformedMedia for a scan that T.81 forbids:
 * it could send the decoder over the same blocks again and again.
 */
function scanningOf(frame: Frame, segment: Bytes): Scanning {
  const count = segment[0] ?? 0;
  if (count < 1 || count > 4 || segment.length < 4 + 2 * count) {
    throw new MalformedMedia("a scan of no components, or of too many");
  }
  const scanned: { of: Component; tables: number }[] = [];
  for (let n = 0; n < count; n++) {
    const [id, tables = 0] = segment.subarray(1 + 2 * n);
    const of = frame.components.find((one) =>
      one.id === id && scanned.every((other) => other.of !== one)
    );
    if (of === undefined) throw new MalformedMedia("a scan of nothing");
    scanned.push({ of, tables });
  }
  if (count > 1 && inUnitOf(scanned) > MOST_IN_UNIT) {
    throw new MalformedMedia("a scan of too large units");
  }
  const [first = 0, last = 0, bits = 0] = segment.subarray(1 + 2 * count);
  const scan = frame.isProgressive
    ? { first, last, low: bits & 15, high: bits >> 4 }
    : { first: 0, last: 63, low: 0, high: 0 };
  if (frame.isProgressive) {
    const { low, high } = scan;
    const isBand = first === 0
      ? last === 0
      : count === 1 && first <= last && last <= 63;
    if (!isBand || low > MOST_LOW || (high > 0 && high !== low + 1)) {
      throw new MalformedMedia("a scan of no band");
    }
  }
  for (const { of: { lows } } of scanned) {
    const band = lows.subarray(scan.first, scan.last + 1);
    // Each scan goes on where the one before it left off.
    const from = scan.high === 0 ? -1 : scan.high;
    if (band.some((low) => low !== from)) {
      throw new MalformedMedia("a scan of what was there");
    }
    band.fill(scan.low);
  }
  return { ...scan, scanned };
}

/** Whether the sides of a frame (T.81, B.2.2) are those of its place at most. */
function isWithin(segment: Bytes, place: Place | undefined): boolean {
  return place === undefined ||
    (u16(segment, 3) <= place.width && u16(segment, 1) <= place.height);
}

/** A frame (T.81, B.2.2) of a picture that can be decoded within bounds. */
function frameOf(
  marker: number,
  segment: Bytes,
  longest: number,
  mostPixels: number,
): Frame | undefined {
  const [bits, height, width] = [segment[0], u16(segment, 1), u16(segment, 3)];
  const count = segment[5] ?? 0;
  const pixels = width * height;
  const isKnown = bits === 8 && pixels > 0 && pixels <= mostPixels &&
    [1, 3, 4].includes(count) && segment.length >= 6 + 3 * count;
  if (!isKnown) return undefined;
  const told = Array.from({ length: count }, (_, n) => {
    const [id = 0, sides = 0, table = 0] = segment.subarray(6 + 3 * n);
    return { id, across: sides >> 4, down: sides & 15, table: table & 3 };
  });
  const isSampled = told.every(({ across, down }) =>
    across >= 1 && across <= 4 && down >= 1 && down <= 4
  );
  if (!isSampled) return undefined;
  const across = Math.max(...told.map((one) => one.across));
  const down = Math.max(...told.map((one) => one.down));
  const isProgressive = marker === 0xc2 || marker === 0xca;
  const laid = told.map((one) => ({
    ...one,
    columns: Math.ceil(Math.ceil(width * one.across / across) / 8),
    rows: Math.ceil(Math.ceil(height * one.down / down) / 8),
    stride: Math.ceil(width / (8 * across)) * one.across,
    high: Math.ceil(height / (8 * down)) * one.down,
  }));
  const blocks = laid.reduce((sum, { stride, high }) => sum + stride * high, 0);
  const side = sideOf(Math.max(width, height), longest, blocks, isProgressive);
  return {
    width,
    height,
    isProgressive,
    isArithmetic: marker >= 0xc9,
    across,
    down,
    blocks,
    side,
    components: laid.map(({ high, ...one }) => {
      const inOne = one.stride * high;
      return {
        ...one,
        samples: new Uint8Array(inOne * side * side),
        lows: new Int8Array(64).fill(-1),
        ...(isProgressive
          ? { held: new Int16Array(side === 1 ? inOne : inOne * 64) }
          : {}),
      };
    }),
  };
}

/** The smallest sides of a block that are enough, and not too many. */
function sideOf(
  whole: number,
  longest: number,
  blocks: number,
  isProgressive: boolean,
): Side {
  let side: Side = 1;
  for (const larger of [2, 4, 8] as const) {
    const isEnough = whole * side / 8 >= longest;
    const isBounded = blocks * larger * larger <= MOST_SAMPLE_BYTES &&
      (!isProgressive || blocks * 128 <= MOST_COEFFICIENT_BYTES);
    if (isEnough || !isBounded) break;
    side = larger;
  }
  return side;
}

/** Of each side, how bright each coefficient makes each sample (T.81, A.3.3). */
const WAVES = new Map<Side, Float32Array>();
for (const side of [1, 2, 4, 8] as const) {
  const waves = new Float32Array(side * side);
  for (let u = 0; u < side; u++) {
    for (let x = 0; x < side; x++) {
      const wave = Math.cos((2 * x + 1) * u * Math.PI / (2 * side));
      waves[u * side + x] = wave * (u === 0 ? Math.SQRT1_2 : 1) / 2;
    }
  }
  WAVES.set(side, waves);
}
const HALF_DONE = new Float32Array(64);

/** Makes the samples of a block of its coefficients. */
function transform(
  block: Int16Array,
  steps: Uint16Array,
  side: Side,
  samples: Uint8Array,
  to: number,
  stride: number,
): void {
  const waves = WAVES.get(side) ?? HALF_DONE;
  const level = 128.5 + (block[0] ?? 0) * (steps[0] ?? 0) / 8;
  let isFlat = true;
  const sums = HALF_DONE;
  sums.fill(0);
  for (let v = 0; v < side; v++) {
    for (let u = v === 0 ? 1 : 0; u < side; u++) {
      const held = block[v * 8 + u] ?? 0;
      if (held === 0) continue;
      isFlat = false;
      const value = held * (steps[v * 8 + u] ?? 0);
      for (let x = 0; x < side; x++) {
        sums[v * 8 + x] = (sums[v * 8 + x] ?? 0) +
          value * (waves[u * side + x] ?? 0);
      }
    }
  }
  for (let y = 0; y < side; y++) {
    const row = to + y * stride;
    for (let x = 0; x < side; x++) {
      let value = level;
      if (!isFlat) {
        for (let v = 0; v < side; v++) {
          value += (sums[v * 8 + x] ?? 0) * (waves[v * side + y] ?? 0);
        }
      }
      samples[row + x] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}
