/**
 * Reading zips in place: their directory, and the bytes of each file.
 *
 * `@zip.js/zip.js` reads the directory; what is allowed here is ours, and
 * nothing that a zip says of itself is believed: entries that share bytes, that
 * would leave the archive, or that would swell more than photos and videos do
 * are listed as refused, and an entry is read against its size and its
 * checksum.
 *
 * An entry of zip.js takes four kilobytes of memory, and a large export has
 * many of them: no more is held of one than is needed to read it.
 *
 * @module
 */
import {
  type Entry,
  ERR_CENTRAL_DIRECTORY_NOT_FOUND,
  ERR_EOCDR_NOT_FOUND,
  ERR_SPLIT_ZIP_FILE,
  Reader,
  ZipReader,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import type { Bytes } from "../core/bytes.ts";
import { breathe } from "./exif/reading.ts";
import { FOLDERS_MAX, NAME_MAX } from "../client/documents/name_limits.ts";
import type { PlainSource } from "../client/stream/sealed_source.ts";
import { piecesOf } from "../client/stream/chunks.ts";

/** Deflate expands at most 1,032 times: a piece gives 32 MiB at most (bytes). */
const PIECE_BYTES = 32 * 1024;
/** Most entries; the largest exports have some ten thousands in a zip. */
const MAX_ENTRIES = 400_000;
/** Largest directory, with names, comments and extra fields (bytes). */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** A smaller directory is read whatever its share of the zip (bytes). */
const LEAST_LARGE_BYTES = 1024 * 1024;
/** After so many entries others have a turn. */
const TURN_ENTRIES = 500;
const LOCAL_SIGNATURE = 0x04034b50;
/** Bytes of a local header, without its name and extra field. */
const LOCAL_BYTES = 30;
/** Bytes of an entry in the directory, without its name. */
const ENTRY_BYTES = 46;

/**
 * Photos and videos are compressed already and hardly expand, so a large file
 * that expands more than this is a zip bomb.
 */
export const MAX_RATIO = 200;
export const RATIO_FROM_BYTES = 16 * 1024 * 1024;

const STORED = 0;
const DEFLATED = 8;
/** Of `versionMadeBy`: the file's kind is in the upper bits of its attributes. */
const MADE_ON_UNIX = 3;
const REGULAR_FILE = 8;

const OTHER_SIZE = "its size is another than its directory says";

/** A zip, or an entry of one, contradicts itself. */
export class MalformedZip extends Error {
  override readonly name = "MalformedZip";
}

/** A file in a zip. */
export interface ZipEntry {
  /** Its folders and its name, separated by `/`. */
  readonly path: string;
  /** Bytes of the file, according to the directory. */
  readonly size: number;
  /** Milliseconds since the epoch; DOS times count as UTC. */
  readonly modifiedAt: number;
  /**
   * Yields its bytes in order. Throws MalformedZip, at the latest at the end,
   * if they differ from what the directory promises; bytes yielded before must
   * not be used then.
   */
  read(): AsyncGenerator<Bytes>;
  /**
   * Where its bytes lie in the zip, if they are not packed: whoever has read
   * them once without a fault may read them there again. Undefined if they are
   * packed. Throws MalformedZip.
   */
  place(): Promise<number | undefined>;
}

/** Why an entry cannot be read. */
export type ZipRefusal =
  | "encrypted"
  /** Packed by a method that is not known here. */
  | "method"
  /** No file: a link or a device. */
  | "special"
  /** Its name leaves the archive. */
  | "path"
  /** Its name, or that of its folders, is longer than a library keeps one. */
  | "name"
  /** Its sizes contradict each other. */
  | "sizes"
  | "bomb"
  | "overlap";

/** What is held of an entry. */
interface FoundEntry {
  readonly path: string;
  readonly size: number;
  readonly packedSize: number;
  readonly isPacked: boolean;
  /** CRC-32 of its bytes. */
  readonly checksum: number;
  /** Where its local header is. */
  readonly offset: number;
  readonly modifiedAt: number;
}

/** The files of a zip. */
interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Entries that cannot be read, and why. */
  readonly refused: readonly {
    readonly path: string;
    /** For people, in English. */
    readonly why: string;
    readonly fault: ZipRefusal;
  }[];
}

/**
 * Reads the directory of a zip. Throws MalformedZip if the source is no zip,
 * and the errors of the source.
 */
export async function readZip(source: PlainSource): Promise<ZipDirectory> {
  const reader = new SourceReader(source);
  const found: FoundEntry[] = [];
  const refused: { path: string; why: string; fault: ZipRefusal }[] = [];
  try {
    const entries = new ZipReader(reader).getEntriesGenerator({
      // Names are looked at below, one by one: a bad one costs no other.
      filenameValidation: "tolerant",
    });
    let count = 0;
    for await (const entry of entries) {
      count += 1;
      if (count > MAX_ENTRIES) {
        throw new MalformedZip(`it has more than ${MAX_ENTRIES} entries`);
      }
      if (count * (ENTRY_BYTES + LOCAL_BYTES) > source.size) {
        throw new MalformedZip("it says it has more entries than it has");
      }
      // The whole directory is in memory: nothing else waits.
      if (count % TURN_ENTRIES === 0) await breathe();
      if (entry.directory) continue;
      const fault = refusalOf(entry);
      if (fault === undefined) found.push(heldOf(entry));
      else {
        const why = whyOf(fault, entry.compressionMethod);
        refused.push({ path: entry.filename, why, fault });
      }
    }
  } catch (error) {
    throw reader.faultOf(error);
  }
  const entries: ZipEntry[] = [];
  // An entry may reach to the next one.
  const sorted = found.sort((a, b) => a.offset - b.offset);
  for (const [at, entry] of sorted.entries()) {
    const bound = sorted[at + 1]?.offset ?? source.size;
    if (entry.offset + LOCAL_BYTES + entry.packedSize <= bound) {
      entries.push(entryOf(reader, entry, bound));
    } else {
      const why = whyOf("overlap");
      refused.push({ path: entry.path, why, fault: "overlap" });
    }
  }
  return { entries, refused };
}

/**
 * Has a part of an entry looked at before it is read as a whole. Nothing holds
 * these bytes against the checksum, so they decide nothing that is not asked of
 * the whole again. Of a packed entry as much is held as was unpacked, so it
 * must be small.
 */
export async function lookInto<T>(
  zip: PlainSource,
  entry: ZipEntry,
  look: (source: PlainSource) => Promise<T>,
): Promise<T> {
  const { size } = entry;
  const start = await entry.place();
  if (start !== undefined) {
    return await look({
      size,
      read: (offset, length) =>
        zip.read(start + offset, Math.max(0, Math.min(length, size - offset))),
    });
  }
  const held = new Uint8Array(size);
  let [have, isDone] = [0, false];
  const pieces = entry.read();
  try {
    return await look({
      size,
      async read(offset, length) {
        while (!isDone && have < offset + length) {
          const { done, value } = await pieces.next();
          isDone = done === true;
          if (value === undefined) continue;
          held.set(value, have);
          have += value.length;
        }
        return held.slice(offset, Math.min(offset + length, have));
      },
    });
  } finally {
    await pieces.return(undefined);
  }
}

function heldOf(entry: Entry): FoundEntry {
  return {
    path: entry.filename,
    size: entry.uncompressedSize,
    packedSize: entry.compressedSize,
    isPacked: entry.compressionMethod !== STORED,
    checksum: entry.signature ?? 0,
    offset: entry.offset,
    modifiedAt: modifiedAt(entry),
  };
}

function refusalOf(entry: Entry): ZipRefusal | undefined {
  const { compressionMethod: method, versionMadeBy, filename } = entry;
  const kind = versionMadeBy >>> 8 === MADE_ON_UNIX
    ? entry.externalFileAttributes >>> 28
    : 0;
  return entry.encrypted
    ? "encrypted"
    : method !== STORED && method !== DEFLATED
    ? "method"
    : kind !== 0 && kind !== REGULAR_FILE
    ? "special"
    : pathFault(filename) ?? bombWhy(entry);
}

/** Why an entry of an archive cannot be read, for people. */
export const ENTRY_FAULTS: Readonly<Record<ZipRefusal, string>> = {
  encrypted: "it is encrypted",
  method: "it is packed by a method which is not known here",
  special: "it is no file",
  path: "its name leaves the archive",
  name: "its name is too long",
  sizes: "its sizes make no sense",
  bomb: "it would swell more than any photograph does",
  overlap: "it overlaps with another",
};

function whyOf(fault: ZipRefusal, method?: number): string {
  return fault === "method" && method !== undefined
    ? `it is packed by method ${method}, which is not known here`
    : ENTRY_FAULTS[fault];
}

/** What is wrong with a path in an archive; undefined if nothing is. */
export function pathFault(path: string): "path" | "name" | undefined {
  return leavesArchive(path) ? "path" : isTooLong(path) ? "name" : undefined;
}

function leavesArchive(path: string): boolean {
  return path === "" || path.startsWith("/") ||
    /^[a-z]:/i.test(path) || /[\\\p{Cc}]/u.test(path) ||
    path.split("/").some((part) => part === ".." || part === ".");
}

function isTooLong(path: string): boolean {
  const whole = path.normalize("NFC");
  const at = whole.lastIndexOf("/");
  return lengthOf(whole.slice(0, Math.max(0, at))) > FOLDERS_MAX ||
    lengthOf(whole.slice(at + 1)) > NAME_MAX;
}

/** In characters, as the schema counts them. */
function lengthOf(text: string): number {
  return [...text].length;
}

function bombWhy(
  { uncompressedSize: size, compressedSize, compressionMethod }: Entry,
): ZipRefusal | undefined {
  const isSense = Number.isSafeInteger(size) &&
    Number.isSafeInteger(compressedSize) &&
    (compressionMethod !== STORED || size === compressedSize);
  if (!isSense) return "sizes";
  return size > RATIO_FROM_BYTES && size > compressedSize * MAX_RATIO
    ? "bomb"
    : undefined;
}

function entryOf(
  reader: SourceReader,
  entry: FoundEntry,
  /** Where the next entry begins. */
  bound: number,
): ZipEntry {
  const { path, size, modifiedAt, isPacked } = entry;
  return {
    path,
    size,
    modifiedAt,
    read: () => contentOf(reader, entry, bound),
    place: async () =>
      isPacked ? undefined : await startOf(reader, entry, bound),
  };
}

/** Where the bytes of an entry are, behind its local header. */
async function startOf(
  reader: SourceReader,
  { offset, packedSize }: FoundEntry,
  bound: number,
): Promise<number> {
  const local = await reader.readUint8Array(offset, LOCAL_BYTES);
  if (local.length < LOCAL_BYTES) throw new MalformedZip("it is cut");
  const view = new DataView(local.buffer, local.byteOffset, local.length);
  if (view.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw new MalformedZip("it is damaged");
  }
  const lead = view.getUint16(26, true) + view.getUint16(28, true);
  const start = offset + LOCAL_BYTES + lead;
  if (start + packedSize > bound) {
    throw new MalformedZip("it overlaps with another");
  }
  return start;
}

async function* contentOf(
  reader: SourceReader,
  entry: FoundEntry,
  bound: number,
): AsyncGenerator<Bytes> {
  let size = 0;
  let checksum = 0;
  try {
    const start = await startOf(reader, entry, bound);
    const packed = packedOf(reader, start, entry.packedSize);
    const unpacked = entry.isPacked
      ? packed.pipeThrough(new DecompressionStream("deflate-raw"))
      : packed;
    for await (const piece of piecesOf(unpacked)) {
      size += piece.length;
      if (size > entry.size) throw new MalformedZip(OTHER_SIZE);
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw reader.faultOf(error);
  }
  if (size < entry.size) throw new MalformedZip(OTHER_SIZE);
  if (checksum !== entry.checksum) {
    throw new MalformedZip("it is damaged: its checksum is another");
  }
}

/** The bytes of an entry as they are packed, read as they are asked for. */
function packedOf(
  reader: SourceReader,
  start: number,
  length: number,
): ReadableStream<Bytes> {
  let at = 0;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const wanted = Math.min(PIECE_BYTES, length - at);
      if (wanted === 0) return controller.close();
      const piece = await reader.readUint8Array(start + at, wanted);
      if (piece.length < wanted) throw new MalformedZip("it is cut");
      at += wanted;
      controller.enqueue(piece);
    },
  }, { highWaterMark: 0 });
}

/** CRC-32 as zips have it (ISO 3309), from the one of the bytes before. */
function crc32(bytes: Bytes, before: number): number {
  let crc = ~before;
  for (const byte of bytes) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) {
    crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0xedb88320);
  }
  return crc;
});

/** When an entry was last changed, in milliseconds. */
function modifiedAt(entry: Entry): number {
  const exact = entry.extraFieldExtendedTimestamp?.lastModDate?.getTime();
  if (exact !== undefined && Number.isFinite(exact)) return exact;
  // Two DOS words, a date above a time, without a zone.
  const raw = Number(entry.rawLastModDate);
  return Date.UTC(
    1980 + (raw >>> 25),
    ((raw >>> 21) & 15) - 1,
    (raw >>> 16) & 31,
    (raw >>> 11) & 31,
    (raw >>> 5) & 63,
    (raw & 31) * 2,
  );
}

/** A source as zip.js reads it, which remembers what the source threw. */
class SourceReader extends Reader<PlainSource> {
  readonly #source: PlainSource;
  #thrown: unknown;

  constructor(source: PlainSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override async readUint8Array(
    offset: number,
    length: number,
  ): Promise<Bytes> {
    // The files have headers of their own, about as long as the directory.
    const isMost = length > LEAST_LARGE_BYTES && length > 0.75 * this.size;
    if (length > MAX_DIRECTORY_BYTES || isMost) {
      throw new MalformedZip("its directory is too large");
    }
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    try {
      return await this.#source.read(offset, wanted);
    } catch (error) {
      this.#thrown = error;
      throw error;
    }
  }

  /** What the source threw, or else what is wrong with the zip. */
  faultOf(error: unknown): unknown {
    if (this.#thrown !== undefined) return this.#thrown;
    if (error instanceof MalformedZip) return error;
    const said = error instanceof Error ? error.message : String(error);
    return new MalformedZip(FAULTS[said] ?? "it is damaged", { cause: error });
  }
}

/** zip.js's messages, for people. */
const FAULTS: Readonly<Record<string, string>> = {
  [ERR_CENTRAL_DIRECTORY_NOT_FOUND]: "its directory is missing",
  [ERR_EOCDR_NOT_FOUND]: "it is no zip, or its end is missing",
  [ERR_SPLIT_ZIP_FILE]: "it is one disk of several",
};
