/**
 * Huffman's codes of a JPEG (T.81, annexes F and G).
 *
 * @module
 */
import { MalformedMedia } from "../exif/reading.ts";
import { type BlockReader, type Scan, ZIGZAG } from "./jpeg_blocks.ts";
import type { JpegBytes } from "./jpeg_bytes.ts";

/** Of the next 16 bits, the symbol and how many of them are its code. */
type Table = Uint16Array;

/** A table of codes by their lengths (T.81, annex C). */
export function huffmanTable(counts: Uint8Array, symbols: Uint8Array): Table {
  const table = new Uint16Array(65_536);
  let [code, at] = [0, 0];
  for (let length = 1; length <= 16; length++) {
    for (let n = 0; n < (counts[length - 1] ?? 0); n++, code++) {
      const from = code << (16 - length);
      const to = (code + 1) << (16 - length);
      table.fill(length << 8 | (symbols[at++] ?? 0), from, to);
    }
    code <<= 1;
  }
  return table;
}

/** The tables of a component: of its first coefficients, and of the others. */
interface Tables {
  readonly first: Table | undefined;
  readonly others: Table | undefined;
}

/** Reads the blocks of a scan; `scan` of a progressive picture only. */
export function huffman(
  bytes: JpegBytes,
  scan: Scan | undefined,
  tables: readonly Tables[],
): BlockReader {
  let [held, count, run] = [0, 0, 0];
  const levels = new Int32Array(tables.length);

  const bits = (length: number): number => {
    if (length === 0) return 0;
    while (count < length) {
      held = (held << 8 | bytes.next()) & 0xff_ffff;
      count += 8;
    }
    count -= length;
    return held >> count & ((1 << length) - 1);
  };
  const symbol = (table: Table | undefined): number => {
    while (count < 16) {
      held = (held << 8 | bytes.next()) & 0xff_ffff;
      count += 8;
    }
    const found = table?.[held >> (count - 16) & 0xffff] ?? 0;
    if (found === 0) throw new MalformedMedia("a code of nothing");
    count -= found >> 8;
    return found & 0xff;
  };
  /** A number of so many bits, with its sign (T.81, F.2.2.1). */
  const number = (length: number): number => {
    if (length > 16) throw new MalformedMedia("a number too large");
    const value = bits(length);
    return length === 0 || value >> (length - 1) === 1
      ? value
      : value - (1 << length) + 1;
  };
  const first = (n: number): number =>
    levels[n] = (levels[n] ?? 0) + number(symbol(tables[n]?.first));

  const sequential = (n: number, block: Int16Array) => {
    block[0] = first(n);
    for (let at = 1; at < 64; at++) {
      const of = symbol(tables[n]?.others);
      const [zeros, length] = [of >> 4, of & 15];
      if (length === 0) {
        if (zeros < 15) return;
        at += 15;
        continue;
      }
      at += zeros;
      const value = number(length);
      if (at < 64) block[ZIGZAG[at] ?? 0] = value;
    }
  };
  const firstOf = (n: number, block: Int16Array, { low, high }: Scan) => {
    if (high === 0) block[0] = first(n) << low;
    else if (bits(1) === 1) block[0] = (block[0] ?? 0) | 1 << low;
  };
  const othersOf = (n: number, block: Int16Array, scan: Scan) => {
    if (run > 0) {
      run--;
      return;
    }
    for (let at = scan.first; at <= scan.last; at++) {
      const of = symbol(tables[n]?.others);
      const [zeros, length] = [of >> 4, of & 15];
      if (length === 0) {
        if (zeros < 15) {
          run = (1 << zeros) - 1 + bits(zeros);
          return;
        }
        at += 15;
        continue;
      }
      at += zeros;
      const value = number(length);
      if (at < 64) block[ZIGZAG[at] ?? 0] = value << scan.low;
    }
  };
  const refined = (block: Int16Array, at: number, bit: number) => {
    const value = block[at] ?? 0;
    if (bits(1) === 1 && (value & bit) === 0) {
      block[at] = value + (value > 0 ? bit : -bit);
    }
  };
  /** One more bit of the coefficients (T.81, G.1.2.3). */
  const refineOthers = (n: number, block: Int16Array, scan: Scan) => {
    const bit = 1 << scan.low;
    let at = scan.first;
    if (run === 0) {
      for (; at <= scan.last; at++) {
        const of = symbol(tables[n]?.others);
        let zeros = of >> 4;
        let value = 0;
        if ((of & 15) === 0) {
          if (zeros < 15) {
            run = (1 << zeros) + bits(zeros);
            break;
          }
        } else value = bits(1) === 1 ? bit : -bit;
        for (; at <= scan.last; at++) {
          const place = ZIGZAG[at] ?? 0;
          if (block[place] !== 0) refined(block, place, bit);
          else if (zeros-- === 0) {
            block[place] = value;
            break;
          }
        }
      }
    }
    if (run === 0) return;
    for (; at <= scan.last; at++) {
      const place = ZIGZAG[at] ?? 0;
      if (block[place] !== 0) refined(block, place, bit);
    }
    run--;
  };

  return {
    block: (n, block) =>
      scan === undefined
        ? sequential(n, block)
        : scan.first === 0
        ? firstOf(n, block, scan)
        : scan.high === 0
        ? othersOf(n, block, scan)
        : refineOthers(n, block, scan),
    restart() {
      [held, count, run] = [0, 0, 0];
      levels.fill(0);
    },
  };
}
