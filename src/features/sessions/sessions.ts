/**
 * Sessions and the tokens that stand for them
 * (protocol/authentication.md#tokens, protocol/authentication.md#sessions).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import { toBase64Url } from "../../core/bytes.ts";
import type { SessionCaller, TokenCaller } from "../../core/caller.ts";
import {
  isBlobHash,
  isUuidV4,
  type SessionId,
  type UserId,
} from "../../core/ids.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import {
  ACCESS_TOKEN_MS,
  type AccessClaims,
} from "../../crypto/access_token.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import {
  deleteSession,
  findAddress,
  findByToken,
  insertSession,
  LAST_USED_EVERY_MS,
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

/** A session about to be stored, with the secret that only its client has. */
export interface OpenedSession {
  readonly row: Insertable<Schema["session"]> & {
    /** The id of its first access token. */
    readonly newest_jti: string;
  };
  readonly sessionToken: string;
}

/** Draws a session and its token; the caller stores the row. */
export function newSession(
  app: App,
  userId: UserId,
  advisory: Advisory,
): OpenedSession {
  const now = app.platform.now();
  const { sessionToken, tokenHash } = newSessionToken(app);
  return {
    sessionToken,
    row: {
      session_id: app.newId<SessionId>(),
      user_id: userId,
      token_hash: tokenHash,
      cohort_hash: advisory.cohortHash ?? null,
      device_id: advisory.deviceId ?? null,
      created_at: now,
      issued_at: now,
      last_used_at: now,
      expires_at: now + app.limits.sessionLifetimeMs,
      presented_at: now,
      newest_jti: app.newId<SessionId>(),
    },
  };
}

/** A fresh session token and what the store keeps of it. */
export function newSessionToken(app: App) {
  const sessionToken = toBase64Url(app.platform.random(SESSION_TOKEN_BYTES));
  return { sessionToken, tokenHash: hashToken(sessionToken) };
}

/** Opens a session and issues its pair of tokens, in their wire form. */
export async function openSession(
  app: App,
  userId: UserId,
  advisory: Advisory,
) {
  const opened = newSession(app, userId, advisory);
  await insertSession(app.db, opened.row);
  return await issueTokens(app, opened, advisory);
}

/** The pair of tokens of a stored session, in its wire form. */
export async function issueTokens(
  app: App,
  { row, sessionToken }: OpenedSession,
  advisory: Advisory,
) {
  if (advisory.cohortHash !== undefined) {
    const { user_id, created_at } = row;
    await recordCohortBestEffort(
      app,
      user_id,
      advisory.cohortHash,
      created_at,
    );
  }
  return {
    user_id: row.user_id,
    session_id: row.session_id,
    session_token: sessionToken,
    session_expires_at: toRfc3339(row.expires_at),
    ...await issueAccessToken(app, {
      userId: row.user_id,
      sessionId: row.session_id,
      jti: row.newest_jti,
      sessionExpiresAt: row.expires_at,
    }),
  };
}

/**
 * Tells an account's owner of a sign-in that is no registration, where they get
 * mail. A sign-in that says which device it is may say so falsely: all count.
 */
export async function tellOfSignIn(app: App, userId: UserId): Promise<void> {
  if (!app.notices.hasMail) return;
  try {
    const address = await findAddress(app.db, userId);
    const at = toRfc3339(app.platform.now());
    await app.notices.tell(address, { kind: "signed_in", at }, userId);
  } catch (cause) {
    app.platform.log.warn("the owner was not notified of a sign-in", { cause });
  }
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
  { userId, sessionId, jti, sessionExpiresAt }: {
    readonly userId: UserId;
    readonly sessionId: SessionId;
    readonly jti: string;
    readonly sessionExpiresAt: number;
  },
) {
  const now = app.platform.now();
  // Whole seconds, as the claim has them.
  const expiresAt = Math.floor(
    Math.min(now + ACCESS_TOKEN_MS, sessionExpiresAt) / SECOND_MS,
  ) * SECOND_MS;
  return {
    access_token: await app.secrets.accessTokens.issue(
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
  call: Call<"error.auth.session_token_invalid" | "error.auth.unavailable">,
  sessionToken: string,
) {
  const { app, raise } = call;
  const minted = await mint(app, hashToken(sessionToken)).catch((cause) => {
    throw raise("error.auth.unavailable", { cause });
  });
  if (minted === undefined) throw raise("error.auth.session_token_invalid");
  return minted;
}

/** An access token for a session token; undefined where it is good for none. */
async function mint(app: App, tokenHash: string) {
  const now = app.platform.now();
  let session = await findByToken(app.db, tokenHash);
  if (
    session !== undefined && !mayIssue(app, session, now) &&
    await app.signals.clock.noticeLeap()
  ) session = await findByToken(app.db, tokenHash);
  if (session === undefined || !mayIssue(app, session, now)) return undefined;
  // Drawn before the issuance is noted: a password change that comes after
  // refuses this token, and one that came before leaves nothing to note.
  const jti = nextJti(app, session);
  if (!await noteIssued(app.db, tokenHash, { jti, now })) return undefined;
  return await issueAccessToken(app, {
    userId: session.user_id,
    sessionId: session.session_id,
    jti,
    sessionExpiresAt: session.expires_at,
  });
}

/**
 * An id for a session's next token, above those of all that it has issued,
 * whatever the clock said then: a password change ends tokens by their ids.
 */
export function nextJti(
  app: App,
  session: { readonly newest_jti: string },
): SessionId {
  return app.newId<SessionId>(session.newest_jti);
}

/** Whether a session may mint: neither too old nor too long idle. */
function mayIssue(
  app: App,
  session: { readonly expires_at: number; readonly issued_at: number },
  now: number,
): boolean {
  return session.expires_at > now &&
    session.issued_at + app.limits.sessionInactivityMs > now;
}

/** Ends a session; one that is closed already makes no difference. */
export async function logout(
  app: App,
  caller: TokenCaller,
): Promise<void> {
  await deleteSession(app.db, caller.userId, caller.sessionId);
}

/**
 * The caller behind an access token. The ledger is read on every request, and a
 * ledger that cannot be read refuses (protocol/authentication.md#tokens).
 */
export async function authenticateSession(
  call: Call<"error.auth.token_invalid">,
  token: string,
): Promise<SessionCaller> {
  const { app, now, raise } = call;
  const { userId, sessionId, jti } = await verified(call, token);
  try {
    const entry = await readLedger(app.db, sessionId, userId);
    if (
      entry !== undefined && entry.expires_at > now && jti >= entry.oldest_jti
    ) {
      if (now - entry.last_used_at >= LAST_USED_EVERY_MS) {
        await noteUsedBestEffort(app, sessionId, now);
      }
      return {
        kind: "session",
        userId,
        sessionId,
        suspended: entry.suspended_at !== null,
        hasDirectory: entry.directory_version !== null,
        mustChangePassword: entry.password_must_change === 1,
      };
    }
  } catch (cause) {
    throw raise("error.auth.token_invalid", { cause });
  }
  throw raise("error.auth.token_invalid", { cause: "session closed" });
}

/** Throws where a session has ended since its token was looked at. */
export async function assertStillOpen(
  call: CallBy<"session", "error.auth.token_invalid">,
): Promise<void> {
  const { app, caller: { userId, sessionId }, now, raise } = call;
  const entry = await readLedger(app.db, sessionId, userId);
  if (entry !== undefined && entry.expires_at > now) return;
  throw raise("error.auth.token_invalid", { cause: "session closed" });
}

/** Last use is for people to read: where it cannot be written, others read on. */
async function noteUsedBestEffort(
  app: App,
  sessionId: SessionId,
  now: number,
): Promise<void> {
  try {
    await noteUsed(app.db, sessionId, now);
  } catch (cause) {
    app.platform.log.warn("last use of a session not written", { cause });
  }
}

/** The caller behind a well-signed token, whether its session lives or not. */
export async function authenticateToken(
  call: Call<"error.auth.token_invalid">,
  token: string,
): Promise<TokenCaller> {
  const { userId, sessionId } = await verified(call, token);
  return { kind: "token", userId, sessionId };
}

async function verified(
  { app, now, raise }: Call<"error.auth.token_invalid">,
  token: string,
): Promise<AccessClaims> {
  try {
    return await app.secrets.accessTokens.verify(token, now);
  } catch (cause) {
    throw raise("error.auth.token_invalid", { cause });
  }
}

function hashToken(sessionToken: string): string {
  return createHash("sha256").update(sessionToken).digest("hex");
}
