/**
 * A password that the operator sets for an account whose owner forgot theirs:
 * it signs in once, and has to be changed before any other write
 * (protocol/authentication.md#a-password-of-the-operators). It opens no photo:
 * the server has no key.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Passwords } from "../../crypto/password.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import { liftLocks } from "../lockout/lockout.ts";
import type { ServiceContext } from "../service_context.ts";
import { deleteSessions } from "../sessions/store.ts";
import {
  type NamedAccount,
  requireAccount,
  requireNewPassword,
} from "./operator.ts";
import { putOperatorPassword } from "./set_password_store.ts";
import { findPasswordHash } from "./store.ts";

/** For how long such a password signs in (ms). */
export const SIGN_IN_MS = DAY_MS;

/**
 * Sets an account's password. Every session is over, the second factor stays,
 * and earlier guesses at the password no longer lock the account. Throws an
 * {@link OperatorFault} for a password that registration would refuse.
 */
export async function setPassword(
  { db, platform }: Pick<ServiceContext, "db" | "platform">,
  passwords: Pick<Passwords, "hash">,
  user: string,
  password: string,
): Promise<
  NamedAccount & {
    /** Until when it signs in (ms). */
    readonly until: number;
    /** How many sessions were closed. */
    readonly sessions: number;
  }
> {
  await requirePasswordOf(db, user);
  requireNewPassword(password);
  const passwordHash = await passwords.hash(password, "operator");
  return await transaction(db, async (tx) => {
    const account = await requirePasswordOf(tx, user);
    const until = platform.now() + SIGN_IN_MS;
    await putOperatorPassword(tx, account.userId, { passwordHash, until });
    const sessions = await deleteSessions(tx, account.userId);
    await liftLocks(tx, account.userId);
    return { ...account, until, sessions };
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
