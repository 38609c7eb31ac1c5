/**
 * Expanding the blocks of a TIFF picture piece by piece, as far as someone
 * asks for it: neither the packed bytes of a block nor what they expand to is
 * ever held as a whole.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { MalformedMedia, type Turns } from "../exif/reading.ts";
import { inflated } from "./inflating.ts";

/**
 * Yields what `packed` expands to. A piece is good until the next one is asked
 * for. Throws MalformedMedia.
 */
type Expand = (
  packed: AsyncIterable<Bytes>,
  turns: Turns,
) => AsyncGenerator<Bytes>;

/** By the number of the compression (TIFF 6.0, and Adobe's supplement 2). */
export const EXPANDERS: Readonly<Record<number, Expand>> = {
  1: stored,
  5: lzw,
  8: deflate,
  32_773: packBits,
  32_946: deflate,
};

/** Length of the pieces that are yielded, about (bytes). */
const PIECE_BYTES = 64 * 1024;

/** Bytes one by one, out of pieces. */
class Packed {
  #piece: Bytes = new Uint8Array();
  #at = 0;
  readonly #coming: AsyncIterator<Bytes>;

  constructor(pieces: AsyncIterable<Bytes>) {
    this.#coming = pieces[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the piece, where {@link more} may have another. */
  next(): number | undefined {
    return this.#piece[this.#at++];
  }

  /** The first of the next piece; undefined where there is none. */
  async more(): Promise<number | undefined> {
    const { done, value } = await this.#coming.next();
    if (done === true) return undefined;
    this.#piece = value;
    this.#at = 1;
    return value.length === 0 ? await this.more() : value[0];
  }
}

async function* stored(packed: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  yield* packed;
}

/** LZW (TIFF 6.0, section 13): codes of 9 to 12 bits, the upper bits first. */
async function* lzw(
  pieces: AsyncIterable<Bytes>,
  turns: Turns,
): AsyncGenerator<Bytes> {
  const packed = new Packed(pieces);
  const [CLEAR, END, LAST] = [256, 257, 4_095];
  const out = new Uint8Array(PIECE_BYTES + LAST);
  /** Of each code, the one before its last byte, that byte, and its length. */
  const before = new Uint16Array(LAST + 1);
  const byte = new Uint8Array(LAST + 1);
  const length = new Uint16Array(LAST + 1);
  for (let code = 0; code < 256; code++) {
    byte[code] = code;
    length[code] = 1;
  }
  let [next, width, previous] = [END + 1, 9, -1];
  let [bits, held, to, written] = [0, 0, 0, 0];
  for (let isFirst = true;; isFirst = false) {
    // A code has about a byte, and gives none or thousands.
    const turn = turns.after(4 + written);
    if (turn !== undefined) await turn;
    if (to >= PIECE_BYTES) {
      yield out.subarray(0, to);
      to = 0;
    }
    while (held < width) {
      const one = packed.next() ?? await packed.more();
      if (one === undefined) return yield out.subarray(0, to);
      bits = ((bits << 8) | one) & 0xff_ffff;
      held += 8;
    }
    // Before TIFF 6.0 the lower bits came first: a CLEAR begins with a zero.
    if (isFirst && bits >> 8 === 0 && (bits & 1) === 1) {
      throw new MalformedMedia("LZW of an old kind");
    }
    held -= width;
    written = 0;
    const code = (bits >> held) & ((1 << width) - 1);
    if (code === END) return yield out.subarray(0, to);
    if (code === CLEAR) {
      [next, width, previous] = [END + 1, 9, -1];
      continue;
    }
    const isKnown = code < 256 || (code > END && code < next);
    if (!isKnown && (code !== next || previous === -1)) {
      throw new MalformedMedia("LZW with a code of nothing");
    }
    // A code that is being made is the one before with its own first byte.
    written = isKnown ? length[code] ?? 0 : (length[previous] ?? 0) + 1;
    let at = to + written - 1;
    let one = code;
    if (!isKnown) {
      one = previous;
      at -= 1;
    }
    for (; at > to; at--) {
      out[at] = byte[one] ?? 0;
      one = before[one] ?? 0;
    }
    const first = byte[one] ?? 0;
    out[to] = first;
    if (!isKnown) out[to + written - 1] = first;
    to += written;
    if (previous !== -1 && next <= LAST) {
      before[next] = previous;
      byte[next] = first;
      length[next] = (length[previous] ?? 0) + 1;
      next += 1;
      // One code earlier than needed (section 13).
      if (next === (1 << width) - 1 && width < 12) width += 1;
    }
    previous = code;
  }
}

/** PackBits (TIFF 6.0, section 9). */
async function* packBits(
  pieces: AsyncIterable<Bytes>,
  turns: Turns,
): AsyncGenerator<Bytes> {
  const packed = new Packed(pieces);
  const MOST = 128;
  const out = new Uint8Array(PIECE_BYTES + MOST);
  for (let to = 0;;) {
    const turn = turns.after(4);
    if (turn !== undefined) await turn;
    if (to >= PIECE_BYTES) {
      yield out.subarray(0, to);
      to = 0;
    }
    const head = packed.next() ?? await packed.more();
    if (head === undefined) return yield out.subarray(0, to);
    const count = (head << 24) >> 24;
    if (count === -128) continue;
    if (count < 0) {
      const one = packed.next() ?? await packed.more();
      out.fill(one ?? 0, to, to + 1 - count);
      to += 1 - count;
      continue;
    }
    for (let n = 0; n <= count; n++) {
      const one = packed.next() ?? await packed.more();
      if (one === undefined) return yield out.subarray(0, to);
      out[to++] = one;
    }
  }
}

/** Deflate in the format of zlib (RFC 1950). */
async function* deflate(
  packed: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  try {
    yield* inflated(packed);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new MalformedMedia("deflate that does not expand", { cause });
  }
}
