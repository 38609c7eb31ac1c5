/**
 * The generation of the server's keys: grows in the transaction that puts
 * other keys in force, so that a server that runs can tell within a
 * transaction of its own whether those that it has read still are.
 *
 * @module
 */
import { CompiledQuery } from "kysely";
import type { Db, Tx } from "./database.ts";

/** Asked in every transaction that issues a receipt. */
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
