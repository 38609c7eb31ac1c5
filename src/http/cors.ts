/**
 * Cross-origin access (protocol/transport.md#cors): viewer and guest paths and
 * discovery answer any origin, what capabilities read that of any peer's page,
 * the rest the configured ones, and credentials
 * are never allowed (a bearer token is no credential in that sense).
 *
 * @module
 */
import type { HeaderDraft } from "./draft.ts";

export type CorsOrigins = "*" | ReadonlySet<string>;

/** Every response header that the contract names. */
const EXPOSED = [
  "Accept-Ranges",
  "Allow",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Last-Modified",
  "Link",
  "Location",
  "Repr-Digest",
  "Retry-After",
  "Sunset",
  "Tus-Checksum-Algorithm",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Resumable",
  "Tus-Version",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Offset",
  "WWW-Authenticate",
  "X-Service-Identity-Key",
  "X-Service-Min-Client-Build",
  "X-Service-Protocol-Max",
  "X-Service-Protocol-Min",
].join(", ");

/** Every request header that the contract names. */
const ALLOWED = [
  "Authorization",
  "Content-Type",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "Range",
  "Tus-Resumable",
  "Upload-Checksum",
  "Upload-Length",
  "Upload-Offset",
  "X-Service-Crypto-Suite",
  "X-Service-Identity-Key",
  "X-Service-Protocol",
  "X-Service-Sidecar-Schema",
].join(", ");

const PREFLIGHT_SECONDS = "7200";

/** Whether the operator named an origin. */
export function isConfigured(
  origin: string | null,
  origins: CorsOrigins,
): boolean {
  return origins === "*" || origin !== null && origins.has(origin);
}

/** Adds what a cross-origin reader of this response needs. */
export function addCors(
  headers: HeaderDraft,
  origin: string | null,
  anyOrigin: boolean,
  origins: CorsOrigins,
): void {
  if (anyOrigin || origins === "*") {
    headers.set("Access-Control-Allow-Origin", "*");
  } else {
    if (origins.size === 0) return;
    headers.append("Vary", "Origin");
    if (origin === null || !isConfigured(origin, origins)) return;
    headers.set("Access-Control-Allow-Origin", origin);
  }
  headers.set("Access-Control-Expose-Headers", EXPOSED);
}

/** Whether this is a preflight (Fetch standard, CORS-preflight fetch). */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method");
}

/** Adds what a preflight asks for. */
export function addPreflight(
  headers: HeaderDraft,
  methods: readonly string[],
): void {
  if (!headers.has("Access-Control-Allow-Origin")) return;
  headers.set("Access-Control-Allow-Methods", methods.join(", "));
  headers.set("Access-Control-Allow-Headers", ALLOWED);
  headers.set("Access-Control-Max-Age", PREFLIGHT_SECONDS);
}
