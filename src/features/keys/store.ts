/** @module */
import { sql } from "kysely";
import type { Db } from "../../store/database.ts";

/** The newest receipts of the chain. */
export async function newestReceipts(
  db: Db,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const rows = await db.selectFrom("receipt")
    .select("body")
    .orderBy("receipt_seq", "desc")
    .limit(sql.lit(1_000))
    .execute();
  return rows.map(({ body }) => body);
}
