/** @module */
import { sql } from "kysely";
import type { Db } from "../../store/database.ts";

/** The newest receipt of the chain. */
export async function newestReceipt(
  db: Db,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await db.selectFrom("receipt")
    .select("body")
    .orderBy("receipt_seq", "desc")
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row?.body;
}
