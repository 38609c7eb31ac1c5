/**
 * What a Matroska or WebM film (RFC 9559) claims, before a program that believes
 * it reads it: its elements fit the file, its blocks have the frames that they
 * say, and what points into the film points to elements.
 *
 * @module
 */
import type { PlainSource } from "../../../../client/stream/sealed_source.ts";
import { viewOf } from "../../../../media/exif/reading.ts";
import { VideoError } from "./reader.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a film claims in all. */
interface FrameClaims {
  frames: number;
  /** Most frames that are believed. */
  readonly most: number;
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const CLUSTER = 0x1f43b675;
const CUES = 0x1c53bb6b;
const VOID = 0xec;
const CRC = 0xbf;
const CUE_POINT = 0xbb;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;

/** Info, Tracks, Tags, Chapters and Attachments. */
const DESCRIPTIONS = [
  0x1549a966,
  0x1654ae6b,
  0x1254c367,
  0x1043a770,
  0x1941a469,
];
const TOP: ReadonlySet<number> = new Set([
  SEEK_HEAD,
  CLUSTER,
  CUES,
  VOID,
  CRC,
  ...DESCRIPTIONS,
]);
/** BlockGroup, BlockAdditions and BlockMore. */
const GROUPS: ReadonlySet<number> = new Set([0xa0, 0x75a1, 0xa6]);
/** What is in a cluster and in its groups, except for these and the blocks. */
const DETAILS: ReadonlySet<number> = new Set([
  VOID,
  CRC,
  // Timestamp, Position, PrevSize, BlockDuration, ReferencePriority,
  // ReferenceBlock, CodecState, DiscardPadding, BlockAddID, BlockAdditional.
  0xe7,
  0xa7,
  0xab,
  0x9b,
  0xfa,
  0xfb,
  0xa4,
  0x75a2,
  0xee,
  0xa5,
]);
/** What contains positions, by the element that it is in. */
const POINTING: ReadonlySet<number> = new Set([
  0x4dbb,
  CUE_POINT,
  0xb7,
]);
/** SeekPosition and CueClusterPosition. */
const POSITIONS: ReadonlySet<number> = new Set([0x53ac, 0xf1]);

/** Largest descriptions, and lists of positions, of a film (bytes). */
const MOST_DESCRIPTION_BYTES = 64 * 1024 * 1024;
const MOST_POINTING_BYTES = 4 * 1024 * 1024;
/** Ten hours with two a second have 72,000. */
const MOST_CUES = 100_000;
/** A BlockGroup has BlockAdditions, and these BlockMore. */
const MOST_DEPTH = 3;
const WINDOW_BYTES = 4_096;
/** An identifier of 4 bytes and a size of 8. */
const MOST_HEAD_BYTES = 12;

interface Element {
  readonly id: number;
  readonly at: number;
  /** Undefined where it ends with what it cannot contain. */
  readonly end: number | undefined;
}

export function isMatroska(head: Bytes): boolean {
  return head.length >= 4 && viewOf(head).getUint32(0) === EBML;
}

/**
 * Where the film ends in its file (bytes). Throws VideoError where it claims what
 * it has not.
 */
export async function endOfMatroska(
  source: PlainSource,
  claims: FrameClaims,
): Promise<number> {
  const walk = new Walk(source, claims);
  return await walk.segment();
}

class Walk {
  #window: Bytes = new Uint8Array();
  #from = 0;

  constructor(
    private readonly source: PlainSource,
    private readonly claims: FrameClaims,
  ) {}

  async segment(): Promise<number> {
    const { size } = this.source;
    const head = await this.#element(0);
    const segment = await this.#element(endOf(head, size));
    if (segment.id !== SEGMENT) throw new VideoError("it has no segment");
    // One that was cut ends with the file.
    const end = Math.min(segment.end ?? size, size);
    const starts = new Map<number, number>();
    const positions: [id: number, position: number][] = [];
    let described = 0;
    for (let at = segment.at; at < end;) {
      const element = await this.#element(at);
      if (!TOP.has(element.id)) throw new VideoError("its elements are odd");
      starts.set(at - segment.at, element.id);
      if (element.id === CLUSTER) {
        at = await this.#cluster(element, end);
        continue;
      }
      const next = endOf(element, end);
      const bytes = next - element.at;
      if (element.id !== VOID) described += bytes;
      if (described > MOST_DESCRIPTION_BYTES) {
        throw new VideoError("it is too large");
      }
      if (element.id === SEEK_HEAD || element.id === CUES) {
        if (bytes > MOST_POINTING_BYTES) {
          throw new VideoError("it is too large");
        }
        const content = await this.source.read(element.at, bytes);
        for (const position of positionsIn(content)) {
          positions.push([element.id, position]);
        }
      }
      at = next;
    }
    for (const [id, position] of positions) {
      const found = starts.get(position);
      // What was cut off is not there to be read.
      const isThere = id === CUES ? found === CLUSTER : found !== undefined;
      if (!isThere && segment.at + position < end) {
        throw new VideoError("it points to what it has not");
      }
    }
    return end;
  }

  /** Walks a cluster, or a group in one; returns where the next begins. */
  async #cluster(
    group: Element,
    outer: number,
    depth = 0,
  ): Promise<number> {
    if (depth > MOST_DEPTH) throw new VideoError("its clusters are odd");
    const end = Math.min(group.end ?? outer, outer);
    for (let at = group.at; at < end;) {
      const element = await this.#element(at);
      const { id } = element;
      if (group.end === undefined && TOP.has(id) && id !== VOID && id !== CRC) {
        return at;
      }
      const isBlock = id === BLOCK || id === SIMPLE_BLOCK;
      if (!isBlock && !GROUPS.has(id) && !DETAILS.has(id)) {
        throw new VideoError("its clusters are odd");
      }
      // The last one may be cut.
      const next = Math.min(element.end ?? Infinity, this.source.size);
      if (next > end || element.end === undefined) {
        throw new VideoError("it says it has what it has not");
      }
      if (GROUPS.has(id)) await this.#cluster(element, next, depth + 1);
      else if (isBlock) await this.#block(element.at, next);
      at = next;
    }
    return end;
  }

  /** Counts the frames of a block (RFC 9559, section 10). */
  async #block(at: number, end: number): Promise<void> {
    const head = await this.#bytes(at, MOST_HEAD_BYTES);
    const flags = Math.clz32((head[0] ?? 0) << 24) + 3;
    const lacing = (head[flags] ?? 0) & 0b110;
    const frames = lacing === 0 ? 1 : (head[flags + 1] ?? 0) + 1;
    this.claims.frames += frames;
    const isThere = lacing === 0 || at + flags + 1 + frames <= end;
    if (!isThere || this.claims.frames > this.claims.most) {
      throw new VideoError("it says it has more samples than it has");
    }
  }

  async #element(at: number): Promise<Element> {
    return elementIn(await this.#bytes(at, MOST_HEAD_BYTES), at);
  }

  /** Up to `length` bytes; fewer at the end of the file. */
  async #bytes(at: number, length: number): Promise<Bytes> {
    const { size } = this.source;
    const end = Math.min(at + length, size);
    if (at < this.#from || end > this.#from + this.#window.length) {
      const wanted = Math.max(0, Math.min(WINDOW_BYTES, size - at));
      this.#window = await this.source.read(at, wanted);
      this.#from = at;
    }
    return this.#window.subarray(at - this.#from, end - this.#from);
  }
}

/** The element that begins with given bytes, at `at` (RFC 8794, section 5). */
function elementIn(head: Bytes, at: number): Element {
  const idBytes = Math.clz32((head[0] ?? 0) << 24) + 1;
  const sizeBytes = Math.clz32((head[idBytes] ?? 0) << 24) + 1;
  const headBytes = idBytes + sizeBytes;
  if (idBytes > 4 || sizeBytes > 8 || head.length < headBytes) {
    throw new VideoError("its elements are odd");
  }
  const id = numberOf(head.subarray(0, idBytes));
  // Its first byte has a mark, without which it is a number.
  const bytes = head.slice(idBytes, headBytes);
  const mark = 0x100 >> sizeBytes;
  bytes[0] = (bytes[0] ?? 0) - mark;
  const size = numberOf(bytes);
  const start = at + headBytes;
  const isKnown = size < 2 ** (7 * sizeBytes) - 1;
  return { id, at: start, end: isKnown ? start + size : undefined };
}

function numberOf(bytes: Bytes): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function endOf({ end }: Element, most: number): number {
  if (end === undefined || end > most) {
    throw new VideoError("it says it has what it has not");
  }
  return end;
}

/** The positions in the segment that a SeekHead or Cues names. */
function positionsIn(content: Bytes): number[] {
  const positions: number[] = [];
  let cues = 0;
  const inside = (from: number, to: number, depth: number) => {
    if (depth > MOST_DEPTH) throw new VideoError("its elements are odd");
    for (let at = from; at < to;) {
      const head = content.subarray(at, at + MOST_HEAD_BYTES);
      const element = elementIn(head, at);
      const end = endOf(element, to);
      if (element.id === CUE_POINT && ++cues > MOST_CUES) {
        throw new VideoError("it says it has more samples than it has");
      }
      if (POINTING.has(element.id)) inside(element.at, end, depth + 1);
      else if (POSITIONS.has(element.id)) {
        positions.push(numberOf(content.subarray(element.at, end)));
      }
      at = end;
    }
  };
  inside(0, content.length, 0);
  return positions;
}
