/**
 * What an account sees of its sessions, and how it ends them
 * (protocol/authentication.md#sessions,
 * protocol/authentication.md#global-sign-out).
 *
 * @module
 */
import type { ChallengeId, SessionId, UserId } from "../../core/ids.ts";
import { toBase64 } from "../../core/bytes.ts";
import type { SessionCaller } from "../../core/caller.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import { CHALLENGE_MS, type Proof, requireProof } from "./proof.ts";
import {
  deleteSession,
  deleteSessions,
  insertRevokeChallenge,
  listCohorts,
  listSessions,
} from "./store.ts";

const REVOKE_DOMAIN = "service-revoke-all/v1";
const CHALLENGE_BYTES = 32;

/** The caller's live sessions and durable cohort map, in their wire form. */
export async function listOpenSessions(app: App, caller: SessionCaller) {
  const now = app.platform.now();
  const sessions = await listSessions(
    app.db,
    caller.userId,
    now,
    app.limits,
  );
  const cohorts = await listCohorts(app.db, caller.userId);
  return {
    sessions: sessions.map((session) => ({
      session_id: session.session_id,
      ...(session.cohort_hash === null
        ? {}
        : { cohort_hash: session.cohort_hash }),
      ...(session.device_id === null ? {} : { device_id: session.device_id }),
      created_at: toRfc3339(session.created_at),
      last_used_at: toRfc3339(session.last_used_at),
      expires_at: toRfc3339(session.expires_at),
      current: session.session_id === caller.sessionId,
    })),
    cohorts: cohorts.map((cohort) => ({
      cohort_hash: cohort.cohort_hash,
      first_seen: toRfc3339(cohort.first_seen),
      last_seen: toRfc3339(cohort.last_seen),
    })),
  };
}

/** Closes one of the caller's sessions; any other is unknown. */
export async function revokeSession(
  call: CallBy<"session", "error.auth.session_not_found">,
  sessionId: SessionId,
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  if (!await deleteSession(app.db, userId, sessionId)) {
    throw raise("error.auth.session_not_found");
  }
}

/** A challenge whose signature closes every session, in its wire form. */
export async function challengeRevokeAll(app: App, userId: UserId) {
  const challengeId = app.newId<ChallengeId>();
  const challenge = app.platform.random(CHALLENGE_BYTES);
  const expiresAt = app.platform.now() + CHALLENGE_MS;
  await insertRevokeChallenge(app.db, {
    challenge_id: challengeId,
    user_id: userId,
    challenge,
    expires_at: expiresAt,
  });
  return {
    challenge_id: challengeId,
    challenge: toBase64(challenge),
    expires_at: toRfc3339(expiresAt),
  };
}

/**
 * Closes every session of the account that a challenge was issued to, on a
 * proof by its identity anchor. The challenge is burned first, and every
 * failure is one and the same.
 */
export async function revokeAll(
  call: Call<"error.auth.proof_required">,
  given: Proof,
) {
  const userId = await requireProof(call, given, REVOKE_DOMAIN);
  return { revoked_sessions: await deleteSessions(call.app.db, userId) };
}
