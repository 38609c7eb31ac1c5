/**
 * Signing in with a passkey (protocol/authentication.md#sign-in-with-a-passkey).
 * The user was verified by the authenticator that they have: both factors at
 * once, and no code is asked for.
 *
 * @module
 */
import { type ChallengeId, parseUuid, type UserId } from "../../core/ids.ts";
import { fromBase64Url, fromUtf8 } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/database.ts";
import type { Call } from "../call.ts";
import { charge } from "../charge.ts";
import {
  isSubjectLocked,
  passkeySubjectOf,
  recordFailure,
  resetFailures,
  subjectOf,
} from "../lockout/lockout.ts";
import {
  type Advisory,
  issueTokens,
  newSession,
} from "../sessions/sessions.ts";
import { insertSession } from "../sessions/store.ts";
import type { Subject } from "../lockout/store.ts";
import { CHALLENGE_MS } from "./ceremonies.ts";
import { busyFor, newChallenge } from "./passkeys.ts";
import { findByAddress, findByCredential, noteUse } from "./store.ts";
import { LibraryGone, readAssertion, rpIdOf, UNKNOWN_KEY } from "./webauthn.ts";

/**
 * Options to sign in with. No passkey is listed in them, whoever is named, so
 * that they are the same for an address that nobody has.
 */
export async function beginSignIn(
  call: Call<"error.auth.rate_limited">,
  { address, clientAddress }: {
    readonly address: string | undefined;
    readonly clientAddress: string;
  },
) {
  const { app, now, raise } = call;
  const spent = charge(call, "passkey_options", [clientAddress]);
  if (spent !== undefined) throw raise("error.auth.rate_limited", spent);
  const subject = address === undefined
    ? undefined
    : subjectOf(app, address, await findByAddress(app.db, address));
  const challengeId = app.newId<ChallengeId>();
  const challenge = newChallenge(app);
  const expiresAt = now + CHALLENGE_MS;
  const begun = app.passkeys.signingIn.begin(
    challengeId,
    { challenge, expiresAt, who: { subject } },
    now,
  );
  if (!begun) throw raise("error.auth.rate_limited", busyFor());
  return {
    challenge_id: challengeId,
    expires_at: toRfc3339(expiresAt),
    options: {
      challenge,
      rpId: rpIdOf(app.server.serverId),
      timeout: CHALLENGE_MS,
      userVerification: "required" as const,
    },
  };
}

type Answer = Parameters<typeof readAssertion>[0] & {
  readonly response: { readonly userHandle?: string | null | undefined };
};

/** Opens a session for the owner of a passkey. */
export async function signInWithPasskey(
  call: Call<"error.auth.credentials_invalid" | "error.auth.unavailable">,
  given: {
    readonly challengeId: string;
    readonly credential: Answer;
    readonly advisory: Advisory;
    readonly clientAddress: string;
  },
) {
  const { app, now, raise } = call;
  const { advisory, clientAddress, credential } = given;
  const id = parseUuid<ChallengeId>(given.challengeId);
  const ceremony = id === undefined
    ? undefined
    : app.passkeys.signingIn.burn(id, now);
  if (ceremony === undefined) {
    throw raise("error.auth.credentials_invalid", {
      cause: "no live challenge",
    });
  }
  const held = await findByCredential(app.db, credential.id).catch((cause) => {
    throw raise("error.auth.unavailable", { cause });
  });
  const subject = ceremony.who.subject ??
    (held === undefined
      ? passkeySubjectOf(app, clientAddress)
      : { userId: held.user_id });
  const refuse = async (cause: unknown) => {
    await recordFailure(app, subject, clientAddress);
    return raise("error.auth.credentials_invalid", { cause });
  };
  const isLocked = await isSubjectLocked(app, subject, clientAddress);
  const read = await readAssertion(credential, {
    publicKey: held?.public_key ?? UNKNOWN_KEY,
    signCount: held?.sign_count ?? 0,
  }, { challenge: ceremony.challenge, origin: app.server.serverId })
    .catch((cause: unknown) => {
      if (!(cause instanceof LibraryGone)) return { cause };
      throw raise("error.auth.unavailable", { cause });
    });
  // Whether a lock holds is told nobody: the right passkey is refused as well.
  if (isLocked) {
    throw raise("error.auth.credentials_invalid", { cause: "locked" });
  }
  if (held === undefined) throw await refuse("unknown");
  const { user_id: userId } = held;
  if ("cause" in read) throw await refuse(read.cause);
  if (!isOf(subject, userId) || !isHandleOf(credential, userId)) {
    throw await refuse("another account's");
  }
  const opened = newSession(app, userId, advisory);
  await transaction(app.db, async (tx) => {
    // Removed meanwhile, or a copy of it has signed before.
    if (!await noteUse(tx, held.passkey_id, { ...read, now })) {
      throw raise("error.auth.credentials_invalid", { cause: "used or gone" });
    }
    await insertSession(tx, opened.row);
  });
  await resetFailures(app.db, userId);
  return await issueTokens(app, opened, advisory);
}

function isOf(subject: Subject, userId: UserId): boolean {
  return "userId" in subject && subject.userId === userId;
}

/** An authenticator tells whose passkey it is; it may leave that out. */
function isHandleOf({ response }: Answer, userId: UserId): boolean {
  const { userHandle } = response;
  if (userHandle === undefined || userHandle === null) return true;
  const handle = fromBase64Url(userHandle);
  return handle !== undefined && fromUtf8(handle) === userId;
}
