/**
 * The tables of an MP4 or QuickTime video (ISO 14496-12), before a program that
 * believes them reads them. A video of some kilobytes can say that it has
 * millions of samples, each of which takes memory. Only the boxes that playing
 * needs are handed on, and only if their numbers fit the video.
 *
 * @module
 */
import { boxesIn } from "../../../../media/exif/boxes.ts";
import {
  codeAt,
  MalformedMedia,
  MediaReader,
  viewOf,
} from "../../../../media/exif/reading.ts";
import type { PlainSource } from "../../../../client/stream/sealed_source.ts";
import { concatBytes } from "../../../../core/bytes.ts";
import { endOfMatroska, isMatroska } from "./matroska.ts";
import { VideoError } from "./reader.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Largest tables of a video; ten hours have about 30 MB. */
const MOST_TABLE_BYTES = 64 * 1024 * 1024;
/** Most samples of all tracks; ten hours of video with sound have 3 million. */
const MOST_SAMPLES = 4_000_000;
/** Most boxes of a film; ten hours in fragments of a second have 72,000. */
const MOST_FRAGMENTS = 200_000;
/** Most tracks that are handed on. */
const MOST_TRACKS = 16;
/** Largest description of a codec (bytes). */
const MOST_CODEC_BYTES = 256 * 1024;

/** The boxes that playing needs, in those that they are in. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  moov: ["mvhd", "trak", "mvex"],
  mvex: ["trex"],
  moof: ["mfhd", "traf"],
  traf: ["tfhd", "tfdt", "trun"],
  trak: ["tkhd", "edts", "mdia"],
  edts: ["elst"],
  mdia: ["mdhd", "hdlr", "minf"],
  minf: ["vmhd", "smhd", "dinf", "stbl"],
  dinf: ["dref"],
  stbl: ["stsd", "stts", "ctts", "stsc", "stsz", "stco", "co64", "stss"],
};

/** Boxes of a film, other than its tables, that cost nothing. */
const PASSED: ReadonlySet<string> = new Set(
  ["ftyp", "styp", "free", "skip", "wide", "uuid"],
);

/** Where the number of a table's entries is, and the bytes of an entry. */
const TABLES: Readonly<Record<string, readonly [at: number, bytes: number]>> = {
  elst: [4, 12],
  dref: [4, 12],
  stts: [4, 8],
  ctts: [4, 8],
  stsc: [4, 12],
  stco: [4, 4],
  co64: [4, 8],
  stss: [4, 4],
};

/** What a description of a codec does not contain: boxes with tables. */
const NO_CODEC =
  /iloc|iinf|ipma|trun|senc|sai[zo]|sbgp|sgpd|csgp|subs|st(?:sz|ts|sc|z2|co|ss|sh|dp)|ctts|co64|sidx|ssix|tfra|elst|leva|sdtp|pssh/;

/** A video's tables as a file of their own, without its pictures and sound. */
export async function tablesOf(source: PlainSource): Promise<Bytes> {
  const { kind, moov } = await partsOf(source);
  if (moov === undefined) throw new VideoError("it has no tables");
  const claims = { samples: 0, tracks: 0, size: source.size };
  return concatBytes(
    boxWith("ftyp", [kind]),
    boxWith("moov", keptOf("moov", moov, claims)),
  );
}

/** A film as a program that believes it may read it. */
export interface BoundedFilm extends PlainSource {
  readonly container: "isobmff" | "matroska" | "other";
}

/**
 * A film without what playing does not need, if all that it claims fits its
 * size; undefined otherwise. In MP4 and QuickTime other boxes are free space,
 * so that nothing points at fragments that were not looked at.
 */
export async function boundedFilm(
  source: PlainSource,
): Promise<BoundedFilm | undefined> {
  try {
    return await bounded(source);
  } catch (error) {
    if (error instanceof VideoError || error instanceof MalformedMedia) {
      return undefined;
    }
    throw error;
  }
}

async function bounded(source: PlainSource): Promise<BoundedFilm> {
  const { size } = source;
  const most = Math.min(MOST_SAMPLES, size);
  const head = await source.read(0, Math.min(size, 8));
  if (isMatroska(head)) {
    const end = await endOfMatroska(source, { frames: 0, most });
    return { ...windowOf(source, end, []), container: "matroska" };
  }
  // Packets of MPEG-TS begin with 0x47, those of cameras after four bytes.
  if (head[0] === 0x47 || head[4] === 0x47) {
    return { ...windowOf(source, size, []), container: "other" };
  }
  const claims = { samples: 0, tracks: 0, size };
  const patches: Patch[] = [];
  let boxes = 0;
  let tables = 0;
  let hasTables = false;
  let at = 0;
  while (at + 8 <= size) {
    if (++boxes > MOST_FRAGMENTS) throw new VideoError("it is too large");
    const { type, start, end } = await topBox(source, at);
    if (type === "mdat") {
      // One that was cut ends with the file.
      at = Math.min(end, size);
      continue;
    }
    if (end < start || end > size) break;
    if (type === "moof" || type === "moov" && !hasTables) {
      hasTables ||= type === "moov";
      tables += end - start;
      if (tables > MOST_TABLE_BYTES) throw new VideoError("it is too large");
      const content = await source.read(start, end - start);
      const kept = concatBytes(...keptOf(type, content, claims, true));
      const left = content.length - kept.length;
      const rest = new Uint8Array(Math.min(left, 8));
      if (left >= 8) rest.set(boxHead("free", left));
      patches.push({ at: start, bytes: concatBytes(kept, rest) });
    } else if (!PASSED.has(type)) {
      patches.push({ at: at + 4, bytes: boxHead("free", 0).subarray(4) });
    }
    at = end;
  }
  if (!hasTables) throw new VideoError("it has no tables");
  // The last four bytes could point at fragments that were not looked at.
  const last = concatBytes(boxHead("free", 16), new Uint8Array(8));
  patches.push({ at, bytes: last });
  return {
    ...windowOf(source, at + last.length, patches),
    container: "isobmff",
  };
}

/** Bytes that are read instead of a film's. */
interface Patch {
  readonly at: number;
  readonly bytes: Bytes;
}

/** The first `size` bytes of a source, with others in some places. */
function windowOf(
  source: PlainSource,
  size: number,
  patches: readonly Patch[],
): PlainSource {
  return {
    size,
    read: async (offset, length) => {
      const there = Math.min(length, Math.max(0, source.size - offset));
      const out = new Uint8Array(length);
      if (there > 0) out.set(await source.read(offset, there));
      for (const { at, bytes } of patches) {
        const from = Math.max(at, offset);
        const to = Math.min(at + bytes.length, offset + length);
        if (from >= to) continue;
        out.set(bytes.subarray(from - at, to - at), from - offset);
      }
      return out;
    },
  };
}

async function topBox(source: PlainSource, at: number) {
  const head = await source.read(at, Math.min(16, source.size - at));
  const view = viewOf(head);
  const type = codeAt(view, 4);
  const size = view.getUint32(0);
  if (size === 0) return { type, start: at + 8, end: source.size };
  if (size !== 1) return { type, start: at + 8, end: at + size };
  if (head.length < 16) throw new VideoError("it is cut");
  return { type, start: at + 16, end: at + Number(view.getBigUint64(8)) };
}

async function partsOf(
  source: PlainSource,
): Promise<{ readonly kind: Bytes; readonly moov?: Bytes }> {
  const reader = new MediaReader(source);
  let kind: Bytes = new Uint8Array();
  for await (const { type, at, end } of boxesIn(reader, 0, source.size)) {
    if (type === "ftyp") kind = (await reader.bytes(at, end - at)).slice();
    if (type !== "moov") continue;
    if (end - at > MOST_TABLE_BYTES) throw new VideoError("it is too large");
    return { kind, moov: await source.read(at, end - at) };
  }
  return { kind };
}

interface Claims {
  samples: number;
  tracks: number;
  /** Bytes of the whole video. */
  readonly size: number;
}

/** The boxes in a box that are handed on. */
function keptOf(
  type: string,
  content: Bytes,
  claims: Claims,
  mayBeFragmented = false,
): Bytes[] {
  const kept: Bytes[] = [];
  for (const inner of boxesOf(content)) {
    // A fragmented video has its tables elsewhere.
    if (inner.type === "mvex" && !mayBeFragmented) {
      throw new VideoError("it is fragmented");
    }
    if (!KEPT[type]?.includes(inner.type)) continue;
    if (inner.type === "trak" && ++claims.tracks > MOST_TRACKS) break;
    if (KEPT[inner.type] === undefined) {
      check(inner.type, inner.content, claims);
      kept.push(boxWith(inner.type, [inner.content]));
    } else {
      kept.push(
        boxWith(inner.type, keptOf(inner.type, inner.content, claims)),
      );
    }
  }
  return kept;
}

function* boxesOf(content: Bytes) {
  const view = viewOf(content);
  for (let at = 0; at + 8 <= content.length;) {
    const size = view.getUint32(at);
    // None of these needs a length of 64 bits.
    if (size < 8 || at + size > content.length) return;
    yield {
      type: codeAt(view, at + 4),
      content: content.subarray(at + 8, at + size),
    };
    at += size;
  }
}

/** Throws VideoError where the numbers of a box do not fit. */
function check(type: string, content: Bytes, claims: Claims): void {
  const view = viewOf(content);
  if (type === "stsd") {
    const isCodec = content.length <= MOST_CODEC_BYTES &&
      !NO_CODEC.test(new TextDecoder("latin1").decode(content));
    if (!isCodec) throw new VideoError("its codecs make no sense");
    return;
  }
  if (type === "stsz") {
    if (content.length < 12) throw new VideoError("it is cut");
    const [each, count] = [view.getUint32(4), view.getUint32(8)];
    const isThere = each === 0
      ? 12 + 4 * count <= content.length
      : each * count <= claims.size;
    claims.samples += count;
    if (!isThere || claims.samples > Math.min(MOST_SAMPLES, claims.size)) {
      throw new VideoError("it says it has more samples than it has");
    }
    return;
  }
  if (type === "trun") {
    if (content.length < 8) throw new VideoError("it is cut");
    const [flags, count] = [view.getUint32(0), view.getUint32(4)];
    claims.samples += count;
    // The offset and the first flags, and four fields of each sample.
    const fields = [0x100, 0x200, 0x400, 0x800]
      .filter((field) => flags & field).length;
    const before = 8 + [1, 4].filter((field) => flags & field).length * 4;
    const isThere = before + 4 * fields * count <= content.length;
    if (!isThere || claims.samples > Math.min(MOST_SAMPLES, claims.size)) {
      throw new VideoError("it says it has more samples than it has");
    }
    return;
  }
  const table = TABLES[type];
  if (table === undefined) return;
  const [at, bytes] = table;
  const isThere = content.length >= at + 4 &&
    at + 4 + bytes * view.getUint32(at) <= content.length;
  if (!isThere) throw new VideoError("it says it has what it has not");
}

function boxWith(type: string, parts: readonly Bytes[]): Bytes {
  const size = parts.reduce((sum, { length }) => sum + length, 8);
  return concatBytes(boxHead(type, size), ...parts);
}

function boxHead(type: string, size: number): Bytes {
  const head = new Uint8Array(8);
  const view = viewOf(head);
  view.setUint32(0, size);
  for (let n = 0; n < 4; n++) view.setUint8(4 + n, type.charCodeAt(n));
  return head;
}
