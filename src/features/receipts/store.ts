/** @module */
import { type Insertable, sql } from "kysely";
import type { AssetId, UploadId, UserId } from "../../core/ids.ts";
import { compiledOnce } from "../../store/compiled.ts";
import type { Db, Tx } from "../../store/database.ts";
import type { Schema } from "../../store/schema.ts";

/**
 * The number that the next receipt is above, and the hash that it names: of
 * the newest receipt, which may stand below that number after a restore.
 */
export const readHead = compiledOnce((db) => {
  const newest = db.selectFrom("receipt")
    .orderBy("receipt_seq", "desc")
    .limit(sql.lit(1));
  return db.selectFrom("server").select(({ fn }) => [
    fn<number>("max", [
      "receipt_seq_floor",
      fn.coalesce(newest.select("receipt_seq"), sql.lit(0)),
    ]).as("receipt_seq"),
    newest.select("receipt_hash").as("receipt_hash"),
  ]);
});

/** Appends a receipt; false when its number is taken. */
export async function insertReceipt(
  tx: Tx,
  receipt: Insertable<Schema["receipt"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("receipt")
    .values(receipt)
    .onConflict((conflict) => conflict.column("receipt_seq").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findByUpload(
  db: Db,
  uploadId: UploadId,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await db.selectFrom("receipt")
    .select("body")
    .where("upload_id", "=", uploadId)
    .executeTakeFirst();
  return row?.body;
}

/** An owner's receipts for an asset, in the order of the chain. */
export async function listByAsset(
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const rows = await db.selectFrom("receipt")
    .select("body")
    .where("owner_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .orderBy("receipt_seq")
    .execute();
  return rows.map(({ body }) => body);
}
