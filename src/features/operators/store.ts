import { type RawBuilder, sql } from "kysely";
import type { SessionId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { readable } from "../usage.ts";

/** Names an account an operator from an instant on, or no longer (null). */
export async function setOperator(
  tx: Tx,
  userId: UserId,
  since: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("account")
    .set({ operator_since: since })
    .where("user_id", "=", userId)
    .where("operator_since", since === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Whether an account is an operator's, and neither suspended nor going. */
export async function isOperator(db: Db, userId: UserId): Promise<boolean> {
  const row = await db.selectFrom("account").select("user_id")
    .where("user_id", "=", userId)
    .where("operator_since", "is not", null)
    .where("suspended_at", "is", null)
    .where("deleting_at", "is", null)
    .where("departed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** When a session presented a code of the second factor last. */
export async function readFactorAt(
  db: Db,
  sessionId: SessionId,
): Promise<number | null> {
  const row = await db.selectFrom("session").select("factor_at")
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return row?.factor_at ?? null;
}

export async function noteFactor(
  db: Db,
  sessionId: SessionId,
  now: number,
): Promise<void> {
  await db.updateTable("session").set({ factor_at: now, presented_at: now })
    .where("session_id", "=", sessionId)
    .execute();
}

export interface ActRow {
  readonly at: number;
  readonly operator_id: UserId;
  readonly act: string;
  readonly subject_id: string | null;
  readonly detail: string | null;
}

/** Writes an act down; returns its place, for one that was not done. */
export async function insertAct(db: Db, act: ActRow): Promise<number> {
  const { act_seq } = await db.insertInto("operator_act").values(act)
    .returning("act_seq")
    .executeTakeFirstOrThrow();
  return act_seq;
}

export async function deleteAct(db: Db, actSeq: number): Promise<void> {
  await db.deleteFrom("operator_act").where("act_seq", "=", actSeq).execute();
}

/** A page of the acts with the addresses that their accounts have now. */
export async function pageOfActs(db: Db, after: number, limit: number) {
  const { rows } = await sql<
    ActRow & {
      readonly act_seq: number;
      readonly operator: string | null;
      readonly subject: string | null;
    }
  >`select act_seq, at, operator_id, act, subject_id, detail,
      (select address from account where user_id = operator_id) as operator,
      (select address from account where user_id = subject_id) as subject
    from operator_act where act_seq > ${after}
    order by act_seq limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export interface PersonRow {
  readonly user_id: UserId;
  readonly address: string | null;
  readonly display_name: string | null;
  readonly created_at: number;
  readonly suspended_at: number | null;
  readonly deleting_at: number | null;
  readonly operator_since: number | null;
  readonly last_used_at: number | null;
  readonly used_bytes: number;
  readonly trash_bytes: number;
  readonly quota_bytes: number | null;
  readonly has_password: 0 | 1;
  readonly has_factor: 0 | 1;
  readonly confirmed_at: number | null;
  readonly sessions: number;
}

/** A page of the accounts in the order of their ids, or one account. */
async function people(
  db: Db,
  which: RawBuilder<unknown>,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select account.user_id, address, display_name, created_at, suspended_at,
      deleting_at, operator_since, quota_bytes,
      ${readable(sql`used_bytes`)} as used_bytes,
      ${readable(sql`trash_bytes`)} as trash_bytes,
      password_hash is not null as has_password,
      totp.user_id is not null as has_factor, totp.confirmed_at,
      (select max(last_used_at) from session
        where session.user_id = account.user_id) as last_used_at,
      (select count(*) from session
        where session.user_id = account.user_id) as sessions
    from account join usage on usage.user_id = account.user_id
      left join totp on totp.user_id = account.user_id
    where departed_at is null and ${which}`.execute(db);
  return rows;
}

export function pageOfPeople(
  db: Db,
  after: string,
  limit: number,
): Promise<PersonRow[]> {
  return people(
    db,
    sql`account.user_id > ${after} order by account.user_id
      limit ${sql.lit(limit)}`,
  );
}

export async function findPerson(
  db: Db,
  userId: UserId,
): Promise<PersonRow | undefined> {
  return (await people(db, sql`account.user_id = ${userId}`))[0];
}

/** What all accounts store, and how many there are. */
export async function sumAccounts(db: Db) {
  const { rows: [sums] } = await sql<{
    accounts: number;
    used: number;
    trash: number;
  }>`select count(*) as accounts,
      ${readable(sql`coalesce(sum(used_bytes), 0)`)} as used,
      ${readable(sql`coalesce(sum(trash_bytes), 0)`)} as trash
    from usage`.execute(db);
  return sums ?? { accounts: 0, used: 0, trash: 0 };
}

/** What was stored in each of the last months, the newest first. */
export async function growthByMonth(
  db: Db,
  since: number,
): Promise<{ readonly month: string; readonly bytes: number }[]> {
  return await db.selectFrom("blob_month")
    .select(["month", "bytes"])
    .where("month", ">=", new Date(since).toISOString().slice(0, 7))
    .where("count", ">", 0)
    .orderBy("month", "desc")
    .execute();
}
