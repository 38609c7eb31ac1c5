import { type Selectable, sql } from "kysely";
import { compiledList, compiledOnce } from "../../store/sqlite/compiled.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** A log that is or was witnessed, with what was seen of it. */
export type WitnessedRow = Selectable<Schema["witnessed_log"]>;

/** A log that is witnessed now. */
export const findWitnessed = compiledOnce((db, origin: string) =>
  db.selectFrom("witnessed_log")
    .selectAll()
    .where("origin", "=", origin)
    .where("removed_at", "is", null)
);

/** The verifier keys with which a log signs. */
export const keysOfLog = compiledList((db, origin: string) =>
  db.selectFrom("witnessed_log_key")
    .select("verifier_key")
    .where("origin", "=", origin)
);

/** A checkpoint with its cosignature. */
interface Cosigned {
  readonly size: number;
  readonly root: Uint8Array<ArrayBuffer>;
  readonly note: string;
  readonly cosignature: string;
  readonly cosigner: string;
  readonly cosigned_at: number;
}

/**
 * Records what is about to be answered, durably. False where another checkpoint
 * was recorded since `held` was read: then nothing may be answered. One
 * statement decides and writes, so that of two requests one has to look again.
 */
export async function recordCosigned(
  db: Db,
  held: WitnessedRow,
  next: Cosigned,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("witnessed_log")
    .set(next)
    .where("origin", "=", held.origin)
    .where("removed_at", "is", null)
    .where("size", "=", held.size)
    .where(sql<boolean>`root is ${held.root}`)
    .where(sql<boolean>`cosignature is ${held.cosignature}`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the first pair of checkpoints that contradict each other. */
export async function recordContradiction(
  db: Db,
  held: WitnessedRow,
  contradiction: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("witnessed_log")
    .set({
      forked_note: held.note,
      contradiction,
      contradicted_at: now,
    })
    .where("origin", "=", held.origin)
    .where("contradiction", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Takes up a log, or another key of one. What was seen of it before it was
 * taken away counts again. Returns whether anything is new.
 */
export function putWitnessed(
  db: Db,
  origin: string,
  verifierKey: string,
  now: number,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const added = await tx.insertInto("witnessed_log")
      .values({ origin, added_at: now })
      .onConflict((conflict) =>
        conflict.column("origin").doUpdateSet({ removed_at: null })
          .where("witnessed_log.removed_at", "is not", null)
      )
      .executeTakeFirst();
    const key = await tx.insertInto("witnessed_log_key")
      .values({ origin, verifier_key: verifierKey })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return added.numInsertedOrUpdatedRows === 1n ||
      key.numInsertedOrUpdatedRows === 1n;
  });
}

/** Stops witnessing a log; false where it was not witnessed. */
export function endWitnessed(
  db: Db,
  origin: string,
  now: number,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx.updateTable("witnessed_log")
      .set({ removed_at: now })
      .where("origin", "=", origin)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    await tx.deleteFrom("witnessed_log_key")
      .where("origin", "=", origin)
      .execute();
    return numUpdatedRows === 1n;
  });
}

/** All logs that are witnessed now. */
export function listWitnessed(db: Db): Promise<WitnessedRow[]> {
  return db.selectFrom("witnessed_log")
    .selectAll()
    .where("removed_at", "is", null)
    .orderBy("origin")
    .execute();
}
