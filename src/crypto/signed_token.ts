/**
 * Tokens that the server itself signs and reads: EdDSA JWTs (RFC 7519, RFC
 * 8037). The signature of each is verified only once.
 *
 * @module
 */
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { fromBase64Url, fromUtf8 } from "../core/bytes.ts";
import { CLOCK_SLACK_MS, SECOND_MS } from "../core/time.ts";
import type { ServerKeys } from "./server_keys.ts";

const ALGORITHM = "EdDSA";
/** Verified tokens that are remembered, for each type. */
const MAX_VERIFIED = 20_000;

/** One type of token and its claims. */
interface TokenKind<C> {
  /** The header's `typ`. */
  readonly type: string;
  /** `iss` of every token. */
  readonly issuer: string;
  /** `aud` of every token; absent if each token has its own. */
  readonly audience?: string;
  readonly requiredClaims: readonly string[];
  /** Reads the claims; undefined if one has the wrong form. */
  readonly read: (payload: JWTPayload) => C | undefined;
}

/** The claims of a token whose signature by that key was verified. */
interface Verified<C> {
  readonly claims: C;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly keyId: string;
}

/** Signs and reads the tokens of one type; `expiresAt` is `exp` in ms. */
export class SignedTokens<C extends { readonly expiresAt: number }> {
  /** Tokens whose signature and fixed claims were verified. */
  readonly #verified = new Map<string, Verified<C>>();

  constructor(
    private readonly keys: ServerKeys,
    private readonly kind: TokenKind<C>,
  ) {}

  /**
   * Signs claims; the instants are in milliseconds and become whole seconds.
   * The same key and the same claims in the same order always give the same
   * bytes.
   */
  sign(
    payload: JWTPayload,
    issuedAt: number,
    expiresAt: number,
  ): Promise<string> {
    const { keyId, signingKey } = this.keys.active;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: ALGORITHM, typ: this.kind.type, kid: keyId })
      .setIssuer(this.kind.issuer)
      .setIssuedAt(Math.floor(issuedAt / SECOND_MS))
      .setExpirationTime(Math.floor(expiresAt / SECOND_MS))
      .sign(signingKey);
  }

  /**
   * Reads a token; throws unless signature, issuer, audience, type and times
   * are right. The signature of a token is checked once, its times and those of
   * its key every time. A token issued in the future, by a clock that was
   * ahead, is refused until then: a session that ended meanwhile would seem to
   * have ended before the token was issued.
   */
  async verify(token: string, now: number): Promise<C> {
    const held = this.#verified.get(token);
    const verified = held ?? await this.#verifySignature(token, now);
    if (verified.claims.expiresAt <= now) throw new Error("token expired");
    if (verified.issuedAt > now + CLOCK_SLACK_MS) {
      throw new Error("token issued in the future");
    }
    if (held === undefined) this.#remember(token, verified);
    else this.keys.verifying(held.keyId, now);
    return verified.claims;
  }

  async #verifySignature(token: string, now: number): Promise<Verified<C>> {
    const { type, issuer, audience, requiredClaims } = this.kind;
    // A lenient decoder would accept several texts of one token.
    const parts = token.split(".", 4);
    if (!parts.every((part) => fromBase64Url(part) !== undefined)) {
      throw new Error("token not in base64url as it is made");
    }
    const { payload, protectedHeader } = await jwtVerify(
      token,
      ({ kid = "" }) => this.keys.verifying(kid, now),
      {
        algorithms: [ALGORITHM],
        typ: type,
        issuer,
        ...(audience === undefined ? {} : { audience }),
        requiredClaims: [...requiredClaims],
        currentDate: new Date(now),
      },
    );
    const claims = this.kind.read(payload);
    if (claims === undefined) throw new Error("claims of the wrong form");
    const issuedAt = (payload.iat ?? Infinity) * SECOND_MS;
    return { claims, issuedAt, keyId: protectedHeader.kid ?? "" };
  }

  #remember(token: string, verified: Verified<C>): void {
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear();
    this.#verified.set(token, verified);
  }
}

/** The `typ` that a token's header claims; undefined if it is no JWT. */
export function claimedType(token: string): unknown {
  const head = fromBase64Url(token.slice(0, token.indexOf(".")));
  try {
    const header: unknown = JSON.parse(
      fromUtf8(head ?? new Uint8Array()) ?? "",
    );
    return typeof header === "object" && header !== null && "typ" in header
      ? header.typ
      : undefined;
  } catch {
    return undefined;
  }
}
