/**
 * Short bodies of requests.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";

/** The bytes of a short body; undefined if there are more than so many. */
export async function bodyBytes(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<Bytes | undefined> {
  if (body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > mostBytes) return undefined;
    pieces.push(new Uint8Array(piece));
  }
  return concatBytes(...pieces);
}
