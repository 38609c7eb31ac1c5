/**
 * Capability tokens: read access to one album for one member through one peer
 * (protocol/federation.md#capability).
 *
 * @module
 */
import { CAPABILITY_SCOPES, type CapabilityScope } from "../core/caller.ts";
import {
  type AlbumId,
  type CapabilityId,
  type GrantId,
  parseUuid,
} from "../core/ids.ts";
import { SECOND_MS } from "../core/time.ts";
import type { ServerKeys } from "./server_keys.ts";
import { claimedType, SignedTokens } from "./signed_token.ts";

const TYPE = "service-capability+jwt";

/** Instants are milliseconds since the Unix epoch, in whole seconds. */
interface CapabilityClaims {
  readonly jti: CapabilityId;
  readonly grantId: GrantId;
  readonly albumId: AlbumId;
  /** The peer server's id: `aud`. */
  readonly peer: string;
  /** The member as the roster names them: `sub`. */
  readonly member: string;
  readonly scope: CapabilityScope;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Whether a bearer token's header claims that it is a capability. */
export function claimsCapability(token: string): boolean {
  return claimedType(token) === TYPE;
}

/** Signs and reads the capabilities of one server. */
export class CapabilityTokens {
  readonly #tokens: SignedTokens<CapabilityClaims>;

  constructor(serverId: string, keys: ServerKeys) {
    this.#tokens = new SignedTokens(keys, {
      type: TYPE,
      issuer: serverId,
      requiredClaims: ["aud", "sub", "jti", "iat", "exp", "album", "grant"],
      read: readClaims,
    });
  }

  /**
   * Signs these claims. The same key and claims give the same bytes, so a
   * refresh that is repeated can hand out the same successor without storing
   * it.
   */
  sign(claims: CapabilityClaims): Promise<string> {
    const { peer, member, jti, albumId, scope, grantId } = claims;
    return this.#tokens.sign(
      { aud: peer, sub: member, jti, album: albumId, scope, grant: grantId },
      claims.issuedAt,
      claims.expiresAt,
    );
  }

  /** Reads a token; throws unless it is valid now. */
  verify(token: string, now: number): Promise<CapabilityClaims> {
    return this.#tokens.verify(token, now);
  }
}

function readClaims(
  payload: Readonly<Record<string, unknown>>,
): CapabilityClaims | undefined {
  const { jti, grant, album, aud: peer, sub: member, iat, exp } = payload;
  const scope = CAPABILITY_SCOPES.find((one) => one === payload["scope"]);
  const uuids = [jti, grant, album].map((one) =>
    typeof one === "string" ? one : ""
  );
  const capabilityId = parseUuid<CapabilityId>(uuids[0] ?? "");
  const grantId = parseUuid<GrantId>(uuids[1] ?? "");
  const albumId = parseUuid<AlbumId>(uuids[2] ?? "");
  return capabilityId === undefined || grantId === undefined ||
      albumId === undefined || scope === undefined ||
      typeof peer !== "string" || typeof member !== "string" ||
      typeof iat !== "number" || typeof exp !== "number"
    ? undefined
    : {
      jti: capabilityId,
      grantId,
      albumId,
      peer,
      member,
      scope,
      issuedAt: iat * SECOND_MS,
      expiresAt: exp * SECOND_MS,
    };
}
