/**
 * Reading a file whose parts are mostly one after the other.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { MalformedMedia } from "../exif/reading.ts";

/** Small neighbouring parts are read together, up to so much (bytes). */
const WINDOW_BYTES = 1024 * 1024;

/** Reads a part of a file; throws {@link MalformedMedia} past its end. */
export type Read = (offset: number, length: number) => Promise<Bytes>;

/**
 * Reads of small neighbouring parts, out of larger pieces. A piece grows with
 * the parts that were read in a row, so that parts that are far apart do not
 * read what lies between them.
 */
export function windowed(source: PlainSource): Read {
  let from = 0;
  let held: Bytes = new Uint8Array();
  let inRow = 0;
  return async (offset, length) => {
    if (offset < 0 || offset + length > source.size) {
      throw new MalformedMedia("it says it has what it has not");
    }
    const at = offset - from;
    if (at < 0 || at > held.length) inRow = 0;
    inRow += length;
    if (at < 0 || at + length > held.length) {
      from = offset;
      held = await source.read(
        offset,
        Math.min(
          Math.max(length, Math.min(inRow, WINDOW_BYTES)),
          source.size - offset,
        ),
      );
      return held.subarray(0, length);
    }
    return held.subarray(at, at + length);
  };
}
