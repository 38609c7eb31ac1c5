/**
 * The identity anchor: the first identity key that an account ever presented
 * (protocol/devices.md#identity-anchor). What its owner signs is verified
 * against it, and never against a key that a request brings.
 *
 * @module
 */
import type { UserId } from "../core/ids.ts";
import type { Db } from "../store/sqlite/database.ts";

/** An account's anchor, 1,984 bytes; null while it has none. */
export async function readAnchor(
  db: Db,
  userId: UserId,
): Promise<Uint8Array | null> {
  const row = await db.selectFrom("account")
    .select("identity_key")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.identity_key ?? null;
}
