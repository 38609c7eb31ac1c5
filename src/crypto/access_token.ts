/**
 * Access tokens: EdDSA JWTs (RFC 7519, RFC 8037, RFC 9068's `at+jwt`) under
 * the server's classical key (interface.md, Credentials; completions.md 3).
 *
 * @module
 */
import { jwtVerify, SignJWT } from "jose";
import { fromBase64Url, toHex } from "../core/bytes.ts";
import { parseUuid, type SessionId, type UserId } from "../core/ids.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";

/** Lifetime of an access token (ms). */
export const ACCESS_TOKEN_MS = 15 * MINUTE_MS;

/** A retired key verifies this long after it was retired (ms). */
export const KEY_GRACE_MS = DAY_MS;

const TYPE = "at+jwt";
const ALGORITHM = "EdDSA";
/** PKCS #8 wrapping of an Ed25519 seed (RFC 8410 section 7). */
const PKCS8_PREFIX = Uint8Array.fromHex("302e020100300506032b657004220420");
/** Tokens whose signature is remembered as verified. */
const MAX_VERIFIED = 20_000;

export interface AccessClaims {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly jti: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

export interface ClassicalKey {
  /** SHA-256 of the raw public key, lowercase hex: the `kid`. */
  readonly keyId: string;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly signingKey: CryptoKey;
  readonly verifyingKey: CryptoKey;
}

/** Makes a usable key from its 32 byte seed. */
export async function classicalKey(
  seed: Uint8Array<ArrayBuffer>,
): Promise<ClassicalKey> {
  const pkcs8 = new Uint8Array([...PKCS8_PREFIX, ...seed]);
  const importPrivate = (extractable: boolean) =>
    crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", extractable, ["sign"]);
  const jwk = await crypto.subtle.exportKey("jwk", await importPrivate(true));
  const publicKey = fromBase64Url(jwk.x ?? "");
  if (publicKey === undefined) throw new Error("no public key");
  const digest = await crypto.subtle.digest("SHA-256", publicKey);
  return {
    keyId: toHex(new Uint8Array(digest)),
    publicKey,
    signingKey: await importPrivate(false),
    verifyingKey: await crypto.subtle.importKey(
      "raw",
      publicKey,
      "Ed25519",
      true,
      ["verify"],
    ),
  };
}

/** A key with the end of its time in office (ms), while it has one. */
export interface OfficeKey {
  readonly key: ClassicalKey;
  readonly activeTo: number | undefined;
}

/** Claims of a token whose signature was found right, by that key. */
interface Verified {
  readonly claims: AccessClaims;
  readonly keyId: string;
}

/** Issues and reads the tokens of one server. */
export class AccessTokens {
  /** Tokens whose signature and fixed claims were found right. */
  readonly #verified = new Map<string, Verified>();
  #keys: readonly OfficeKey[];

  constructor(
    private readonly serverId: string,
    /** Oldest first; the last signs. */
    keys: readonly OfficeKey[],
  ) {
    this.#keys = keys;
  }

  get active(): ClassicalKey {
    const key = this.#keys.at(-1)?.key;
    if (key === undefined) throw new Error("no access key");
    return key;
  }

  /** Goes on with other keys, after a rotation. */
  useKeys(keys: readonly OfficeKey[]): void {
    this.#keys = keys;
  }

  /** A key that verifies at an instant: active, or retired a day at most. */
  #verifyingKey(keyId: string, now: number): CryptoKey {
    const held = this.#keys.find(({ key }) => key.keyId === keyId);
    if (
      held === undefined ||
      (held.activeTo !== undefined && held.activeTo + KEY_GRACE_MS <= now)
    ) throw new Error("unknown or long retired kid");
    return held.key.verifyingKey;
  }

  /** Signs a token that lives from `now` to `expiresAt` (ms, whole seconds). */
  issue(
    claims: Omit<AccessClaims, "expiresAt">,
    now: number,
    expiresAt: number,
  ): Promise<string> {
    const { keyId, signingKey } = this.active;
    return new SignJWT({ sid: claims.sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyId })
      .setIssuer(this.serverId)
      .setAudience(this.serverId)
      .setSubject(claims.userId)
      .setJti(claims.jti)
      .setIssuedAt(Math.floor(now / SECOND_MS))
      .setExpirationTime(Math.floor(expiresAt / SECOND_MS))
      .sign(signingKey);
  }

  /**
   * Reads a token: signature, issuer, audience, type and expiry. Throws for
   * anything else. The signature is checked once a token, its expiry and (by
   * the caller) its session every time.
   */
  async verify(token: string, now: number): Promise<AccessClaims> {
    const held = this.#verified.get(token);
    const verified = held ?? await this.#verifySignature(token, now);
    if (verified.claims.expiresAt <= now) throw new Error("token expired");
    if (held === undefined) this.#remember(token, verified);
    else this.#verifyingKey(held.keyId, now);
    return verified.claims;
  }

  async #verifySignature(token: string, now: number): Promise<Verified> {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      ({ kid = "" }) => this.#verifyingKey(kid, now),
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.serverId,
        audience: this.serverId,
        requiredClaims: ["sub", "sid", "jti", "iat", "exp"],
        currentDate: new Date(now),
      },
    );
    const userId = parseUuid<UserId>(payload.sub ?? "");
    const sessionId = typeof payload.sid === "string"
      ? parseUuid<SessionId>(payload.sid)
      : undefined;
    if (
      userId === undefined || sessionId === undefined ||
      payload.jti === undefined || payload.exp === undefined
    ) throw new Error("claims of the wrong form");
    return {
      claims: {
        userId,
        sessionId,
        jti: payload.jti,
        expiresAt: payload.exp * SECOND_MS,
      },
      keyId: protectedHeader.kid ?? "",
    };
  }

  #remember(token: string, verified: Verified): void {
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear();
    this.#verified.set(token, verified);
  }
}
