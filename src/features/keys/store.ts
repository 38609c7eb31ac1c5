import { sql } from "kysely";
import type { Db, Tx } from "../../store/sqlite/database.ts";

/** The ids by which the key files of this database are known. */
export async function readKeyIds(db: Db) {
  return await db.selectFrom("server")
    .select(["access_key_id", "attestation_key_id", "log_key_id"])
    .executeTakeFirstOrThrow();
}

/** Writes down those that are not known yet. */
export async function noteKeyIds(
  db: Db,
  ids: {
    readonly access: string;
    readonly attestation: string;
    readonly log: string;
  },
): Promise<void> {
  await db.updateTable("server")
    .set(({ fn, val }) => ({
      access_key_id: fn.coalesce("access_key_id", val(ids.access)),
      attestation_key_id: fn.coalesce(
        "attestation_key_id",
        val(ids.attestation),
      ),
      log_key_id: fn.coalesce("log_key_id", val(ids.log)),
    }))
    .execute();
}

/** The names that this server had, oldest first; the last is in force. */
export function listNames(db: Db) {
  return db.selectFrom("server_name")
    .select(["name_seq", "server_id", "began_at", "ended_at"])
    .orderBy("name_seq")
    .execute();
}

export async function insertName(
  tx: Tx,
  serverId: string,
  from: number,
): Promise<void> {
  await tx.insertInto("server_name")
    .values({ server_id: serverId, began_at: from })
    .execute();
}

export async function endName(
  tx: Tx,
  nameSeq: number,
  at: number,
): Promise<void> {
  await tx.updateTable("server_name")
    .set({ ended_at: at })
    .where("name_seq", "=", nameSeq)
    .execute();
}

export async function deleteName(tx: Tx, nameSeq: number): Promise<void> {
  await tx.deleteFrom("server_name").where("name_seq", "=", nameSeq).execute();
}

/** The first receipt from a number on; undefined after the last. */
export function receiptFrom(db: Db, receiptSeq: number) {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "body"])
    .where("receipt_seq", ">=", receiptSeq)
    .orderBy("receipt_seq")
    .limit(sql.lit(1))
    .executeTakeFirst();
}

/** The last receipt before a number; undefined before the first. */
export function receiptBefore(db: Db, receiptSeq: number) {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "body"])
    .where("receipt_seq", "<", receiptSeq)
    .orderBy("receipt_seq", "desc")
    .limit(sql.lit(1))
    .executeTakeFirst();
}
