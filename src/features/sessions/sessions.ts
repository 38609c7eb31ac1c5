/**
 * Sessions and the tokens that stand for them (interface.md, Session states
 * and Credentials; completions.md section 3).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64Url } from "../../core/bytes.ts";
import type { SessionCaller, TokenCaller } from "../../core/caller.ts";
import {
  isBlobHash,
  isUuidV4,
  type SessionId,
  type UserId,
} from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { MINUTE_MS, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import {
  ACCESS_TOKEN_MS,
  type AccessClaims,
} from "../../crypto/access_token.ts";
import type { App } from "../app.ts";
import {
  deleteSession,
  findByToken,
  insertSession,
  noteIssued,
  noteUsed,
  readLedger,
  recordCohort,
} from "./store.ts";

/** What a client may tell of itself when it opens a session. */
export interface Advisory {
  readonly cohortHash?: string;
  readonly deviceId?: string;
}

const SESSION_TOKEN_BYTES = 16;
/** Last use is written at most once in this time. */
const LAST_USED_EVERY_MS = MINUTE_MS;

/** Takes what can be used of the advisory keys and drops the rest. */
export function readAdvisory(
  body: { readonly cohort_hash?: unknown; readonly device_id?: unknown },
): Advisory {
  const { cohort_hash: cohortHash, device_id: deviceId } = body;
  return {
    ...(typeof cohortHash === "string" && isBlobHash(cohortHash)
      ? { cohortHash }
      : {}),
    ...(typeof deviceId === "string" && isUuidV4(deviceId) ? { deviceId } : {}),
  };
}

/** Opens a session and issues its pair of tokens, in their wire form. */
export async function openSession(
  app: App,
  userId: UserId,
  advisory: Advisory,
) {
  const now = app.platform.now();
  const sessionId = app.newId<SessionId>();
  const sessionToken = toBase64Url(app.platform.random(SESSION_TOKEN_BYTES));
  const expiresAt = now + app.limits.sessionLifetimeMs;
  await insertSession(app.db, {
    session_id: sessionId,
    user_id: userId,
    token_hash: tokenHash(sessionToken),
    cohort_hash: advisory.cohortHash ?? null,
    device_id: advisory.deviceId ?? null,
    created_at: now,
    issued_at: now,
    last_used_at: now,
    expires_at: expiresAt,
    presented_at: now,
  });
  if (advisory.cohortHash !== undefined) {
    await recordCohortBestEffort(app, userId, advisory.cohortHash, now);
  }
  return {
    user_id: userId,
    session_id: sessionId,
    session_token: sessionToken,
    session_expires_at: toRfc3339(expiresAt),
    ...await issueAccessToken(app, userId, sessionId, expiresAt),
  };
}

/** The cohort map is advisory: its failure never fails a sign-in. */
async function recordCohortBestEffort(
  app: App,
  userId: UserId,
  cohortHash: string,
  now: number,
): Promise<void> {
  try {
    await recordCohort(app.db, userId, cohortHash, now);
  } catch (cause) {
    app.platform.log.warn("cohort not recorded", { cause });
  }
}

async function issueAccessToken(
  app: App,
  userId: UserId,
  sessionId: SessionId,
  sessionExpiresAt: number,
) {
  const now = app.platform.now();
  // Whole seconds, as the claim has them.
  const expiresAt = Math.floor(
    Math.min(now + ACCESS_TOKEN_MS, sessionExpiresAt) / SECOND_MS,
  ) * SECOND_MS;
  const jti = app.newId<SessionId>();
  return {
    access_token: await app.accessTokens.issue(
      { userId, sessionId, jti },
      now,
      expiresAt,
    ),
    access_token_expires_at: toRfc3339(expiresAt),
    token_type: "Bearer" as const,
  };
}

/**
 * Mints an access token against a session token. Inactivity and hard expiry
 * are enforced here; the session token does not rotate.
 */
export async function refresh(
  app: App,
  sessionToken: string,
  raise: Raise<
    "error.auth.session_token_invalid" | "error.auth.unavailable"
  >,
) {
  const now = app.platform.now();
  try {
    const session = await findByToken(app.db, tokenHash(sessionToken));
    if (
      session !== undefined && session.expires_at > now &&
      session.issued_at + app.limits.sessionInactivityMs > now &&
      // Counted changes: a session revoked meanwhile mints nothing.
      await noteIssued(app.db, session.session_id, now)
    ) {
      return await issueAccessToken(
        app,
        session.user_id,
        session.session_id,
        session.expires_at,
      );
    }
  } catch (cause) {
    throw raise("error.auth.unavailable", { cause });
  }
  throw raise("error.auth.session_token_invalid");
}

/** Ends a session; one that is closed already makes no difference. */
export async function logout(
  app: App,
  caller: TokenCaller,
): Promise<void> {
  await deleteSession(app.db, caller.userId, caller.sessionId);
}

/**
 * The caller behind an access token. The ledger is read on every request, and
 * a ledger that cannot be read refuses (interface.md, Credentials 2).
 */
export async function authenticateSession(
  app: App,
  token: string,
  raise: Raise<"error.auth.token_invalid">,
): Promise<SessionCaller> {
  const { userId, sessionId } = await verified(app, token, raise);
  const now = app.platform.now();
  try {
    const entry = await readLedger(app.db, sessionId, userId);
    if (entry !== undefined && entry.expires_at > now) {
      if (now - entry.last_used_at >= LAST_USED_EVERY_MS) {
        await noteUsed(app.db, sessionId, now);
      }
      return {
        kind: "session",
        userId,
        sessionId,
        suspended: entry.suspended_at !== null,
        hasDirectory: entry.directory_version !== null,
      };
    }
  } catch (cause) {
    throw raise("error.auth.token_invalid", { cause });
  }
  throw raise("error.auth.token_invalid", { cause: "session closed" });
}

/** The caller behind a well-signed token, whether its session lives or not. */
export async function authenticateToken(
  app: App,
  token: string,
  raise: Raise<"error.auth.token_invalid">,
): Promise<TokenCaller> {
  const { userId, sessionId } = await verified(app, token, raise);
  return { kind: "token", userId, sessionId };
}

async function verified(
  app: App,
  token: string,
  raise: Raise<"error.auth.token_invalid">,
): Promise<AccessClaims> {
  try {
    return await app.accessTokens.verify(token, app.platform.now());
  } catch (cause) {
    throw raise("error.auth.token_invalid", { cause });
  }
}

function tokenHash(sessionToken: string): string {
  return createHash("sha256").update(sessionToken).digest("hex");
}
