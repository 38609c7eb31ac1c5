import { type Insertable, type Selectable, sql } from "kysely";
import type { AssetId, UploadId, UserId } from "../../core/ids.ts";
import {
  compiledList,
  compiledOnce,
  compiledWrite,
} from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/**
 * The number that the next receipt is above, and the hash that it names: of
 * the newest receipt, which may stand below that number after a restore. The
 * next one is not dated before that one either, so its bytes are here too.
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
    newest.select("body").as("body"),
  ]);
});

/**
 * Appends receipts. Returns the generation of keys that is in force, which is
 * to be the one that signed them; undefined when a number is taken.
 */
export async function insertReceipts(
  tx: Tx,
  receipts: readonly Insertable<Schema["receipt"]>[],
): Promise<number | undefined> {
  const [one] = receipts;
  const { rows: inserted } = await tx.executeQuery(
    one !== undefined && receipts.length === 1
      ? addOne(tx, one)
      : inserting(tx, receipts).compile(),
  );
  if (inserted.length !== receipts.length) return undefined;
  return inserted[0]?.generation ?? undefined;
}

const addOne = compiledWrite((db, one: Insertable<Schema["receipt"]>) =>
  inserting(db, [one])
);

function inserting(db: Db, receipts: readonly Insertable<Schema["receipt"]>[]) {
  return db.insertInto("receipt")
    .values(receipts)
    .onConflict((conflict) => conflict.column("receipt_seq").doNothing())
    .returning(({ selectFrom }) =>
      selectFrom("server").select("key_generation").as("generation")
    );
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

/** The receipts that were given together with one, in the order of the chain. */
export async function listTogether(
  db: Db,
  receiptSeq: number,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const rows = await db.selectFrom("receipt as one")
    .innerJoin("receipt", "receipt.upload_id", "one.upload_id")
    .select("receipt.body")
    .where("one.receipt_seq", "=", receiptSeq)
    .orderBy("receipt.receipt_seq")
    .execute();
  return rows.map(({ body }) => body);
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

/** Receipts that one statement reads for their owner. */
export const OWN_AT_ONCE = 100;

/** A receipt as its owner lists it. */
export type OwnReceipt = Pick<
  Selectable<Schema["receipt"]>,
  "receipt_seq" | "receipt_hash" | "body"
>;

/** An owner's receipts with numbers after one, some of them. */
export const pageOfOwn = compiledList((db, ownerId: UserId, after: number) =>
  db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash", "body"])
    .where("owner_id", "=", ownerId)
    .where("receipt_seq", ">", after)
    .orderBy("receipt_seq")
    .limit(sql.lit(OWN_AT_ONCE))
);

/** The newest receipt, whole; undefined before the first. */
export async function readNewest(
  db: Db,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await db.selectFrom("receipt")
    .select("body")
    .orderBy("receipt_seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.body;
}

/** The highest number in the chain; 0 for an empty one. */
export async function newestSeq(db: Db): Promise<number> {
  return (await readHead(db))?.receipt_seq ?? 0;
}

/** Receipts of the chain after one number and up to another, some of them. */
export function pageOfChain(db: Db, after: number, last: number) {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "body"])
    .where("receipt_seq", ">", after)
    .where("receipt_seq", "<=", last)
    .orderBy("receipt_seq")
    .limit(sql.lit(200))
    .execute();
}
