/**
 * Reading the facts of HEIC, HEIF and AVIF: pictures in boxes (ISO 23008-12).
 *
 * @module
 */
import { type Box, boxesIn, boxOf, contentOf, MAX_BOXES } from "./boxes.ts";
import type { MediaFacts } from "./facts.ts";
import { factsOf } from "./pictures.ts";
import type { Found } from "./segments.ts";
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  viewOf,
} from "./reading.ts";

/** Most pieces of all items; an item has one, or two. */
const MAX_EXTENTS = 4 * MAX_BOXES;
/** Most bytes that are read of an item's name and media type. */
const MAX_NAME = 256;

/** Reads the facts of a picture. */
export async function readHeif(reader: MediaReader): Promise<MediaFacts> {
  const whole = { at: 0, end: reader.size };
  const meta = await boxOf(reader, whole, "meta");
  if (meta === undefined) return {};
  // A version and flags precede its boxes.
  const inner = { at: meta.at + 4, end: meta.end };
  const found: Found = {};
  const properties = await propertiesOf(reader, inner);
  for (const box of properties) {
    const view = await contentOf(reader, box);
    if (box.type !== "ispe" || view.byteLength < 12) continue;
    found.width = view.getUint32(4);
    found.height = view.getUint32(8);
  }
  found.exif = await exifIn(reader, inner);
  const xmp = await itemOf(reader, inner, isXmp);
  if (xmp !== undefined) found.xmp = new TextDecoder().decode(xmp);
  const { orientation, ...facts } = factsOf(found);
  const turned = orientation !== undefined && orientation >= 5;
  // The rotation is in `irot`; the orientation in EXIF must not be applied.
  return await isTurned(reader, properties) === turned ||
      facts.width === undefined || facts.height === undefined
    ? facts
    : { ...facts, width: facts.height, height: facts.width };
}

/** The EXIF of a picture. */
export async function exifOfHeif(
  reader: MediaReader,
): Promise<Uint8Array | undefined> {
  const meta = await boxOf(reader, { at: 0, end: reader.size }, "meta");
  return meta && await exifIn(reader, { at: meta.at + 4, end: meta.end });
}

async function exifIn(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
): Promise<Uint8Array | undefined> {
  const exif = await itemOf(reader, meta, isExif);
  if (exif === undefined || exif.length < 8) return undefined;
  // The four bytes say how far after them the TIFF structure begins.
  const skip = 4 + viewOf(exif).getUint32(0);
  return skip < exif.length ? exif.subarray(skip) : undefined;
}

/** The properties of the picture itself; others belong to its tiles. */
async function propertiesOf(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
): Promise<readonly Box[]> {
  const [primary, list, uses] = [
    await boxOf(reader, meta, "pitm"),
    await boxOf(reader, meta, "iprp", "ipco"),
    await boxOf(reader, meta, "iprp", "ipma"),
  ];
  if (primary === undefined || list === undefined || uses === undefined) {
    return [];
  }
  const named = await contentOf(reader, primary);
  const id = named.getUint8(0) === 0 ? named.getUint16(4) : named.getUint32(4);
  const all: Box[] = [];
  for await (const box of boxesIn(reader, list.at, list.end)) all.push(box);
  for (const used of usesIn(await contentOf(reader, uses))) {
    if (used.id !== id) continue;
    // One that is named again is the same one.
    return [...new Set(used.numbers)]
      .flatMap((number) => all[number - 1] ?? []);
  }
  return [];
}

/** The properties of each item, by their numbers from 1 (`ipma`). */
function* usesIn(
  view: DataView,
): Generator<{ readonly id: number; readonly numbers: readonly number[] }> {
  const wideId = view.getUint8(0) >= 1;
  const wide = (view.getUint8(3) & 1) === 1;
  const items = Math.min(view.getUint32(4), MAX_BOXES);
  let at = 8;
  for (let n = 0; n < items; n++) {
    const id = wideId ? view.getUint32(at) : view.getUint16(at);
    at += wideId ? 4 : 2;
    const count = view.getUint8(at++);
    const numbers: number[] = [];
    for (let m = 0; m < count; m++) {
      // The first bit marks the property as essential.
      numbers.push(
        wide ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f,
      );
      at += wide ? 2 : 1;
    }
    yield { id, numbers };
  }
}

async function isTurned(
  reader: MediaReader,
  properties: readonly Box[],
): Promise<boolean> {
  const turn = properties.find(({ type }) => type === "irot");
  if (turn === undefined) return false;
  return ((await contentOf(reader, turn)).getUint8(0) & 1) === 1;
}

/** Whether the text after an item's id says that it is the wanted one. */
type IsItem = (type: string, rest: string) => boolean;
const isExif: IsItem = (type) => type === "Exif";
// A name precedes the media type.
const isXmp: IsItem = (type, rest) =>
  type === "mime" && rest.split("\0")[1] === "application/rdf+xml";

/** The bytes of the first item that is wanted. */
async function itemOf(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
  isWanted: IsItem,
): Promise<Uint8Array | undefined> {
  const [infos, locations] = [
    await boxOf(reader, meta, "iinf"),
    await boxOf(reader, meta, "iloc"),
  ];
  if (infos === undefined || locations === undefined) return undefined;
  const id = await idOf(reader, infos, isWanted);
  const place = id === undefined
    ? undefined
    : locationOf(await contentOf(reader, locations), id);
  if (place === undefined) return undefined;
  const length = Math.min(place.length, MAX_SEGMENT_BYTES);
  return (await reader.bytes(place.at, length)).slice();
}

async function idOf(
  reader: MediaReader,
  infos: Box,
  isWanted: IsItem,
): Promise<number | undefined> {
  const version = (await reader.view(infos.at, 1)).getUint8(0);
  const first = infos.at + (version === 0 ? 6 : 8);
  for await (const box of boxesIn(reader, first, infos.end)) {
    if (box.type !== "infe") continue;
    // An item's name and media type are short.
    const length = Math.min(box.end - box.at, 14 + MAX_NAME);
    const view = await reader.view(box.at, length);
    const wide = view.getUint8(0) >= 3;
    if (view.byteLength < (wide ? 14 : 12)) continue;
    const at = wide ? 10 : 8;
    const rest = Math.min(view.byteLength - at - 4, MAX_NAME);
    if (!isWanted(codeAt(view, at), codeAt(view, at + 4, rest))) continue;
    return wide ? view.getUint32(4) : view.getUint16(4);
  }
  return undefined;
}

function locationOf(
  view: DataView,
  wanted: number,
): { readonly at: number; readonly length: number } | undefined {
  for (const { id, method, extents } of locationsIn(view)) {
    if (id !== wanted) continue;
    // Only an item in the file itself and in one piece is read.
    return method === 0 && extents.length === 1 ? extents[0] : undefined;
  }
  return undefined;
}

/** How many bytes each item has. */
function lengthsIn(view: DataView): ReadonlyMap<number, number> {
  return new Map(
    [...locationsIn(view)].map(({ id, extents }) => [
      id,
      extents.reduce((sum, { length }) => sum + length, 0),
    ]),
  );
}

/** Where each item is (`iloc`). */
function* locationsIn(view: DataView) {
  const version = view.getUint8(0);
  const sizes = view.getUint16(4);
  const [offsets, lengths, bases, indexes] = [12, 8, 4, 0]
    .map((shift) => (sizes >> shift) & 0xf);
  let at = 6;
  const read = (bytes = 0): number => {
    const value = bytes === 8
      ? Number(view.getBigUint64(at))
      : bytes === 4
      ? view.getUint32(at)
      : bytes === 2
      ? view.getUint16(at)
      : 0;
    at += bytes;
    return value;
  };
  const items = read(version < 2 ? 2 : 4);
  let seen = 0;
  for (let n = 0; n < Math.min(items, MAX_BOXES); n++) {
    const id = read(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : read(2) & 0xf;
    read(2);
    const base = read(bases);
    const count = read(2);
    const extents: { readonly at: number; readonly length: number }[] = [];
    for (let m = 0; m < count; m++) {
      // Extents can be said to have no bytes, and be as many as one likes.
      if (++seen > MAX_EXTENTS) return;
      if (version > 0) read(indexes);
      extents.push({ at: base + read(offsets), length: read(lengths) });
    }
    yield { id, method, extents };
  }
}

/** What has to be decoded for a picture of a file. */
interface HeifParts {
  readonly pixels: number;
  /** Bytes that are decoded, those of a part once for each use. */
  readonly bytes: number;
}

/**
 * The parts of that picture of a file which has most of them: tiles of a grid,
 * layers, and what these are made of in turn. A small file may name the same
 * bytes as thousands of tiles. Infinitely many of what goes round in circles, or
 * does not say how large it is.
 */
export async function readHeifParts(reader: MediaReader): Promise<HeifParts> {
  const none = { pixels: 0, bytes: 0 };
  const meta = await boxOf(reader, { at: 0, end: reader.size }, "meta");
  if (meta === undefined) return none;
  const inner = { at: meta.at + 4, end: meta.end };
  const madeOf = await partsIn(reader, inner);
  if (madeOf.size === 0) return none;
  const areas = await areasIn(reader, inner);
  const locations = await boxOf(reader, inner, "iloc");
  const lengths = locations === undefined
    ? new Map<number, number>()
    : lengthsIn(await contentOf(reader, locations));
  const endless = { pixels: Infinity, bytes: Infinity };
  const known = new Map<number, HeifParts>();
  const partsOf = (id: number): HeifParts => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // What it is until all of its parts are known: it must not be its own part.
    known.set(id, endless);
    const sum = (madeOf.get(id) ?? []).map((part) => {
      const { pixels, bytes } = partsOf(part);
      return {
        pixels: pixels + (areas.get(part) ?? Infinity),
        bytes: bytes + (lengths.get(part) ?? 0),
      };
    }).reduce((sum, { pixels, bytes }) => ({
      pixels: sum.pixels + pixels,
      bytes: sum.bytes + bytes,
    }), none);
    known.set(id, sum);
    return sum;
  };
  return [...madeOf.keys()].map(partsOf).reduce((most, parts) => ({
    pixels: Math.max(most.pixels, parts.pixels),
    bytes: Math.max(most.bytes, parts.bytes),
  }));
}

/** The items that other items are made of (`iref`, `dimg`). */
async function partsIn(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const madeOf = new Map<number, number[]>();
  const references = await boxOf(reader, meta, "iref");
  if (references === undefined) return madeOf;
  const isWide = (await reader.view(references.at, 1)).getUint8(0) >= 1;
  const size = isWide ? 4 : 2;
  for await (
    const box of boxesIn(reader, references.at + 4, references.end)
  ) {
    if (box.type !== "dimg") continue;
    const view = await contentOf(reader, box);
    const id = (at: number) => isWide ? view.getUint32(at) : view.getUint16(at);
    const parts = madeOf.get(id(0)) ?? [];
    const count = view.getUint16(size);
    for (let n = 0; n < count; n++) parts.push(id(size + 2 + n * size));
    madeOf.set(id(0), parts);
  }
  return madeOf;
}

/** The pixels of each item that says how many it has. */
async function areasIn(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
): Promise<ReadonlyMap<number, number>> {
  const areas = new Map<number, number>();
  const [list, uses] = [
    await boxOf(reader, meta, "iprp", "ipco"),
    await boxOf(reader, meta, "iprp", "ipma"),
  ];
  if (list === undefined || uses === undefined) return areas;
  const sides: number[] = [];
  for await (const { type, at } of boxesIn(reader, list.at, list.end)) {
    if (type !== "ispe") {
      sides.push(0);
      continue;
    }
    const view = await reader.view(at, 12);
    sides.push(view.getUint32(4) * view.getUint32(8));
  }
  for (const { id, numbers } of usesIn(await contentOf(reader, uses))) {
    const area = Math.max(
      0,
      ...numbers.map((number) => sides[number - 1] ?? 0),
    );
    if (area > 0) areas.set(id, area);
  }
  return areas;
}
