/**
 * Verification of ID tokens (OpenID Connect Core 1.0 section 3.1.3.7;
 * protocol/authentication.md#the-providers-answers).
 *
 * @module
 */
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { reasonOf } from "../core/reason.ts";
import { SECOND_MS } from "../core/time.ts";

const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;
const SUBJECT_MAX = 255;

/** The claims that an ID token must have to answer one ceremony. */
interface ExpectedToken {
  /** Compared as an exact string. */
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
}

/** The claims that are used of an ID token. */
export interface IdTokenClaims {
  readonly subject: string;
  /** Undefined unless the provider says `email_verified: true`. */
  readonly verifiedEmail: string | undefined;
}

/** A token was refused; the message says why, for the log. */
export class IdTokenRefused extends Error {
  override readonly name = "IdTokenRefused";
}

/** The token's signing key is not among the keys that were tried. */
export class SigningKeyUnknown extends Error {
  override readonly name = "SigningKeyUnknown";
}

/**
 * Verifies an ID token at an instant (ms) against the provider's keys. Throws
 * {@link SigningKeyUnknown} where newer keys may help, and otherwise
 * {@link IdTokenRefused}.
 */
export async function verifyIdToken(
  token: string,
  keys: JSONWebKeySet,
  expected: ExpectedToken,
  now: number,
): Promise<IdTokenClaims> {
  const payload = await verifySignature(token, keys, now);
  const refuse = (what: string, wanted: unknown, received: unknown) =>
    new IdTokenRefused(
      `${what}: expected ${JSON.stringify(wanted)}, ` +
        `received ${JSON.stringify(received)}`,
    );
  const { iss, aud, azp, nonce, sub, iat } = payload;
  if (iss !== expected.issuer) throw refuse("issuer", expected.issuer, iss);
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(expected.clientId)) {
    throw refuse("audience", expected.clientId, aud);
  }
  if (azp !== undefined && azp !== expected.clientId) {
    throw refuse("authorized party", expected.clientId, azp);
  }
  if (nonce !== expected.nonce) throw new IdTokenRefused("nonce: another one");
  if (iat !== undefined && iat > now / SECOND_MS + SKEW_SECONDS) {
    throw refuse("issued at", `at most ${now / SECOND_MS}`, iat);
  }
  // The store would read every lone surrogate as the same character.
  if (
    typeof sub !== "string" || sub === "" || [...sub].length > SUBJECT_MAX ||
    !sub.isWellFormed()
  ) throw new IdTokenRefused("subject: empty, too long, or no text");
  return { subject: sub, verifiedEmail: verifiedEmail(payload) };
}

async function verifySignature(
  token: string,
  keys: JSONWebKeySet,
  now: number,
): Promise<JWTPayload> {
  const options = {
    algorithms: ALGORITHMS,
    clockTolerance: SKEW_SECONDS,
    currentDate: new Date(now),
    requiredClaims: ["iss", "aud", "sub", "exp", "iat", "nonce"],
  };
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) {
      throw new SigningKeyUnknown("no key fits the token", { cause: error });
    }
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      return await tryEach(token, error, options);
    }
    throw refused(error);
  }
}

/**
 * A token without a `kid` may be signed by any of several keys. A key that
 * cannot be used, as a short one, stands in the way of no other.
 */
async function tryEach(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  let cause: unknown;
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      // Claims are looked at once a key has verified the signature.
      if (
        error instanceof errors.JWTClaimValidationFailed ||
        error instanceof errors.JWTExpired || error instanceof errors.JWTInvalid
      ) throw refused(error);
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) {
        cause = error;
      }
    }
  }
  const also = cause === undefined ? "" : `; of one: ${reasonOf(cause)}`;
  throw new SigningKeyUnknown(
    `none of several keys verifies the token${also}`,
    { cause },
  );
}

function refused(error: unknown): IdTokenRefused {
  const message = reasonOf(error);
  return new IdTokenRefused(message, { cause: error });
}

function verifiedEmail(payload: JWTPayload): string | undefined {
  const { email, email_verified: verified } = payload;
  return typeof email === "string" && verified === true ? email : undefined;
}
