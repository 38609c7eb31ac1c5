/**
 * The password lockout (completions.md section 3): in the database, because
 * restarting the server must not give an attacker a fresh start.
 *
 * @module
 */
import { sql } from "kysely";
import type { UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
import type { App } from "../app.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const LOCK_MS = 15 * MINUTE_MS;
/** Failures from all addresses that lock for all, per those from one. */
const ALL_ADDRESSES_FACTOR = 10;
const ALL_ADDRESSES = "";

/** Refuses while the password is locked for a client address, or for all. */
export async function requireUnlocked(
  app: App,
  userId: UserId,
  clientAddress: string,
  raise: Raise<"error.auth.account_locked">,
): Promise<void> {
  const now = app.platform.now();
  const lock = await app.db.selectFrom("password_lock")
    .select("locked_until")
    .where("user_id", "=", userId)
    .where("client_address", "in", [ALL_ADDRESSES, clientAddress])
    .where("locked_until", ">", now)
    .orderBy("locked_until", "desc")
    .executeTakeFirst();
  if (lock === undefined) return;
  throw raise("error.auth.account_locked", {
    retryAfterSeconds: (lock.locked_until - now) / SECOND_MS,
  });
}

/** Counts a wrong password; the one that reaches a count sets the lock. */
export async function recordFailure(
  app: App,
  userId: UserId,
  clientAddress: string,
): Promise<void> {
  const now = app.platform.now();
  const { lockoutFailures } = app.limits;
  await transaction(app.db, async (tx) => {
    await tx.deleteFrom("password_failure")
      .where("user_id", "=", userId)
      .where("failed_at", "<=", now - WINDOW_MS)
      .execute();
    // The account may have been deleted while the password was hashed.
    const { rows: [counted] } = await sql`
      insert into password_failure (user_id, client_address, failed_at)
      select user_id, ${clientAddress}, ${now} from account
      where user_id = ${userId} returning failed_at
    `.execute(tx);
    if (counted === undefined) return;
    const failures = await tx.selectFrom("password_failure")
      .select("client_address")
      .where("user_id", "=", userId)
      .execute();
    const here = failures.filter((one) => one.client_address === clientAddress);
    const reached = [
      ...here.length >= lockoutFailures ? [clientAddress] : [],
      ...failures.length >= lockoutFailures * ALL_ADDRESSES_FACTOR
        ? [ALL_ADDRESSES]
        : [],
    ];
    for (const client_address of reached) {
      const locked_until = now + LOCK_MS;
      await tx.insertInto("password_lock")
        .values({ user_id: userId, client_address, locked_until })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "client_address"])
            .doUpdateSet({ locked_until })
        )
        .execute();
    }
  });
}

/** A completed sign-in forgets the failures before it. */
export async function resetFailures(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom("password_failure")
    .where("user_id", "=", userId)
    .execute();
}

/** An account's locks that are in force. */
export function listLocks(db: Db, userId: UserId, now: number) {
  return db.selectFrom("password_lock")
    .select(["client_address", "locked_until"])
    .where("user_id", "=", userId)
    .where("locked_until", ">", now)
    .orderBy("client_address")
    .execute();
}

/** Lifts an account's locks and forgets its failures; whether any was. */
export async function liftLocks(tx: Tx, userId: UserId): Promise<boolean> {
  const failures = await tx.deleteFrom("password_failure")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const locks = await tx.deleteFrom("password_lock")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return failures.numDeletedRows + locks.numDeletedRows > 0n;
}

/** Removes failures and locks that count no more; returns how many. */
export async function purgeLockout(db: Db, now: number): Promise<number> {
  const failures = await db.deleteFrom("password_failure")
    .where("failed_at", "<=", now - WINDOW_MS)
    .executeTakeFirst();
  const locks = await db.deleteFrom("password_lock")
    .where("locked_until", "<=", now)
    .executeTakeFirst();
  return Number(failures.numDeletedRows + locks.numDeletedRows);
}
