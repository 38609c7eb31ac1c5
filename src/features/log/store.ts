import { type Selectable, sql } from "kysely";
import { compiledList, compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { LogName, Schema } from "../../store/sqlite/schema.ts";

/** Entries that one statement reads. */
const AT_ONCE = 500;

/** A checkpoint as it is recorded. */
export type CheckpointRow = Selectable<Schema["log_checkpoint"]>;

/** Receipts with numbers after one, some of them. */
export const receiptsAfter = compiledList((db, after: number) =>
  db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash"])
    .where("receipt_seq", ">", after)
    .orderBy("receipt_seq")
    .limit(sql.lit(AT_ONCE))
);

/** The last receipts up to a number, newest first. */
export const receiptsUpTo = compiledList((db, upTo: number, count: number) =>
  db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash"])
    .where("receipt_seq", "<=", upTo)
    .orderBy("receipt_seq", "desc")
    .limit(count)
);

/** Entries of the keys log after one, some of them. */
export const entriesAfter = compiledList((db, after: number) =>
  db.selectFrom("log_entry")
    .select(["entry_seq", "entry"])
    .where("entry_seq", ">", after)
    .orderBy("entry_seq")
    .limit(sql.lit(AT_ONCE))
);

/** Entries of the keys log from one on and up to another. */
export const entriesBetween = compiledList((db, from: number, to: number) =>
  db.selectFrom("log_entry")
    .select("entry")
    .where("entry_seq", ">=", from)
    .where("entry_seq", "<=", to)
    .orderBy("entry_seq")
);

/** The life of the logs that is served; undefined before the first. */
export function lastLife(db: Db) {
  return db.selectFrom("log_life")
    .selectAll()
    .orderBy("life", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The checkpoints of a life, that of the keys log first. */
export function checkpointsOf(db: Db, life: number): Promise<CheckpointRow[]> {
  return db.selectFrom("log_checkpoint")
    .selectAll()
    .where("life", "=", life)
    .orderBy("log", "desc")
    .execute();
}

/** Of the server what decides about the life of its logs. */
export function readServer(db: Db) {
  return db.selectFrom("server")
    .select(["feed_epoch", "log_app_hash"])
    .executeTakeFirstOrThrow();
}

export async function hasLife(
  db: Db,
  base: string,
  gen: string,
): Promise<boolean> {
  const row = await db.selectFrom("log_life")
    .select("life")
    .where("base", "=", base)
    .where("gen", "=", gen)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertLife(
  tx: Tx,
  life: Omit<Selectable<Schema["log_life"]>, "life">,
): Promise<number> {
  const row = await tx.insertInto("log_life")
    .values(life)
    .returning("life")
    .executeTakeFirstOrThrow();
  return row.life;
}

export async function noteApp(tx: Tx, hash: string): Promise<void> {
  await tx.updateTable("server").set({ log_app_hash: hash }).execute();
}

/**
 * Records a checkpoint in place of a smaller one, or of the same tree, durably.
 * False where the keys that signed it are not in force any more, or another one
 * as large is recorded. One statement: no lock is held while this process does
 * other things.
 */
export async function recordCheckpoint(
  db: Db,
  row: CheckpointRow,
  generation: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into log_checkpoint
      (origin, life, log, size, root, up_to, note, signed_at)
    select ${row.origin}, ${row.life}, ${row.log}, ${row.size}, ${row.root},
      ${row.up_to}, ${row.note}, ${row.signed_at}
    from server where key_generation = ${generation}
    on conflict (origin) do update set
      size = excluded.size, root = excluded.root, up_to = excluded.up_to,
      note = excluded.note, signed_at = excluded.signed_at
    where log_checkpoint.size < excluded.size
      or (log_checkpoint.size = excluded.size
        and log_checkpoint.root = excluded.root)`.execute(db);
  return numAffectedRows === 1n;
}

/** The cosignatures of a checkpoint that are recorded, as lines of its note. */
export async function cosignaturesOf(
  db: Db,
  { origin, size }: Pick<CheckpointRow, "origin" | "size">,
): Promise<string> {
  const rows = await db.selectFrom("log_cosignature")
    .select("cosignature")
    .where("origin", "=", origin)
    .where("size", "=", size)
    .where("cosignature", "is not", null)
    .orderBy("verifier_key")
    .execute();
  return rows.map(({ cosignature }) => cosignature ?? "").join("");
}

/** The recorded size of a log; 0 before its first checkpoint. */
export async function recordedSize(db: Db, origin: string): Promise<number> {
  const row = await db.selectFrom("log_checkpoint")
    .select("size")
    .where("origin", "=", origin)
    .executeTakeFirst();
  return row?.size ?? 0;
}

/** A number of a receipt after a leap, and its place in the custody log. */
export type Run = Selectable<Schema["log_run"]>;

export async function insertRuns(
  db: Db,
  runs: readonly Run[],
): Promise<void> {
  if (runs.length === 0) return;
  await db.insertInto("log_run").values(runs)
    .onConflict((conflict) =>
      conflict.column("first_seq").doUpdateSet(({ ref }) => ({
        first_index: ref("excluded.first_index"),
      }))
    )
    .execute();
}

/** The run that the number of a receipt is in. */
export const runOf = compiledOnce((db, receiptSeq: number) =>
  db.selectFrom("log_run")
    .select(["first_seq", "first_index"])
    .where("first_seq", "<=", receiptSeq)
    .orderBy("first_seq", "desc")
    .limit(sql.lit(1))
);

/** The names of both logs. */
export const LOG_NAMES: readonly LogName[] = ["custody", "keys"];
