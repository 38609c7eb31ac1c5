/**
 * Accounts: registration, password sign-in and the caller's own profile
 * (interface.md, Accounts and sessions; completions.md section 3).
 *
 * @module
 */
import { type UserId, uuidV4 } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/database.ts";
import type { App } from "../app.ts";
import { type Advisory, openSession } from "../sessions/sessions.ts";
import { isLocked, recordFailure, resetFailures } from "./lockout.ts";
import { findByAddress, findProfile, insertAccount } from "./store.ts";

/**
 * Makes an account and signs it in. The address comes normalised. A taken
 * address is told by decision (interface.md, rule 1), and so costs no hash.
 */
export async function register(
  app: App,
  { address, password }: { address: string; password: string },
  raise: Raise<
    | "error.auth.registration_closed"
    | "error.auth.user_already_exists"
    | "error.auth.unavailable"
  >,
) {
  if (!app.mayRegister(address)) {
    throw raise("error.auth.registration_closed");
  }
  if (await findByAddress(app.db, address) !== undefined) {
    throw raise("error.auth.user_already_exists");
  }
  const passwordHash = await hashed(app.passwords.hash(password), raise);
  const userId = uuidV4<UserId>(app.platform.random);
  const inserted = await transaction(app.db, (tx) =>
    insertAccount(tx, {
      userId,
      address,
      passwordHash,
      createdAt: app.platform.now(),
    }));
  // Two registrations of one address: the index lets one of them through.
  if (!inserted) throw raise("error.auth.user_already_exists");
  return await openSession(app, userId, {});
}

/**
 * Signs in by password. An unknown address costs the same hash as a wrong
 * password and gets the same answer.
 */
export async function login(
  app: App,
  { address, password, advisory, clientAddress }: {
    address: string;
    password: string;
    advisory: Advisory;
    clientAddress: string;
  },
  raise: Raise<
    | "error.auth.credentials_invalid"
    | "error.auth.account_locked"
    | "error.auth.unavailable"
  >,
) {
  const account = await findByAddress(app.db, address);
  if (account !== undefined) {
    const lockedUntil = await isLocked(app, account.user_id, clientAddress);
    if (lockedUntil !== undefined) {
      const retryAfterSeconds = (lockedUntil - app.platform.now()) / 1_000;
      throw raise("error.auth.account_locked", { retryAfterSeconds });
    }
  }
  const right = await hashed(
    app.passwords.verify(password, account?.password_hash ?? null),
    raise,
  );
  if (account === undefined) throw raise("error.auth.credentials_invalid");
  if (!right) {
    await recordFailure(app, account.user_id, clientAddress);
    throw raise("error.auth.credentials_invalid");
  }
  await resetFailures(app.db, account.user_id);
  return await openSession(app, account.user_id, advisory);
}

/** A hash that cannot be had now is no statement about the password. */
async function hashed<T>(
  work: Promise<T>,
  raise: Raise<"error.auth.unavailable">,
): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw raise("error.auth.unavailable", { cause });
  }
}

/** The caller's own profile, in its wire form. */
export async function readProfile(app: App, userId: UserId) {
  const { address, display_name, created_at } = await findProfile(
    app.db,
    userId,
  );
  return {
    user_id: userId,
    address,
    display_name,
    created_at: toRfc3339(created_at),
  };
}
