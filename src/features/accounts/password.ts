/**
 * Presenting the password again, and changing it
 * (protocol/authentication.md#recent-presentation,
 * protocol/authentication.md#password-change).
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { CallBy } from "../call.ts";
import { recordFailure, requireUnlocked } from "../lockout/lockout.ts";
import { RECENT_MS } from "../sessions/recent.ts";
import { issueTokens, newSessionToken, nextJti } from "../sessions/sessions.ts";
import {
  deleteSessions,
  notePresented,
  readJtis,
  reopenSession,
} from "../sessions/store.ts";
import { hashed } from "./accounts.ts";
import { findPasswordHash, replacePasswordHash } from "./store.ts";

type PasswordProblem =
  | "error.auth.password_incorrect"
  | "error.auth.account_locked"
  | "error.auth.unavailable";

/** Takes a password alone; the presentation belongs to the session. */
export async function reauthenticate(
  call: CallBy<"session", PasswordProblem>,
  given: { readonly password: string; readonly clientAddress: string },
) {
  const { app, caller } = call;
  await requirePassword(call, given);
  const now = app.platform.now();
  await notePresented(app.db, caller.sessionId, now);
  return {
    reauthenticated_at: toRfc3339(now),
    valid_until: toRfc3339(now + RECENT_MS),
  };
}

/**
 * Changes the password: every session is closed, and the caller's own opened
 * again under its own id with a new token. Access tokens from before, the
 * caller's included, are refused from then on. One that the operator set is
 * replaced by another one.
 */
export async function changePassword(
  call: CallBy<
    "session",
    PasswordProblem | "error.auth.token_invalid" | "error.request.invalid"
  >,
  given: {
    readonly currentPassword: string;
    readonly newPassword: string;
    readonly clientAddress: string;
  },
) {
  const { app, caller, raise } = call;
  const before = await requirePassword(call, {
    password: given.currentPassword,
    clientAddress: given.clientAddress,
  });
  // Who set it would still know it.
  if (
    caller.mustChangePassword && given.newPassword === given.currentPassword
  ) {
    const errors = [{ path: "/new_password", message: "another is wanted" }];
    throw raise("error.request.invalid", { extra: { errors } });
  }
  const after = await hashed(
    call,
    app.secrets.passwords.hash(given.newPassword, given.clientAddress),
  );
  const { sessionToken, tokenHash } = newSessionToken(app);
  const row = await transaction(app.db, async (tx) => {
    // Of two changes at once the second has presented an old password.
    if (!await replacePasswordHash(tx, caller.userId, { before, after })) {
      throw raise("error.auth.password_incorrect");
    }
    await deleteSessions(tx, caller.userId, caller.sessionId);
    const now = app.platform.now();
    const jtis = await readJtis(tx, caller.sessionId);
    if (jtis === undefined) return undefined;
    const jti = nextJti(app, jtis);
    return await reopenSession(tx, caller.sessionId, {
      token_hash: tokenHash,
      oldest_jti: jti,
      newest_jti: jti,
      issued_at: now,
      presented_at: now,
    });
  });
  // Revoked meanwhile: the password is changed, and this session is over.
  if (row === undefined) throw raise("error.auth.token_invalid");
  return await issueTokens(app, { row, sessionToken }, {});
}

/** The stored hash of a right password. */
export async function requirePassword(
  call: CallBy<"session", PasswordProblem>,
  { password, clientAddress }: {
    readonly password: string;
    readonly clientAddress: string;
  },
): Promise<string> {
  const { app, caller, raise } = call;
  const { userId } = caller;
  const hash = await findPasswordHash(app.db, userId);
  // An account of an identity provider presents itself by signing in.
  if (hash === null) throw raise("error.auth.password_incorrect");
  await requireUnlocked(call, { userId }, clientAddress);
  const right = await hashed(
    call,
    app.secrets.passwords.verify(password, hash, clientAddress),
  );
  if (right) return hash;
  await recordFailure(app, { userId }, clientAddress);
  throw raise("error.auth.password_incorrect");
}
