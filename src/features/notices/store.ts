import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

type NoticeRow = Selectable<Schema["notice"]>;
export type OutgoingRow = Selectable<Schema["outgoing"]>;
type TargetRow = Selectable<Schema["notify_target"]>;

export async function findNotice(
  tx: Db | Tx,
  event: string,
): Promise<NoticeRow | undefined> {
  return await tx.selectFrom("notice").selectAll()
    .where("event", "=", event)
    .executeTakeFirst();
}

export async function putNotice(tx: Tx, row: NoticeRow): Promise<void> {
  const { event: _, ...rest } = row;
  await tx.insertInto("notice").values(row)
    .onConflict((conflict) => conflict.column("event").doUpdateSet(rest))
    .execute();
}

/** Whether anything lasts of which no message was written since an instant. */
export async function listUntold(
  db: Db,
  since: number,
): Promise<readonly string[]> {
  const rows = await db.selectFrom("notice").select("event")
    .where("ended_at", "is", null)
    .where((where) =>
      where.or([
        where("is_told", "=", 0),
        where("told_at", "<=", since),
      ])
    ).execute();
  return rows.map(({ event }) => event);
}

/** Puts a message into the queue, unless one about the same waits there. */
export async function insertOutgoing(
  tx: Tx,
  row: {
    readonly message_id: string;
    readonly target: string;
    readonly about: string | null;
    readonly user_id: UserId | null;
    readonly sealed: Uint8Array;
    readonly created_at: number;
    readonly expires_at: number;
    readonly next_try_at: number;
  },
): Promise<void> {
  await tx.insertInto("outgoing").values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** When a message about the same was written last. */
export async function lastAbout(
  tx: Tx,
  target: string,
  about: string,
): Promise<number | undefined> {
  const row = await tx.selectFrom("outgoing").select("created_at")
    .where("target", "=", target)
    .where("about", "=", about)
    .orderBy("created_at", "desc")
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row?.created_at;
}

/** Messages whose turn it is. */
export function listDue(db: Db, now: number): Promise<OutgoingRow[]> {
  return db.selectFrom("outgoing").selectAll()
    .where("sent_at", "is", null)
    .where("next_try_at", "<=", now)
    .orderBy("next_try_at")
    // The end of a trouble comes behind its beginning.
    .orderBy("message_seq")
    .limit(sql.lit(50))
    .execute();
}

/** Takes a message to send it; false where another process took it. */
export async function claim(
  db: Db,
  row: OutgoingRow,
  leaseUntil: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("outgoing")
    .set({ next_try_at: leaseUntil, attempts: row.attempts + 1 })
    .where("message_id", "=", row.message_id)
    .where("attempts", "=", row.attempts)
    .where("sent_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A message came through: its text goes. */
export async function markSent(
  tx: Tx,
  row: OutgoingRow,
  now: number,
): Promise<void> {
  await tx.updateTable("outgoing").set({ sent_at: now, sealed: null })
    .where("message_id", "=", row.message_id)
    .execute();
  await tx.insertInto("notify_target")
    .values({ target: row.target, sent_at: now })
    .onConflict((conflict) =>
      conflict.column("target").doUpdateSet({
        sent_at: now,
        failing_since: null,
        fault: null,
      })
    ).execute();
}

/** It did not: the next try is later, and its target is known to fail. */
export async function markFailed(
  tx: Tx,
  row: OutgoingRow,
  { now, nextTryAt, fault }: {
    readonly now: number;
    readonly nextTryAt: number;
    readonly fault: string;
  },
): Promise<void> {
  await tx.updateTable("outgoing").set({ next_try_at: nextTryAt })
    .where("message_id", "=", row.message_id)
    .execute();
  await tx.insertInto("notify_target")
    .values({ target: row.target, failing_since: now, fault })
    .onConflict((conflict) =>
      conflict.column("target").doUpdateSet({
        failing_since: sql<number>`coalesce(failing_since, ${now})`,
        fault,
      })
    ).execute();
}

export async function deleteOutgoing(db: Db, id: string): Promise<void> {
  await db.deleteFrom("outgoing").where("message_id", "=", id).execute();
}

/** Removes what was tried for its day, or sent longer ago than that. */
export async function purgeOutgoing(db: Db, now: number): Promise<void> {
  await db.deleteFrom("outgoing").where("expires_at", "<=", now).execute();
}

/** Messages that wait, by their target. */
export function countWaiting(db: Db) {
  return db.selectFrom("outgoing")
    .select(({ fn }) => ["target", fn.countAll<number>().as("waiting")])
    .where("sent_at", "is", null)
    .groupBy("target")
    .execute();
}

export function listTargets(db: Db): Promise<TargetRow[]> {
  return db.selectFrom("notify_target").selectAll().execute();
}
