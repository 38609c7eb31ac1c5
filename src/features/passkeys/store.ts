import { type Insertable, sql } from "kysely";
import type { PasskeyId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { Schema } from "../../store/schema.ts";

const SHOWN = [
  "passkey_id",
  "credential_id",
  "name",
  "created_at",
  "last_used_at",
  "backed_up",
] as const;

/** The account that has an address. */
export function findByAddress(db: Db, address: string) {
  return db.selectFrom("account")
    .select("user_id")
    .where("address", "=", address)
    .executeTakeFirst();
}

/** What an authenticator calls the account. */
export function findNames(db: Db, userId: UserId) {
  return db.selectFrom("account")
    .select(["address", "display_name"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** An account's passkeys, the oldest first. */
export function listPasskeys(db: Db, userId: UserId) {
  return db.selectFrom("passkey")
    .select([...SHOWN, "transports"])
    .where("user_id", "=", userId)
    .orderBy("passkey_id")
    .execute();
}

/** Keeps a passkey; false where its credential is known already. */
export async function insertPasskey(
  tx: Tx,
  passkey: Insertable<Schema["passkey"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("passkey")
    .values(passkey)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function countPasskeys(db: Db, userId: UserId): Promise<number> {
  const { held } = await db.selectFrom("passkey")
    .select((query) => query.fn.countAll<number>().as("held"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return held;
}

/** A passkey by the id that its authenticator gave it. */
export function findByCredential(db: Db, credentialId: string) {
  return db.selectFrom("passkey")
    .select(["passkey_id", "user_id", "public_key", "sign_count"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/** Notes a use; false where the passkey was removed meanwhile. */
export async function noteUse(
  tx: Tx,
  passkeyId: PasskeyId,
  use: {
    readonly signCount: number;
    readonly backedUp: boolean;
    readonly now: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("passkey")
    .set({
      sign_count: use.signCount,
      backed_up: use.backedUp ? 1 : 0,
      last_used_at: use.now,
    })
    .where("passkey_id", "=", passkeyId)
    // Of two signatures with one count only the first one counts.
    .where((where) =>
      where.or([
        where("sign_count", "<", use.signCount),
        where(sql.lit(use.signCount), "=", 0),
      ])
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives a passkey of an account another name; undefined where it has none. */
export function renamePasskey(
  db: Db,
  userId: UserId,
  passkeyId: PasskeyId,
  name: string,
) {
  return db.updateTable("passkey")
    .set({ name })
    .where("passkey_id", "=", passkeyId)
    .where("user_id", "=", userId)
    .returning(SHOWN)
    .executeTakeFirst();
}

/** Removes a passkey of an account; false where it has none of this id. */
export async function deletePasskey(
  db: Db,
  userId: UserId,
  passkeyId: PasskeyId,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("passkey")
    .where("passkey_id", "=", passkeyId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
