/**
 * Who is calling, as far as a credential shows it.
 *
 * @module
 */
import type { SessionId, UserId } from "./ids.ts";

/** The caller behind a live session (interface.md, Credentials 1 and 2). */
export interface SessionCaller {
  readonly kind: "session";
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly suspended: boolean;
  /** Whether the account has published a device directory. */
  readonly hasDirectory: boolean;
}

/**
 * The caller behind a well-signed, unexpired access token whose session may
 * have ended: enough to end that session, and for nothing else.
 */
export interface TokenCaller {
  readonly kind: "token";
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** What each kind of credential tells the handler about its caller. */
export interface Callers {
  readonly none: undefined;
  readonly session: SessionCaller;
  readonly token: TokenCaller;
}

export type Credential = keyof Callers;
