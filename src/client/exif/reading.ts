/**
 * Reading a few numbers anywhere in a file, with bounds, because files may be
 * hostile.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../sealed_source.ts";

/** Longest part that is read (bytes); nothing needed is longer. */
export const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;
/** Headers are read in pieces of this size (bytes). */
const PIECE_BYTES = 64 * 1024;
/** Most pieces read of a file, over which its headers are spread. */
const MAX_PIECES = 256;

/** A file contradicts itself, or has more headers than any real one. */
export class MalformedMedia extends Error {
  override readonly name = "MalformedMedia";
}

/** Reads parts of a file, small ones from the piece that was read last. */
export class MediaReader {
  #at = 0;
  #piece: Bytes = new Uint8Array();
  #pieces = 0;

  constructor(private readonly source: PlainSource) {}

  get size(): number {
    return this.source.size;
  }

  /**
   * Reads exactly `length` bytes; throws {@link MalformedMedia} past the end.
   */
  async bytes(offset: number, length: number): Promise<Bytes> {
    if (
      !Number.isSafeInteger(offset) || offset < 0 || length < 0 ||
      length > MAX_SEGMENT_BYTES || offset + length > this.size
    ) throw new MalformedMedia("it says it has what it has not");
    const from = offset - this.#at;
    if (from >= 0 && from + length <= this.#piece.length) {
      return this.#piece.subarray(from, from + length);
    }
    if (++this.#pieces > MAX_PIECES) {
      throw new MalformedMedia("its headers have no end");
    }
    const wanted = Math.min(
      Math.max(length, PIECE_BYTES),
      this.size - offset,
    );
    this.#piece = await this.source.read(offset, wanted);
    this.#at = offset;
    if (this.#piece.length < length) {
      throw new MalformedMedia("it is shorter now");
    }
    return this.#piece.subarray(0, length);
  }

  async view(offset: number, length: number): Promise<DataView> {
    return viewOf(await this.bytes(offset, length));
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The ASCII text of a part of a view, such as a four-letter code. */
export function codeAt(view: DataView, offset: number, length = 4): string {
  let text = "";
  for (let at = offset; at < offset + length; at++) {
    text += String.fromCharCode(view.getUint8(at));
  }
  return text;
}
