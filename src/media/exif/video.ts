/**
 * Reading the facts of videos: MP4, QuickTime and 3GP.
 *
 * @module
 */
import { type Box, boxesIn, boxOf, contentOf } from "./boxes.ts";
import type { Taken } from "./dates.ts";
import { cameraOf, type MediaFacts } from "./facts.ts";
import { factsOfFilm, type Film, utcOf } from "./films.ts";
import { codeAt, type MediaReader, readInto, viewOf } from "./reading.ts";

/** Seconds from 1904, the epoch of videos, to 1970. */
const TO_UNIX_S = 2_082_844_800;

/** Seconds from 1970 to 1991, when QuickTime came. */
const FIRST_VIDEOS_S = Date.UTC(1991, 0) / 1_000;

/** Reads the facts of a video. */
export async function readVideo(reader: MediaReader): Promise<MediaFacts> {
  const film: Film = { said: new Map() };
  await readInto(film, () => findInBoxes(film, reader));
  const { said } = film;
  const apple = (name: string) => said.get(`com.apple.quicktime.${name}`);
  const camera = cameraOf({ make: apple("make"), model: apple("model") });
  const contentIdentifier = apple("content.identifier");
  return {
    ...factsOfFilm(film),
    ...(camera === undefined ? {} : { camera }),
    ...(contentIdentifier === undefined ? {} : { contentIdentifier }),
  };
}

async function findInBoxes(film: Film, reader: MediaReader): Promise<void> {
  const moov = await boxOf(reader, { at: 0, end: reader.size }, "moov");
  if (moov === undefined) return;
  const header = await boxOf(reader, moov, "mvhd");
  if (header !== undefined) {
    const view = await contentOf(reader, header);
    film.clock = clockOf(view);
    film.durationMs = lengthOf(view);
  }
  await readTracks(film, reader, moov);
  await readTexts(film, reader, moov);
  if (film.durationMs === undefined || film.durationMs === 0) {
    film.durationMs = await lengthOfFragments(reader, moov);
  }
}

/** The date in a header of a video or of a track. */
function clockOf(view: DataView): Taken {
  const isWide = view.getUint8(0) === 1;
  const made = isWide ? Number(view.getBigUint64(4)) : view.getUint32(4);
  // Some cameras count from 1970; there were no such videos before.
  return made >= TO_UNIX_S
    ? utcOf((made - TO_UNIX_S) * 1_000)
    : made >= FIRST_VIDEOS_S
    ? utcOf(made * 1_000)
    : {};
}

/** The length that a header has behind its dates, in milliseconds. */
function lengthOf(view: DataView): number {
  const isWide = view.getUint8(0) === 1;
  const scale = view.getUint32(isWide ? 20 : 12);
  const length = isWide ? Number(view.getBigUint64(24)) : view.getUint32(16);
  // All ones: it was not known.
  const isKnown = scale > 0 && length < (isWide ? 2 ** 53 : 0xffff_ffff);
  return isKnown ? Math.round(length / scale * 1_000) : 0;
}

/** The sides of the first track with a picture; its date if nothing else. */
async function readTracks(
  film: Film,
  reader: MediaReader,
  moov: Box,
): Promise<void> {
  for await (const track of boxesIn(reader, moov.at, moov.end)) {
    if (track.type !== "trak") continue;
    const header = await boxOf(reader, track, "tkhd");
    if (header === undefined) continue;
    const view = await contentOf(reader, header);
    if (film.clock?.takenAt === undefined) film.clock = clockOf(view);
    const matrix = view.getUint8(0) === 1 ? 52 : 40;
    if (view.byteLength < matrix + 44 || film.width !== undefined) continue;
    const width = Math.round(view.getUint32(matrix + 36) / 65_536);
    const height = Math.round(view.getUint32(matrix + 40) / 65_536);
    if (width === 0 || height === 0) continue;
    // The first number of the matrix is 0 if the video lies on its side.
    const isTurned = view.getInt32(matrix) === 0;
    film.width = isTurned ? height : width;
    film.height = isTurned ? width : height;
  }
}

/** Most fragments that are passed to find the last one. */
const MAX_FRAGMENTS = 1_024;

/**
 * The length of a fragmented video, whose header does not know it: said by
 * `mehd`, or the end of its last fragment (ISO 14496-12, 8.8).
 */
async function lengthOfFragments(
  reader: MediaReader,
  moov: Box,
): Promise<number> {
  const extension = await boxOf(reader, moov, "mvex");
  const header = await boxOf(reader, moov, "mvhd");
  if (extension === undefined || header === undefined) return 0;
  const said = await boxOf(reader, extension, "mehd");
  if (said !== undefined) {
    const view = await contentOf(reader, said);
    const length = view.getUint8(0) === 1
      ? Number(view.getBigUint64(4))
      : view.getUint32(4);
    const first = await contentOf(reader, header);
    const scale = first.getUint32(first.getUint8(0) === 1 ? 20 : 12);
    if (length > 0 && scale > 0) return Math.round(length / scale * 1_000);
  }
  let last: Box | undefined;
  let count = 0;
  for await (const box of boxesIn(reader, moov.end, reader.size)) {
    if (box.type !== "moof") continue;
    last = box;
    if (++count > MAX_FRAGMENTS) return 0;
  }
  if (last === undefined) return 0;
  const scales = new Map<number, number>();
  for await (const track of boxesIn(reader, moov.at, moov.end)) {
    const header = await boxOf(reader, track, "tkhd");
    const media = await boxOf(reader, track, "mdia", "mdhd");
    if (track.type !== "trak" || !header || !media) continue;
    const [head, clock] = [
      await contentOf(reader, header),
      await contentOf(reader, media),
    ];
    const id = head.getUint32(head.getUint8(0) === 1 ? 20 : 12);
    scales.set(id, clock.getUint32(clock.getUint8(0) === 1 ? 20 : 12));
  }
  const usual = new Map<number, number>();
  for await (const box of boxesIn(reader, extension.at, extension.end)) {
    if (box.type !== "trex") continue;
    const view = await contentOf(reader, box);
    usual.set(view.getUint32(4), view.getUint32(12));
  }
  let most = 0;
  for await (const box of boxesIn(reader, last.at, last.end)) {
    if (box.type !== "traf") continue;
    const part = await endOfFragment(reader, box, usual);
    const scale = scales.get(part?.id ?? 0) ?? 0;
    if (part !== undefined && scale > 0) {
      most = Math.max(most, part.end / scale);
    }
  }
  return Math.round(most * 1_000);
}

/** Where a track's part of a fragment ends, in the units of the track. */
async function endOfFragment(
  reader: MediaReader,
  traf: Box,
  usual: ReadonlyMap<number, number>,
): Promise<{ readonly id: number; readonly end: number } | undefined> {
  const [header, start] = [
    await boxOf(reader, traf, "tfhd"),
    await boxOf(reader, traf, "tfdt"),
  ];
  if (header === undefined || start === undefined) return undefined;
  const head = await contentOf(reader, header);
  const flags = head.getUint32(0);
  const id = head.getUint32(4);
  // The place of its bytes and the number of its description may precede.
  const at = 8 + ((flags & 1) === 0 ? 0 : 8) + ((flags & 2) === 0 ? 0 : 4);
  const each = (flags & 8) === 0 ? usual.get(id) ?? 0 : head.getUint32(at);
  const begin = await contentOf(reader, start);
  let end = begin.getUint8(0) === 1
    ? Number(begin.getBigUint64(4))
    : begin.getUint32(4);
  for await (const run of boxesIn(reader, traf.at, traf.end)) {
    if (run.type !== "trun") continue;
    const view = await contentOf(reader, run);
    const has = view.getUint32(0);
    const isSet = (flag: number) => (has & flag) === 0 ? 0 : 4;
    const samples = view.getUint32(4);
    if (isSet(0x100) === 0) {
      end += samples * each;
      continue;
    }
    const first = 8 + isSet(0x1) + isSet(0x4);
    const size = 4 + isSet(0x200) + isSet(0x400) + isSet(0x800);
    const known = Math.min(
      samples,
      Math.floor((view.byteLength - first) / size),
    );
    for (let n = 0; n < known; n++) end += view.getUint32(first + n * size);
  }
  return { id, end };
}

/** Texts of QuickTime's in `udta`, some with a length and a language first. */
const TEXTS = { "\u00a9day": 4, "\u00a9xyz": 4, date: 0 } as const;

/**
 * Reads names and values: in `keys` and `ilst` of `moov/meta` as Apple has them,
 * of `moov/udta/meta` as ffmpeg and iTunes have them, and texts of `udta`.
 */
async function readTexts(
  { said }: Film,
  reader: MediaReader,
  moov: Box,
): Promise<void> {
  const say = (name: string, text: string) => {
    if (!said.has(name)) said.set(name, text);
  };
  for (const path of [["meta"], ["udta", "meta"]]) {
    const meta = await boxOf(reader, moov, ...path);
    if (meta === undefined || meta.end - meta.at < 12) continue;
    // A version and flags precede its boxes, except in QuickTime's own.
    const isPlain = codeAt(await reader.view(meta.at + 4, 4), 0) === "hdlr";
    const inner = { at: meta.at + (isPlain ? 0 : 4), end: meta.end };
    await readList(reader, inner, say);
  }
  for (const [name, before] of Object.entries(TEXTS)) {
    const text = await textOf(reader, moov, name, before);
    if (text !== undefined) say(name, text);
  }
  const place = await boxOf(reader, moov, "udta", "loci");
  if (place === undefined) return;
  // 3GPP (TS 26.244, 8.8): a language, a name, a role, then the place.
  const view = await contentOf(reader, place);
  let at = 6;
  while (view.getUint8(at) !== 0) at += 1;
  const degrees = (offset: number, digits: number) => {
    const value = view.getInt32(at + 2 + offset) / 65_536;
    const size = Math.abs(value).toFixed(4).padStart(digits + 5, "0");
    return `${value < 0 ? "-" : "+"}${size}`;
  };
  say("location", `${degrees(4, 2)}${degrees(0, 3)}`);
}

async function readList(
  reader: MediaReader,
  meta: Pick<Box, "at" | "end">,
  say: (name: string, text: string) => void,
): Promise<void> {
  const [keys, list] = [
    await boxOf(reader, meta, "keys"),
    await boxOf(reader, meta, "ilst"),
  ];
  if (list === undefined) return;
  const names: string[] = [];
  if (keys !== undefined) {
    for await (const { at, end } of boxesIn(reader, keys.at + 8, keys.end)) {
      const view = await reader.view(at, Math.min(end - at, 256));
      names.push(codeAt(view, 0, view.byteLength));
    }
  }
  for await (const item of boxesIn(reader, list.at, list.end)) {
    const head = await reader.view(item.at - 4, 4);
    // iTunes has names in place of numbers.
    const name = keys === undefined ? item.type : names[head.getUint32(0) - 1];
    const data = await boxOf(reader, item, "data");
    if (name === undefined || data === undefined) continue;
    const length = Math.min(data.end - data.at, 1_024);
    const view = await reader.bytes(data.at, length);
    // A type (1 is UTF-8) and a language precede the text.
    if (length < 8 || viewOf(view).getUint32(0) !== 1) continue;
    const text = new TextDecoder().decode(view.subarray(8));
    say(name.toLowerCase(), text);
  }
}

/** A text of QuickTime's in `udta`, behind so many bytes. */
async function textOf(
  reader: MediaReader,
  moov: Box,
  name: string,
  before: number,
): Promise<string | undefined> {
  const box = await boxOf(reader, moov, "udta", name);
  if (box === undefined || box.end - box.at <= before) return undefined;
  const view = await reader.view(
    box.at + before,
    Math.min(box.end - box.at - before, 64),
  );
  return codeAt(view, 0, view.byteLength).split("\0")[0];
}
