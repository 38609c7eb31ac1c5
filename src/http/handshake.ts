/**
 * The handshake headers of a /v1 operation (protocol/transport.md#handshake).
 *
 * @module
 */
import type { Raise } from "../core/problem.ts";
import {
  CRYPTO_SUITES,
  type Deprecation,
  inWindow,
  parseProtocolDate,
  pendingDeprecation,
  type ProtocolDate,
  type ProtocolWindow,
  SIDECAR_SCHEMA_MAX,
} from "../core/protocol.ts";
import { SECOND_MS, toHttpDate } from "../core/time.ts";
import type { HeaderDraft } from "./draft.ts";
import type { RouteSpec } from "./route.ts";

/** Whether an operation takes the handshake headers. */
export function takesHandshake(spec: RouteSpec): boolean {
  // tus discovery is asked by clients that know only tus
  // (protocol/transport.md#handshake).
  return spec.path.startsWith("/v1/") && spec.handshake !== false &&
    spec.method !== "OPTIONS";
}

/** Whether the window itself is enforced: on every method that may write. */
export function enforcesWindow(spec: RouteSpec): boolean {
  return takesHandshake(spec) && spec.method !== "GET";
}

/** Checks the three headers; returns the protocol date that was presented. */
export function checkHandshake(
  request: Request,
  spec: RouteSpec,
  window: ProtocolWindow,
  raise: Raise<
    | "error.handshake.protocol_missing"
    | "error.handshake.protocol_malformed"
    | "error.handshake.protocol_unsupported"
    | "error.handshake.crypto_suite_unsupported"
    | "error.handshake.sidecar_schema_unsupported"
  >,
): ProtocolDate {
  const presented = request.headers.get("x-service-protocol");
  if (presented === null) throw raise("error.handshake.protocol_missing");
  const protocol = parseProtocolDate(presented);
  if (protocol === undefined) {
    throw raise("error.handshake.protocol_malformed");
  }
  const suite = request.headers.get("x-service-crypto-suite");
  if (suite !== null && !CRYPTO_SUITES.includes(unsigned(suite))) {
    throw raise("error.handshake.crypto_suite_unsupported");
  }
  const schema = request.headers.get("x-service-sidecar-schema");
  if (schema !== null && !(unsigned(schema) <= SIDECAR_SCHEMA_MAX)) {
    throw raise("error.handshake.sidecar_schema_unsupported");
  }
  if (enforcesWindow(spec) && !inWindow(protocol, window)) {
    throw raise("error.handshake.protocol_unsupported", {
      extra: { protocol_min: window.min, protocol_max: window.max },
    });
  }
  return protocol;
}

/** An unsigned decimal integer, or NaN. */
function unsigned(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}

export const DEPRECATION_LINK =
  '</.well-known/service/deprecation>; rel="deprecation"';

/**
 * Warns a caller whose date an announced cutoff will refuse: `Deprecation`
 * (RFC 9745), `Sunset` (RFC 8594) and a link to the record.
 */
export function addDeprecation(
  headers: HeaderDraft,
  announcements: readonly Deprecation[],
  now: number,
  presented: ProtocolDate,
): void {
  const next = pendingDeprecation(announcements, now, presented);
  if (next === undefined) return;
  headers.set(
    "Deprecation",
    `@${Math.floor(next.announcedAt / SECOND_MS)}`,
  );
  headers.set("Sunset", toHttpDate(next.cutoff));
  headers.set("Link", DEPRECATION_LINK);
}
