import { sql } from "kysely";
import type { SessionId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { openUsage } from "../usage.ts";

export function findByAddress(db: Db, address: string) {
  return db.selectFrom("account")
    .select([
      "user_id",
      "password_hash",
      "password_must_change",
      "sign_in_until",
    ])
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
  await openUsage(tx, account.userId);
  return true;
}

const selectProfile = compiledOnce(
  // In the order in which they stand in the text.
  (db, sessionId: SessionId, userId: UserId) =>
    db.selectFrom("account")
      .leftJoin("totp", "totp.user_id", "account.user_id")
      .leftJoin(
        "session",
        (join) =>
          join.onRef("session.user_id", "=", "account.user_id")
            .on("session.session_id", "=", sessionId),
      )
      .select([
        "account.address",
        "account.display_name",
        "account.created_at",
        "account.password_must_change",
        "account.operator_since",
        "totp.confirmed_at",
        "session.presented_at",
        sql<0 | 1>`totp.user_id is not null`.as("has_factor"),
        sql<0 | 1>`account.password_hash is not null`.as("has_password"),
      ])
      .where("account.user_id", "=", userId),
);

/** What an account sees of itself through one of its sessions. */
export async function findProfile(
  db: Db,
  userId: UserId,
  sessionId: SessionId,
) {
  const profile = await selectProfile(db, sessionId, userId);
  if (profile === undefined) throw new Error("a caller without an account");
  return profile;
}

export async function findDisplayName(
  db: Db,
  userId: UserId,
): Promise<string | null> {
  const account = await db.selectFrom("account")
    .select("display_name")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return account?.display_name ?? null;
}

/** Whether an account still has the hash that a password was checked against. */
export async function hasPasswordHash(
  tx: Tx,
  userId: UserId,
  passwordHash: string | null,
): Promise<boolean> {
  return await findPasswordHash(tx, userId) === passwordHash;
}

export async function findPasswordHash(
  db: Db,
  userId: UserId,
): Promise<string | null> {
  const account = await db.selectFrom("account")
    .select("password_hash")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return account?.password_hash ?? null;
}

/**
 * Replaces a password hash if it is still the one that was checked, and deletes
 * the challenges that the old password was good for.
 */
export async function replacePasswordHash(
  tx: Tx,
  userId: UserId,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({
      password_hash: after,
      password_must_change: 0,
      sign_in_until: null,
    })
    .where("user_id", "=", userId)
    .where("password_hash", "=", before)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.deleteFrom("second_factor_challenge")
    .where("user_id", "=", userId)
    .execute();
  return true;
}

export async function setDisplayName(
  db: Db,
  userId: UserId,
  displayName: string | null,
): Promise<void> {
  await db.updateTable("account")
    .set({ display_name: displayName })
    .where("user_id", "=", userId)
    .execute();
}

/** Gives an account a handle in place of any before; false if it is taken. */
export async function putPublicRecord(
  tx: Tx,
  userId: UserId,
  handle: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto("public_record")
    .values({ user_id: userId, handle })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (inserted === 1n) return true;
  // Either the account has a record, or another one has the handle.
  const { numAffectedRows: updated } = await sql`update or ignore public_record
    set handle = ${handle} where user_id = ${userId}`.execute(tx);
  return updated === 1n;
}

export async function deletePublicRecord(
  db: Db,
  userId: UserId,
): Promise<void> {
  await db.deleteFrom("public_record").where("user_id", "=", userId).execute();
}

export function findPublicRecord(db: Db, handle: string) {
  return db.selectFrom("public_record")
    .innerJoin("account", "account.user_id", "public_record.user_id")
    .select(["public_record.handle", "account.display_name"])
    .where("public_record.handle", "=", handle)
    .executeTakeFirst();
}
