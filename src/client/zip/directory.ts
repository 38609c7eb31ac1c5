/**
 * Reading the central directory of a zip (APPNOTE 6.3.10, with ZIP64): which
 * files it has and where. Nothing here trusts the zip: every length is checked
 * against the file's size, entries that share bytes or would leave the archive
 * are listed as refused, and the directory is read in pieces.
 *
 * @module
 */
import type { PlainSource } from "../sealed_source.ts";
import { hiddenWhy, nameOf, timesOf, type Zip64, zip64Of } from "./fields.ts";
import { MalformedZip } from "./faults.ts";

/** A file in a zip. */
export interface ZipEntry {
  /** Its folders and its name, separated by `/`. */
  readonly path: string;
  /** Bytes of the file, according to the directory. */
  readonly size: number;
  readonly packedSize: number;
  /** 0 is stored, 8 is deflate. */
  readonly method: number;
  readonly crc32: number;
  /** Milliseconds since the epoch; DOS times count as UTC. */
  readonly modifiedAt: number;
  /** Offset of its local header. */
  readonly offset: number;
  /** Offset of what follows it; its bytes may not reach further. */
  readonly end: number;
}

/** The files of a zip. */
export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Entries that cannot be read, and why. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

const END = 0x06054b50;
const END_BYTES = 22;
const END64 = 0x06064b50;
const END64_BYTES = 56;
const LOCATOR64 = 0x07064b50;
const LOCATOR64_BYTES = 20;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
/** Bytes of a local header, without its name and extra field. */
export const LOCAL_BYTES = 30;

const MAX_COMMENT_BYTES = 0xffff;
const MAX_ENTRIES = 1_000_000;
/** Largest directory, with names, comments and extra fields (bytes). */
const MAX_DIRECTORY_BYTES = 512 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
/** The longest possible record; it always fits into one piece. */
const MAX_RECORD_BYTES = CENTRAL_BYTES + 3 * 0xffff;

/**
 * Deflate expands at most 1,032 times. Photographs and videos are compressed
 * already and hardly expand, so a large file that expands more than this is a
 * zip bomb.
 */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

interface End {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** Reads the directory of a zip. Throws MalformedZip if it is none. */
export async function readZipDirectory(
  source: PlainSource,
): Promise<ZipDirectory> {
  const end = await findEnd(source);
  if (end.count > MAX_ENTRIES) {
    throw new MalformedZip(`it has more than ${MAX_ENTRIES} entries`);
  }
  if (end.size > MAX_DIRECTORY_BYTES) {
    throw new MalformedZip("its directory is too large");
  }
  const found: Omit<ZipEntry, "end">[] = [];
  const refused: { path: string; why: string }[] = [];
  for await (const record of records(source, end)) {
    const entry = entryOf(record);
    if (entry.isFolder) continue;
    if (entry.why === undefined) found.push(entry.file);
    else refused.push({ path: entry.file.path, why: entry.why });
  }
  const entries: ZipEntry[] = [];
  // An entry may reach to the next one, and the last to the directory.
  const sorted = found.toSorted((a, b) => a.offset - b.offset);
  for (const [at, entry] of sorted.entries()) {
    const bound = sorted[at + 1]?.offset ?? end.offset;
    const reach = entry.offset + LOCAL_BYTES + entry.packedSize;
    if (reach <= bound) entries.push({ ...entry, end: bound });
    else {
      refused.push({ path: entry.path, why: "it overlaps with another" });
    }
  }
  return { entries, refused };
}

/** The directory's records, read in pieces. */
async function* records(
  source: PlainSource,
  { count, offset, size }: End,
): AsyncGenerator<DataView> {
  const last = offset + size;
  let at = offset;
  let piece: DataView = new DataView(new ArrayBuffer(0));
  let inPiece = 0;
  for (let done = 0; done < count; done++) {
    if (
      inPiece + MAX_RECORD_BYTES > piece.byteLength &&
      at + piece.byteLength < last
    ) {
      at += inPiece;
      inPiece = 0;
      piece = await viewOf(source, at, Math.min(PIECE_BYTES, last - at));
    }
    const left = piece.byteLength - inPiece;
    if (left < CENTRAL_BYTES || piece.getUint32(inPiece, true) !== CENTRAL) {
      throw new MalformedZip("its directory ends too early");
    }
    const length = CENTRAL_BYTES + piece.getUint16(inPiece + 28, true) +
      piece.getUint16(inPiece + 30, true) + piece.getUint16(inPiece + 32, true);
    if (length > left) throw new MalformedZip("an entry leaves the directory");
    yield new DataView(piece.buffer, piece.byteOffset + inPiece, length);
    inPiece += length;
  }
}

interface Found {
  readonly isFolder: boolean;
  readonly file: Omit<ZipEntry, "end">;
  /** The reason why it is refused. */
  readonly why: string | undefined;
}

function entryOf(record: DataView): Found {
  const flags = record.getUint16(8, true);
  const method = record.getUint16(10, true);
  const nameBytes = record.getUint16(28, true);
  const extra = new DataView(
    record.buffer,
    record.byteOffset + CENTRAL_BYTES + nameBytes,
    record.getUint16(30, true),
  );
  const path = nameOf(
    new Uint8Array(
      record.buffer,
      record.byteOffset + CENTRAL_BYTES,
      nameBytes,
    ),
    (flags & 0x800) !== 0,
  );
  const short: Zip64 = {
    size: record.getUint32(24, true),
    packedSize: record.getUint32(20, true),
    offset: record.getUint32(42, true),
  };
  const whole = zip64Of(short, extra);
  const file = {
    path,
    ...(whole ?? short),
    method,
    crc32: record.getUint32(16, true),
    modifiedAt: timesOf(
      record.getUint16(14, true),
      record.getUint16(12, true),
      extra,
    ),
  };
  // Unix stores the file's kind there; on other systems it is zero.
  const kind = record.getUint8(5) === 3 ? record.getUint16(40, true) >>> 12 : 0;
  return {
    isFolder: path.endsWith("/") || kind === 4,
    file,
    why: whole === undefined
      ? "its sizes make no sense"
      : (flags & 0x41) !== 0
      ? "it is encrypted"
      : method !== 0 && method !== 8
      ? `it is packed by method ${method}, which is not known here`
      : kind !== 0 && kind !== 8
      ? "it is no file"
      : hiddenWhy(path) ?? bombWhy(whole, method),
  };
}

function bombWhy(
  { size, packedSize }: Zip64,
  method: number,
): string | undefined {
  if (method === 0) {
    return size === packedSize ? undefined : "its sizes make no sense";
  }
  return size > RATIO_FROM_BYTES && size > packedSize * MAX_RATIO
    ? "it would swell more than any photograph does"
    : undefined;
}

async function findEnd(source: PlainSource): Promise<End> {
  const length = Math.min(
    source.size,
    END_BYTES + MAX_COMMENT_BYTES + LOCATOR64_BYTES,
  );
  const start = source.size - length;
  const tail = await viewOf(source, start, length);
  for (let at = length - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    // The rest must be its comment; otherwise these four bytes are part of one.
    if (at + END_BYTES + tail.getUint16(at + 20, true) !== length) continue;
    const before = at - LOCATOR64_BYTES;
    if (before >= 0 && tail.getUint32(before, true) === LOCATOR64) {
      return await readEnd64(source, tail, before, start + before);
    }
    if (tail.getUint16(at + 4, true) !== 0) {
      throw new MalformedZip("it is one disk of several");
    }
    return within(
      {
        count: tail.getUint16(at + 10, true),
        size: tail.getUint32(at + 12, true),
        offset: tail.getUint32(at + 16, true),
      },
      start + at,
    );
  }
  throw new MalformedZip("it is no zip, or its end is missing");
}

async function readEnd64(
  source: PlainSource,
  tail: DataView,
  locator: number,
  bound: number,
): Promise<End> {
  const at = numberOf(tail.getBigUint64(locator + 8, true));
  if (at + END64_BYTES > bound) {
    throw new MalformedZip("its directory leaves the file");
  }
  const view = await viewOf(source, at, END64_BYTES);
  if (view.getUint32(0, true) !== END64) {
    throw new MalformedZip("its directory is missing");
  }
  return within(
    {
      count: numberOf(view.getBigUint64(32, true)),
      size: numberOf(view.getBigUint64(40, true)),
      offset: numberOf(view.getBigUint64(48, true)),
    },
    at,
  );
}

function within(end: End, bound: number): End {
  if (end.offset + end.size > bound) {
    throw new MalformedZip("its directory leaves the file");
  }
  return end;
}

function numberOf(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new MalformedZip("a number in it makes no sense");
  }
  return Number(value);
}

/** Reads exactly `length` bytes of a source. */
export async function viewOf(
  source: PlainSource,
  offset: number,
  length: number,
): Promise<DataView> {
  const bytes = await source.read(offset, length);
  if (bytes.length !== length) throw new MalformedZip("it ends too early");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
