/** @module */
import type { Insertable } from "kysely";
import type { SessionId, UserId } from "../../core/ids.ts";
import type { Db } from "../../store/database.ts";
import type { Schema } from "../../store/schema.ts";

export async function insertSession(
  db: Db,
  session: Insertable<Schema["session"]>,
): Promise<void> {
  await db.insertInto("session").values(session).execute();
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
}

export function findByToken(db: Db, tokenHash: string) {
  return db.selectFrom("session")
    .select(["session_id", "user_id", "issued_at", "expires_at"])
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
}

/** Notes an issuance; false when the session is gone. */
export async function noteIssued(
  db: Db,
  sessionId: SessionId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("session")
    .set({ issued_at: now, last_used_at: now })
    .where("session_id", "=", sessionId)
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
export function readLedger(db: Db, sessionId: SessionId, userId: UserId) {
  return db.selectFrom("session")
    .innerJoin("account", "account.user_id", "session.user_id")
    .select([
      "session.expires_at",
      "session.last_used_at",
      "account.suspended_at",
      "account.directory_version",
    ])
    .where("session.session_id", "=", sessionId)
    .where("session.user_id", "=", userId)
    .executeTakeFirst();
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

/** Removes sessions that can mint nothing any more. */
export async function purgeSessions(
  db: Db,
  now: number,
  limits: { readonly sessionInactivityMs: number },
): Promise<void> {
  await db.deleteFrom("session")
    .where((where) =>
      where.or([
        where("expires_at", "<=", now),
        where("issued_at", "<=", now - limits.sessionInactivityMs),
      ])
    )
    .execute();
}
