import type { UserId } from "../../core/ids.ts";
import type { Tx } from "../../store/sqlite/database.ts";

/**
 * Replaces an account's password whatever it was, and deletes the challenges
 * that the old one was good for.
 */
export async function putOperatorPassword(
  tx: Tx,
  userId: UserId,
  { passwordHash, until }: {
    readonly passwordHash: string;
    readonly until: number;
  },
): Promise<void> {
  await tx.updateTable("account")
    .set({
      password_hash: passwordHash,
      password_must_change: 1,
      sign_in_until: until,
    })
    .where("user_id", "=", userId)
    .execute();
  await tx.deleteFrom("second_factor_challenge")
    .where("user_id", "=", userId)
    .execute();
}

/** Lets no operator's password sign in for longer than until an instant. */
export async function repairSignInDates(tx: Tx, latest: number): Promise<void> {
  await tx.updateTable("account").set({ sign_in_until: latest })
    .where("sign_in_until", ">", latest)
    .execute();
}
