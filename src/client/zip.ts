/**
 * Reading zips in place: their directory, and the bytes of each file.
 *
 * The format is `@zip.js/zip.js`'s business; what is allowed here is ours, and
 * nothing that a zip says of itself is believed: entries that share bytes, that
 * would leave the archive, or that would swell more than photos and videos do
 * are listed as refused, and an entry is read against its size and its checksum.
 *
 * @module
 */
import {
  configure,
  type Entry,
  ERR_ABORTED,
  ERR_CENTRAL_DIRECTORY_NOT_FOUND,
  ERR_EOCDR_NOT_FOUND,
  ERR_INVALID_CRC32,
  ERR_INVALID_UNCOMPRESSED_SIZE,
  ERR_SPLIT_ZIP_FILE,
  type FileEntry,
  Reader,
  ZipReader,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import type { Bytes } from "../core/bytes.ts";
import { FOLDERS_MAX, NAME_MAX } from "./name_limits.ts";
import type { PlainSource } from "./sealed_source.ts";
import { piecesOf } from "./chunks.ts";

// Deflate expands at most 1,032 times, so a piece gives at most 32 MiB. Whoever
// reads zips has a thread for it already.
configure({ chunkSize: 32 * 1024, useWebWorkers: false });

const MAX_ENTRIES = 1_000_000;
/** Largest directory, with names, comments and extra fields (bytes). */
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024;
/** Bytes of a local header, without its name and extra field. */
const LOCAL_BYTES = 30;

/**
 * Photos and videos are compressed already and hardly expand, so a large file
 * that expands more than this is a zip bomb.
 */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

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
   * Yields its bytes in order. Throws MalformedZip, at the latest at the end, if
   * they differ from what the directory promises; bytes yielded before must not
   * be used then.
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

/** The files of a zip. */
export interface ZipDirectory {
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
 * Reads the directory of a zip. Throws MalformedZip if it is none, and what the
 * source throws.
 */
export async function readZip(source: PlainSource): Promise<ZipDirectory> {
  const reader = new SourceReader(source);
  const found: FileEntry[] = [];
  const refused: { path: string; why: string; fault: ZipRefusal }[] = [];
  try {
    const entries = new ZipReader(reader).getEntriesGenerator({
      // Names are looked at below, one by one: a bad one costs no other.
      filenameValidation: "tolerant",
    });
    let count = 0;
    for await (const entry of entries) {
      if (++count > MAX_ENTRIES) {
        throw new MalformedZip(`it has more than ${MAX_ENTRIES} entries`);
      }
      if (entry.directory) continue;
      const fault = refusalOf(entry);
      if (fault === undefined) found.push(entry);
      else {
        const why = whyOf(fault, entry);
        refused.push({ path: entry.filename, why, fault });
      }
    }
  } catch (error) {
    throw reader.faultOf(error);
  }
  const entries: ZipEntry[] = [];
  // An entry may reach to the next one.
  const sorted = found.toSorted((a, b) => a.offset - b.offset);
  for (const [at, entry] of sorted.entries()) {
    const bound = sorted[at + 1]?.offset ?? source.size;
    if (entry.offset + LOCAL_BYTES + entry.compressedSize <= bound) {
      entries.push(entryOf(reader, entry, bound));
    } else {
      const why = whyOf("overlap", entry);
      refused.push({ path: entry.filename, why, fault: "overlap" });
    }
  }
  return { entries, refused };
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
    : leavesArchive(filename)
    ? "path"
    : isTooLong(filename)
    ? "name"
    : bombWhy(entry);
}

function whyOf(fault: ZipRefusal, { compressionMethod }: Entry): string {
  return ({
    encrypted: "it is encrypted",
    method:
      `it is packed by method ${compressionMethod}, which is not known here`,
    special: "it is no file",
    path: "its name leaves the archive",
    name: "its name is too long",
    sizes: "its sizes make no sense",
    bomb: "it would swell more than any photograph does",
    overlap: "it overlaps with another",
  } as const)[fault];
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
  entry: FileEntry,
  /** Where the next entry begins. */
  bound: number,
): ZipEntry {
  return {
    path: entry.filename,
    size: entry.uncompressedSize,
    modifiedAt: modifiedAt(entry),
    read: () => contentOf(reader, entry),
    place: async () => {
      if (entry.compressionMethod !== STORED) return undefined;
      const local = await reader.readUint8Array(entry.offset, LOCAL_BYTES);
      if (local.length < LOCAL_BYTES) throw new MalformedZip("it is cut");
      const view = new DataView(local.buffer, local.byteOffset, local.length);
      const lead = view.getUint16(26, true) + view.getUint16(28, true);
      const start = entry.offset + LOCAL_BYTES + lead;
      if (start + entry.uncompressedSize > bound) {
        throw new MalformedZip("it overlaps with another");
      }
      return start;
    },
  };
}

async function* contentOf(
  reader: SourceReader,
  entry: FileEntry,
): AsyncGenerator<Bytes> {
  let fail = (_: unknown) => {};
  const { readable, writable } = new TransformStream<Bytes, Bytes>({
    start: (controller) => fail = (error) => controller.error(error),
  });
  const stopping = new AbortController();
  const unpacked = entry.getData(writable, {
    checkCrc32: true,
    checkOverlappingEntry: true,
    signal: stopping.signal,
  });
  // Before it opens the stream, a fault of its would leave that waiting.
  unpacked.catch(fail);
  let size = 0;
  try {
    for await (const piece of piecesOf(readable)) {
      size += piece.length;
      if (size > entry.uncompressedSize) {
        throw new MalformedZip(OTHER_SIZE);
      }
      yield piece;
    }
    await unpacked;
  } catch (error) {
    throw reader.faultOf(error);
  } finally {
    stopping.abort();
  }
  if (size < entry.uncompressedSize) {
    throw new MalformedZip(OTHER_SIZE);
  }
}

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
    if (length > MAX_DIRECTORY_BYTES) {
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
  [ERR_ABORTED]: "it was not read to its end",
  [ERR_CENTRAL_DIRECTORY_NOT_FOUND]: "its directory is missing",
  [ERR_EOCDR_NOT_FOUND]: "it is no zip, or its end is missing",
  [ERR_INVALID_CRC32]: "it is damaged: its checksum is another",
  [ERR_INVALID_UNCOMPRESSED_SIZE]: OTHER_SIZE,
  [ERR_SPLIT_ZIP_FILE]: "it is one disk of several",
};
