/**
 * Links that went with their account. What anybody who has the address of one
 * may expect of it is nothing, for ever: their ids are never issued again.
 *
 * @module
 */
import type { OpaqueId } from "../core/ids.ts";
import type { Tx } from "../store/database.ts";

/** Whether an id was that of a deleted account's share or upload link. */
export async function isGoneLink(
  tx: Tx,
  opaqueId: OpaqueId,
): Promise<boolean> {
  const row = await tx.selectFrom("gone_link")
    .select("opaque_id")
    .where("opaque_id", "=", opaqueId)
    .executeTakeFirst();
  return row !== undefined;
}
