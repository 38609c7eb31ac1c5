/**
 * Whether a picture may go into a decoder. Its bytes and its pixels are bounded
 * elsewhere; here it is what sends a decoder over the same pixels again and
 * again, or has it expand what is not part of the picture.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { KnownMedia } from "../exif/extent.ts";
import { readHeifParts } from "../exif/heif.ts";
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  MediaReader,
  Turns,
} from "../exif/reading.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { inflated } from "./inflating.ts";

/**
 * Most pixels that the scans of a JPEG go over: a photo has up to 14 scans, and
 * the largest that is decoded 120 million pixels.
 */
const MOST_SCANNED = 2_000_000_000;
const MOST_SCANS = 64;
/** So many bytes of a JPEG are searched for scans at a time. */
const PIECE_BYTES = 1024 * 1024;
/** Most chunks before the pixels of a PNG. */
const MOST_CHUNKS = 1_024;
/** Largest colour profile, expanded; a printer's has about 4 MB (bytes). */
const MOST_PROFILE_BYTES = 16 * 1024 * 1024;
/** The parts of a HEIC or AVIF have at most so many times its pixels, ... */
const MOST_PARTS_TIMES = 4;
/** ... and some for small ones, whose parts reach over the edges. */
const MOST_PARTS_OVER = 16_000_000;

/** Whether a decoder's work on a picture is in proportion to it. */
export async function isProportionate(
  source: PlainSource,
  { type, width = 0, height = 0 }: KnownMedia,
): Promise<boolean> {
  const pixels = width * height;
  switch (type) {
    case "image/jpeg":
      return await scansOf(source) <=
        Math.min(MOST_SCANS, MOST_SCANNED / pixels);
    case "image/png":
      return await hasSmallProfile(source);
    case "image/heic":
    case "image/avif": {
      const parts = await readHeifParts(new MediaReader(source));
      return parts.bytes <= source.size &&
        parts.pixels <= MOST_PARTS_TIMES * pixels + MOST_PARTS_OVER;
    }
    default:
      return true;
  }
}

/** The number of scans of a JPEG (T.81, B.2), up to one too many. */
async function scansOf(source: PlainSource): Promise<number> {
  const turns = new Turns();
  let scans = 0;
  // The segments behind the last marker are skipped, and pixels are not.
  let skip = 2;
  for (let at = 0; at < source.size; at += PIECE_BYTES) {
    // A marker, and the length of its segment, may begin in the last bytes.
    const length = Math.min(PIECE_BYTES + 3, source.size - at);
    const piece = await source.read(at, length);
    const turn = turns.after(length);
    if (turn !== undefined) await turn;
    const end = Math.min(PIECE_BYTES, length - 1);
    let n = Math.max(0, skip - at);
    while (n < end) {
      n = piece.indexOf(0xff, n);
      if (n === -1 || n >= end) break;
      const marker = piece[n + 1] ?? 0;
      // The end of the picture: other pictures and videos may follow.
      if (marker === 0xd9) return scans;
      if (marker === 0xda && ++scans > MOST_SCANS) return scans;
      const isAlone = marker === 0 || marker === 0x01 ||
        (marker >= 0xd0 && marker <= 0xd8);
      if (marker === 0xff) n += 1;
      else if (isAlone) n += 2;
      else n += 2 + ((piece[n + 2] ?? 0) << 8 | (piece[n + 3] ?? 0));
    }
    skip = Math.max(skip, n === -1 ? 0 : at + n);
  }
  return scans;
}

/** Whether the colour profile of a PNG expands to what a profile may have. */
async function hasSmallProfile(source: PlainSource): Promise<boolean> {
  const reader = new MediaReader(source);
  let at = 8;
  for (let n = 0; n < MOST_CHUNKS; n++) {
    const head = await reader.view(at, 8);
    const length = head.getUint32(0);
    const type = codeAt(head, 4);
    if (type === "IDAT" || type === "IEND") return true;
    if (type === "iCCP") {
      if (length > MAX_SEGMENT_BYTES) return false;
      const bytes = (await reader.bytes(at + 8, length)).slice();
      // A name, a zero, and the number of the only method.
      const packed = bytes.subarray(bytes.indexOf(0) + 2);
      if (!await expandsTo(packed, MOST_PROFILE_BYTES)) return false;
    }
    at += 12 + length;
  }
  return false;
}

/** Whether bytes expand (RFC 1950) to at most so many, or are damaged. */
async function expandsTo(packed: Bytes, most: number): Promise<boolean> {
  let sum = 0;
  try {
    for await (const piece of inflated(packed)) {
      sum += piece.length;
      if (sum > most) return false;
    }
  } catch {
    // A decoder finds that out as soon.
  }
  return true;
}
