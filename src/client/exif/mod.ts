/**
 * Reading the facts that photographs and videos contain about themselves: when
 * and where they were taken, with which camera, and how large they are. The
 * formats are JPEG, PNG, WebP, TIFF and the raw formats based on it, RAF, CR3,
 * HEIC and AVIF, MP4 and QuickTime.
 *
 * Nothing here trusts a file: every length is checked against the file's size,
 * every loop has a bound, and impossible values are left out.
 *
 * @module
 */
import type { PlainSource } from "../sealed_source.ts";
import { readVideo } from "./video.ts";
import { readHeif } from "./heif.ts";
import type { MediaFacts } from "./facts.ts";
import { readCr3, readRaf } from "./raw.ts";
import { factsOf } from "./pictures.ts";
import { findInJpeg, findInPng, findInTiff, findInWebp } from "./segments.ts";
import { lookWithin } from "./within.ts";
import { codeAt, MalformedMedia, MediaReader } from "./reading.ts";

export { aboutFile, type FileOnDisk } from "./about.ts";
export { type Exposure, type MediaFacts, takenOf } from "./facts.ts";

const HEIF_BRANDS = new Set([
  "heic",
  "heix",
  "hevc",
  "heim",
  "heis",
  "mif1",
  "msf1",
  "avif",
  "avis",
]);

/** TIFF in both byte orders, ORF in three forms, and RW2. */
const TIFF_HEADS: ReadonlySet<number> = new Set([
  0x49492a00,
  0x4d4d002a,
  0x4949524f,
  0x49495253,
  0x4d4d4f52,
  0x49495500,
]);

/** Reads the facts of a file; none if its format is unknown. */
export async function readMediaFacts(source: PlainSource): Promise<MediaFacts> {
  try {
    const facts = await read(new MediaReader(source));
    const inside = await insideOf(source);
    return inside.length === 0 ? facts : { ...facts, inside };
  } catch (error) {
    // A DataView throws a RangeError for a read beyond its end.
    if (error instanceof MalformedMedia || error instanceof RangeError) {
      return {};
    }
    throw error;
  }
}

/** What is in a picture's file beside it; videos have nothing beside them. */
async function insideOf(source: PlainSource): Promise<readonly string[]> {
  if (source.size < 16) return [];
  const head = await new MediaReader(source).view(0, 16);
  const isAsked = head.getUint16(0) === 0xffd8 ||
    (codeAt(head, 4) === "ftyp" && HEIF_BRANDS.has(codeAt(head, 8)));
  if (!isAsked) return [];
  const { video, sphere } = await lookWithin(source);
  return [
    ...(video === undefined ? [] : ["video"]),
    ...(sphere === undefined ? [] : ["sphere"]),
  ];
}

async function read(reader: MediaReader): Promise<MediaFacts> {
  if (reader.size < 16) return {};
  const head = await reader.view(0, 16);
  const code = codeAt(head, 0);
  const first = head.getUint32(0);
  if (first >>> 16 === 0xffd8) return factsOf(await findInJpeg(reader));
  if (first === 0x89504e47) return factsOf(await findInPng(reader));
  if (code === "RIFF" && codeAt(head, 8) === "WEBP") {
    return factsOf(await findInWebp(reader));
  }
  if (TIFF_HEADS.has(first)) return factsOf(await findInTiff(reader));
  if (code === "FUJI") return await readRaf(reader);
  const type = codeAt(head, 4);
  if (type === "ftyp") {
    if (codeAt(head, 8) === "crx ") return await readCr3(reader);
    return HEIF_BRANDS.has(codeAt(head, 8))
      ? await readHeif(reader)
      : await readVideo(reader);
  }
  // QuickTime from the time before `ftyp`.
  return ["moov", "mdat", "wide", "free", "skip"].includes(type)
    ? await readVideo(reader)
    : {};
}
