/**
 * Whether the end of a file is missing, as after a copy that was interrupted.
 * Nothing is decoded for it.
 *
 * @module
 */
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { codeAt, MediaReader, readWithin, Turns, viewOf } from "./reading.ts";

/** A JPEG or PNG that ends within so many bytes of its file is whole. */
const TAIL_BYTES = 64;
/** Read at a time, where the end has to be looked for (bytes). */
const PIECE_BYTES = 1024 * 1024;
/** Most boxes, segments or chunks that are passed. */
const MAX_PARTS = 4_096;
/** Boxes at the top of a film or a picture in boxes. */
const TOP_BOXES: ReadonlySet<string> = new Set(
  "ftyp moov mdat moof meta mfra sidx styp free skip wide udta uuid pnot PICT mpvd"
    .split(" "),
);
/** Films that come in pieces have no header of their own. */
const PIECES: ReadonlySet<string> = new Set(["moof", "styp", "sidx"]);

/** Whether the end of a JPEG, PNG, WebP, AVI, HEIC, AVIF or MP4 is missing. */
export async function isCut(source: PlainSource): Promise<boolean> {
  return await readWithin(source, async (source) => {
    if (source.size < 16) return false;
    const reader = new MediaReader(source);
    const head = await reader.view(0, 16);
    const first = head.getUint32(0);
    if (first >>> 8 === 0xff_d8_ff) return await isJpegCut(source);
    if (first === 0x89_50_4e_47) return await isPngCut(reader);
    if (codeAt(head, 0) === "RIFF" && /^(WEBP|AVI )$/.test(codeAt(head, 8))) {
      return head.getUint32(4, true) + 8 > source.size;
    }
    const type = codeAt(head, 4);
    return ["ftyp", "moov", "mdat", "wide", "pnot"].includes(type)
      ? await isBoxCut(reader)
      : false;
  }) ?? false;
}

/** Whether bytes are among the last ones of a file. */
async function endsWith(
  { size, read }: Pick<PlainSource, "size" | "read">,
  ...wanted: readonly number[]
): Promise<boolean> {
  const length = Math.min(TAIL_BYTES, size);
  const tail = await read(size - length, length);
  return tail.some((_, at) => wanted.every((byte, n) => tail[at + n] === byte));
}

/**
 * A JPEG ends with FF D9 (T.81, B.1), and nothing before its end is that: what
 * is coded has 00 behind FF. Cameras append videos, so it may be anywhere.
 */
async function isJpegCut(source: PlainSource): Promise<boolean> {
  const read = (offset: number, length: number) => source.read(offset, length);
  const { size } = source;
  // Samsung's cameras say what they appended.
  const isWhole = await endsWith({ size, read }, 0xff, 0xd9) ||
    await endsWith({ size, read }, ...[..."SEFT"].map((c) => c.charCodeAt(0)));
  if (isWhole) return false;
  let at: number | undefined = await scanOf(new MediaReader(source));
  if (at === undefined) return false;
  const turns = new Turns();
  while (at + 1 < size) {
    const piece = await read(at, Math.min(PIECE_BYTES, size - at));
    for (let n = 0; (n = piece.indexOf(0xff, n)) !== -1; n++) {
      if (piece[n + 1] === 0xd9) return false;
    }
    // The last byte is looked at again, with the one behind it.
    at += Math.max(1, piece.length - 1);
    await turns.after(piece.length);
  }
  return true;
}

/**
 * Where the first scan of a JPEG begins: the end of the file if it ends before.
 * Undefined for a file with other bytes between its segments.
 */
async function scanOf(reader: MediaReader): Promise<number | undefined> {
  let at = 2;
  for (let n = 0; n < MAX_PARTS; n++) {
    if (at + 4 > reader.size) return reader.size;
    const head = await reader.view(at, 4);
    if (head.getUint8(0) !== 0xff) return undefined;
    const marker = head.getUint8(1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    at += 2 + head.getUint16(2);
    if (marker === 0xda) return Math.min(at, reader.size);
  }
  return undefined;
}

async function isPngCut(reader: MediaReader): Promise<boolean> {
  const read = (offset: number, length: number) => reader.bytes(offset, length);
  const isWhole = await endsWith(
    { size: reader.size, read },
    ...[..."IEND"].map((letter) => letter.charCodeAt(0)),
  );
  if (isWhole) return false;
  let at = 8;
  for (let n = 0; n < MAX_PARTS; n++) {
    if (at + 12 > reader.size) return true;
    const head = await reader.view(at, 8);
    if (codeAt(head, 4) === "IEND") return false;
    at += 12 + head.getUint32(0);
  }
  return false;
}

async function isBoxCut(reader: MediaReader): Promise<boolean> {
  const seen = new Set<string>();
  let at = 0;
  for (let n = 0; n < MAX_PARTS && at + 8 <= reader.size; n++) {
    const head = viewOf(
      (await reader.bytes(at, Math.min(16, reader.size - at))).slice(),
    );
    const type = codeAt(head, 4);
    // What programs append is no part of it.
    if (!TOP_BOXES.has(type)) break;
    seen.add(type);
    const said = head.getUint32(0);
    const size = said === 1 && head.byteLength === 16
      ? Number(head.getBigUint64(8))
      : said === 0
      ? reader.size - at
      : said;
    if (size < 8) break;
    if (at + size > reader.size) return true;
    at += size;
  }
  const isPiece = [...PIECES].some((type) => seen.has(type));
  return !isPiece && !seen.has("moov") && !seen.has("meta");
}
