/**
 * Pieces for a Blob.
 *
 * @module
 */

/** Bytes of a joined piece. */
const PIECE_BYTES = 1024 * 1024;

/** Joins small pieces into fewer, larger ones for a Blob. */
export async function* gathered(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let held = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + held.length - filled);
      held.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < held.length) continue;
      yield held;
      held = new Uint8Array(PIECE_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield held.slice(0, filled);
}
