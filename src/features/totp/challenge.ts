/**
 * Signing in, whatever came first: straight into a session, or through a
 * second-factor challenge (protocol/authentication.md#sign-in).
 *
 * @module
 */
import { type ChallengeId, parseUuid, type UserId } from "../../core/ids.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { Call } from "../call.ts";
import type { SignInDoor } from "../../store/sqlite/schema.ts";
import {
  clientOf,
  isLocked,
  recordFailure,
  resetFailures,
} from "../lockout/lockout.ts";
import {
  type Advisory,
  issueTokens,
  newSession,
  type OpenedSession,
  tellOfSignIn,
} from "../sessions/sessions.ts";
import { insertSession, takeSignIn } from "../sessions/store.ts";
import {
  CHALLENGE_MS,
  consumeChallenge,
  findChallenge,
  findFactor,
  hasConfirmedFactor,
  insertChallenge,
  keepNewestChallenges,
  useAttempt,
  useStep,
} from "./store.ts";
import { unusedStep } from "./totp.ts";

const ATTEMPTS = 5;
/** Challenges of one account that may be open at once. */
const CHALLENGES = 5;

/**
 * The challenge that an account owes after its first factor, in its wire form;
 * undefined where none is confirmed. One too many ends the oldest. A store
 * that cannot answer fails closed.
 */
export async function challengeIfOwed(
  { app, raise }: Call<"error.auth.unavailable">,
  userId: UserId,
  { door, clientAddress }: {
    readonly door: SignInDoor;
    readonly clientAddress: string;
  },
) {
  try {
    if (!await hasConfirmedFactor(app.db, userId)) return undefined;
    const challengeId = app.newId<ChallengeId>();
    const expiresAt = app.platform.now() + CHALLENGE_MS;
    await transaction(app.db, async (tx) => {
      await keepNewestChallenges(tx, userId, CHALLENGES - 1);
      await insertChallenge(tx, {
        challengeId,
        userId,
        expiresAt,
        door,
        client: clientOf(app, clientAddress),
      });
    });
    return {
      challenge_id: challengeId,
      methods: ["totp" as const],
      expires_at: toRfc3339(expiresAt),
    };
  } catch (cause) {
    throw raise("error.auth.unavailable", { cause });
  }
}

/** Completes a sign-in with a code; the session opens here. */
export async function verifyLogin(
  call: Call<
    | "error.auth.challenge_expired"
    | "error.auth.second_factor_invalid"
    | "error.auth.second_factor_attempts_exhausted"
    | "error.auth.unavailable"
  >,
  given: {
    readonly challengeId: string;
    readonly code: string;
    readonly advisory: Advisory;
    readonly clientAddress: string;
  },
) {
  const { app, now, raise } = call;
  const challengeId = parseUuid<ChallengeId>(given.challengeId);
  if (challengeId === undefined) throw raise("error.auth.challenge_expired");
  const challenge = await findChallenge(app.db, challengeId, now);
  if (challenge === undefined) throw raise("error.auth.challenge_expired");
  const { user_id: userId, door } = challenge;
  // The lockout is the password's: another door neither asks it nor adds to it.
  const isPassword = door === "password";
  const clients = [challenge.client, clientOf(app, given.clientAddress)];
  // A caller without the second factor does not learn of a lock.
  if (isPassword && await isLocked(app, userId, clients)) {
    throw raise("error.auth.challenge_expired", { cause: "locked" });
  }
  // Spent before the code is looked at: twenty at once are five.
  if (!await useAttempt(app.db, challengeId, ATTEMPTS)) {
    throw raise("error.auth.second_factor_attempts_exhausted", {
      retryAfterSeconds: (challenge.expires_at - now) / SECOND_MS,
    });
  }
  const opened = await tryCode(call, challengeId, userId, given);
  if (opened === undefined) {
    if (isPassword) await recordFailure(app, { userId }, given.clientAddress);
    throw raise("error.auth.second_factor_invalid");
  }
  if (isPassword) await resetFailures(app.db, userId);
  await tellOfSignIn(app, userId);
  return await issueTokens(app, opened, given.advisory);
}

/** The session that a right code opens; undefined for a wrong one. */
async function tryCode(
  call: Call<"error.auth.challenge_expired" | "error.auth.unavailable">,
  challengeId: ChallengeId,
  userId: UserId,
  { code, advisory }: { readonly code: string; readonly advisory: Advisory },
): Promise<OpenedSession | undefined> {
  const { app, raise } = call;
  const factor = await findFactor(app.db, userId)
    .catch((cause) => {
      throw raise("error.auth.unavailable", { cause });
    });
  // Disabled since the challenge was issued: it leads nowhere any more.
  if (factor === undefined || factor.confirmed_at === null) {
    throw raise("error.auth.challenge_expired");
  }
  const step = unusedStep(app, userId, factor, code);
  if (step === undefined) return undefined;
  return await transaction(app.db, async (tx) => {
    if (!await useStep(tx, userId, step)) return undefined;
    if (!await consumeChallenge(tx, challengeId)) {
      throw raise("error.auth.challenge_expired");
    }
    if (!await takeSignIn(tx, userId, app.platform.now())) {
      throw raise("error.auth.challenge_expired", { cause: "used once" });
    }
    const drawn = newSession(app, userId, advisory);
    const row = { ...drawn.row, factor_at: drawn.row.presented_at };
    await insertSession(tx, row);
    return { ...drawn, row };
  });
}
