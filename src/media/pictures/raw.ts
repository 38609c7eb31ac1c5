/**
 * The JPEG that a camera puts into a raw file in addition to the sensor's data.
 * It is what the camera showed, and mostly as large. Other programs develop the
 * sensor's data.
 *
 * Formats: CR2, NEF, NRW, ARW, DNG, PEF, SRW and others based on TIFF, ORF,
 * RW2, RAF and CR3.
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import { boxesIn, boxOf } from "../exif/boxes.ts";
import { codeAt, MediaReader, readWithin } from "../exif/reading.ts";
import { findInJpeg } from "../exif/segments.ts";
import { Tiff } from "../exif/tiff.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { Directories, type Directory } from "./directories.ts";

/** Most directories read of a file, which has about six. */
const MAX_DIRECTORIES = 32;
/** Most directories below one. */
const MAX_BELOW = 8;
/** Most places that are looked at, the longest first. */
const MAX_PLACES = 8;
/** Largest JPEG that is taken; a hundred megapixels have half of it (bytes). */
const MAX_JPEG_BYTES = 96 * 1024 * 1024;
/** Smallest that is of use: those of the first cameras had 160 pixels. */
const MIN_SIDE = 64;
/** Frames of JPEGs that every program decodes; raw data have another (T.81). */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** How Fujifilm's raw files begin. */
const RAF_HEAD = "FUJIFILMCCD-RAW ";
/** Where the offset and the length of the JPEG are in one (big-endian). */
const RAF_PLACE = 84;

/** The box of Canon's that has the preview (its UUID). */
const CANON_PREVIEW = "eaf42b5e1c984b88b9fbb7dc406e4d16";

const TAG = {
  panasonicJpeg: 0x002e,
  compression: 0x0103,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  stripLengths: 0x0117,
  below: 0x014a,
  jpeg: 0x0201,
  jpegLength: 0x0202,
  exif: 0x8769,
  notes: 0x927c,
} as const;

/** Olympus' own notes. */
const OLYMPUS = { settings: 0x2020, preview: 0x0101, length: 0x0102 } as const;

/** A part of a file. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/** A JPEG in another file. */
interface EmbeddedJpeg extends Place {
  /** Sides in pixels, as it is stored. */
  readonly width: number;
  readonly height: number;
  /**
   * How it has to be turned, if it does not say so itself: 1 to 8, as in EXIF.
   */
  readonly orientation?: number;
}

/** The largest JPEG in a raw file; undefined if there is none. */
export async function jpegInRaw(
  source: PlainSource,
): Promise<EmbeddedJpeg | undefined> {
  return await readWithin(source, async (source) => {
    const reader = new MediaReader(source);
    const { places, orientation } = await placesIn(reader);
    return await largestOf(reader, places, orientation);
  });
}

/**
 * What stands before the JPEG's own bytes, so that it is shown upright: a
 * beginning of a JPEG with an orientation, where it needs one. The rest are the
 * bytes from `from` up to `to` in the file.
 */
export function uprightParts(
  { at, length, orientation }: EmbeddedJpeg,
): { readonly head: Bytes; readonly from: number; readonly to: number } {
  const to = at + length;
  if (orientation === undefined || orientation === 1) {
    return { head: new Uint8Array(), from: at, to };
  }
  // SOI, and an APP1 with EXIF of one entry.
  const head = new Uint8Array([
    ...[0xff, 0xd8, 0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0],
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);
  return { head, from: at + 2, to };
}

/** The whole JPEG of a raw file; undefined if there is none. */
export async function readJpegInRaw(
  source: PlainSource,
): Promise<Bytes | undefined> {
  const found = await jpegInRaw(source);
  if (found === undefined) return undefined;
  const { head, from, to } = uprightParts(found);
  const jpeg = new Uint8Array(head.length + to - from);
  jpeg.set(head);
  jpeg.set(await source.read(from, to - from), head.length);
  return jpeg;
}

interface Places {
  readonly places: readonly Place[];
  readonly orientation?: number | undefined;
}

async function placesIn(reader: MediaReader): Promise<Places> {
  const head = await reader.view(0, 16);
  if (codeAt(head, 0, 16) === RAF_HEAD) {
    const place = await reader.view(RAF_PLACE, 8);
    // It is a whole one, with its own orientation.
    return {
      places: [{ at: place.getUint32(0), length: place.getUint32(4) }],
    };
  }
  if (codeAt(head, 4) === "ftyp" && codeAt(head, 8) === "crx ") {
    return await placesInCr3(reader);
  }
  const directories = await Directories.open(reader);
  return directories === undefined
    ? { places: [] }
    : await placesInTiff(reader, directories);
}

async function placesInTiff(
  reader: MediaReader,
  directories: Directories,
): Promise<Places> {
  const places: Place[] = [];
  const waiting = [directories.first];
  const seen = new Set<number>([0]);
  let orientation: number | undefined;
  while (seen.size <= MAX_DIRECTORIES) {
    const offset = waiting.shift();
    if (offset === undefined) break;
    if (seen.has(offset)) continue;
    const isFirst = seen.size === 1;
    seen.add(offset);
    const { fields, next } = await directories.at(offset);
    places.push(...await placesOf(directories, fields));
    waiting.push(
      ...await directories.numbers(fields.get(TAG.below), MAX_BELOW),
      next,
    );
    if (!isFirst) continue;
    orientation = await directories.number(fields.get(TAG.orientation));
    const exif = await directories.number(fields.get(TAG.exif));
    if (exif !== undefined) {
      places.push(...await placesInNotes(reader, directories, exif));
    }
  }
  return { places, orientation };
}

/** The JPEGs that a directory tells of. */
async function placesOf(
  directories: Directories,
  fields: Directory["fields"],
): Promise<Place[]> {
  const one = (tag: number) => directories.number(fields.get(tag));
  const places: Place[] = [];
  const [at, length] = [await one(TAG.jpeg), await one(TAG.jpegLength)];
  if (at !== undefined && length !== undefined) places.push({ at, length });
  // 6 and 7 are JPEG, also where it is the sensor's data.
  if ([6, 7].includes(await one(TAG.compression) ?? 0)) {
    const [at, length] = [
      await one(TAG.stripOffsets),
      await one(TAG.stripLengths),
    ];
    if (at !== undefined && length !== undefined) places.push({ at, length });
  }
  const panasonic = fields.get(TAG.panasonicJpeg);
  if (panasonic !== undefined) {
    places.push({ at: panasonic.at, length: panasonic.count });
  }
  return places;
}

/** The preview in the notes of Olympus and OM System. */
async function placesInNotes(
  reader: MediaReader,
  directories: Directories,
  exif: number,
): Promise<Place[]> {
  const notes = (await directories.at(exif)).fields.get(TAG.notes);
  if (notes === undefined || notes.count < 32) return [];
  const name = codeAt(await reader.view(notes.at, 16), 0, 12);
  const start = name.startsWith("OLYMPUS\0")
    ? 12
    : name.startsWith("OM SYSTEM\0")
    ? 16
    : undefined;
  if (start === undefined) return [];
  const own = directories.from(notes.at);
  const settings = (await own.at(start)).fields.get(OLYMPUS.settings);
  if (settings === undefined) return [];
  const offset = settings.count === 1
    ? await own.number(settings)
    : settings.at - notes.at;
  if (offset === undefined) return [];
  const { fields } = await own.at(offset);
  const at = await own.number(fields.get(OLYMPUS.preview));
  const length = await own.number(fields.get(OLYMPUS.length));
  if (at === undefined || length === undefined) return [];
  return [{ at: notes.at + at, length }];
}

async function placesInCr3(reader: MediaReader): Promise<Places> {
  const whole = { at: 0, end: reader.size };
  const places: Place[] = [];
  for await (const box of boxesIn(reader, whole.at, whole.end)) {
    if (box.type !== "uuid" || box.end - box.at < 24) continue;
    if (toHex(await reader.bytes(box.at, 16)) !== CANON_PREVIEW) continue;
    // A version and flags, and eight bytes of Canon's.
    const preview = await boxOf(
      reader,
      { at: box.at + 24, end: box.end },
      "PRVW",
    );
    if (preview === undefined) continue;
    const head = await reader.view(preview.at, 16);
    places.push({ at: preview.at + 16, length: head.getUint32(12) });
  }
  const moov = await boxOf(reader, whole, "moov");
  if (moov === undefined) return { places };
  // The first track is the picture as the camera made it.
  const samples = await boxOf(reader, moov, "trak", "mdia", "minf", "stbl");
  const first = samples === undefined
    ? undefined
    : await firstSample(reader, samples);
  if (first !== undefined) places.push(first);
  return { places, orientation: await orientationOf(reader, moov) };
}

async function firstSample(
  reader: MediaReader,
  samples: { readonly at: number; readonly end: number },
): Promise<Place | undefined> {
  const sizes = await boxOf(reader, samples, "stsz");
  const wide = await boxOf(reader, samples, "co64");
  const narrow = await boxOf(reader, samples, "stco");
  if (sizes === undefined) return undefined;
  const size = await reader.view(sizes.at, 12);
  // The size that all have, or that of the first one.
  const length = size.getUint32(4) !== 0
    ? size.getUint32(4)
    : (await reader.view(sizes.at + 12, 4)).getUint32(0);
  if (wide !== undefined) {
    const at = (await reader.view(wide.at + 8, 8)).getBigUint64(0);
    return { at: Number(at), length };
  }
  if (narrow === undefined) return undefined;
  return { at: (await reader.view(narrow.at + 8, 4)).getUint32(0), length };
}

/** The orientation in the first of Canon's directories (`CMT1`). */
async function orientationOf(
  reader: MediaReader,
  moov: { readonly at: number; readonly end: number },
): Promise<number | undefined> {
  const canon = await boxOf(reader, moov, "uuid");
  if (canon === undefined) return undefined;
  const main = await boxOf(
    reader,
    { at: canon.at + 16, end: canon.end },
    "CMT1",
  );
  const directories = main === undefined
    ? undefined
    : await Directories.open(reader, main.at);
  if (directories === undefined) return undefined;
  const { fields } = await directories.at(directories.first);
  return await directories.number(fields.get(TAG.orientation));
}

/** The one with most pixels of those that are pictures. */
async function largestOf(
  reader: MediaReader,
  places: readonly Place[],
  orientation: number | undefined,
): Promise<EmbeddedJpeg | undefined> {
  const possible = places
    .filter(({ at, length }) =>
      at > 0 && length > 4 && length <= MAX_JPEG_BYTES &&
      at + length <= reader.size
    )
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_PLACES);
  let largest: EmbeddedJpeg | undefined;
  for (const place of possible) {
    const start = await reader.view(place.at, 3);
    if (start.getUint16(0) !== 0xffd8) continue;
    const { width = 0, height = 0, frame = 0, exif } = await findInJpeg(
      reader,
      place.at,
    );
    const isPicture = FRAMES.has(frame) && width >= MIN_SIDE &&
      height >= MIN_SIDE;
    const area = (largest?.width ?? 0) * (largest?.height ?? 0);
    if (!isPicture || width * height <= area) continue;
    const own = exif === undefined
      ? undefined
      : Tiff.open(exif)?.facts().orientation;
    const isTurned = own === undefined && orientation !== undefined &&
      orientation >= 2 && orientation <= 8;
    largest = {
      ...place,
      width,
      height,
      ...(isTurned ? { orientation } : {}),
    };
  }
  return largest;
}
