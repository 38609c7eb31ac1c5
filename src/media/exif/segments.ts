/**
 * Finding the extent, the EXIF and the XMP of JPEG, PNG and WebP, which are not
 * read here: a page looks at extents before it shows anything, and loads no
 * reader of them for that.
 *
 * @module
 */
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  readInto,
  viewOf,
} from "./reading.ts";

/** The sides of a picture and the bytes of its EXIF, if they were found. */
export interface Found {
  width?: number;
  height?: number;
  exif?: Uint8Array | undefined;
  /** An XMP packet. */
  xmp?: string;
  /** A block of IPTC. */
  iptc?: Uint8Array | undefined;
  /** Photoshop's image resources in the segments of a JPEG. */
  resources?: Uint8Array[];
  /** The date in a text of a PNG, as it stands there. */
  text?: string;
  /** The marker of a JPEG's frame, which says how it is coded (T.81, B.1). */
  frame?: number;
  /** How many components it has, such as one for each ink. */
  components?: number;
}

/**
 * Most segments or chunks read of a file. It has a few dozen, or hundreds with
 * depth or sound in extended XMP.
 */
const MAX_SEGMENTS = 4_096;
/** Most stray bytes between the segments of a JPEG (bytes). */
const MAX_STRAY = 64 * 1024;

const EXIF_NAME = "Exif\0\0";

/** Names the segment of a JPEG that has an XMP packet (XMP part 3). */
const XMP_NAME = "http://ns.adobe.com/xap/1.0/\0";

/** Names the segment of a JPEG that has Photoshop's image resources. */
const RESOURCES = "Photoshop 3.0\0";

/** Names the text of a PNG that has one. */
const PNG_XMP = "XML:com.adobe.xmp\0";

/** Reads a JPEG (ITU T.81) in a file: its segments up to the scan. */
export function findInJpeg(reader: MediaReader, from = 0): Promise<Found> {
  return readInto<Found>({}, (found) => findInSegments(reader, from, found));
}

async function findInSegments(
  reader: MediaReader,
  from: number,
  found: Found,
): Promise<void> {
  let at = from + 2;
  let stray = 0;
  for (let n = 0; n < MAX_SEGMENTS; n++) {
    const head = await reader.view(at, 4);
    if (head.getUint8(0) !== 0xff) {
      // Some programs leave bytes between segments, which decoders skip.
      const skipped = await strayAt(reader, at, MAX_STRAY - stray);
      if (skipped === undefined) return;
      stray += skipped;
      at += skipped;
      continue;
    }
    const marker = head.getUint8(1);
    // Fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) return;
    const length = head.getUint16(2);
    if (length < 2) return;
    const isFrame = marker >= 0xc0 && marker <= 0xcf &&
      marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame && length >= 8) {
      const frame = await reader.view(at + 4, 6);
      found.height = frame.getUint16(1);
      found.width = frame.getUint16(3);
      found.frame = marker;
      found.components = frame.getUint8(5);
      return;
    }
    const contentOf = async (wanted: number, name: string) => {
      const rest = length - 2 - name.length;
      if (marker !== wanted || rest < 1) return undefined;
      const begins = codeAt(
        await reader.view(at + 4, name.length),
        0,
        name.length,
      );
      return begins === name
        ? (await reader.bytes(at + 4 + name.length, rest)).slice()
        : undefined;
    };
    found.exif ??= await contentOf(0xe1, EXIF_NAME);
    const packet = found.xmp ?? await contentOf(0xe1, XMP_NAME);
    if (packet instanceof Uint8Array) {
      found.xmp = new TextDecoder().decode(packet);
    }
    const resources = await contentOf(0xed, RESOURCES);
    if (resources !== undefined) (found.resources ??= []).push(resources);
    at += 2 + length;
  }
}

/** How many bytes precede the next marker; undefined if it is too far away. */
async function strayAt(
  reader: MediaReader,
  at: number,
  most: number,
): Promise<number | undefined> {
  const length = Math.min(most, reader.size - at);
  const next = (await reader.bytes(at, length)).indexOf(0xff);
  return next === -1 ? undefined : next;
}

/** Reads a PNG (third edition): IHDR, and eXIf before or after the picture. */
export function findInPng(reader: MediaReader): Promise<Found> {
  return readInto<Found>({}, (found) => findInChunks(reader, found));
}

async function findInChunks(reader: MediaReader, found: Found): Promise<void> {
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
    } else if (type === "tEXt" && length > 0 && length <= MAX_TEXT_BYTES) {
      const text = codeAt(await reader.view(at + 8, length), 0, length);
      const [, date] = /^creation time\0(.*)$/i.exec(text) ?? [];
      if (date !== undefined) found.text ??= date;
    } else if (
      type === "IEND" || (type === "IDAT" && found.exif !== undefined)
    ) return;
    at += 12 + length;
  }
}

/** Longest text of a PNG that can be a date (bytes). */
const MAX_TEXT_BYTES = 256;

/** The XMP in a text of a PNG (XMP part 3); undefined for another text. */
function pngXmp(bytes: Uint8Array): string | undefined {
  const isXmp = bytes.length > PNG_XMP.length + 4 &&
    codeAt(viewOf(bytes), 0, PNG_XMP.length) === PNG_XMP;
  // Compressed text does not count: readers must find XMP without inflating.
  if (!isXmp || bytes[PNG_XMP.length] !== 0) return undefined;
  const language = bytes.indexOf(0, PNG_XMP.length + 2);
  const keyword = language === -1 ? -1 : bytes.indexOf(0, language + 1);
  if (keyword === -1) return undefined;
  return new TextDecoder().decode(bytes.slice(keyword + 1));
}

/** Reads a WebP (RFC 9649): the chunks of a RIFF. */
export function findInWebp(reader: MediaReader): Promise<Found> {
  return readInto<Found>({}, (found) => findInRiff(reader, found));
}

async function findInRiff(reader: MediaReader, found: Found): Promise<void> {
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
    } else if (type === "VP8 " && length >= 10) {
      const header = await reader.view(inside, 10);
      enlarge(
        found,
        header.getUint16(6, true) & 0x3fff,
        header.getUint16(8, true) & 0x3fff,
      );
    } else if (type === "VP8L" && length >= 5) {
      const bits = (await reader.view(inside, 5)).getUint32(1, true);
      enlarge(found, 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
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
}

/** A picture may be larger than its canvas says, and is decoded first. */
function enlarge(found: Found, width: number, height: number): void {
  found.width = Math.max(found.width ?? 0, width);
  found.height = Math.max(found.height ?? 0, height);
}
