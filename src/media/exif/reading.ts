/**
 * Reading a few numbers anywhere in a file, with bounds, because files may be
 * hostile.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";

/** Longest part that is read (bytes); nothing needed is longer. */
export const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;
/** Headers are read in pieces of this size (bytes). */
const PIECE_BYTES = 64 * 1024;
/** A file with more pieces has its headers far apart: then they are smaller. */
const LARGE_PIECES = 64;
const SMALL_PIECE_BYTES = 4 * 1024;
/** Most pieces read of a file, over which its headers are spread. */
const MAX_PIECES = 2_048;
/**
 * A file may send a reader to the same bytes over and over. All that is handed
 * out is at most so many times the file, and some for small ones (bytes).
 */
const MOST_TIMES = 4;
const MOST_OF_SMALL_BYTES = 256 * 1024;
/** A file up to this size is read at once (bytes). */
const WHOLE_BYTES = 128 * 1024;

/** A file contradicts itself, or has more headers than any real one. */
export class MalformedMedia extends Error {
  override readonly name = "MalformedMedia";
}

/**
 * Runs a reader over a file of someone else's. Undefined for a file that the
 * reader cannot make sense of, whatever it stumbles over: a bad file costs what
 * was to be read of it, and no other file. Throws what the source itself throws,
 * such as a lost connection.
 */
export async function readWithin<T>(
  source: PlainSource,
  read: (source: PlainSource) => Promise<T | undefined>,
): Promise<T | undefined> {
  let failed: { readonly error: unknown } | undefined;
  const watched: PlainSource = {
    size: source.size,
    async read(offset, length) {
      try {
        return await source.read(offset, length);
      } catch (error) {
        failed ??= { error };
        throw error;
      }
    },
  };
  const found = await read(watched).catch(() => undefined);
  if (failed !== undefined) throw failed.error;
  return found;
}

/**
 * Reads into `found`, which keeps what was read before the file contradicts
 * itself or ends. Throws what the source throws.
 */
export async function readInto<T>(
  found: T,
  read: (found: T) => Promise<void>,
): Promise<T> {
  try {
    await read(found);
  } catch (error) {
    // RangeError: a view is shorter than the file says.
    const isMalformed = error instanceof MalformedMedia ||
      error instanceof RangeError;
    if (!isMalformed) throw error;
  }
  return found;
}

/**
 * Lets others have a turn. A loop over a file of someone else's calls it now and
 * then, because what it reads may be in memory already.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** So much is worked on before others have a turn (bytes). */
const TURN_BYTES = 1024 * 1024;

/** Counts the work of a loop, and lets others have their turns. */
export class Turns {
  #done = 0;

  /** Undefined until it is the others' turn, so that no call has to wait. */
  after(bytes: number): Promise<void> | undefined {
    this.#done += bytes;
    if (this.#done < TURN_BYTES) return undefined;
    this.#done = 0;
    return breathe();
  }
}

/**
 * A source whose beginning is read once, and all of a small one: several readers
 * look at it, one after the other.
 */
export function readOnce(source: PlainSource): PlainSource {
  const { size } = source;
  const length = size <= WHOLE_BYTES ? size : PIECE_BYTES;
  let head: Promise<Bytes> | undefined;
  return {
    size,
    async read(offset, wanted) {
      const end = Math.min(offset + wanted, size);
      if (offset < 0 || end > length) return await source.read(offset, wanted);
      head ??= source.read(0, length);
      return (await head).slice(offset, end);
    },
  };
}

/** Reads parts of a file, small ones from the piece that was read last. */
export class MediaReader {
  #at = 0;
  #piece: Bytes = new Uint8Array();
  #pieces = 0;
  /** What may still be handed out (bytes). */
  #left: number;

  constructor(private readonly source: PlainSource) {
    this.#left = MOST_TIMES * source.size + MOST_OF_SMALL_BYTES;
  }

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
    this.#left -= length;
    if (this.#left < 0) throw new MalformedMedia("it is read over and over");
    const from = offset - this.#at;
    if (from >= 0 && from + length <= this.#piece.length) {
      return this.#piece.subarray(from, from + length);
    }
    if (++this.#pieces > MAX_PIECES) {
      throw new MalformedMedia("its headers have no end");
    }
    const isSmall = this.size <= WHOLE_BYTES;
    const start = isSmall ? 0 : offset;
    const piece = this.#pieces > LARGE_PIECES ? SMALL_PIECE_BYTES : PIECE_BYTES;
    const wanted = isSmall
      ? this.size
      : Math.min(Math.max(length, piece), this.size - offset);
    this.#piece = await this.source.read(start, wanted);
    this.#at = start;
    const at = offset - start;
    if (this.#piece.length < at + length) {
      throw new MalformedMedia("it is shorter now");
    }
    return this.#piece.subarray(at, at + length);
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
