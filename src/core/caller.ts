/**
 * What a request's credential says about its caller, for each kind of
 * credential.
 *
 * @module
 */
import type {
  AlbumId,
  CapabilityId,
  GrantId,
  SessionId,
  UserId,
} from "./ids.ts";

/** The caller behind a live session (protocol/authentication.md#tokens). */
export interface SessionCaller {
  readonly kind: "session";
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly suspended: boolean;
  /** Whether the account has published a device directory. */
  readonly hasDirectory: boolean;
  /** Whether the operator set the password, and it was not changed since. */
  readonly mustChangePassword: boolean;
}

/**
 * The caller behind a well-signed, unexpired access token whose session may
 * have ended. Such a token suffices to end that session and for nothing else.
 */
export interface TokenCaller {
  readonly kind: "token";
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/**
 * What a capability lets its bearer read (protocol/federation.md#capability).
 */
export const CAPABILITY_SCOPES = ["read", "read-derivative-only"] as const;
export type CapabilityScope = (typeof CAPABILITY_SCOPES)[number];

/** The bearer of a live federation capability: one album, read only. */
export interface CapabilityCaller {
  readonly kind: "capability";
  readonly jti: CapabilityId;
  readonly grantId: GrantId;
  readonly albumId: AlbumId;
  readonly scope: CapabilityScope;
  /** The peer server that the capability was minted for. */
  readonly peer: string;
  /** The roster member whose access is carried. */
  readonly member: string;
}

/** What each kind of credential tells the handler about its caller. */
export interface Callers {
  readonly none: undefined;
  readonly session: SessionCaller;
  readonly token: TokenCaller;
  /** A capability of a live grant; the member need not be on the roster now. */
  readonly capability: CapabilityCaller;
  /** A session, or a capability whose member is on the roster. */
  readonly reader: SessionCaller | CapabilityCaller;
}

export type Credential = keyof Callers;
