/**
 * Links of both kinds, share links and upload links: which of them live.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import type { OpaqueId } from "../core/ids.ts";
import type { Tx } from "../store/sqlite/database.ts";

/**
 * A row of links is neither revoked nor expired. While its account is suspended
 * it serves nothing all the same; it does again afterwards.
 */
export function isLiveLink(
  table: "share" | "upload_link",
  now: number,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`(${column("revoked_at")} is null
    and coalesce(${column("expires_at")} > ${now}, true))`;
}

/**
 * Whether an id was that of a deleted account's share or upload link. Whoever
 * has the address of one may expect nothing of it, for ever: its id is never
 * issued again.
 */
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
