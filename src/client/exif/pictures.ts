/**
 * Finding the extent and the EXIF of JPEG, PNG, WebP and TIFF.
 *
 * @module
 */
import { type MediaFacts, shownExtent } from "./facts.ts";
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  viewOf,
} from "./reading.ts";
import { Tiff } from "./tiff.ts";

/** The sides of a picture and the bytes of its EXIF, if they were found. */
export interface Found {
  width?: number;
  height?: number;
  exif?: Uint8Array;
}

/** Most segments or chunks read of a file; it has a few dozen. */
const MAX_SEGMENTS = 512;
/**
 * How much is read of a TIFF file, whose directories are mostly at its
 * beginning.
 */
const TIFF_BYTES = 1024 * 1024;

/** Combines the facts of a picture's parts. */
export function factsOf({ width, height, exif }: Found): MediaFacts {
  const { rawWidth, rawHeight, ...facts } = exif === undefined
    ? {}
    : Tiff.open(exif)?.facts() ?? {};
  const orientation = "orientation" in facts ? facts.orientation : undefined;
  return {
    ...facts,
    ...shownExtent(width ?? rawWidth, height ?? rawHeight, orientation),
  };
}

/** Reads a JPEG (ITU T.81): its segments up to the scan. */
export async function findInJpeg(reader: MediaReader): Promise<Found> {
  const found: Found = {};
  let at = 2;
  for (let n = 0; n < MAX_SEGMENTS; n++) {
    const head = await reader.view(at, 4);
    if (head.getUint8(0) !== 0xff) return found;
    const marker = head.getUint8(1);
    // Fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) return found;
    const length = head.getUint16(2);
    if (length < 2) return found;
    const isFrame = marker >= 0xc0 && marker <= 0xcf &&
      marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame && length >= 7) {
      const frame = await reader.view(at + 4, 5);
      found.height = frame.getUint16(1);
      found.width = frame.getUint16(3);
      return found;
    }
    if (marker === 0xe1 && length > 8 && found.exif === undefined) {
      const bytes = await reader.bytes(at + 4, length - 2);
      if (codeAt(viewOf(bytes), 0, 6) === "Exif\0\0") {
        found.exif = bytes.slice(6);
      }
    }
    at += 2 + length;
  }
  return found;
}

/** Reads a PNG (third edition): IHDR, and eXIf before or after the picture. */
export async function findInPng(reader: MediaReader): Promise<Found> {
  const found: Found = {};
  let at = 8;
  for (let n = 0; n < MAX_SEGMENTS && at + 12 <= reader.size; n++) {
    const head = await reader.view(at, 8);
    const length = head.getUint32(0);
    const type = codeAt(head, 4);
    if (type === "IHDR" && length >= 8) {
      const header = await reader.view(at + 8, 8);
      found.width = header.getUint32(0);
      found.height = header.getUint32(4);
    } else if (type === "eXIf" && length <= MAX_SEGMENT_BYTES) {
      found.exif = (await reader.bytes(at + 8, length)).slice();
      return found;
    } else if (type === "IEND") {
      return found;
    }
    at += 12 + length;
  }
  return found;
}

/** Reads a WebP (RFC 9649): the chunks of a RIFF. */
export async function findInWebp(reader: MediaReader): Promise<Found> {
  const found: Found = {};
  let at = 12;
  for (let n = 0; n < MAX_SEGMENTS && at + 8 <= reader.size; n++) {
    const head = await reader.view(at, 8);
    const type = codeAt(head, 0);
    const length = head.getUint32(4, true);
    const inside = at + 8;
    if (type === "VP8X" && length >= 10) {
      const header = await reader.view(inside, 10);
      found.width = 1 + header.getUint16(4, true) + (header.getUint8(6) << 16);
      found.height = 1 + header.getUint16(7, true) + (header.getUint8(9) << 16);
    } else if (type === "VP8 " && found.width === undefined && length >= 10) {
      const header = await reader.view(inside, 10);
      found.width = header.getUint16(6, true) & 0x3fff;
      found.height = header.getUint16(8, true) & 0x3fff;
    } else if (type === "VP8L" && found.width === undefined && length >= 5) {
      const bits = (await reader.view(inside, 5)).getUint32(1, true);
      found.width = 1 + (bits & 0x3fff);
      found.height = 1 + ((bits >>> 14) & 0x3fff);
    } else if (type === "EXIF" && length <= MAX_SEGMENT_BYTES) {
      const bytes = await reader.bytes(inside, length);
      // Some writers put the same name first as in a JPEG.
      const isNamed = length > 6 && codeAt(viewOf(bytes), 0, 6) === "Exif\0\0";
      found.exif = bytes.slice(isNamed ? 6 : 0);
    }
    at = inside + length + (length & 1);
  }
  return found;
}

/** Reads a TIFF or a raw format based on it. */
export async function findInTiff(reader: MediaReader): Promise<Found> {
  const length = Math.min(reader.size, TIFF_BYTES);
  return { exif: (await reader.bytes(0, length)).slice() };
}
