import type { Insertable, Updateable } from "kysely";
import type { StateSlot, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

type Row = Schema["state_slot"];

export function findSlot(db: Db, userId: UserId, slot: StateSlot) {
  return db.selectFrom("state_slot")
    .select(["body", "body_hash"])
    .where("user_id", "=", userId)
    .where("slot", "=", slot)
    .executeTakeFirst();
}

/** What a slot holds, without its bytes. */
export function findTag(tx: Tx, userId: UserId, slot: StateSlot) {
  return tx.selectFrom("state_slot")
    .select(["body_hash", "size"])
    .where("user_id", "=", userId)
    .where("slot", "=", slot)
    .executeTakeFirst();
}

/** The slots of an account that hold something. */
export async function countSlots(tx: Tx, userId: UserId): Promise<number> {
  const { count } = await tx.selectFrom("state_slot")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Fills an empty slot; false when it is not empty. */
export async function insertSlot(
  tx: Tx,
  row: Insertable<Row>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("state_slot")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "slot"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Replaces what a slot holds; false when it holds something else. */
export async function replaceSlot(
  tx: Tx,
  userId: UserId,
  slot: StateSlot,
  heldHash: string,
  row: Updateable<Row>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("state_slot")
    .set(row)
    .where("user_id", "=", userId)
    .where("slot", "=", slot)
    .where("body_hash", "=", heldHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Empties a slot; returns the bytes that it held, undefined for none. */
export async function deleteSlot(
  tx: Tx,
  userId: UserId,
  slot: StateSlot,
): Promise<number | undefined> {
  const row = await tx.deleteFrom("state_slot")
    .where("user_id", "=", userId)
    .where("slot", "=", slot)
    .returning("size")
    .executeTakeFirst();
  return row?.size;
}
