/**
 * Finding the extent, the EXIF and the XMP of JPEG, PNG, WebP and TIFF, which
 * are not read here: a page looks at extents before it shows anything.
 *
 * @module
 */
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  viewOf,
} from "./reading.ts";

/** The sides of a picture and the bytes of its EXIF, if they were found. */
export interface Found {
  width?: number;
  height?: number;
  exif?: Uint8Array;
  /** An XMP packet. */
  xmp?: string;
  /** The marker of a JPEG's frame, which says how it is coded (T.81, B.1). */
  frame?: number;
}

/** Most segments or chunks read of a file; it has a few dozen. */
const MAX_SEGMENTS = 512;
/**
 * How much is read of a TIFF file, whose directories are mostly at its
 * beginning.
 */
const TIFF_BYTES = 1024 * 1024;

/** Names the segment of a JPEG that has an XMP packet (XMP part 3). */
const XMP_NAME = "http://ns.adobe.com/xap/1.0/\0";

/** Names the text of a PNG that has one. */
const PNG_XMP = "XML:com.adobe.xmp\0";

/** Reads a JPEG (ITU T.81) in a file: its segments up to the scan. */
export async function findInJpeg(
  reader: MediaReader,
  from = 0,
): Promise<Found> {
  const found: Found = {};
  let at = from + 2;
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
      found.frame = marker;
      return found;
    }
    if (marker === 0xe1 && length > 8 && found.exif === undefined) {
      const bytes = await reader.bytes(at + 4, length - 2);
      if (codeAt(viewOf(bytes), 0, 6) === "Exif\0\0") {
        found.exif = bytes.slice(6);
      }
    }
    if (marker === 0xe1 && length > XMP_NAME.length + 2) {
      const bytes = await reader.bytes(at + 4, length - 2);
      if (codeAt(viewOf(bytes), 0, XMP_NAME.length) === XMP_NAME) {
        found.xmp ??= new TextDecoder().decode(bytes.slice(XMP_NAME.length));
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
    } else if (type === "iTXt" && length <= MAX_SEGMENT_BYTES) {
      const xmp = pngXmp(await reader.bytes(at + 8, length));
      if (xmp !== undefined) found.xmp ??= xmp;
    } else if (
      type === "IEND" || (type === "IDAT" && found.exif !== undefined)
    ) return found;
    at += 12 + length;
  }
  return found;
}

/** The XMP in a text of a PNG (XMP part 3); undefined for another text. */
function pngXmp(bytes: Uint8Array): string | undefined {
  const isXmp = bytes.length > PNG_XMP.length + 4 &&
    codeAt(viewOf(bytes), 0, PNG_XMP.length) === PNG_XMP;
  // Compressed, it is none: a reader must find it without inflating.
  if (!isXmp || bytes[PNG_XMP.length] !== 0) return undefined;
  const language = bytes.indexOf(0, PNG_XMP.length + 2);
  const keyword = language === -1 ? -1 : bytes.indexOf(0, language + 1);
  if (keyword === -1) return undefined;
  return new TextDecoder().decode(bytes.slice(keyword + 1));
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
    if (type === "XMP " && length <= MAX_SEGMENT_BYTES) {
      const bytes = await reader.bytes(inside, length);
      found.xmp ??= new TextDecoder().decode(bytes);
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
