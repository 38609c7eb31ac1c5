/**
 * Expanding the blocks of a TIFF picture into a buffer of a known size, which
 * nothing can overrun: what a block has beyond it is left out, and what it
 * lacks stays 0.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { MalformedMedia, type Turns } from "../exif/reading.ts";
import { inflated } from "./inflating.ts";

/** Expands `packed` into `block`. Throws MalformedMedia. */
type Expand = (
  packed: Bytes,
  block: Bytes,
  turns: Turns,
) => void | Promise<void>;

/** By the number of the compression (TIFF 6.0, and Adobe's supplement 2). */
export const EXPANDERS: Readonly<Record<number, Expand>> = {
  1: (packed, block) => block.set(packed.subarray(0, block.length)),
  5: lzw,
  8: deflate,
  32_773: packBits,
  32_946: deflate,
};

/** LZW (TIFF 6.0, section 13): codes of 9 to 12 bits, the upper bits first. */
async function lzw(
  packed: Bytes,
  block: Bytes,
  turns: Turns,
): Promise<void> {
  // Before TIFF 6.0 the lower bits came first.
  if (packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1) {
    throw new MalformedMedia("LZW of an old kind");
  }
  const [CLEAR, END, LAST] = [256, 257, 4_095];
  /** Of each code, the one before its last byte, that byte, and its length. */
  const before = new Uint16Array(LAST + 1);
  const byte = new Uint8Array(LAST + 1);
  const length = new Uint16Array(LAST + 1);
  for (let code = 0; code < 256; code++) {
    byte[code] = code;
    length[code] = 1;
  }
  let [next, width, previous] = [END + 1, 9, -1];
  let [bits, held, from, to, written] = [0, 0, 0, 0, 0];
  while (to < block.length) {
    // A code has about a byte, and gives none or thousands.
    const turn = turns.after(4 + written);
    if (turn !== undefined) await turn;
    while (held < width && from < packed.length) {
      bits = ((bits << 8) | (packed[from++] ?? 0)) & 0xff_ffff;
      held += 8;
    }
    if (held < width) return;
    held -= width;
    written = 0;
    const code = (bits >> held) & ((1 << width) - 1);
    if (code === END) return;
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
      if (at < block.length) block[at] = byte[one] ?? 0;
      one = before[one] ?? 0;
    }
    const first = byte[one] ?? 0;
    block[to] = first;
    if (!isKnown && to + written - 1 < block.length) {
      block[to + written - 1] = first;
    }
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
async function packBits(
  packed: Bytes,
  block: Bytes,
  turns: Turns,
): Promise<void> {
  let to = 0;
  for (let from = 0; from < packed.length && to < block.length;) {
    const turn = turns.after(4);
    if (turn !== undefined) await turn;
    const count = ((packed[from++] ?? 0) << 24) >> 24;
    if (count === -128) continue;
    if (count < 0) {
      block.fill(packed[from++] ?? 0, to, to + 1 - count);
      to += 1 - count;
      continue;
    }
    const bytes = packed.subarray(from, from + count + 1);
    block.set(bytes.subarray(0, block.length - to), to);
    from += count + 1;
    to += count + 1;
  }
}

/** Deflate in the format of zlib (RFC 1950). */
async function deflate(packed: Bytes, block: Bytes): Promise<void> {
  let to = 0;
  try {
    for await (const piece of inflated(packed)) {
      const bytes = piece.subarray(0, block.length - to);
      block.set(bytes, to);
      to += bytes.length;
      if (to === block.length) return;
    }
  } catch {
    throw new MalformedMedia("deflate that does not expand");
  }
}
