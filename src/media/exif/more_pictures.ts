/**
 * Finding the extent, the EXIF, the XMP and the IPTC of pictures that browsers
 * mostly cannot show: JPEG XL (ISO 18181-2), JPEG 2000 (ISO 15444-1), PSD
 * (Adobe Photoshop File Formats); and of GIF.
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import { type Box, boxesIn } from "./boxes.ts";
import { type MediaFacts, shownExtent } from "./facts.ts";
import { RESOURCE, resourceIn } from "./iptc.ts";
import { factsOf } from "./pictures.ts";
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  readInto,
  viewOf,
} from "./reading.ts";
import type { Found } from "./segments.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function allOf(
  reader: MediaReader,
  { at, end }: Pick<Box, "at" | "end">,
): Promise<Bytes> {
  const length = Math.min(end - at, MAX_SEGMENT_BYTES);
  return (await reader.bytes(at, length)).slice();
}

/** The beginning of the bare codestream of a JPEG XL. */
export const JXL_CODESTREAM = 0xff0a;

/** Reads a JPEG XL, in boxes or bare. */
export async function readJxl(reader: MediaReader): Promise<MediaFacts> {
  const found: Found = {};
  let turned = 1;
  await readInto(found, async () => {
    if ((await reader.view(0, 2)).getUint16(0) === JXL_CODESTREAM) {
      turned = await extentOfJxl(reader, 2, found);
      return;
    }
    for await (const box of boxesIn(reader, 0, reader.size)) {
      // The first part of a codestream has its number before it.
      const start = box.at + (box.type === "jxlp" ? 4 : 0);
      if (/^jxl[cp]$/.test(box.type) && found.width === undefined) {
        turned = await extentOfJxl(reader, start + 2, found);
        continue;
      }
      const isPacked = box.type === "brob";
      const type = isPacked
        ? codeAt(await reader.view(box.at, 4), 0)
        : box.type;
      if (type !== "Exif" && type !== "xml ") continue;
      const content = isPacked
        ? await unpacked(await allOf(reader, { ...box, at: box.at + 4 }))
        : await allOf(reader, box);
      if (content === undefined) continue;
      if (type === "xml ") found.xmp ??= textOf(content);
      else if (content.length > 8) {
        found.exif ??= content.subarray(4 + viewOf(content).getUint32(0));
      }
    }
  });
  const { width: _, height: __, orientation: ___, ...facts } = factsOf(found);
  // The codestream says how it is turned, whatever EXIF says.
  return { ...facts, ...shownExtent(found.width, found.height, turned) };
}

/**
 * Reads the sides behind a codestream's signature; returns its orientation
 * (ISO 18181-1, size header and image metadata).
 */
async function extentOfJxl(
  reader: MediaReader,
  at: number,
  found: Found,
): Promise<number> {
  const bytes = (await reader.bytes(at, Math.min(16, reader.size - at)))
    .slice();
  let bit = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n++, bit++) {
      value += (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) * 2 ** n;
    }
    return value;
  };
  const isSmall = read(1) === 1;
  const side = () =>
    isSmall ? 8 * (1 + read(5)) : 1 + read([9, 13, 18, 30][read(2)] ?? 0);
  const height = side();
  const ratio = [0, 1, 1.2, 4 / 3, 1.5, 16 / 9, 1.25, 2][read(3)] ?? 0;
  found.height = height;
  found.width = ratio === 0 ? side() : Math.floor(height * ratio + 1e-9);
  const isDefault = read(1) === 1;
  return !isDefault && read(1) === 1 ? 1 + read(3) : 1;
}

/** Unpacks Brotli, where this runtime can; never more than is ever needed. */
async function unpacked(bytes: Bytes): Promise<Bytes | undefined> {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(
      // TypeScript's library lacks the format, which not every browser has.
      new DecompressionStream("brotli" as CompressionFormat),
    );
    const whole = new Uint8Array(MAX_SEGMENT_BYTES);
    let length = 0;
    for await (const piece of stream) {
      if (length + piece.length > whole.length) return undefined;
      whole.set(piece, length);
      length += piece.length;
    }
    return whole.slice(0, length);
  } catch {
    return undefined;
  }
}

/** What a box of JPEG 2000 has, by its UUID. */
const UUIDS: Readonly<Record<string, "exif" | "xmp" | "iptc">> = {
  // "JpgTiffExif->JP2"
  "4a706754696666457869662d3e4a5032": "exif",
  "be7acfcb97a942e89c71999491e3afac": "xmp",
  "33c7a4d2b81d4723a0baf1a3e097ad38": "iptc",
};

/** Reads a JPEG 2000. */
export function findInJp2(reader: MediaReader): Promise<Found> {
  return readInto<Found>({}, async (found) => {
    for await (const box of boxesIn(reader, 0, reader.size)) {
      if (box.type === "jp2h") {
        for await (const { type, at } of boxesIn(reader, box.at, box.end)) {
          if (type !== "ihdr") continue;
          const header = await reader.view(at, 8);
          found.height = header.getUint32(0);
          found.width = header.getUint32(4);
        }
      } else if (box.type === "uuid" && box.end - box.at > 16) {
        const what = UUIDS[toHex(await reader.bytes(box.at, 16))];
        if (what === undefined) continue;
        const content = await allOf(reader, { ...box, at: box.at + 16 });
        if (what === "xmp") found.xmp ??= textOf(content);
        else found[what] ??= content;
      }
    }
  });
}

/** Reads a PSD or PSB: its header and its image resources. */
export function findInPsd(reader: MediaReader): Promise<Found> {
  return readInto<Found>({}, async (found) => {
    const header = await reader.view(14, 16);
    found.height = header.getUint32(0);
    found.width = header.getUint32(4);
    // A table of colours precedes the resources.
    const at = 30 + header.getUint32(12);
    const length = (await reader.view(at, 4)).getUint32(0);
    const end = Math.min(at + 4 + length, reader.size);
    const resources = await allOf(reader, { at: at + 4, end });
    found.exif = resourceIn(resources, RESOURCE.exif);
    found.iptc = resourceIn(resources, RESOURCE.iptc);
    const packet = resourceIn(resources, RESOURCE.xmp);
    if (packet !== undefined) found.xmp = textOf(packet);
  });
}

/** Most blocks that are read of a GIF before its first frame. */
const MOST_GIF_BLOCKS = 1_024;
/** Names the extension with an XMP packet (XMP part 3). */
const GIF_XMP = "XMP DataXMP";
/** The packet ends where bytes that count down begin. */
const GIF_XMP_END = "\x01\xff\xfe";

/**
 * Reads a GIF up to its first frame. Browsers make its screen as large as that
 * frame.
 */
export function findInGif(reader: MediaReader): Promise<Found> {
  return readInto<Found>({}, async (found) => {
    const screen = await reader.view(6, 5);
    const width = screen.getUint16(0, true);
    const height = screen.getUint16(2, true);
    const flags = screen.getUint8(4);
    Object.assign(found, { width, height });
    let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
    for (let n = 0; n < MOST_GIF_BLOCKS;) {
      const kind = (await reader.view(at, 1)).getUint8(0);
      if (kind === 0x2c) {
        const frame = await reader.view(at + 1, 8);
        const [left, top, wide, high] = [0, 2, 4, 6].map((from) =>
          frame.getUint16(from, true)
        ) as [number, number, number, number];
        found.width = Math.max(width, left + wide);
        found.height = Math.max(height, top + high);
        return;
      }
      if (kind !== 0x21) return;
      at += 2;
      const name = GIF_XMP.length;
      const isXmp = at + 1 + name < reader.size &&
        codeAt(await reader.view(at + 1, name), 0, name) === GIF_XMP;
      if (isXmp) {
        const rest = { at: at + 1 + name, end: reader.size };
        const text = new TextDecoder("latin1").decode(
          await allOf(reader, rest),
        );
        const length = text.indexOf(GIF_XMP_END);
        if (length > 0) {
          const packet = { at: rest.at, end: rest.at + length };
          found.xmp ??= textOf(await allOf(reader, packet));
        }
      }
      for (let size = 1; size > 0 && n < MOST_GIF_BLOCKS; n++) {
        size = (await reader.view(at, 1)).getUint8(0);
        at += 1 + size;
      }
    }
  });
}
