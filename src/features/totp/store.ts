import type { ChallengeId, UserId } from "../../core/ids.ts";
import { CLOCK_SLACK_MS, MINUTE_MS } from "../../core/time.ts";
import { sql } from "kysely";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { SignInDoor } from "../../store/sqlite/schema.ts";

/** Wrong codes to confirm or disable count for this long. */
export const FAILURE_WINDOW_MS = 15 * MINUTE_MS;

export function findFactor(db: Db, userId: UserId) {
  return db.selectFrom("totp")
    .select(["sealed_secret", "confirmed_at", "highest_step"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Whether signing in owes a second factor. */
export async function hasConfirmedFactor(
  db: Db,
  userId: UserId,
): Promise<boolean> {
  const factor = await findFactor(db, userId);
  return factor !== undefined && factor.confirmed_at !== null;
}

/** The name under which an authenticator files the account. */
export async function findLabel(
  db: Db,
  userId: UserId,
): Promise<string | null> {
  const account = await db.selectFrom("account")
    .select("address")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return account?.address ?? null;
}

/** Puts a secret that waits for its code; false if one is confirmed. */
export async function putPending(
  db: Db,
  userId: UserId,
  sealedSecret: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.insertInto("totp")
    .values({ user_id: userId, sealed_secret: sealedSecret })
    .onConflict((conflict) =>
      conflict.column("user_id")
        .doUpdateSet({ sealed_secret: sealedSecret, highest_step: 0 })
        .where("totp.confirmed_at", "is", null)
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Confirms a pending secret and enters the step into the replay ledger. */
export async function confirmFactor(
  db: Db,
  factor: {
    readonly userId: UserId;
    readonly step: number;
    readonly sealedSecret: Uint8Array<ArrayBuffer>;
    readonly now: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("totp")
    .set({ confirmed_at: factor.now, highest_step: factor.step })
    .where("user_id", "=", factor.userId)
    .where("confirmed_at", "is", null)
    .where("sealed_secret", "=", factor.sealedSecret)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * A step so far above one that is presented was spent by a clock that was
 * ahead: it must not close the account's door until that time has come.
 */
const STEPS_AHEAD = 10;

/**
 * Whether a step is later than the highest one that was spent, or so long before
 * it that this one was of a clock far ahead.
 */
export function isUnused(step: number, highestStep: number): boolean {
  return step > highestStep || step < highestStep - STEPS_AHEAD;
}

/** Spends a step: a code is accepted at most once (compare-and-set). */
export async function useStep(
  tx: Tx,
  userId: UserId,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("totp")
    .set({ highest_step: step })
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .where((where) =>
      where.or([
        where("highest_step", "<", step),
        where("highest_step", ">", step + STEPS_AHEAD),
      ])
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes a factor away, confirmed or not; whether there was one. */
export async function deleteFactor(tx: Tx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("totp")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** When wrong codes were presented after an instant, oldest first. */
export async function failedTimes(
  db: Db,
  userId: UserId,
  after: number,
): Promise<number[]> {
  const rows = await db.selectFrom("totp_failure")
    .select("failed_at")
    .where("user_id", "=", userId)
    .where("failed_at", ">", after)
    .orderBy("failed_at")
    .execute();
  return rows.map(({ failed_at }) => failed_at);
}

/** Deletes the wrong codes of an account; whether there were any. */
export async function deleteFailures(tx: Tx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("totp_failure")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertFailure(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<void> {
  await tx.insertInto("totp_failure")
    .values({ user_id: userId, failed_at: now })
    .execute();
}

/** For how long a challenge lives (ms). */
export const CHALLENGE_MS = 5 * MINUTE_MS;

export async function insertChallenge(
  tx: Tx,
  challenge: {
    readonly challengeId: ChallengeId;
    readonly userId: UserId;
    readonly expiresAt: number;
    /** What the first factor was, and a keyed hash of where it came from. */
    readonly door: SignInDoor;
    readonly client: string;
  },
): Promise<void> {
  await tx.insertInto("second_factor_challenge")
    .values({
      challenge_id: challenge.challengeId,
      user_id: challenge.userId,
      expires_at: challenge.expiresAt,
      door: challenge.door,
      client: challenge.client,
    })
    .execute();
}

/** Ends all challenges of an account but the newest; ids are in their order. */
export async function keepNewestChallenges(
  tx: Tx,
  userId: UserId,
  count: number,
): Promise<void> {
  await tx.deleteFrom("second_factor_challenge")
    .where("user_id", "=", userId)
    .where(
      "challenge_id",
      "not in",
      tx.selectFrom("second_factor_challenge")
        .select("challenge_id")
        .where("user_id", "=", userId)
        .orderBy("challenge_id", "desc")
        .limit(sql.lit(count)),
    )
    .execute();
}

export function findChallenge(db: Db, challengeId: ChallengeId, now: number) {
  return db.selectFrom("second_factor_challenge")
    .select(["user_id", "expires_at", "door", "client"])
    .where("challenge_id", "=", challengeId)
    .where("expires_at", ">", now)
    .where("expires_at", "<=", now + CHALLENGE_MS + CLOCK_SLACK_MS)
    .executeTakeFirst();
}

/** Spends one of a challenge's attempts; false when none is left. */
export async function useAttempt(
  db: Db,
  challengeId: ChallengeId,
  attempts: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("second_factor_challenge")
    .set((column) => ({ attempts: column("attempts", "+", 1) }))
    .where("challenge_id", "=", challengeId)
    .where("attempts", "<", attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Consumes a challenge; false when another request has. */
export async function consumeChallenge(
  tx: Tx,
  challengeId: ChallengeId,
): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("second_factor_challenge")
    .where("challenge_id", "=", challengeId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Lets wrong codes of the future have been presented now. */
export async function repairSecondFactorDates(
  db: Db,
  now: number,
): Promise<void> {
  await db.updateTable("totp_failure").set({ failed_at: now })
    .where("failed_at", ">", now + CLOCK_SLACK_MS)
    .execute();
}

/** Removes what has expired; returns how many rows. */
export async function purgeSecondFactor(
  db: Db,
  now: number,
): Promise<number> {
  const challenges = await db.deleteFrom("second_factor_challenge")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  const failures = await db.deleteFrom("totp_failure")
    .where("failed_at", "<=", now - FAILURE_WINDOW_MS)
    .executeTakeFirst();
  return Number(challenges.numDeletedRows + failures.numDeletedRows);
}

/** Some of the sealed secrets, of any accounts. */
export function listSomeFactors(db: Db) {
  return db.selectFrom("totp")
    .select(["user_id", "sealed_secret"])
    .limit(sql.lit(20))
    .execute();
}
