/**
 * Answering the range requests of players (RFC 9110 section 14).
 *
 * @module
 */
import type { Received } from "./ports.ts";
import type { StreamHead } from "./viewing_calls.ts";

/** The bytes that a `Range` header asks for; all of them if it is not valid. */
export function rangeAsked(
  header: string | null,
): { readonly first: number; readonly last?: number } {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? "") ??
    [];
  if (first === undefined) return { first: 0 };
  return {
    first: Number(first),
    ...(last === undefined || last === "" ? {} : { last: Number(last) }),
  };
}

/** The answer to a player. */
export function streamResponse(
  { head, stream }: Received<StreamHead>,
  isRange: boolean,
): Response {
  const { first, last, size, mime } = head;
  const headers = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    // A player does not mind; a tab would save it instead of opening it.
    "Content-Disposition": "attachment",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Type": mime,
    "X-Content-Type-Options": "nosniff",
  };
  if (first > last) {
    stream.cancel();
    return new Response(null, {
      status: 416,
      headers: { ...headers, "Content-Range": `bytes */${size}` },
    });
  }
  return new Response(stream, {
    // Safari requires a partial answer to a partial request.
    status: isRange ? 206 : 200,
    headers: {
      ...headers,
      "Content-Length": String(last - first + 1),
      ...(isRange ? { "Content-Range": `bytes ${first}-${last}/${size}` } : {}),
    },
  });
}
