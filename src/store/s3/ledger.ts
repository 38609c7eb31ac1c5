/**
 * What the database knows of objects that are to go.
 *
 * An object is never removed in the transaction that finds it to be nobody's:
 * an answer may take as long as it likes, and everybody who writes would wait.
 * The transaction dooms it instead. As long as a blob is doomed nothing is
 * placed in its object, so that no removal can hit what somebody relies on: not
 * one that is tried again, and not one that was delayed or repeated on its way,
 * for the store refuses a request that was signed a quarter of an hour before.
 *
 * @module
 */
import { sql } from "kysely";
import type { BlobHash } from "../../core/ids.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Db, Tx } from "../database.ts";
import type { LostFile } from "../lost.ts";

/** After it no removal is carried out any more that was signed before. */
const QUARANTINE_MS = 20 * MINUTE_MS;
/** A removal that was not heard of is tried again after so long. */
const AGAIN_MS = MINUTE_MS;
/** Blobs that are brought after at a time. */
const STAYED_AT_ONCE = 100;

/** Dooms a blob's object, in the transaction that decides it. */
export async function doom(tx: Tx, hash: BlobHash): Promise<void> {
  await tx.insertInto("doomed_blob")
    .values({ hash, tried_at: null, is_gone: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isDoomed(db: Db, hash: BlobHash): Promise<boolean> {
  const row = await db.selectFrom("doomed_blob").select("hash")
    .where("hash", "=", hash).executeTakeFirst();
  return row !== undefined;
}

/** Doomed ones behind a hash, in order. */
export async function pageOfDoomed(
  db: Db,
  after: string,
  now: number,
): Promise<BlobHash[]> {
  const rows = await db.selectFrom("doomed_blob").select("hash")
    .where(sql<boolean>`hash > ${after}`)
    .where("is_gone", "=", 0)
    .where((row) =>
      row.or([
        row("tried_at", "is", null),
        row("tried_at", "<=", now - AGAIN_MS),
        // Tried by a clock that was ahead.
        row("tried_at", ">", now),
      ])
    )
    .orderBy("hash").limit(1_000).execute();
  return rows.map(({ hash }) => hash);
}

/** How many objects are still to go. */
export async function countDoomed(db: Db): Promise<number> {
  const { count } = await db.selectFrom("doomed_blob")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("is_gone", "=", 0).executeTakeFirstOrThrow();
  return count;
}

/** Notes that its removal is signed now; false where somebody else's was. */
export async function claimRemoval(
  db: Db,
  hash: BlobHash,
  now: number,
): Promise<boolean> {
  const result = await db.updateTable("doomed_blob")
    .set({ tried_at: now })
    .where("hash", "=", hash)
    .where("is_gone", "=", 0)
    .where((row) =>
      row.or([
        row("tried_at", "is", null),
        row("tried_at", "<=", now - AGAIN_MS),
        row("tried_at", ">", now),
      ])
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Notes that it is gone; the quarantine begins with the last try. */
export async function noteGone(db: Db, hash: BlobHash): Promise<void> {
  await db.updateTable("doomed_blob").set({ is_gone: 1 })
    .where("hash", "=", hash).execute();
}

/** Forgets those that are gone for long enough. */
export async function endQuarantines(db: Db, now: number): Promise<void> {
  const over = now - QUARANTINE_MS;
  const row = await db.selectFrom("doomed_blob").select("hash")
    .where("is_gone", "=", 1).where("tried_at", "<=", over)
    .limit(1).executeTakeFirst();
  if (row === undefined) return;
  await db.deleteFrom("doomed_blob")
    .where("is_gone", "=", 1).where("tried_at", "<=", over).execute();
}

/** Which of some names are doomed or set aside: they are no strays. */
export async function spokenFor(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.selectFrom("doomed_blob").select("hash")
    .where("hash", "in", hashes)
    .union(
      db.selectFrom("aside_blob").select("hash").where("hash", "in", hashes),
    )
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

/** Notes a blob that was to be placed in the bucket and lies in the directory. */
export async function noteStayed(
  db: Db,
  hash: BlobHash,
  size: number,
): Promise<void> {
  await db.insertInto("stayed_blob").values({ hash, size })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Some of them, in no order that matters. */
export async function listStayed(db: Db) {
  return await db.selectFrom("stayed_blob").select(["hash", "size"])
    .orderBy(sql`random()`).limit(STAYED_AT_ONCE).execute();
}

export async function endStay(db: Db, hash: BlobHash): Promise<void> {
  await db.deleteFrom("stayed_blob").where("hash", "=", hash).execute();
}

/** Objects that were set aside: they lie where they lay. */
export async function setAside(tx: Tx, hash: BlobHash, day: string) {
  await tx.insertInto("aside_blob").values({ hash, day })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listAside(db: Db, after: string): Promise<LostFile[]> {
  const rows = await db.selectFrom("aside_blob").select(["hash", "day"])
    .where(sql<boolean>`hash > ${after}`).orderBy("hash").limit(1_000)
    .execute();
  return rows.map(({ hash, day }) => ({ day, name: hash, isObject: true }));
}

export async function findAside(
  db: Db,
  hash: BlobHash,
): Promise<LostFile | undefined> {
  const row = await db.selectFrom("aside_blob").select(["hash", "day"])
    .where("hash", "=", hash).executeTakeFirst();
  return row && { day: row.day, name: row.hash, isObject: true };
}

export async function endAside(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom("aside_blob").where("hash", "=", name as BlobHash)
    .execute();
}
