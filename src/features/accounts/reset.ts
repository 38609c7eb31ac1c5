/**
 * A new password for somebody who forgot theirs: the operator hands them a link
 * of one use (protocol/authentication.md#password-reset). It opens no photo:
 * the server has no key.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64Url } from "../../core/bytes.ts";
import type { UserId } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import type { Passwords } from "../../crypto/password.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
import type { Call } from "../call.ts";
import {
  liftLocks,
  recordFailure,
  requireUnlocked,
  resetSubjectOf,
} from "../lockout/lockout.ts";
import { deleteSessions } from "../sessions/store.ts";
import type { ServiceContext } from "../service_context.ts";
import { hashed } from "./accounts.ts";
import {
  findAccountOf,
  type NamedAccount,
  requireAccount,
  requireNewPassword,
} from "./operator.ts";
import {
  isResetLive,
  putReset,
  resetPasswordHash,
  takeReset,
} from "./reset_store.ts";
import { findPasswordHash } from "./store.ts";

const CODE_BYTES = 16;
/** 16 bytes in base64url; whatever else is presented is no code. */
const CODE = /^[A-Za-z0-9_-]{22}$/;
/** For how long a code may be used (ms). */
export const RESET_MS = DAY_MS;
/** For how long an account's owner is told of a new password (ms). */
const TOLD_MS = 90 * DAY_MS;

/**
 * Makes a code with which an account gets a new password. It is told here and
 * never again: the store keeps its hash. A code before it is void.
 */
export async function offerReset(
  { db, platform }: Pick<ServiceContext, "db" | "platform">,
  user: string,
): Promise<
  NamedAccount & { readonly code: string; readonly expiresAt: number }
> {
  const code = toBase64Url(platform.random(CODE_BYTES));
  const expiresAt = platform.now() + RESET_MS;
  return await transaction(db, async (tx) => {
    const account = await requirePasswordOf(tx, user);
    await putReset(tx, {
      user_id: account.userId,
      code_hash: hashOf(code),
      expires_at: expiresAt,
    });
    return { ...account, code, expiresAt };
  });
}

/**
 * Sets an account's password at once. Throws an {@link OperatorFault} for one
 * that nobody could register with.
 */
export async function setPassword(
  { db, platform }: Pick<ServiceContext, "db" | "platform">,
  passwords: Pick<Passwords, "hash">,
  user: string,
  password: string,
): Promise<NamedAccount> {
  await requirePasswordOf(db, user);
  requireNewPassword(password);
  const passwordHash = await passwords.hash(password, "operator");
  return await transaction(db, async (tx) => {
    const account = await requirePasswordOf(tx, user);
    await replace(tx, account.userId, passwordHash, platform.now());
    return account;
  });
}

/** An account that signs in by password. */
export async function requirePasswordOf(
  db: Db,
  user: string,
): Promise<NamedAccount> {
  const account = await requireAccount(db, user);
  if (await findPasswordHash(db, account.userId) !== null) return account;
  throw new OperatorFault(
    `account ${user} has no password: it signs in through the identity ` +
      "provider, so reset it there",
  );
}

/**
 * Sets a new password with a code, which is used up. Unknown, used and expired
 * ones are all one, and counted for the client address like wrong passwords.
 */
export async function resetPassword(
  call: Call<
    | "error.auth.reset_refused"
    | "error.auth.account_locked"
    | "error.auth.unavailable"
  >,
  { code, newPassword, clientAddress }: {
    readonly code: string;
    readonly newPassword: string;
    readonly clientAddress: string;
  },
): Promise<void> {
  const { app, now, raise } = call;
  const subject = resetSubjectOf(app, clientAddress);
  await requireUnlocked(call, subject, clientAddress);
  const codeHash = hashOf(code);
  if (!CODE.test(code) || !await isResetLive(app.db, codeHash, now)) {
    await recordFailure(app, subject, clientAddress);
    throw raise("error.auth.reset_refused");
  }
  // Before the code is used up: where there is no hash, it may be used again.
  const passwordHash = await hashed(
    call,
    app.secrets.passwords.hash(newPassword, clientAddress),
  );
  const replaced = await transaction(app.db, async (tx) => {
    const changedAt = app.platform.now();
    const userId = await takeReset(tx, codeHash, changedAt);
    const isReplaced = userId !== undefined &&
      await replace(tx, userId, passwordHash, changedAt);
    if (!isReplaced) throw raise("error.auth.reset_refused");
    const { address } = await findAccountOf(tx, userId);
    return { address, changedAt };
  });
  await app.notices.tell(replaced.address, {
    kind: "password_set",
    at: toRfc3339(replaced.changedAt),
  });
}

/**
 * The new password in place of the old one: every session is over, the second
 * factor stays, and guesses at the old password lock nobody out.
 */
async function replace(
  tx: Tx,
  userId: UserId,
  passwordHash: string,
  now: number,
): Promise<boolean> {
  if (!await resetPasswordHash(tx, userId, { passwordHash, now })) return false;
  await deleteSessions(tx, userId);
  await liftLocks(tx, userId);
  return true;
}

/** What the owner of an account is told of a new password, for a while. */
export function resetToWire(resetAt: number | null, now: number) {
  return resetAt === null || now - resetAt > TOLD_MS
    ? {}
    : { password_reset_at: toRfc3339(resetAt) };
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
