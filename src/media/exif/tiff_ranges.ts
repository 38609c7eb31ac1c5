/**
 * Reading the directories of a large TIFF or raw file by ranges: scanners and
 * editors write them behind the picture. What is read becomes a small TIFF.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { MAX_SEGMENT_BYTES, type MediaReader, viewOf } from "./reading.ts";
import type { Found } from "./segments.ts";
import { MAX_BELOW, MAX_ENTRIES, TAG, TYPE_BYTES } from "./tiff.ts";

/** What was read, in the order in which it is written. */
class SmallTiff {
  readonly parts: Uint8Array[] = [];
  length = 8;

  /** Adds a part and returns its offset, which is even (TIFF 6.0). */
  add(part: Uint8Array): number {
    const at = this.length;
    const even = new Uint8Array(part.length + (part.length & 1));
    even.set(part);
    this.parts.push(even);
    this.length += even.length;
    return at;
  }

  bytes(head: Uint8Array): Bytes {
    const bytes = new Uint8Array(this.length);
    bytes.set(head);
    let at = 8;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

/** The directories below the first one that have facts. */
const BELOW: readonly number[] = [TAG.exif, TAG.gps];
const READ: ReadonlySet<number> = new Set(Object.values(TAG));
/** Tags of the directory of satellites. */
const MOST_GPS = 31;

/**
 * A TIFF with the directories and values of a file that have facts, and nothing
 * else; undefined if it does not begin like one.
 */
export async function smallTiff(
  reader: MediaReader,
): Promise<Bytes | undefined> {
  const head = (await reader.bytes(0, 8)).slice();
  const order = viewOf(head).getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return undefined;
  const isLittle = order === 0x4949;
  const small = new SmallTiff();
  const first = viewOf(head).getUint32(4, isLittle);
  const at = await copyDirectory(reader, isLittle, small, first, "first");
  viewOf(head).setUint32(4, at, isLittle);
  return small.bytes(head);
}

/** Copies a directory with its values, and returns where it is now. */
async function copyDirectory(
  reader: MediaReader,
  isLittle: boolean,
  small: SmallTiff,
  at: number,
  which: "first" | "below",
): Promise<number> {
  if (at < 8 || at + 2 > reader.size) return 0;
  const said = (await reader.view(at, 2)).getUint16(0, isLittle);
  const fits = Math.floor((reader.size - at - 2) / 12);
  const count = Math.min(said, fits, MAX_ENTRIES);
  const entries = (await reader.bytes(at + 2, 12 * count)).slice();
  const view = viewOf(entries);
  const kept = new Map<number, Uint8Array>();
  for (let n = 0; n < count; n++) {
    const entry = 12 * n;
    const tag = view.getUint16(entry, isLittle);
    if (kept.has(tag) || (!READ.has(tag) && tag > MOST_GPS)) continue;
    const type = view.getUint16(entry + 2, isLittle);
    const values = view.getUint32(entry + 4, isLittle);
    const bytes = (TYPE_BYTES[type] ?? 0) * values;
    if (bytes === 0 || bytes > MAX_SEGMENT_BYTES) continue;
    const copy = entries.slice(entry, entry + 12);
    const put = (value: number) => viewOf(copy).setUint32(8, value, isLittle);
    const where = view.getUint32(entry + 8, isLittle);
    const isFirst = which === "first";
    if (isFirst && BELOW.includes(tag)) {
      put(await copyDirectory(reader, isLittle, small, where, "below"));
    } else if (isFirst && tag === TAG.below && type === 4) {
      const most = Math.min(values, MAX_BELOW);
      if (bytes > 4 && where + 4 * most > reader.size) continue;
      const list = bytes > 4
        ? (await reader.bytes(where, 4 * most)).slice()
        : copy.slice(8);
      const places = viewOf(list);
      for (let m = 0; m < list.length; m += 4) {
        const next = places.getUint32(m, isLittle);
        places.setUint32(
          m,
          await copyDirectory(reader, isLittle, small, next, "below"),
          isLittle,
        );
      }
      viewOf(copy).setUint32(4, list.length / 4, isLittle);
      if (list.length > 4) put(small.add(list));
      else copy.set(list, 8);
    } else if (bytes > 4) {
      if (where + bytes > reader.size) continue;
      put(small.add(await reader.bytes(where, bytes)));
    }
    kept.set(tag, copy);
  }
  const directory = new Uint8Array(2 + 12 * kept.size + 4);
  viewOf(directory).setUint16(0, kept.size, isLittle);
  let next = 2;
  for (const entry of kept.values()) {
    directory.set(entry, next);
    next += 12;
  }
  return small.add(directory);
}

/** A TIFF up to this size is read at once (bytes). */
const WHOLE_TIFF_BYTES = 1024 * 1024;

/** Reads a TIFF or a raw format based on it. */
export async function findInTiff(reader: MediaReader): Promise<Found> {
  const exif = reader.size <= WHOLE_TIFF_BYTES
    ? (await reader.bytes(0, reader.size)).slice()
    : await smallTiff(reader);
  return exif === undefined ? {} : { exif };
}
