import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";

/** Gives an account a code to set a new password; one before it is void. */
export async function putReset(
  tx: Tx,
  reset: {
    readonly user_id: UserId;
    readonly code_hash: string;
    readonly expires_at: number;
  },
): Promise<void> {
  const { code_hash, expires_at } = reset;
  await tx.insertInto("password_reset").values(reset)
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ code_hash, expires_at })
    ).execute();
}

/** Whether a code would let somebody set a new password at an instant. */
export async function isResetLive(
  db: Db,
  codeHash: string,
  now: number,
): Promise<boolean> {
  const row = await db.selectFrom("password_reset").select("user_id")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a live code up; undefined where there is none any more. */
export async function takeReset(
  tx: Tx,
  codeHash: string,
  now: number,
): Promise<UserId | undefined> {
  const row = await tx.deleteFrom("password_reset")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Replaces an account's password whatever it was, and deletes what the old one
 * was good for; false where the account is being deleted.
 */
export async function resetPasswordHash(
  tx: Tx,
  userId: UserId,
  { passwordHash, now }: {
    readonly passwordHash: string;
    readonly now: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({ password_hash: passwordHash, password_reset_at: now })
    .where("user_id", "=", userId)
    .where("deleting_at", "is", null)
    .where("departed_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await deleteReset(tx, userId);
  await tx.deleteFrom("second_factor_challenge")
    .where("user_id", "=", userId)
    .execute();
  return true;
}

export async function deleteReset(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("password_reset").where("user_id", "=", userId).execute();
}

/** Lets no code live for longer than until an instant. */
export async function repairResetDates(tx: Tx, latest: number): Promise<void> {
  await tx.updateTable("password_reset").set({ expires_at: latest })
    .where("expires_at", ">", latest)
    .execute();
}

/** Removes those that have expired; returns how many. */
export async function purgeResets(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("password_reset")
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
