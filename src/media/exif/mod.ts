/**
 * Reading the facts that photographs and videos contain about themselves: when
 * and where they were taken, with which camera, and how large they are. The
 * formats are JPEG, PNG, WebP, GIF, TIFF and the raw formats based on it, RAF,
 * CR3, HEIC and AVIF, JPEG XL, JPEG 2000, PSD, MP4, QuickTime, Matroska, AVI,
 * AVCHD's streams, ASF and Ogg.
 *
 * Nothing here trusts a file: every length is checked against the file's size,
 * every loop has a bound, and impossible values are left out.
 *
 * @module
 */
import { mayHavePicture, typeOfFile } from "./about.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { readOtherFilm } from "./films.ts";
import { readVideo } from "./video.ts";
import { isCut } from "./cut.ts";
import { readHeif } from "./heif.ts";
import type { MediaFacts } from "./facts.ts";
import { readCr3, readRaf } from "./raw.ts";
import {
  findInGif,
  findInJp2,
  findInPsd,
  JXL_CODESTREAM,
  readJxl,
} from "./more_pictures.ts";
import { factsOf } from "./pictures.ts";
import { extentIn, HEAD_BYTES, typeOfBytes } from "./extent.ts";
import { findInJpeg, findInPng, findInWebp } from "./segments.ts";
import { findInTiff } from "./tiff_ranges.ts";
import { tellsPlace } from "./places.ts";
import { lookWithin } from "./within.ts";
import {
  codeAt,
  MediaReader,
  readOnce,
  readWithin,
  viewOf,
} from "./reading.ts";

export {
  aboutFile,
  type DateFrom,
  type FileOnDisk,
  isUndated,
  mayHavePicture,
} from "./about.ts";
export type { Exposure, MediaFacts } from "./facts.ts";

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
  const facts = await readWithin(
    source,
    async (source) => await read(new MediaReader(source)),
  );
  const inside = await readWithin(source, insideOf) ?? [];
  return inside.length === 0 ? { ...facts } : { ...facts, inside };
}

/** Reads the id that both halves of a live photo have, where a file has one. */
export async function readContentIdentifier(
  source: PlainSource,
): Promise<string | undefined> {
  const facts = await readWithin(
    source,
    async (source) => await read(new MediaReader(source)),
  );
  return facts?.contentIdentifier;
}

/**
 * Reads the facts for the metadata of a file. `inside` notes `place` if the
 * file tells where it was taken, in any format, or may do so: links that leave
 * places out give a copy instead of it.
 */
export async function readFileFacts(
  given: PlainSource,
  { isMedia }: { readonly isMedia: boolean },
): Promise<MediaFacts> {
  const source = readOnce(given);
  const read = isMedia ? await readMediaFacts(source) : {};
  const facts: MediaFacts = isMedia
    ? { ...read, ...await typeIn(source, read), ...await cutIn(source) }
    : read;
  return facts.place === undefined && !await tellsPlace(source)
    ? facts
    : { ...facts, inside: [...facts.inside ?? [], "place"] };
}

/**
 * The media type of a file by its bytes and its name, as {@link aboutFile} has
 * it. Claims about the type do not count.
 */
export async function readMediaType(
  source: PlainSource,
  name: string,
): Promise<string> {
  if (!mayHavePicture(mediaTypeOf(name))) return typeOfFile(name, undefined);
  const { type } = await typeIn(source, await readMediaFacts(source));
  return typeOfFile(name, type);
}

async function cutIn(source: PlainSource): Promise<MediaFacts> {
  return await isCut(source) ? { isCut: true } : {};
}

/** The type of a picture or film by its bytes, given the other facts. */
export async function typeIn(
  source: PlainSource,
  { width, durationMs }: MediaFacts,
): Promise<Pick<MediaFacts, "type">> {
  if (source.size < HEAD_BYTES) return {};
  const head = await source.read(0, HEAD_BYTES);
  const first = viewOf(head).getUint32(0);
  const type = first === 0x49492a00 || first === 0x4d4d002a
    ? "image/tiff"
    : typeOfBytes(head);
  // A few bytes may be there by chance, and anything may be in boxes.
  const isKnown = type?.startsWith("image/")
    ? width !== undefined
    : type?.startsWith("video/") && durationMs !== undefined;
  return isKnown && type !== undefined ? { type } : {};
}

/** What a picture's file has in addition to it; a video's file has nothing. */
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
  if (code === "GIF8") return factsOf(await findInGif(reader));
  if (first >>> 16 === 0x424d && head.getUint32(6) === 0) {
    return await extentIn(reader, "image/bmp");
  }
  if (code === "8BPS") return factsOf(await findInPsd(reader));
  if (first >>> 16 === JXL_CODESTREAM) return await readJxl(reader);
  if (code === "FUJI") return await readRaf(reader);
  const type = codeAt(head, 4);
  if (type === "JXL ") return await readJxl(reader);
  if (type === "jP  ") return factsOf(await findInJp2(reader));
  if (type === "ftyp") {
    if (codeAt(head, 8) === "crx ") return await readCr3(reader);
    return HEIF_BRANDS.has(codeAt(head, 8))
      ? await readHeif(reader)
      : await readVideo(reader);
  }
  // QuickTime from the time before `ftyp`.
  return ["moov", "mdat", "wide", "free", "skip", "pnot"].includes(type)
    ? await readVideo(reader)
    : await readOtherFilm(reader) ?? {};
}
