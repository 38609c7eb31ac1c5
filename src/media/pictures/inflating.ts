/**
 * Expanding bytes in the format of zlib (RFC 1950) that may be made to swell.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { piecesOf } from "../../client/stream/chunks.ts";

/** Deflate expands at most 1,032 times, so that a piece gives 4 MiB (bytes). */
const PIECE_BYTES = 4 * 1024;

/**
 * Yields what bytes expand to, as far as it is asked for. Throws a TypeError
 * for bytes that are damaged.
 */
export async function* inflated(
  packed: Bytes | AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  const source = packed instanceof Uint8Array ? alone(packed) : packed;
  const coming = source[Symbol.asyncIterator]();
  let held: Bytes = new Uint8Array();
  // A runtime expands what it gets at once, however much that becomes.
  const pieces = new ReadableStream<Bytes>({
    async pull(controller) {
      while (held.length === 0) {
        const { done, value } = await coming.next();
        if (done === true) return controller.close();
        held = value;
      }
      controller.enqueue(held.slice(0, PIECE_BYTES));
      held = held.subarray(PIECE_BYTES);
    },
  }, { highWaterMark: 0 });
  yield* piecesOf(pieces.pipeThrough(new DecompressionStream("deflate")));
}

async function* alone(bytes: Bytes): AsyncGenerator<Bytes> {
  yield await Promise.resolve(bytes);
}
