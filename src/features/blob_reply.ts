/**
 * A stored blob as a reply: whole, in part, or not modified (RFC 9110). Asset
 * reads and share links answer alike.
 *
 * @module
 */
import { fromHex, toBase64 } from "../core/bytes.ts";
import type { BlobHash } from "../core/ids.ts";
import { toHttpDate } from "../core/time.ts";
import { selectPart } from "../http/range.ts";
import type { RequestInfo } from "../http/route.ts";
import type { App } from "./app.ts";

/** A blob that the caller was found to be allowed to read. */
export interface ReadableBlob {
  readonly hash: BlobHash;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly storedAt: number;
}

const VALIDATORS = ["ETag", "Last-Modified"] as const;
const BLOB_HEADERS = [...VALIDATORS, "Accept-Ranges"] as const;

/** The successes of a blob read; `more` are headers on each of them. */
export function blobSuccess<const H extends readonly string[]>(more: H) {
  const bytes = {
    kind: "bytes",
    mediaType: "application/octet-stream",
  } as const;
  return {
    200: { ...bytes, headers: [...BLOB_HEADERS, ...more] },
    206: { ...bytes, headers: [...BLOB_HEADERS, "Content-Range", ...more] },
    304: { kind: "empty", headers: [...VALIDATORS, ...more] },
  } as const;
}

/** The additional headers of a blob that only its readers may keep. */
export const PRIVATE_HEADERS = [
  "Repr-Digest",
  "Cache-Control",
  "X-Content-Type-Options",
] as const;

/** Their values. */
export function privateHeaders(hash: BlobHash) {
  const digest = toBase64(fromHex(hash) ?? new Uint8Array());
  return {
    "Repr-Digest": `sha-256=:${digest}:`,
    // A content address always names the same bytes.
    "Cache-Control": "private, immutable, max-age=31536000",
    "X-Content-Type-Options": "nosniff",
  } as const;
}

/**
 * Reads what a request asks for of a blob. Undefined when the file is missing
 * or does not have its size: the caller says what that is on its path.
 */
export async function blobReply<const H extends Record<string, string>>(
  { blobs, signals: { lostBlobs } }: Pick<App, "blobs" | "signals">,
  request: RequestInfo,
  { hash, size, storedAt }: ReadableBlob,
  more: H,
) {
  const etag = `"${hash}"`;
  const validators = { ETag: etag, "Last-Modified": toHttpDate(storedAt) };
  const part = selectPart(request.header, request.isHead, {
    etag,
    lastModified: storedAt,
    length: size,
  });
  if (part.status === 304) {
    return { status: part.status, headers: { ...validators, ...more } };
  }
  const [first, last] = part.status === 206
    ? [part.first, part.last]
    : [0, size - 1];
  const bytes = request.isHead
    ? (await blobs.isReadable(hash, size) ? null : undefined)
    : await blobs.read(hash, size, first, last);
  if (bytes === undefined) {
    await lostBlobs.note(hash);
    return undefined;
  }
  const headers = { ...validators, "Accept-Ranges": "bytes", ...more };
  const length = last - first + 1;
  return part.status === 206
    ? {
      status: part.status,
      bytes,
      length,
      headers: {
        ...headers,
        "Content-Range": `bytes ${first}-${last}/${size}`,
      },
    }
    : { status: part.status, bytes, length, headers };
}
