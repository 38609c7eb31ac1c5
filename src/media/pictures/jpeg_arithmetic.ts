/**
 * Arithmetic codes of a JPEG (T.81, annexes D, F.1.4 and G).
 *
 * @module
 */
import { MalformedMedia } from "../exif/reading.ts";
import { type BlockReader, type Scan, ZIGZAG } from "./jpeg_blocks.ts";
import type { JpegBytes } from "./jpeg_bytes.ts";

/**
 * Of each state, how probable the less probable bit is (four digits of 16 bits),
 * the state after it (two digits), and the state after the other bit (two, whose
 * upper bit says that they change places): T.81, table D.3.
 */
const STATES = `
  5a1d0181 25860e02 11141003 080b1204 03d81405 01da1706 00e51907 006f1c08
  00361e09 001a210a 000d230b 0006090c 00030a0d 00010c0d 5a7f0f8f 3f252410
  2cf22611 207c2712 17b92813 11822a14 0cef2b15 09a12d16 072f2e17 055c3018
  04063119 0303331a 0240341b 01b1361c 0144381d 00f5391e 00b73b1f 008a3c20
  00683e21 004e3f22 003b2023 002c2109 5ae125a5 484c4026 3a0d4127 2ef14328
  261f4429 1f33452a 19a8462b 1518482c 1177492d 0e744a2e 0bfb4b2f 09f84d30
  08614e31 07064f32 05cd3033 04de3234 040f3235 03633336 02d43437 025c3538
  01f83639 01a4373a 0160383b 0125393c 00f63a3d 00cb3b3e 00ab3d3f 008f3d20
  5b1241c1 4d045042 412c5143 37d85244 2fe85345 293c5446 23795647 1edf5748
  1aa95749 174e484a 1424484b 119c4a4c 0f6b4a4d 0d514b4e 0bb64d4f 0a404d30
  583250d1 4d1c5852 438e5953 3bdd5a54 34ee5b55 2eae5c56 299a5d57 25165647
  557058d9 4ca95f5a 44d9605b 3e22615c 3824635d 32b4635e 2e175d56 56a85fe0
  4f466561 47e56662 41cf6763 3c3d6864 375e635d 52316966 4c0f6a67 46396b68
  415e6763 562769ea 50e76c6b 4b856d67 55976e6d 504f6f6b 5a106eef 5522706d
  59eb70ef
`.trim().split(/\s+/).map((state) => ({
  rare: parseInt(state.slice(0, 4), 16),
  afterRare: parseInt(state.slice(4, 6), 16),
  afterUsual: parseInt(state.slice(6), 16) & 0x7f,
  isSwitched: parseInt(state.slice(6), 16) > 0x7f,
}));
const [START = { rare: 0, afterRare: 0, afterUsual: 0, isSwitched: false }] =
  STATES;

/** What is said of the tables of a scan, by their numbers (T.81, B.2.4.3). */
export interface ArithmeticTables {
  /** Up to where a difference is small, and from where it is large. */
  readonly lows: number[];
  readonly highs: number[];
  /** Up to which coefficient the large ones are counted together. */
  readonly splits: number[];
}

/** What was seen so far in each context: a state, and the usual bit above it. */
type Contexts = Uint8Array;

/** Reads the blocks of a scan; `scan` of a progressive picture only. */
export function arithmetic(
  bytes: JpegBytes,
  scan: Scan | undefined,
  numbers: readonly number[],
  { lows, highs, splits }: ArithmeticTables,
): BlockReader {
  const levels = new Int32Array(numbers.length);
  /** How large the last difference of each component was. */
  const sizes = new Uint8Array(numbers.length);
  const firsts = [0, 1, 2, 3].map((): Contexts => new Uint8Array(64));
  const others = [0, 1, 2, 3].map((): Contexts => new Uint8Array(256));
  let [code, width, left, isBegun] = [0, 0, 0, false];

  /** Begins with two bytes (T.81, figure D.21). */
  const begin = () => {
    code = (bytes.next() * 256 + bytes.next()) * 65_536;
    [width, left, isBegun] = [0x1_0000, 0, true];
  };
  /** The next bit in a context (T.81, figures D.14 to D.19). */
  const bit = (contexts: Contexts | undefined, at: number): number => {
    if (!isBegun) begin();
    const held = contexts?.[at] ?? 0;
    const usual = held >> 7;
    const state = contexts === undefined ? START : STATES[held & 0x7f] ?? START;
    width -= state.rare;
    const isUpper = code >= width * 65_536;
    if (!isUpper && width >= 0x8000) return usual;
    const isRare = isUpper ? width >= state.rare : width < state.rare;
    if (isUpper) {
      code -= width * 65_536;
      width = state.rare;
    }
    if (contexts !== undefined) {
      const kept = isRare && state.isSwitched ? 1 - usual : usual;
      contexts[at] = kept << 7 | (isRare ? state.afterRare : state.afterUsual);
    }
    do {
      if (left === 0) {
        code += bytes.next() * 256;
        left = 8;
      }
      width *= 2;
      code *= 2;
      left -= 1;
    } while (width < 0x8000);
    return isRare ? 1 - usual : usual;
  };
  /** The size of a number, beginning at a context, doubled while it goes on. */
  const grown = (contexts: Contexts | undefined, at: number, size: number) => {
    let to = at;
    let larger = size;
    while (bit(contexts, to) === 1) {
      larger *= 2;
      to += 1;
      if (larger >= 0x8000) throw new MalformedMedia("a number too large");
    }
    return { size: larger, at: to };
  };
  const valued = (
    contexts: Contexts | undefined,
    { size, at }: { readonly size: number; readonly at: number },
    isNegative: boolean,
  ): number => {
    let value = size;
    for (let one = size >> 1; one > 0; one >>= 1) {
      if (bit(contexts, at + 14) === 1) value |= one;
    }
    return isNegative ? -value - 1 : value + 1;
  };

  /** The first coefficient (T.81, F.1.4.1). */
  const first = (n: number): number => {
    const table = (numbers[n] ?? 0) >> 4 & 3;
    const contexts = firsts[table];
    const from = sizes[n] ?? 0;
    if (bit(contexts, from) === 0) {
      sizes[n] = 0;
      return levels[n] ?? 0;
    }
    const sign = bit(contexts, from + 1);
    const place = from + 2 + sign;
    const grew = bit(contexts, place) === 1
      ? grown(contexts, 20, 1)
      : { size: 0, at: place };
    const low = 1 << (lows[table] ?? 0) >> 1;
    const high = 1 << (highs[table] ?? 1) >> 1;
    sizes[n] = grew.size < low ? 0 : (grew.size > high ? 12 : 4) + 4 * sign;
    const value = valued(contexts, grew, sign === 1);
    return levels[n] = (levels[n] ?? 0) + value;
  };
  /** The other coefficients (T.81, F.1.4.2), from the first of a scan on. */
  const rest = (n: number, block: Int16Array, { first, last, low }: Scan) => {
    const table = (numbers[n] ?? 0) & 3;
    const contexts = others[table];
    for (let at = first; at <= last; at++) {
      if (bit(contexts, 3 * (at - 1)) === 1) return;
      while (bit(contexts, 3 * (at - 1) + 1) === 0) {
        if (++at > last) throw new MalformedMedia("a block of too many");
      }
      const sign = bit(undefined, 0);
      const place = 3 * (at - 1) + 2;
      let grew = { size: 0, at: place };
      if (bit(contexts, place) === 1) {
        grew = { size: 1, at: place };
        if (bit(contexts, place) === 1) {
          grew = grown(contexts, at <= (splits[table] ?? 5) ? 189 : 217, 2);
        }
      }
      const value = valued(contexts, grew, sign === 1);
      block[ZIGZAG[at] ?? 0] = value << low;
    }
  };
  /** One more bit of the others (T.81, G.1.3.3). */
  const refined = (n: number, block: Int16Array, scan: Scan) => {
    const contexts = others[(numbers[n] ?? 0) & 3];
    const one = 1 << scan.low;
    let end = scan.last;
    while (end > 0 && block[ZIGZAG[end] ?? 0] === 0) end--;
    for (let at = scan.first; at <= scan.last; at++) {
      if (at > end && bit(contexts, 3 * (at - 1)) === 1) return;
      for (;; at++) {
        if (at > scan.last) throw new MalformedMedia("a block of too many");
        const place = ZIGZAG[at] ?? 0;
        const value = block[place] ?? 0;
        if (value !== 0) {
          if (bit(contexts, 3 * (at - 1) + 2) === 1) {
            block[place] = value + (value > 0 ? one : -one);
          }
          break;
        }
        if (bit(contexts, 3 * (at - 1) + 1) === 1) {
          block[place] = bit(undefined, 0) === 1 ? -one : one;
          break;
        }
      }
    }
  };

  const WHOLE: Scan = { first: 1, last: 63, low: 0, high: 0 };
  return {
    block(n, block) {
      if (scan === undefined) {
        block[0] = first(n);
        rest(n, block, WHOLE);
      } else if (scan.first > 0) {
        (scan.high === 0 ? rest : refined)(n, block, scan);
      } else if (scan.high === 0) block[0] = first(n) << scan.low;
      else if (bit(undefined, 0) === 1) {
        block[0] = (block[0] ?? 0) | 1 << scan.low;
      }
    },
    restart() {
      isBegun = false;
      levels.fill(0);
      sizes.fill(0);
      for (const contexts of [...firsts, ...others]) contexts.fill(0);
    },
  };
}
