/**
 * The generation of the server's keys. It grows in the transaction that puts
 * other keys in force, so that a running server can check, within a transaction
 * of its own, whether the keys that it has read are still in force.
 *
 * @module
 */
import { CompiledQuery } from "kysely";
import type { Db, Tx } from "./sqlite/database.ts";

/** Compiled once, because every transaction that issues a receipt asks it. */
const SELECT: CompiledQuery<{ key_generation: number }> = {
  ...CompiledQuery.raw("select key_generation from server"),
};

/** The generation in force. */
export async function keyGeneration(db: Db): Promise<number> {
  const { rows: [row] } = await db.executeQuery(SELECT);
  if (row === undefined) throw new Error("the table server has no row");
  return row.key_generation;
}

/** Puts a later generation in force, once `tx` is committed. */
export async function raiseKeyGeneration(tx: Tx, to: number): Promise<void> {
  await tx.updateTable("server").set({ key_generation: to })
    .where("key_generation", "<", to)
    .execute();
}
