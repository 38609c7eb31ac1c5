/**
 * The problems that a declaration implies: those of the pipeline's own checks,
 * in the order of protocol/transport.md#order-of-checks.
 *
 * @module
 */
import type { Credential } from "../core/caller.ts";
import type { ProblemCode } from "../core/problem.ts";
import { enforcesWindow, takesHandshake } from "./handshake.ts";
import { ANY_TYPE, type RouteSpec } from "./route.ts";

/** With what each kind of credential is refused, once it was presented. */
const REFUSED_CREDENTIALS = {
  session: ["error.auth.token_invalid"],
  token: ["error.auth.token_invalid"],
  capability: ["error.federation.capability_invalid"],
  reader: ["error.auth.token_invalid", "error.federation.capability_invalid"],
} as const satisfies Record<
  Exclude<Credential, "none">,
  readonly ProblemCode[]
>;

/** The codes with which a kind of credential may be refused. */
export type RefusedCredential<C extends Exclude<Credential, "none">> =
  (typeof REFUSED_CREDENTIALS)[C][number];

/**
 * Whether a suspended account is refused
 * (protocol/transport.md#suspended-accounts).
 */
export function refusesSuspended(spec: RouteSpec): boolean {
  if (spec.credential !== "session") return false;
  if (spec.suspended !== undefined) return spec.suspended === "refused";
  return spec.method !== "GET" && spec.method !== "DELETE";
}

/**
 * Whether an account is refused whose password the operator set
 * (protocol/transport.md#a-password-that-has-to-be-changed).
 */
export function waitsForPassword(spec: RouteSpec): boolean {
  return spec.credential === "session" && spec.method !== "GET" &&
    spec.method !== "OPTIONS" && spec.givenPassword !== "allowed";
}

/** The limit of a body that is read whole, in bytes. */
export function bodyLimit(spec: RouteSpec, defaultBytes: number): number {
  const body = spec.body;
  if (body?.kind === "json" || body?.kind === "bytes") {
    return body.limitBytes ?? defaultBytes;
  }
  return defaultBytes;
}

function takesAnyType({ body }: RouteSpec): boolean {
  return body?.kind === "bytes" && body.mediaType === ANY_TYPE;
}

/** Every code that the pipeline itself may answer an operation with. */
export function impliedProblems(spec: RouteSpec): ProblemCode[] {
  const codes: ProblemCode[] = [];
  if (spec.forOperators) codes.push("error.request.route_unknown");
  if (spec.ownHost) codes.push("error.request.host");
  if (takesHandshake(spec)) {
    codes.push(
      "error.handshake.protocol_missing",
      "error.handshake.protocol_malformed",
      "error.handshake.crypto_suite_unsupported",
      "error.handshake.sidecar_schema_unsupported",
    );
  }
  if (enforcesWindow(spec)) codes.push("error.handshake.protocol_unsupported");
  if (spec.tus === true) codes.push("error.upload.tus_unsupported");
  if (spec.credential !== "none") {
    codes.push(
      "error.auth.token_missing",
      ...REFUSED_CREDENTIALS[spec.credential],
    );
  }
  if (refusesSuspended(spec)) codes.push("error.account.suspended");
  if (waitsForPassword(spec)) {
    codes.push("error.auth.reauthentication_required");
  }
  if (spec.needsDirectory) codes.push("error.directory.required");
  const body = spec.body?.kind ?? "none";
  const values = { ...spec.params, ...spec.query, ...spec.headers };
  if (Object.keys(values).length > 0 || body !== "none") {
    codes.push("error.request.malformed");
  }
  if (body !== "none" && !takesAnyType(spec)) {
    codes.push("error.request.media_type");
  }
  codes.push("error.request.too_large");
  if (body === "json") codes.push("error.request.invalid");
  if (spec.cannotFail !== true) {
    codes.push("error.storage.full", "error.storage.unavailable");
    // They read the tables of sessions, factors or enrollments.
    if (spec.path.startsWith("/v1/auth/")) codes.push("error.auth.unavailable");
    codes.push("error.internal");
  }
  return codes;
}

/** Every code that an operation may answer with. */
export function declaredProblems(spec: RouteSpec): ProblemCode[] {
  return [...new Set([...impliedProblems(spec), ...spec.problems])];
}
