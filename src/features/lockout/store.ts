import { type RawBuilder, sql } from "kysely";
import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { CLOCK_SLACK_MS } from "../../core/time.ts";

/**
 * Whose password is tried: an account's, or that of an unknown address, by its
 * keyed hash. Both are counted by the same rules, so that answers do not
 * differ, and in separate tables, so that unknown addresses crowd out no
 * account.
 */
export type Subject =
  | { readonly userId: UserId }
  | { readonly unknown: string };

/** The empty text locks for every client. */
export const ALL_CLIENTS = "";

/** Guesses at addresses that no account has: how many are kept at once. */
export const UNKNOWN_MAX = 100_000;

interface Place {
  readonly failures: RawBuilder<unknown>;
  readonly locks: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  readonly value: string;
}

function placeOf(subject: Subject): Place {
  return "userId" in subject
    ? {
      failures: sql.table("password_failure"),
      locks: sql.table("password_lock"),
      column: sql.ref("user_id"),
      value: subject.userId,
    }
    : {
      failures: sql.table("unknown_failure"),
      locks: sql.table("unknown_lock"),
      column: sql.ref("subject"),
      value: subject.unknown,
    };
}

/** Until when the last of the locks for these clients holds. */
export async function lockedUntil(
  db: Db,
  subject: Subject,
  clients: readonly string[],
  now: number,
): Promise<number | undefined> {
  const { locks, column, value } = placeOf(subject);
  const { rows } = await sql<{ locked_until: number }>`
    select locked_until from ${locks}
    where ${column} = ${value}
      and client in (${sql.join([ALL_CLIENTS, ...clients])})
      and locked_until > ${now}
    order by locked_until desc limit 1`.execute(db);
  return rows[0]?.locked_until;
}

/**
 * Enters a failure and returns how many there were since an instant, from this
 * client and in all; undefined where there is no such account any more.
 */
export async function enterFailure(
  tx: Tx,
  subject: Subject,
  client: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<{ readonly here: number; readonly all: number } | undefined> {
  const { failures, column, value } = placeOf(subject);
  await sql`delete from ${failures}
    where ${column} = ${value} and failed_at <= ${since}`.execute(tx);
  // What a clock that was ahead has dated counts for no longer than the rest.
  await sql`update ${failures} set failed_at = ${now}
    where ${column} = ${value} and failed_at > ${now}`.execute(tx);
  const { rows: [entered] } = "userId" in subject
    ? await sql<{ failure_seq: number }>`
      insert into password_failure (user_id, client, failed_at)
      select user_id, ${client}, ${now} from account
      where user_id = ${value} returning rowid as failure_seq`.execute(tx)
    : await sql<{ failure_seq: number }>`
      insert into unknown_failure (subject, client, failed_at)
      values (${value}, ${client}, ${now})
      returning failure_seq`.execute(tx);
  if (entered === undefined) return undefined;
  if ("unknown" in subject) {
    await tx.deleteFrom("unknown_failure")
      .where("failure_seq", "<=", entered.failure_seq - UNKNOWN_MAX)
      .execute();
  }
  const { rows: [counted] } = await sql<{ here: number; all: number }>`
    select count(*) filter (where client = ${client}) as here,
      count(*) as "all"
    from ${failures} where ${column} = ${value}`.execute(tx);
  return counted;
}

/** Lets no lock of a subject hold for longer than until an instant. */
export async function shortenLocks(
  db: Db,
  subject: Subject,
  latest: number,
): Promise<void> {
  const { locks, column, value } = placeOf(subject);
  await sql`update ${locks} set locked_until = ${latest}
    where ${column} = ${value} and locked_until > ${latest}`.execute(db);
}

/** Locks a subject for a client, or for {@link ALL_CLIENTS}. */
export async function putLock(
  tx: Tx,
  subject: Subject,
  client: string,
  until: number,
): Promise<void> {
  const { locks, column, value } = placeOf(subject);
  await sql`
    insert into ${locks} (${column}, client, locked_until)
    values (${value}, ${client}, ${until})
    on conflict (${column}, client)
    do update set locked_until = ${until}`.execute(tx);
}

/**
 * Ends the second-factor challenges that an account's password made, or those
 * that it made from one client.
 */
export async function endChallenges(
  tx: Tx,
  userId: UserId,
  client?: string,
): Promise<void> {
  const query = tx.deleteFrom("second_factor_challenge")
    .where("user_id", "=", userId)
    .where("door", "=", "password");
  await (client === undefined ? query : query.where("client", "=", client))
    .execute();
}

export async function deleteFailures(
  db: Db,
  userId: UserId,
): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("password_failure")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteLocks(tx: Tx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom("password_lock")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** An account's locks that are in force. */
export function listLocks(db: Db, userId: UserId, now: number) {
  return db.selectFrom("password_lock")
    .select(["client", "locked_until"])
    .where("user_id", "=", userId)
    .where("locked_until", ">", now)
    .orderBy("client")
    .execute();
}

/** Removes failures up to an instant and locks that have ended. */
export async function purgeLockouts(
  db: Db,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<number> {
  let removed = 0n;
  for (const table of ["password_failure", "unknown_failure"] as const) {
    const { numDeletedRows } = await db.deleteFrom(table)
      .where("failed_at", "<=", since)
      .executeTakeFirst();
    removed += numDeletedRows;
  }
  for (const table of ["password_lock", "unknown_lock"] as const) {
    const { numDeletedRows } = await db.deleteFrom(table)
      .where("locked_until", "<=", now)
      .executeTakeFirst();
    removed += numDeletedRows;
  }
  return Number(removed);
}

/**
 * Lets failures of the future have been now, and locks of the future end when
 * their length has passed from now.
 */
export async function repairLockoutDates(
  db: Db,
  now: number,
  lockMs: number,
): Promise<void> {
  for (const table of ["password_failure", "unknown_failure"] as const) {
    await db.updateTable(table).set({ failed_at: now })
      .where("failed_at", ">", now + CLOCK_SLACK_MS)
      .execute();
  }
  for (const table of ["password_lock", "unknown_lock"] as const) {
    await db.updateTable(table).set({ locked_until: now + lockMs })
      .where("locked_until", ">", now + lockMs + CLOCK_SLACK_MS)
      .execute();
  }
}
