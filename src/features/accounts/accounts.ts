/**
 * Accounts: registration, password sign-in and the caller's own profile
 * (protocol/authentication.md#accounts).
 *
 * @module
 */
import { type UserId, uuidV4 } from "../../core/ids.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import type { Call } from "../call.ts";
import { charge } from "../charge.ts";
import {
  recordFailure,
  requireUnlocked,
  resetFailures,
  subjectOf,
} from "../lockout/lockout.ts";
import {
  type Advisory,
  issueTokens,
  newSession,
  openSession,
  tellOfSignIn,
} from "../sessions/sessions.ts";
import { insertSession, takeSignIn } from "../sessions/store.ts";
import { challengeIfOwed } from "../totp/challenge.ts";
import { isInvitationCode, isInvited, useInvitation } from "./invitations.ts";
import { findByAddress, hasPasswordHash, insertAccount } from "./store.ts";

type MakingProblem =
  | "error.auth.user_already_exists"
  | "error.auth.unavailable";

/** Who wants an account; the address is normalised. */
interface Newcomer {
  readonly address: string;
  readonly password: string;
  readonly clientAddress: string;
}

/**
 * Makes an account and signs it in, where the operator lets this address
 * register.
 */
export async function register(
  call: Call<"error.auth.registration_closed" | MakingProblem>,
  newcomer: Newcomer,
) {
  const { app, raise } = call;
  if (!app.server.registration.admits(newcomer.address)) {
    throw raise("error.auth.registration_closed");
  }
  return await makeAccount(call, newcomer);
}

/**
 * Makes an account for the holder of a live invitation, which is used up with
 * it, and signs it in, however registration is set.
 */
export async function redeemInvitation(
  call: Call<
    | "error.invitation.not_found"
    | "error.account.rate_limited"
    | MakingProblem
  >,
  code: string,
  newcomer: Newcomer,
) {
  const { app, now, raise } = call;
  const gone = () => raise("error.invitation.not_found");
  // A text of another form costs nothing, and nothing of the budget.
  if (!isInvitationCode(code)) throw gone();
  const spent = charge(call, "invitation_redeem", [newcomer.clientAddress]);
  if (spent !== undefined) throw raise("error.account.rate_limited", spent);
  if (!await isInvited(app.db, code, now)) throw gone();
  return await makeAccount(call, newcomer, async (tx, userId, createdAt) => {
    // Of two with one invitation the first one uses it up.
    if (!await useInvitation(tx, userId, code, createdAt)) throw gone();
  });
}

/**
 * A taken address is told by decision (protocol/authentication.md#registration),
 * and so costs no hash. `within` is done in the transaction of the account.
 */
async function makeAccount(
  call: Call<MakingProblem>,
  { address, password, clientAddress }: Newcomer,
  within?: (tx: Tx, userId: UserId, createdAt: number) => Promise<void>,
) {
  const { app, raise } = call;
  if (await findByAddress(app.db, address) !== undefined) {
    throw raise("error.auth.user_already_exists");
  }
  const passwordHash = await hashed(
    call,
    app.secrets.passwords.hash(password, clientAddress),
  );
  const userId = uuidV4<UserId>(app.platform.random);
  await transaction(app.db, async (tx) => {
    const createdAt = app.platform.now();
    const account = { userId, address, passwordHash, createdAt };
    // Two registrations of one address: the index lets one of them through.
    if (!await insertAccount(tx, account)) {
      throw raise("error.auth.user_already_exists");
    }
    await within?.(tx, userId, createdAt);
  });
  return await openSession(app, userId, {});
}

/**
 * Signs in by password. An unknown address costs the same hash as a wrong
 * password, is counted and locked the same way and gets the same answers.
 */
export async function login(
  call: Call<
    | "error.auth.credentials_invalid"
    | "error.auth.account_locked"
    | "error.auth.unavailable"
  >,
  { address, password, advisory, clientAddress }: {
    address: string;
    password: string;
    advisory: Advisory;
    clientAddress: string;
  },
) {
  const { app, raise } = call;
  const account = await findByAddress(app.db, address);
  const subject = subjectOf(app, address, account);
  await requireUnlocked(call, subject, clientAddress);
  const right = await hashed(
    call,
    app.secrets.passwords.verify(
      password,
      account?.password_hash ?? null,
      clientAddress,
    ),
  );
  if (account === undefined || !right || isUsedUp(account, call.now)) {
    await recordFailure(app, subject, clientAddress);
    throw raise("error.auth.credentials_invalid");
  }
  const { user_id: userId, password_hash: passwordHash } = account;
  const from = { door: "password", clientAddress } as const;
  const challenge = await challengeIfOwed(call, userId, from);
  if (challenge !== undefined) return { challenge };
  const opened = newSession(app, userId, advisory);
  await transaction(app.db, async (tx) => {
    // The password was changed while it was being hashed: it is a wrong one.
    if (!await hasPasswordHash(tx, userId, passwordHash)) {
      throw raise("error.auth.credentials_invalid");
    }
    if (!await takeSignIn(tx, userId, app.platform.now())) {
      throw raise("error.auth.credentials_invalid", { cause: "used once" });
    }
    await insertSession(tx, opened.row);
  });
  await resetFailures(app.db, userId);
  await tellOfSignIn(app, userId);
  return { tokens: await issueTokens(app, opened, advisory) };
}

/** Whether the operator set the password, and it signs in no more. */
function isUsedUp(
  account: {
    readonly password_must_change: 0 | 1;
    readonly sign_in_until: number | null;
  },
  now: number,
): boolean {
  return account.password_must_change === 1 &&
    (account.sign_in_until ?? 0) <= now;
}

/** A hash that cannot be had now is no statement about the password. */
export async function hashed<T>(
  { raise }: Call<"error.auth.unavailable">,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw raise("error.auth.unavailable", { cause });
  }
}
