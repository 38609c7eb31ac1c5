/** @module */
import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";

export function findByAddress(db: Db, address: string) {
  return db.selectFrom("account")
    .select(["user_id", "password_hash"])
    .where("address", "=", address)
    .executeTakeFirst();
}

/** Inserts an account with its usage row; false when the address is taken. */
export async function insertAccount(
  tx: Tx,
  account: {
    readonly userId: UserId;
    readonly address: string | null;
    readonly passwordHash: string | null;
    readonly createdAt: number;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("account")
    .values({
      user_id: account.userId,
      address: account.address,
      password_hash: account.passwordHash,
      created_at: account.createdAt,
    })
    .onConflict((conflict) => conflict.column("address").doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await tx.insertInto("usage").values({ user_id: account.userId }).execute();
  return true;
}

export function findProfile(db: Db, userId: UserId) {
  return db.selectFrom("account")
    .select(["address", "display_name", "created_at"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
}

/** Suspends an account, or lifts that with null; false if there is none. */
export async function setSuspended(
  db: Db,
  userId: UserId,
  suspendedAt: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("account")
    .set({ suspended_at: suspendedAt })
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
