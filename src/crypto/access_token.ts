/**
 * Access tokens (RFC 9068's `at+jwt`; protocol/authentication.md#tokens).
 *
 * @module
 */
import { parseUuid, type SessionId, type UserId } from "../core/ids.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { ServerKeys } from "./server_keys.ts";
import { SignedTokens } from "./signed_token.ts";

/** Lifetime of an access token (ms). */
export const ACCESS_TOKEN_MS = 15 * MINUTE_MS;

export interface AccessClaims {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly jti: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** Issues and reads the access tokens of one server. */
export class AccessTokens {
  readonly #tokens: SignedTokens<AccessClaims>;

  constructor(private readonly serverId: string, keys: ServerKeys) {
    this.#tokens = new SignedTokens(keys, {
      type: "at+jwt",
      issuer: serverId,
      audience: serverId,
      requiredClaims: ["sub", "sid", "jti", "iat", "exp"],
      read: ({ sub = "", sid, jti, exp }) => {
        const userId = parseUuid<UserId>(sub);
        const sessionId = typeof sid === "string"
          ? parseUuid<SessionId>(sid)
          : undefined;
        return userId === undefined || sessionId === undefined ||
            jti === undefined || exp === undefined
          ? undefined
          : { userId, sessionId, jti, expiresAt: exp * SECOND_MS };
      },
    });
  }

  /** Signs a token that lives from `now` to `expiresAt` (ms, whole seconds). */
  issue(
    claims: Omit<AccessClaims, "expiresAt">,
    now: number,
    expiresAt: number,
  ): Promise<string> {
    const { userId: sub, sessionId: sid, jti } = claims;
    return this.#tokens.sign(
      { sid, aud: this.serverId, sub, jti },
      now,
      expiresAt,
    );
  }

  /** Reads a token; throws unless it is valid now. */
  verify(token: string, now: number): Promise<AccessClaims> {
    return this.#tokens.verify(token, now);
  }
}
