/**
 * Bytes that come in pieces: reading them from a web stream, and cutting them
 * into chunks of one size, with the last one known as such.
 *
 * @module
 */

/** Bytes in pieces of any sizes. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A piece of a given size, or the last. */
export interface Chunk {
  /** Valid only until the next chunk is asked for. */
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/**
 * Cuts a source into chunks of `size` bytes, the first of `firstSize`. A full
 * chunk is held back until another byte or the end shows whether it is the
 * last. There is always a last chunk, which is empty only if the source is.
 */
export async function* recut(
  source: ByteSource,
  size: number,
  firstSize: number = size,
): AsyncGenerator<Chunk, void> {
  const buffer = new Uint8Array(Math.max(size, firstSize));
  let capacity = firstSize;
  let filled = 0;
  for await (const piece of source) {
    let offset = 0;
    while (offset < piece.length) {
      if (filled === capacity) {
        yield { bytes: buffer.subarray(0, filled), last: false };
        filled = 0;
        capacity = size;
      }
      const part = piece.subarray(offset, offset + capacity - filled);
      buffer.set(part, filled);
      filled += part.length;
      offset += part.length;
    }
  }
  yield { bytes: buffer.subarray(0, filled), last: true };
}

/**
 * The same of bytes in memory, which are cut where they lie: a buffer of a
 * chunk for every small blob would take longer than its cipher.
 */
export function* cut(
  bytes: Uint8Array,
  size: number,
  firstSize: number = size,
): Generator<Chunk> {
  let at = 0;
  let end = firstSize;
  while (end < bytes.length) {
    yield { bytes: bytes.subarray(at, end), last: false };
    at = end;
    end += size;
  }
  yield { bytes: bytes.subarray(at), last: true };
}

/**
 * The pieces of a web stream, for browsers whose ReadableStream is not an async
 * iterable yet. Leaving the loop early cancels the stream.
 */
export async function* piecesOf<Piece extends Uint8Array>(
  stream: ReadableStream<Piece>,
): AsyncGenerator<Piece, void> {
  const reader = stream.getReader();
  let finished = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      finished = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!finished) await reader.cancel();
    reader.releaseLock();
  }
}
