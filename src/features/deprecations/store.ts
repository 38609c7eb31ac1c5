import type { Insertable } from "kysely";
import type { ProtocolDate } from "../../core/protocol.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** Every announcement, in their order; asked after each commit. */
export const selectDeprecations = compiledList((db) =>
  db.selectFrom("deprecation")
    .select(["min_protocol_version", "announced_at", "cutoff", "detail_url"])
    .orderBy("announcement_seq")
);

/** Adds an announcement; false where its date has one already. */
export async function insertDeprecation(
  tx: Tx,
  row: Insertable<Schema["deprecation"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("deprecation")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("min_protocol_version").doNothing()
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes an announcement; false where there was none. */
export async function deleteDeprecation(
  db: Db,
  date: ProtocolDate,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("deprecation")
    .where("min_protocol_version", "=", date)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
