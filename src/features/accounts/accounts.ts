/**
 * Accounts: registration, password sign-in and the caller's own profile
 * (protocol/authentication.md#accounts).
 *
 * @module
 */
import { type UserId, uuidV4 } from "../../core/ids.ts";
import { transaction } from "../../store/database.ts";
import type { Call } from "../call.ts";
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
import { insertSession } from "../sessions/store.ts";
import { challengeIfOwed } from "../totp/challenge.ts";
import { isInvited, useInvitation } from "./invitations.ts";
import { findByAddress, hasPasswordHash, insertAccount } from "./store.ts";

/**
 * Makes an account and signs it in. The address comes normalised. A taken
 * address is told by decision (protocol/authentication.md#registration), and so
 * costs no hash. The code of a live invitation registers however registration
 * is set, and is used up with the account; any other counts as none.
 */
export async function register(
  call: Call<
    | "error.auth.registration_closed"
    | "error.auth.user_already_exists"
    | "error.auth.unavailable"
  >,
  { address, password, invitation, clientAddress }: {
    readonly address: string;
    readonly password: string;
    readonly invitation: string | undefined;
    readonly clientAddress: string;
  },
) {
  const { app, raise } = call;
  const isOpen = app.server.registration.admits(address);
  const code = await isInvited(app.db, invitation, call.now)
    ? invitation
    : undefined;
  if (!isOpen && code === undefined) {
    throw raise("error.auth.registration_closed");
  }
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
    if (code === undefined) return;
    const used = await useInvitation(tx, userId, code, createdAt);
    // Of two with one invitation the first one uses it up.
    if (!used && !isOpen) throw raise("error.auth.registration_closed");
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
  if (account === undefined || !right) {
    await recordFailure(app, subject, clientAddress);
    throw raise("error.auth.credentials_invalid");
  }
  const { user_id: userId, password_hash: passwordHash } = account;
  const challenge = await challengeIfOwed(call, userId, clientAddress);
  if (challenge !== undefined) return { challenge };
  const opened = newSession(app, userId, advisory);
  await transaction(app.db, async (tx) => {
    // The password was changed while it was being hashed: it is a wrong one.
    if (!await hasPasswordHash(tx, userId, passwordHash)) {
      throw raise("error.auth.credentials_invalid");
    }
    await insertSession(tx, opened.row);
  });
  await resetFailures(app.db, userId);
  await tellOfSignIn(app, userId);
  return { tokens: await issueTokens(app, opened, advisory) };
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
