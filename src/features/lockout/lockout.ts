/**
 * The password lockout (protocol/authentication.md#lockout): in the database,
 * because restarting the server must not give an attacker a fresh start.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import type { UserId } from "../../core/ids.ts";
import { CLOCK_SLACK_MS, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import {
  ALL_CLIENTS,
  deleteFailures,
  deleteLocks,
  endChallenges,
  enterFailure,
  lockedUntil,
  purgeLockouts,
  putLock,
  shortenLocks,
  type Subject,
} from "./store.ts";

export { listLocks } from "./store.ts";

const WINDOW_MS = 15 * MINUTE_MS;
/** For how long a lock holds (ms). */
export const LOCK_MS = 15 * MINUTE_MS;
/** Failures from all addresses that lock for all, per those from one. */
const ALL_ADDRESSES_FACTOR = 10;

/**
 * Whose password is tried under an address. What is stored of an unknown
 * address does not show the address.
 */
export function subjectOf(
  app: App,
  address: string,
  account: { readonly user_id: UserId } | undefined,
): Subject {
  // For both, so that both take the time.
  const unknown = blinded(app.secrets.sealing.active, address);
  return account === undefined ? { unknown } : { userId: account.user_id };
}

/** A client address as it is stored: what it was cannot be read from it. */
export function clientOf(app: App, clientAddress: string): string {
  // No login address has a space.
  return blinded(app.secrets.sealing.active, `client ${clientAddress}`);
}

/** Compared and never read again; the key is one of its own. */
function blinded(sealingKey: Uint8Array, address: string): string {
  const key = createHmac("sha256", sealingKey).update("lockout").digest();
  return createHmac("sha256", key).update(address).digest("hex");
}

/** Refuses while the password is locked for a client address, or for all. */
export async function requireUnlocked(
  { app, now, raise }: Call<"error.auth.account_locked">,
  subject: Subject,
  clientAddress: string,
): Promise<void> {
  const clients = [clientOf(app, clientAddress)];
  const until = await heldUntil(app, subject, clients, now);
  if (until === undefined) return;
  throw raise("error.auth.account_locked", {
    retryAfterSeconds: (until - now) / SECOND_MS,
  });
}

/** Whether an account is locked for one of these clients, or for all. */
export async function isLocked(
  app: App,
  userId: UserId,
  clients: readonly string[],
): Promise<boolean> {
  const now = app.platform.now();
  return await heldUntil(app, { userId }, clients, now) !== undefined;
}

/**
 * Until when a lock holds. One that a clock set which was ahead ends when its
 * length has passed since it was seen by one that is not.
 */
async function heldUntil(
  app: App,
  subject: Subject,
  clients: readonly string[],
  now: number,
): Promise<number | undefined> {
  const until = await lockedUntil(app.db, subject, clients, now);
  const latest = now + LOCK_MS;
  if (until === undefined || until <= latest + CLOCK_SLACK_MS) return until;
  await shortenLocks(app.db, subject, latest);
  return latest;
}

/**
 * Counts a wrong password, or a wrong code after a right one. The one that
 * reaches a count sets the lock, and a lock ends the second-factor challenges
 * that a password from there had made: codes are not guessed past it.
 */
export async function recordFailure(
  app: App,
  subject: Subject,
  clientAddress: string,
): Promise<void> {
  const now = app.platform.now();
  const client = clientOf(app, clientAddress);
  const { lockoutFailures } = app.limits;
  await transaction(app.db, async (tx) => {
    // None: the account was deleted while the password was hashed.
    const failures = await enterFailure(tx, subject, client, {
      now,
      since: now - WINDOW_MS,
    });
    if (failures === undefined) return;
    if (failures.here >= lockoutFailures) {
      await putLock(tx, subject, client, now + LOCK_MS);
      if ("userId" in subject) {
        await endChallenges(tx, subject.userId, client);
      }
    }
    if (failures.all >= lockoutFailures * ALL_ADDRESSES_FACTOR) {
      await putLock(tx, subject, ALL_CLIENTS, now + LOCK_MS);
      if ("userId" in subject) await endChallenges(tx, subject.userId);
    }
  });
}

/** Deletes the failures before a completed sign-in. */
export async function resetFailures(db: Db, userId: UserId): Promise<void> {
  await deleteFailures(db, userId);
}

/** Lifts an account's locks and deletes its failures; whether any was. */
export async function liftLocks(tx: Tx, userId: UserId): Promise<boolean> {
  const failures = await deleteFailures(tx, userId);
  const locks = await deleteLocks(tx, userId);
  return failures + locks > 0;
}

/** Removes failures and locks that count no more; returns how many. */
export function purgeLockout(db: Db, now: number): Promise<number> {
  return purgeLockouts(db, { now, since: now - WINDOW_MS });
}
