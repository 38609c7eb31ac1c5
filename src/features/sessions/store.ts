import { type Insertable, sql } from "kysely";
import type { ChallengeId, SessionId, UserId } from "../../core/ids.ts";
import { CLOCK_SLACK_MS, MINUTE_MS } from "../../core/time.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import type { Limits } from "../service_context.ts";
import { KEPT } from "../row_limits.ts";

export async function insertSession(
  db: Db,
  session: Insertable<Schema["session"]>,
): Promise<void> {
  await db.insertInto("session").values(session).execute();
  // Of more than are kept the idlest ends, and never the one just opened.
  await sql`delete from session
    where user_id = ${session.user_id} and session_id in (
      select session_id from session
      where user_id = ${session.user_id}
        and session_id <> ${session.session_id}
      order by last_used_at desc, session_id desc
      limit -1 offset ${sql.lit(KEPT.sessions - 1)})`.execute(db);
}

/** The durable cohort map outlives its sessions. */
export async function recordCohort(
  db: Db,
  userId: UserId,
  cohortHash: string,
  now: number,
): Promise<void> {
  await db.insertInto("cohort")
    .values({
      user_id: userId,
      cohort_hash: cohortHash,
      first_seen: now,
      last_seen: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "cohort_hash"])
        .doUpdateSet({ last_seen: now })
    )
    .execute();
  await sql`delete from cohort
    where user_id = ${userId} and cohort_hash in (
      select cohort_hash from cohort
      where user_id = ${userId} and cohort_hash <> ${cohortHash}
      order by last_seen desc, cohort_hash
      limit -1 offset ${sql.lit(KEPT.cohorts - 1)})`.execute(db);
}

export function findByToken(db: Db, tokenHash: string) {
  return db.selectFrom("session")
    .select([
      "session_id",
      "user_id",
      "issued_at",
      "expires_at",
      "newest_jti",
    ])
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
}

/** How often the last use of a session is written (ms). */
export const LAST_USED_EVERY_MS = MINUTE_MS;

/** Notes an issuance; false when that token opens no session any more. */
export async function noteIssued(
  db: Db,
  tokenHash: string,
  { jti, now }: { readonly jti: string; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("session")
    .set(({ fn, ref, val }) => ({
      issued_at: now,
      // Written at most once per minute, for an issuance too.
      last_used_at: sql<number>`case when ${now} - last_used_at >= ${
        sql.lit(LAST_USED_EVERY_MS)
      } then ${now} else last_used_at end`,
      // Two at once may note theirs in either order.
      newest_jti: fn<string>("max", [ref("newest_jti"), val(jti)]),
    }))
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function noteUsed(
  db: Db,
  sessionId: SessionId,
  now: number,
): Promise<void> {
  await db.updateTable("session")
    .set({ last_used_at: now })
    .where("session_id", "=", sessionId)
    .execute();
}

/** A session together with what its account may do. */
export const readLedger = compiledOnce(
  (db, sessionId: SessionId, userId: UserId) =>
    db.selectFrom("session")
      .innerJoin("account", "account.user_id", "session.user_id")
      .select([
        "session.expires_at",
        "session.last_used_at",
        "session.oldest_jti",
        "account.suspended_at",
        "account.directory_version",
        "account.password_must_change",
      ])
      .where("session.session_id", "=", sessionId)
      .where("session.user_id", "=", userId),
);

/**
 * Uses up the one sign-in that a password of the operator's is good for; false
 * where it was used or is over. Any other password signs in as often as it is
 * presented.
 */
export async function takeSignIn(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<boolean> {
  const account = await tx.selectFrom("account")
    .select("password_must_change")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (account?.password_must_change !== 1) return account !== undefined;
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({ sign_in_until: null })
    .where("user_id", "=", userId)
    .where("sign_in_until", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Whether there is an account of this id. */
export async function accountStands(db: Db, userId: UserId): Promise<boolean> {
  const row = await db.selectFrom("account")
    .select("user_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSession(
  db: Db,
  userId: UserId,
  sessionId: SessionId,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("session")
    .where("session_id", "=", sessionId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Removes sessions that can mint nothing any more, and old challenges; returns
 * how many rows.
 */
export async function purgeSessions(
  db: Db,
  now: number,
  limits: { readonly sessionInactivityMs: number },
): Promise<number> {
  const sessions = await db.deleteFrom("session")
    .where((where) =>
      where.or([
        where("expires_at", "<=", now),
        where("issued_at", "<=", now - limits.sessionInactivityMs),
      ])
    )
    .executeTakeFirst();
  const challenges = await db.deleteFrom("revoke_challenge")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  return Number(sessions.numDeletedRows + challenges.numDeletedRows);
}

/**
 * Lets sessions of the future have been opened and used now. What was presented
 * then was not presented now.
 */
export async function repairSessionDates(
  db: Db,
  now: number,
  lifetimeMs: number,
): Promise<void> {
  const future = now + CLOCK_SLACK_MS;
  await db.updateTable("session")
    .set({ created_at: now, expires_at: now + lifetimeMs })
    .where("created_at", ">", future)
    .execute();
  await db.updateTable("session").set({ issued_at: now })
    .where("issued_at", ">", future)
    .execute();
  await db.updateTable("session").set({ last_used_at: now })
    .where("last_used_at", ">", future)
    .execute();
  await db.updateTable("session").set({ presented_at: 0 })
    .where("presented_at", ">", future)
    .execute();
}

/** Moves the sessions of up to an instant along with a clock that was set. */
export async function moveSessions(
  db: Db,
  until: number,
  byMs: number,
): Promise<void> {
  await db.updateTable("session")
    .set(({ eb, ref }) => ({
      created_at: eb(ref("created_at"), "+", byMs),
      issued_at: eb(ref("issued_at"), "+", byMs),
      last_used_at: eb(ref("last_used_at"), "+", byMs),
      expires_at: eb(ref("expires_at"), "+", byMs),
    }))
    .where("issued_at", "<=", until)
    .execute();
}

/** An account's sessions that may still mint, newest first. */
export function listSessions(
  db: Db,
  userId: UserId,
  now: number,
  { sessionInactivityMs }: Pick<Limits, "sessionInactivityMs">,
) {
  return db.selectFrom("session")
    .select([
      "session_id",
      "cohort_hash",
      "device_id",
      "created_at",
      "last_used_at",
      "expires_at",
    ])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("issued_at", ">", now - sessionInactivityMs)
    .orderBy("created_at", "desc")
    .orderBy("session_id", "desc")
    .execute();
}

/** The durable cohort map of an account, newest first. */
export function listCohorts(db: Db, userId: UserId) {
  return db.selectFrom("cohort")
    .select(["cohort_hash", "first_seen", "last_seen"])
    .where("user_id", "=", userId)
    .orderBy("last_seen", "desc")
    .orderBy("cohort_hash")
    .execute();
}

/** Closes every session of an account, or all but one; returns how many. */
export async function deleteSessions(
  db: Db,
  userId: UserId,
  except?: SessionId,
): Promise<number> {
  const query = db.deleteFrom("session").where("user_id", "=", userId);
  const { numDeletedRows } =
    await (except === undefined
      ? query
      : query.where("session_id", "!=", except)).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The ids of a session's tokens as far as they are noted. */
export function readJtis(db: Db, sessionId: SessionId) {
  return db.selectFrom("session")
    .select("newest_jti")
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
}

/** Gives a session a new token; tokens with a jti below are refused. */
export async function reopenSession(
  tx: Tx,
  sessionId: SessionId,
  change: {
    readonly token_hash: string;
    readonly oldest_jti: string;
    readonly newest_jti: string;
    readonly issued_at: number;
    readonly presented_at: number;
  },
) {
  return await tx.updateTable("session")
    .set(change)
    .where("session_id", "=", sessionId)
    .returningAll()
    .executeTakeFirst();
}

/** Notes that a credential beyond the session was presented. */
export async function notePresented(
  db: Db,
  sessionId: SessionId,
  now: number,
): Promise<void> {
  await db.updateTable("session")
    .set({ presented_at: now })
    .where("session_id", "=", sessionId)
    .execute();
}

/** When a session last presented a credential; undefined if it is closed. */
export async function readPresented(
  db: Db,
  sessionId: SessionId,
): Promise<number | undefined> {
  const session = await db.selectFrom("session")
    .select("presented_at")
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return session?.presented_at;
}

export async function insertRevokeChallenge(
  db: Db,
  challenge: {
    readonly challenge_id: ChallengeId;
    readonly user_id: UserId;
    readonly challenge: Uint8Array<ArrayBuffer>;
    readonly expires_at: number;
  },
): Promise<void> {
  await db.insertInto("revoke_challenge").values(challenge).execute();
  // Ids come in the order of their time. So many are kept that the holder of an
  // access token cannot crowd out the owner's before it is redeemed.
  await sql`delete from revoke_challenge where challenge_id in (
    select challenge_id from revoke_challenge
    where user_id = ${challenge.user_id}
    order by challenge_id desc
    limit -1 offset ${sql.lit(KEPT.revokeChallenges)})`.execute(db);
}

/** Takes a challenge out of the store: every attempt burns it. */
export function burnRevokeChallenge(db: Db, challengeId: ChallengeId) {
  return db.deleteFrom("revoke_challenge")
    .where("challenge_id", "=", challengeId)
    .returning(["user_id", "challenge", "expires_at"])
    .executeTakeFirst();
}

/** When any session was used last (ms); undefined without a session. */
export async function lastUse(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("session")
    .select((query) => query.fn.max("last_used_at").as("at"))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** The address that an account signs in with; null where it has none. */
export async function findAddress(
  db: Db,
  userId: UserId,
): Promise<string | null> {
  const row = await db.selectFrom("account").select("address")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.address ?? null;
}
