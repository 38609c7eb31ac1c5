/**
 * What of tus 1.0.0 stands in headers, for every kind of session.
 *
 * @module
 */
import { fromBase64 } from "../../core/bytes.ts";
import { toHttpDate } from "../../core/time.ts";
import type { Parameter } from "../../http/route.ts";
import { TUS_VERSION } from "../../http/tus_version.ts";
import type { Checksum } from "./receive.ts";

export const TUS = { "Tus-Resumable": TUS_VERSION } as const;

export const uploadOffset: Parameter<number> = {
  parse: (given) => /^\d{1,15}$/.test(given) ? Number(given) : undefined,
  schema: { type: "integer", minimum: 0 },
  description: "Bytes that the server holds (tus)",
};

const DIGEST_BYTES = { sha1: 20, sha256: 32 } as const;

export const uploadChecksum: Parameter<Checksum | null> = {
  parse: (given) => {
    const match = /^(sha1|sha256) +(\S+)$/.exec(given.trim());
    const algorithm = match?.[1] === "sha1" ? "sha1" : "sha256";
    const digest = fromBase64(match?.[2] ?? "");
    return match !== null && digest?.length === DIGEST_BYTES[algorithm]
      ? { algorithm, digest }
      : undefined;
  },
  schema: { type: "string" },
  description: "sha1 or sha256, a space, the digest in base64 (tus)",
  absent: { value: null },
};

/** The headers of an answer that tells where a session stands. */
export const STANDING_HEADERS = [
  "Tus-Resumable",
  "Upload-Offset",
  "Upload-Length",
  "Upload-Expires",
] as const;

/** Their values; the instant is in milliseconds. */
export function uploadHeaders(
  offset: number,
  { size, expires_at }: { readonly size: number; readonly expires_at: number },
) {
  return {
    ...TUS,
    "Upload-Offset": String(offset),
    "Upload-Length": String(size),
    "Upload-Expires": toHttpDate(expires_at),
  } as const;
}

/** The headers of an answer to bytes that were appended. */
export const PATCHED_HEADERS = [
  "Tus-Resumable",
  "Upload-Offset",
  "Upload-Expires",
] as const;

/** Their values. */
export function patchedHeaders(
  patched: { readonly offset: number; readonly expiresAt: number },
) {
  return {
    ...TUS,
    "Upload-Offset": String(patched.offset),
    "Upload-Expires": toHttpDate(patched.expiresAt),
  } as const;
}
