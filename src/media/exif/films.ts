/**
 * Reading the facts of films that are in no boxes: Matroska and WebM (RFC 9559),
 * AVI, the streams of AVCHD's cameras, Windows Media (ASF 1.2) and Ogg. Only
 * their headers are read.
 *
 * @module
 */
import { concatBytes, toHex } from "../../core/bytes.ts";
import { instantOf, type Taken, takenAt, takenOf } from "./dates.ts";
import { type MediaFacts, placeOf, shownExtent } from "./facts.ts";
import { codeAt, type MediaReader, readInto, viewOf } from "./reading.ts";

/** What a film says of itself. */
export interface Film {
  /** Names in small letters, and their texts. */
  readonly said: Map<string, string>;
  /** The date of its header. */
  clock?: Taken;
  width?: number;
  height?: number;
  durationMs?: number;
}

/** Where texts have a date, the first one first. */
const DATES = [
  "com.apple.quicktime.creationdate",
  "date_recorded",
  "idit",
  "date_digitized",
  "date",
  "\u00a9day",
  "icrd",
  "creation_time",
];
const PLACES = [
  "com.apple.quicktime.location.iso6709",
  "location",
  "\u00a9xyz",
  "location-eng",
];

/** The facts of a film. A day alone is less than its header's time. */
export function factsOfFilm(
  { said, clock = {}, width, height, durationMs }: Film,
): MediaFacts {
  const written = DATES.map((name) => {
    const text = said.get(name)?.trim() ?? "";
    const { takenAt, takenOffset, ...rest } = takenOf(text);
    // Programs write UTC as a number would be written, and mean no zone.
    const isUtc = name === "creation_time" && takenOffset === 0;
    const taken: Taken = {
      ...rest,
      ...(takenAt === undefined ? {} : { takenAt }),
      ...(isUtc ? { takenIsUtc: true } : {}),
      ...(isUtc || takenOffset === undefined ? {} : { takenOffset }),
    };
    return { taken, isDay: text.length <= 10 };
  }).filter(({ taken }) => taken.takenAt !== undefined);
  const taken = written.find(({ isDay }) => !isDay)?.taken ??
    (clock.takenAt === undefined ? written[0]?.taken : clock);
  const place = PLACES.map((name) => isoPlace(said.get(name)))
    .find((one) => one !== undefined);
  const isLong = durationMs !== undefined && durationMs > 0 &&
    Number.isSafeInteger(durationMs);
  return {
    ...taken,
    ...shownExtent(width, height, 1),
    ...(isLong ? { durationMs } : {}),
    ...(place === undefined ? {} : { place }),
  };
}

const ISO_6709 =
  /^([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?/;

function isoPlace(text: string | undefined) {
  const [, latitude, longitude, altitude] = ISO_6709.exec(text ?? "") ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  return placeOf(
    Number(latitude),
    Number(longitude),
    altitude === undefined ? undefined : Number(altitude),
  );
}

/** A time that is UTC; none for the first day of 1970, where clocks begin. */
export function utcOf(ms: number): Taken {
  const at = ms >= 0 && ms < 86_400_000 ? undefined : instantOf(ms);
  return at === undefined ? {} : { takenAt: at, takenIsUtc: true };
}

/** Reads a film by its first bytes; undefined if it is of no such kind. */
export async function readOtherFilm(
  reader: MediaReader,
): Promise<MediaFacts | undefined> {
  const head = await reader.view(0, 16);
  const code = codeAt(head, 0);
  const first = head.getUint32(0);
  const read = first === 0x1a45_dfa3
    ? findInMatroska
    : code === "RIFF" && codeAt(head, 8) === "AVI "
    ? (film: Film) => findInRiff(reader, 12, reader.size, film)
    : first === 0x3026_b275
    ? findInAsf
    : code === "OggS"
    ? findInOgg
    : await packetBytesOf(reader) === undefined
    ? undefined
    : findInTransport;
  if (read === undefined) return undefined;
  const film: Film = { said: new Map() };
  return factsOfFilm(await readInto(film, () => read(film, reader)));
}

/** Most elements, chunks or objects read of a film. */
const MAX_PARTS = 1_024;

/** Elements of Matroska (RFC 9559, section 5). */
const EBML = {
  segment: 0x1853_8067,
  seekHead: 0x114d_9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549_a966,
  scale: 0x2a_d7b1,
  duration: 0x4489,
  date: 0x4461,
  tracks: 0x1654_ae6b,
  track: 0xae,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43_b675,
  tags: 0x1254_c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagText: 0x4487,
} as const;
const HAVE_INSIDE: ReadonlySet<number> = new Set([
  EBML.seekHead,
  EBML.seek,
  EBML.info,
  EBML.tracks,
  EBML.track,
  EBML.video,
  EBML.tags,
  EBML.tag,
  EBML.simpleTag,
]);
/** Dates of Matroska count from here. */
const MATROSKA_START = Date.UTC(2001, 0);

interface Element {
  readonly id: number;
  readonly at: number;
  readonly end: number;
}

/** Reads one element's head (RFC 8794, section 4). */
async function elementAt(
  reader: MediaReader,
  at: number,
  to: number,
): Promise<Element | undefined> {
  const view = await reader.view(at, Math.min(12, to - at));
  const lengthAt = (from: number) => Math.clz32(view.getUint8(from)) - 23;
  const idLength = lengthAt(0);
  if (idLength > 4) return undefined;
  let id = 0;
  for (let n = 0; n < idLength; n++) id = id * 256 + view.getUint8(n);
  const sizeLength = lengthAt(idLength);
  if (sizeLength > 8) return undefined;
  const most = 2 ** (8 - sizeLength) - 1;
  let size = view.getUint8(idLength) & most;
  let isUnknown = size === most;
  for (let n = 1; n < sizeLength; n++) {
    const byte = view.getUint8(idLength + n);
    isUnknown &&= byte === 0xff;
    size = size * 256 + byte;
  }
  const start = at + idLength + sizeLength;
  // A film that was streamed does not know how long it is.
  return { id, at: start, end: isUnknown ? to : Math.min(start + size, to) };
}

async function findInMatroska(film: Film, reader: MediaReader): Promise<void> {
  let left = MAX_PARTS;
  let scale = 1_000_000;
  let duration = 0;
  let tagName = "";
  let seekId = 0;
  const later = new Map<number, number>();
  const read = async (from: number, to: number, base: number) => {
    let at = from;
    while (at + 2 <= to && left-- > 0) {
      const element = await elementAt(reader, at, to);
      if (element === undefined || element.id === EBML.cluster) return;
      const { id, end } = element;
      if (id === EBML.segment) return await read(element.at, end, element.at);
      if (HAVE_INSIDE.has(id)) {
        later.delete(id);
        await read(element.at, end, base);
      } else if (end - element.at <= 1_024) {
        take(id, await reader.view(element.at, end - element.at), base);
      }
      at = end;
    }
  };
  const take = (id: number, view: DataView, base: number) => {
    const whole = () => {
      let value = 0;
      for (let n = 0; n < view.byteLength; n++) {
        value = value * 256 + view.getUint8(n);
      }
      return value;
    };
    const text = () => new TextDecoder().decode(view).split("\0")[0] ?? "";
    switch (id) {
      case EBML.scale:
        scale = whole();
        break;
      case EBML.duration:
        duration = view.byteLength === 4
          ? view.getFloat32(0)
          : view.getFloat64(0);
        break;
      case EBML.date:
        film.clock = utcOf(
          MATROSKA_START + Math.trunc(Number(view.getBigInt64(0)) / 1_000_000),
        );
        break;
      case EBML.width:
        film.width ??= whole();
        break;
      case EBML.height:
        film.height ??= whole();
        break;
      case EBML.seekId:
        seekId = whole();
        break;
      case EBML.seekPosition:
        later.set(seekId, base + whole());
        break;
      case EBML.tagName:
        tagName = text().toLowerCase();
        break;
      case EBML.tagText:
        film.said.set(tagName, text());
    }
  };
  await read(0, reader.size, 0);
  // What follows the pictures is found where the film says that it is.
  for (const id of [EBML.info, EBML.tracks, EBML.tags]) {
    const at = later.get(id);
    if (at === undefined || at + 12 > reader.size) continue;
    const element = await elementAt(reader, at, reader.size);
    if (element?.id === id) await read(element.at, element.end, 0);
  }
  film.durationMs = Math.round(duration * scale / 1_000_000);
}

/** Lists of an AVI with facts. */
const RIFF_LISTS: ReadonlySet<string> = new Set(["hdrl", "INFO", "exif"]);
/** Longest text of an AVI that is a date (bytes). */
const MAX_RIFF_TEXT = 256;

/** Reads an AVI, whose dates are local times. */
async function findInRiff(
  reader: MediaReader,
  from: number,
  to: number,
  film: Film,
): Promise<void> {
  let at = from;
  for (let n = 0; n < MAX_PARTS && at + 12 <= to; n++) {
    const head = await reader.view(at, 12);
    const type = codeAt(head, 0);
    const length = head.getUint32(4, true);
    const inside = at + 8;
    if (type === "LIST" && RIFF_LISTS.has(codeAt(head, 8))) {
      const end = Math.min(inside + length, to);
      await findInRiff(reader, inside + 4, end, film);
    } else if (type === "avih" && length >= 40) {
      const header = await reader.view(inside, 40);
      const number = (offset: number) => header.getUint32(offset, true);
      film.durationMs = Math.round(number(0) * number(16) / 1_000);
      film.width = number(32);
      film.height = number(36);
    } else if (/^(IDIT|ICRD)$/.test(type) && length <= MAX_RIFF_TEXT) {
      const text = codeAt(await reader.view(inside, length), 0, length);
      film.said.set(type.toLowerCase(), text.split("\0")[0]?.trim() ?? "");
    }
    at = inside + length + (length & 1);
  }
}

/** The objects of ASF that are read, by their GUIDs. */
const ASF = {
  file: "a1dcab8c47a9cf118ee400c00c205365",
  stream: "9107dcb7b7a9cf118ee600c00c205365",
  video: "c0ef19bc4d5bcf11a8fd00805f5c442b",
} as const;
/** Milliseconds from 1601, where dates of ASF begin, to 1970. */
const ASF_TO_UNIX_MS = 11_644_473_600_000;

async function findInAsf(film: Film, reader: MediaReader): Promise<void> {
  const count = (await reader.view(24, 4)).getUint32(0, true);
  let at = 30;
  for (let n = 0; n < Math.min(count, MAX_PARTS); n++) {
    const view = await reader.view(at, 24);
    const id = guidAt(view, 0);
    const size = Number(view.getBigUint64(16, true));
    if (size < 24) return;
    if (id === ASF.file && size >= 88) {
      const file = await reader.view(at, 88);
      const ticks = (offset: number) =>
        Number(file.getBigUint64(offset, true)) / 10_000;
      film.clock = utcOf(Math.trunc(ticks(48)) - ASF_TO_UNIX_MS);
      // What is loaded before it plays is a part of its length.
      const preroll = Number(file.getBigUint64(80, true));
      film.durationMs = Math.round(ticks(64) - preroll);
    } else if (id === ASF.stream && size >= 86) {
      const stream = await reader.view(at, 86);
      if (guidAt(stream, 24) === ASF.video) {
        film.width ??= stream.getUint32(78, true);
        film.height ??= stream.getUint32(82, true);
      }
    }
    at += size;
  }
}

function guidAt(view: DataView, at: number): string {
  return toHex(new Uint8Array(view.buffer, view.byteOffset + at, 16));
}

/** So far the headers of a stream are looked for (bytes). */
const HEADER_BYTES = 64 * 1024;
/** Names of the packets with texts in Ogg. */
const COMMENTS = ["\x81theora", "\x03vorbis", "OpusTags"];

async function findInOgg(film: Film, reader: MediaReader): Promise<void> {
  const pages: Uint8Array[] = [];
  const end = Math.min(HEADER_BYTES, reader.size);
  for (let at = 0; at + 27 <= end;) {
    const head = await reader.view(at, 27);
    if (codeAt(head, 0) !== "OggS") break;
    const segments = head.getUint8(26);
    const table = await reader.bytes(at + 27, segments);
    const length = table.reduce((sum, size) => sum + size, 0);
    const start = at + 27 + segments;
    at = start + length;
    if (at > reader.size) break;
    pages.push((await reader.bytes(start, length)).slice());
  }
  const bytes = concatBytes(...pages);
  const view = viewOf(bytes);
  const letters = new TextDecoder("latin1").decode(bytes);
  for (const name of COMMENTS) {
    let at = letters.indexOf(name);
    if (at === -1) continue;
    const next = (size: number) => (at += size) - size;
    next(name.length);
    next(4 + view.getUint32(at, true));
    const count = Math.min(view.getUint32(next(4), true), MAX_PARTS);
    for (let n = 0; n < count; n++) {
      const length = view.getUint32(next(4), true);
      const from = next(length);
      const text = new TextDecoder().decode(bytes.subarray(from, at));
      const sign = text.indexOf("=");
      film.said.set(text.slice(0, sign).toLowerCase(), text.slice(sign + 1));
    }
  }
}

/** Bytes of a packet; those of discs and cameras have a time before them. */
async function packetBytesOf(
  reader: MediaReader,
): Promise<188 | 192 | undefined> {
  if (reader.size < 600) return undefined;
  const view = await reader.view(0, 400);
  for (const length of [188, 192] as const) {
    const at = length - 188;
    const isSync = (n: number) => view.getUint8(at + n * length) === 0x47;
    if (isSync(0) && isSync(1) && isSync(2)) return length;
  }
  return undefined;
}

/** So far the date of a stream is looked for (bytes). */
const STREAM_BYTES = 2 * 1024 * 1024;
/** Names what cameras say in the pictures of AVCHD: a UUID, then "MDPM". */
const MDPM = "17ee8c60f84d11d98cd60800200c9a664d44504d";
/** Entries with the date: year and month, then day and time, as digits. */
const MDPM_DATE = 0x18;
const MDPM_TIME = 0x19;

/** Reads the date that cameras write into the first picture of AVCHD. */
async function findInTransport(film: Film, reader: MediaReader): Promise<void> {
  const length = await packetBytesOf(reader) ?? 188;
  const packets = Math.floor(Math.min(reader.size, STREAM_BYTES) / length);
  const parts = new Map<number, Uint8Array[]>();
  const all = (await reader.bytes(0, packets * length)).slice();
  for (let n = 0; n < packets; n++) {
    const packet = all.subarray((n + 1) * length - 188, (n + 1) * length);
    const [sync, high = 0, low = 0, flags = 0, adaptation = 0] = packet;
    if (sync !== 0x47 || (flags & 0x10) === 0) continue;
    const start = (flags & 0x20) === 0 ? 4 : 5 + adaptation;
    const id = (high & 0x1f) * 256 + low;
    const of = parts.get(id) ?? [];
    parts.set(id, of);
    of.push(packet.subarray(start));
  }
  for (const some of parts.values()) {
    const stream = concatBytes(...some);
    const at = indexOfMdpm(stream);
    if (at === -1) continue;
    // A 3 that only keeps zeros from being a start code is left out (H.264,
    // 7.4.1).
    const plain = stream.slice(at, at + 512).filter((byte, n, bytes) =>
      byte !== 3 || bytes[n - 1] !== 0 || bytes[n - 2] !== 0
    );
    film.clock = takenOfMdpm(plain);
    return;
  }
}

/** Where the entries of MDPM begin; -1 if there are none. */
function indexOfMdpm(stream: Uint8Array): number {
  const size = MDPM.length / 2;
  for (let at = 0; (at = stream.indexOf(0x17, at)) !== -1; at++) {
    if (stream[at + 1] !== 0xee) continue;
    if (toHex(stream.subarray(at, at + size)) === MDPM) return at + size;
  }
  return -1;
}

function takenOfMdpm([count = 0, ...entries]: Uint8Array): Taken {
  const digits: number[] = [];
  let zone = 0x80;
  for (let n = 0; n < count; n++) {
    const [tag, a = 0, b = 0, c = 0, d = 0] = entries.slice(5 * n, 5 * n + 5);
    const decimal = [a, b, c, d].map((byte) => (byte >> 4) * 10 + (byte & 0xf));
    if (tag === MDPM_DATE) {
      zone = a;
      digits.push(...decimal.slice(1));
    } else if (tag === MDPM_TIME) digits.push(...decimal);
  }
  const [century = 0, year = 0, month = 0, day = 0, ...clock] = digits;
  const [hour = NaN, minute = NaN, second = NaN] = clock;
  // Half hours, hours, the sign, and whether it is summer time.
  const minutes = 30 * (zone & 1) + 60 * (zone >> 1 & 0xf);
  const summer = (zone & 0x40) === 0 ? 0 : 60;
  const offset = ((zone & 0x20) === 0 ? minutes : -minutes) + summer;
  return takenAt(
    [century * 100 + year, month, day],
    [hour, minute, second, 0],
    (zone & 0x80) === 0 ? offset : undefined,
  );
}
