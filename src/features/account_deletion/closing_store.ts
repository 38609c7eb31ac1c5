import { type RawBuilder, sql } from "kysely";
import type { AssetId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";

/** Assets of an account that are under legal hold, some of them. */
export async function listHeld(db: Db, userId: UserId): Promise<AssetId[]> {
  const rows = await db.selectFrom("asset")
    .select("asset_id")
    .where("owner_id", "=", userId)
    .where("held_at", "is not", null)
    .orderBy("asset_id")
    .limit(sql.lit(11))
    .execute();
  return rows.map(({ asset_id }) => asset_id);
}

/** Whatever signs in to an account, or shows that it is there. */
const DOORS = [
  "session",
  "totp",
  "totp_failure",
  "password_failure",
  "password_lock",
  "second_factor_challenge",
  "revoke_challenge",
  "oidc_identity",
  "enrollment_code",
  "enrollment_channel",
  "public_record",
  "outgoing",
] as const;

/**
 * Closes an account for good: it is suspended, nothing signs in to it, and the
 * capabilities that it holds end.
 */
export async function closeDoors(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<void> {
  await tx.updateTable("account")
    .set((column) => ({
      password_hash: null,
      suspended_at: column.fn.coalesce("suspended_at", sql.lit(now)),
      deleting_at: column.fn.coalesce("deleting_at", sql.lit(now)),
    }))
    .where("user_id", "=", userId)
    .execute();
  for (const table of DOORS) {
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  }
  await endGrants(tx, sql`member = ${userId}`, now);
}

/**
 * Notes that its owner deleted an account, which the server finishes by itself,
 * and gives its address back.
 */
export async function noteDeparture(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<void> {
  await tx.updateTable("account")
    .set({ address: null, departed_at: now })
    .where("user_id", "=", userId)
    .execute();
}

/** Accounts that their owners deleted and that are still there, some of them. */
export async function listDeparted(db: Db): Promise<UserId[]> {
  const rows = await db.selectFrom("account")
    .select("user_id")
    .where("departed_at", "is not", null)
    .orderBy("departed_at")
    .limit(sql.lit(1_000))
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Ends grants; their tokens are listed as revoked until they expire. */
export async function endGrants(
  tx: Tx,
  which: RawBuilder<unknown>,
  now: number,
): Promise<void> {
  await sql`insert or ignore into gone_capability (jti, expires_at)
    select jti, expires_at
    from capability_grant join capability using (grant_id)
    where ${which} and expires_at > ${now}`.execute(tx);
  await sql`delete from capability_grant where ${which}`.execute(tx);
}
