// deno-lint-ignore-file no-control-regex -- Patterns of bytes, not of text.
/**
 * Whether a file tells where it was taken. Links that leave places out ask this,
 * so a file that is not understood counts as one that does.
 *
 * @module
 */
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { boxesIn, MAX_BOXES } from "./boxes.ts";
import {
  LOOKAHEAD,
  LOOKBACK,
  PLACE_SIGNS,
  type PlaceSign,
} from "./place_signs.ts";
import { MediaReader, readWithin, Turns, viewOf } from "./reading.ts";

/** A part of a file: from `at`, before `end` (bytes). */
interface Part {
  readonly at: number;
  readonly end: number;
}

/** A kind of file, and what of it is looked through. */
interface Kind {
  readonly name: string;
  /** Whether a file with this beginning (16 bytes, as Latin-1) is of it. */
  readonly head: RegExp;
  /**
   * The parts that may tell a place; `unknown` where that cannot be seen. The
   * whole file, unless it says otherwise.
   */
  readonly parts?: (
    reader: MediaReader,
  ) => Promise<readonly Part[] | "unknown">;
}

const unknown = () => Promise.resolve("unknown" as const);

/**
 * The kinds of files. All others are looked through whole: JPEG, PNG, WebP,
 * GIF, TIFF and the raw formats based on it, HEIC, AVIF, JPEG 2000, JPEG XL,
 * Matroska, AVI, Ogg, PDF, and sidecars of any kind.
 */
const KINDS: readonly Kind[] = [
  {
    name: "MP4 and QuickTime",
    head:
      /^....(?:ftyp(?!hei|hev|mif|msf|avi|crx|jp|jxl)|moov|mdat|wide|free|skip)/s,
    parts: partsOfVideo,
  },
  // What is compressed as a whole shows nothing of what is in it.
  { name: "gzip", head: /^\x1f\x8b/, parts: unknown },
  { name: "zip", head: /^PK(?:\x03\x04|\x05\x06|\x07\x08)/, parts: unknown },
  { name: "7-Zip", head: /^7z\xbc\xaf\x27\x1c/, parts: unknown },
  { name: "xz", head: /^\xfd7zXZ\0/, parts: unknown },
  { name: "bzip2", head: /^BZh[1-9]/, parts: unknown },
  { name: "Zstandard", head: /^\x28\xb5\x2f\xfd/, parts: unknown },
  { name: "RAR", head: /^Rar!\x1a\x07/, parts: unknown },
];

/** Most that is looked through of a file; a larger one is not known (bytes). */
const MOST_SEARCHED_BYTES = 128 * 1024 * 1024;
/** The samples of a video are looked through so far (bytes). */
const SAMPLE_BYTES = 8 * 1024 * 1024;
/** So much is looked through at a time (bytes). */
const PIECE_BYTES = 1024 * 1024;
/** What a track's description is searched for its format (bytes). */
const TRACK_BYTES = 1_024;
/** Most signs that are followed to somewhere else in the file. */
const MOST_FOLLOWED = 256;
/** Most structures that a pointer may belong to: those found last. */
const MOST_BASES = 16;
/** Entries of a GPS directory; there are 32 tags. */
const MOST_GPS_ENTRIES = 64;
const MOST_NOTE_ENTRIES = 256;

/** Tags of GPS that say nothing of a place: version, time, quality. */
const HARMLESS: ReadonlySet<number> = new Set([
  0,
  7,
  8,
  9,
  10,
  11,
  18,
  29,
  30,
]);
const MOST_GPS_TAG = 0x1f;
/** Panasonic's tags of location, country, state, city and landmark. */
const PANASONIC_PLACES: ReadonlySet<number> = new Set([
  0x67,
  0x69,
  0x6b,
  0x6d,
  0x6f,
  0x80,
]);

/** Handlers of tracks and lists that are pictures, sound or plain texts. */
const PLAIN_HANDLERS: ReadonlySet<string> = new Set([
  "vide",
  "soun",
  "tmcd",
  "auxv",
  "pict",
  "mdir",
  "mdta",
  "hint",
  "clcp",
]);
/** Boxes at the top and in the header of a video; others are not understood. */
const TOP_BOXES = new Set(
  "ftyp moov mdat moof mfra sidx styp free skip wide udta uuid meta pnot mpvd prft emsg pdin"
    .split(" "),
);

/** The signs by their first two bytes. */
const SIGNS_AT: ReadonlyMap<number, readonly PlaceSign[]> = byBeginning();
const II = 0x4949;
const MM = 0x4d4d;
const TIFF_HEAD = /^(?:II[\x2a\x2b]\0|MM\0[\x2a\x2b])/;
const IS_BEGIN = new Uint8Array(0x10000);
for (const pair of [...SIGNS_AT.keys(), II, MM]) IS_BEGIN[pair] = 1;

/**
 * Whether a file tells, in any format, where it was taken, or cannot be
 * understood well enough to say that it does not. Throws what the source throws.
 */
export async function tellsPlace(source: PlainSource): Promise<boolean> {
  if (source.size < 16) return false;
  return await readWithin(source, search) ?? true;
}

async function search(source: PlainSource): Promise<boolean> {
  const head = latin1(await source.read(0, 16));
  const kind = KINDS.find(({ head: pattern }) => pattern.test(head));
  const parts = await kind?.parts?.(new MediaReader(source)) ??
    [{ at: 0, end: source.size }];
  if (parts === "unknown") return true;
  const sum = parts.reduce((sum, { at, end }) => sum + end - at, 0);
  if (sum > MOST_SEARCHED_BYTES) return true;
  const found = new Search(source);
  for (const part of parts) if (await found.in(part)) return true;
  return false;
}

/** All of a video but its samples, and the first of these. */
async function partsOfVideo(
  reader: MediaReader,
): Promise<readonly Part[] | "unknown"> {
  const parts: Part[] = [];
  let last = 0;
  let boxes = 0;
  for await (const { type, at, end } of boxesIn(reader, 0, reader.size)) {
    if (!TOP_BOXES.has(type) || ++boxes === MAX_BOXES) return "unknown";
    const until = type === "mdat" ? Math.min(end, at + SAMPLE_BYTES) : end;
    parts.push({ at: last, end: until });
    last = end;
  }
  parts.push({ at: last, end: reader.size });
  return parts;
}

function byBeginning(): Map<number, PlaceSign[]> {
  const signs = new Map<number, PlaceSign[]>();
  for (const sign of PLACE_SIGNS) {
    for (const begin of new Set(sign.begins)) {
      const pair = begin.charCodeAt(0) << 8 | begin.charCodeAt(1);
      signs.set(pair, [...signs.get(pair) ?? [], sign]);
    }
  }
  return signs;
}

/** Looks for signs in the parts of a file. */
class Search {
  /** Where structures of TIFF begin: the file itself, and those found last. */
  #bases: readonly number[] = [0];
  readonly #turns = new Turns();
  #followed = 0;

  constructor(private readonly source: PlainSource) {}

  async in({ at, end }: Part): Promise<boolean> {
    for (let from = at; from < end; from += PIECE_BYTES) {
      const start = Math.max(0, from - LOOKBACK);
      const until = Math.min(end, from + PIECE_BYTES);
      const bytes = await this.#bytes(start, until + LOOKAHEAD - start);
      const turn = this.#turns.after(bytes.length);
      if (turn !== undefined) await turn;
      if (await this.#isIn(bytes, start, from - start, until - start)) {
        return true;
      }
    }
    return false;
  }

  async #isIn(
    bytes: Uint8Array,
    start: number,
    from: number,
    until: number,
  ): Promise<boolean> {
    const last = Math.min(until, bytes.length - 1);
    // The bytes around what may be a sign, as text, and where they begin. The
    // next one is mostly in them, where there are many.
    let text = "";
    let textAt = 0;
    let pair = bytes[from] ?? 0;
    for (let n = from; n < last; n++) {
      pair = (pair << 8 | (bytes[n + 1] ?? 0)) & 0xffff;
      if (IS_BEGIN[pair] === 0) continue;
      const isSeen = textAt + LOOKBACK <= n &&
        Math.min(n + LOOKAHEAD, bytes.length) <= textAt + text.length;
      if (!isSeen) {
        textAt = Math.max(0, n - LOOKBACK);
        text = latin1(bytes.subarray(textAt, n + 2 * LOOKAHEAD));
      }
      const at = n - textAt;
      if (pair === II || pair === MM) {
        if (TIFF_HEAD.test(text.slice(at, at + 4))) this.#noteBase(start + n);
      }
      for (const { pattern, then } of SIGNS_AT.get(pair) ?? []) {
        pattern.lastIndex = at;
        if (!pattern.test(text)) continue;
        if (then === undefined) return true;
        const isPlace = then === "iptc"
          ? namesPlace(text.slice(at, at + LOOKAHEAD))
          : await this.#follow(then, start + n);
        if (isPlace) return true;
      }
    }
    return false;
  }

  #noteBase(at: number): void {
    const others = this.#bases.filter((base) => base !== at);
    this.#bases = [at, ...others].slice(0, MOST_BASES);
  }

  /** Follows what only points to a place, or describes a track. */
  async #follow(
    then: Exclude<PlaceSign["then"], "iptc" | undefined>,
    at: number,
  ): Promise<boolean> {
    // No file of a camera has so many.
    if (++this.#followed > MOST_FOLLOWED) return true;
    switch (then) {
      case "gps-pointer":
        return await this.#isPlaceAt(at);
      case "gps-structure":
        return await this.#tagsAt(at + 4, 8, isGps) !== "harmless";
      case "panasonic":
        return await this.#isPlaceInNote(at);
      case "track":
        return await this.#isOddTrack(at);
    }
  }

  /** Whether the directory that an entry points to has more than a version. */
  async #isPlaceAt(at: number): Promise<boolean> {
    const entry = await this.#view(at, 12);
    if (entry.byteLength < 12) return true;
    const isLittle = entry.getUint8(0) === 0x25;
    const offset = entry.getUint32(8, isLittle);
    const all = await Promise.all(
      this.#bases.filter((base) => base < at).map((base) =>
        this.#tagsAt(base, offset, isGps, isLittle)
      ),
    );
    // No structure that is known has it: what it says cannot be seen.
    return all.includes("place") || !all.includes("harmless");
  }

  /**
   * What a directory's tags are; undefined where there is no such directory.
   * `offset` counts from the structure's beginning, `base`.
   */
  async #tagsAt(
    base: number,
    offset: number,
    isPlace: (tag: number) => boolean,
    isLittle?: boolean,
  ): Promise<"place" | "harmless" | undefined> {
    const view = await this.#view(base + offset, 2 + 12 * MOST_GPS_ENTRIES);
    if (view.byteLength < 2) return undefined;
    const little = isLittle ?? (await this.#bytes(base, 1))[0] === 0x49;
    const count = view.getUint16(0, little);
    if (count > MOST_GPS_ENTRIES || 2 + 12 * count > view.byteLength) {
      return undefined;
    }
    const tags = Array.from(
      { length: count },
      (_, n) => view.getUint16(2 + 12 * n, little),
    );
    if (tags.some((tag) => tag > MOST_GPS_TAG)) return undefined;
    return tags.some(isPlace) ? "place" : "harmless";
  }

  /** Whether the notes of a Panasonic name a place; their numbers are little. */
  async #isPlaceInNote(at: number): Promise<boolean> {
    const view = await this.#view(at + 12, 2 + 12 * MOST_NOTE_ENTRIES);
    if (view.byteLength < 2) return false;
    const count = Math.min(
      view.getUint16(0, true),
      Math.floor((view.byteLength - 2) / 12),
    );
    for (let n = 0; n < count; n++) {
      const entry = 2 + 12 * n;
      if (!PANASONIC_PLACES.has(view.getUint16(entry, true))) continue;
      const length = Math.min(view.getUint32(entry + 4, true), LOOKAHEAD);
      const offset = view.getUint32(entry + 8, true);
      for (const base of this.#bases) {
        const said = latin1(await this.#bytes(base + offset, length));
        // Without a place there are dashes, or nothing.
        if (/^[^\0-\x1f-][^\0-\x1f]/.test(said)) return true;
      }
    }
    return false;
  }

  /** Whether a track is of something else than pictures and sound. */
  async #isOddTrack(at: number): Promise<boolean> {
    const text = latin1(await this.#bytes(at, TRACK_BYTES));
    const handler = text.slice(12, 16);
    if (PLAIN_HANDLERS.has(handler)) return false;
    // Apple's and Canon's own, whose keys are read like others.
    return handler !== "meta" || !/stsd[^]{12}(?:mebx|CTMD)/.test(text);
  }

  async #view(at: number, length: number): Promise<DataView> {
    return viewOf((await this.#bytes(at, length)).slice());
  }

  async #bytes(at: number, length: number): Promise<Uint8Array> {
    const end = Math.min(this.source.size, at + length);
    return at < end ? await this.source.read(at, end - at) : new Uint8Array();
  }
}

/** Whether a tag of GPS says something of a place. */
function isGps(tag: number): boolean {
  return !HARMLESS.has(tag);
}

/** Whether bytes that look like a field of IPTC have a text that is one. */
function namesPlace(sign: string): boolean {
  const length = sign.charCodeAt(4);
  const text = sign.slice(5, 5 + length);
  const next = sign.charAt(5 + length);
  return /^[\x20-\xff]+$/.test(text) && text.trim() !== "" &&
    // Another field, padding, or another resource of Photoshop's.
    (next === "" || "\x1c\x008\xff".includes(next));
}

/** Letters whose codes are the bytes; TextDecoder's Latin-1 has others. */
function latin1(bytes: Uint8Array): string {
  // A spread of bytes takes ten times as long.
  return Reflect.apply(String.fromCharCode, undefined, bytes);
}
