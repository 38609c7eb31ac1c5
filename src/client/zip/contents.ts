/**
 * Reading the bytes of an entry as a stream, checked against the size and the
 * checksum in the directory.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../sealed_source.ts";
import { LOCAL_BYTES, viewOf, type ZipEntry } from "./directory.ts";
import { MalformedZip } from "./faults.ts";

const LOCAL = 0x04034b50;
/** Deflate expands at most 1,032 times, so a piece gives at most 32 MiB. */
const PIECE_BYTES = 32 * 1024;

/**
 * Yields the bytes of an entry in order. Throws MalformedZip, at the latest at
 * the end, if they differ from what the directory promises; bytes yielded
 * before must not be used then.
 */
export async function* readZipEntry(
  source: PlainSource,
  entry: ZipEntry,
): AsyncGenerator<Bytes> {
  const first = await dataOf(source, entry);
  const packed = piecesOf(source, first, first + entry.packedSize);
  let size = 0;
  let crc = 0xffffffff;
  for await (const piece of entry.method === 0 ? packed : inflate(packed)) {
    size += piece.length;
    if (size > entry.size) throw new MalformedZip("it is longer than it says");
    crc = crcOf(crc, piece);
    yield piece;
  }
  if (size < entry.size) throw new MalformedZip("it is shorter than it says");
  if ((crc ^ 0xffffffff) >>> 0 !== entry.crc32) {
    throw new MalformedZip("it is damaged: its checksum is another");
  }
}

/** Offset of an entry's bytes, which only its local header tells. */
export async function dataOf(
  source: PlainSource,
  { offset, packedSize, method, end }: ZipEntry,
): Promise<number> {
  if (offset + LOCAL_BYTES > source.size) {
    throw new MalformedZip("it ends too early");
  }
  const local = await viewOf(source, offset, LOCAL_BYTES);
  if (
    local.getUint32(0, true) !== LOCAL || local.getUint16(8, true) !== method
  ) {
    throw new MalformedZip("its header is not where its directory says");
  }
  const first = offset + LOCAL_BYTES + local.getUint16(26, true) +
    local.getUint16(28, true);
  if (first + packedSize > end) {
    throw new MalformedZip("it overlaps with another");
  }
  return first;
}

async function* piecesOf(
  source: PlainSource,
  first: number,
  end: number,
): AsyncGenerator<Bytes> {
  for (let at = first; at < end; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, end - at);
    const bytes = await source.read(at, length);
    if (bytes.length !== length) throw new MalformedZip("it ends too early");
    yield bytes;
  }
}

async function* inflate(pieces: AsyncGenerator<Bytes>): AsyncGenerator<Bytes> {
  const stream = ReadableStream.from(pieces)
    .pipeThrough(new DecompressionStream("deflate-raw"));
  try {
    yield* stream;
  } catch (error) {
    // The decoder throws a TypeError for bytes that are not deflated.
    if (error instanceof TypeError) throw new MalformedZip("it is damaged");
    throw error;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  }
  return value;
});

function crcOf(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (const byte of bytes) {
    crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return crc;
}
