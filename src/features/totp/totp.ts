/**
 * The second factor: enrolling, confirming and disabling it
 * (protocol/authentication.md#second-factor).
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import { SECOND_MS } from "../../core/time.ts";
import { openAtRest, sealAtRest } from "../../crypto/seal.ts";
import {
  TOTP_SECRET_BYTES,
  totpEnrollment,
  totpStep,
} from "../../crypto/totp.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { requireRecent } from "../sessions/recent.ts";
import {
  confirmFactor,
  deleteFactor,
  failedTimes,
  FAILURE_WINDOW_MS,
  findFactor,
  findLabel,
  insertFailure,
  isUnused,
  putPending,
  repairSecondFactorDates,
  useStep,
} from "./store.ts";

/** Wrong codes that an account may present to confirm or disable. */
export const ATTEMPTS = 5;

type Factor = Awaited<ReturnType<typeof findFactor>>;

/**
 * Issues a secret; an unconfirmed one is replaced, nothing is gated yet. Who
 * only has a token must not lock the account's owner out with it.
 */
export async function enrollTotp(
  call: CallBy<
    "session",
    | "error.auth.second_factor_confirmed"
    | "error.auth.reauthentication_required"
  >,
) {
  const { app, caller, raise } = call;
  const { userId } = caller;
  await requireRecent(call, app.db);
  const secret = app.platform.random(TOTP_SECRET_BYTES);
  const sealed = sealAtRest(
    app.secrets.sealing.active,
    secret,
    contextOf(userId),
    app.platform.random,
  );
  if (!await putPending(app.db, userId, sealed)) {
    throw raise("error.auth.second_factor_confirmed");
  }
  const label = await findLabel(app.db, userId);
  return totpEnrollment(
    secret,
    new URL(app.server.serverId).host,
    label ?? userId,
  );
}

type CodeProblem =
  | "error.auth.second_factor_code_refused"
  | "error.auth.second_factor_attempts_exhausted";

/** Confirms the pending factor; the code's step is spent with it. */
export async function confirmTotp(
  call: CallBy<"session", CodeProblem | "error.auth.second_factor_not_pending">,
  code: string,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const factor = await findFactor(app.db, userId);
  if (factor === undefined || factor.confirmed_at !== null) {
    throw raise("error.auth.second_factor_not_pending");
  }
  const step = await requireStep(call, factor, code);
  const confirmed = await confirmFactor(app.db, {
    userId,
    step,
    // Only the secret that the code belongs to: a newer one may be pending.
    sealedSecret: factor.sealed_secret,
    now,
  });
  if (!confirmed) throw raise("error.auth.second_factor_not_pending");
}

/** Takes the factor away; a session alone is not enough. */
export async function disableTotp(
  call: CallBy<
    "session",
    CodeProblem | "error.auth.second_factor_not_confirmed"
  >,
  code: string,
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  const factor = await findFactor(app.db, userId);
  if (factor === undefined || factor.confirmed_at === null) {
    throw raise("error.auth.second_factor_not_confirmed");
  }
  const step = await requireStep(call, factor, code);
  await transaction(app.db, async (tx) => {
    if (!await useStep(tx, userId, step)) {
      throw raise("error.auth.second_factor_code_refused");
    }
    await deleteFactor(tx, userId);
  });
}

/** Spends a code of a confirmed factor, as a presentation of it. */
export async function spendCode(
  call: CallBy<
    "session",
    CodeProblem | "error.auth.second_factor_not_confirmed"
  >,
  code: string,
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  const factor = await findFactor(app.db, userId);
  if (factor === undefined || factor.confirmed_at === null) {
    throw raise("error.auth.second_factor_not_confirmed");
  }
  const step = await requireStep(call, factor, code);
  await transaction(app.db, async (tx) => {
    if (await useStep(tx, userId, step)) return;
    throw raise("error.auth.second_factor_code_refused");
  });
}

/** The step of a right code; wrong ones are counted per account. */
async function requireStep(
  { app, caller: { userId }, now, raise }: CallBy<"session", CodeProblem>,
  factor: NonNullable<Factor>,
  code: string,
): Promise<number> {
  const step = unusedStep(app, userId, factor, code);
  // By itself: what refuses below takes back all else.
  await repairSecondFactorDates(app.db, now);
  await transaction(app.db, async (tx) => {
    // Counted before the code is looked at: right ones wait as well.
    const failed = await failedTimes(tx, userId, now - FAILURE_WINDOW_MS);
    const oldest = failed[0];
    if (failed.length >= ATTEMPTS && oldest !== undefined) {
      throw raise("error.auth.second_factor_attempts_exhausted", {
        retryAfterSeconds: (oldest + FAILURE_WINDOW_MS - now) / SECOND_MS,
      });
    }
    if (step === undefined) await insertFailure(tx, userId, now);
  });
  if (step === undefined) {
    throw raise("error.auth.second_factor_code_refused");
  }
  return step;
}

/** The step of a code that is right and was not used before. */
export function unusedStep(
  app: App,
  userId: UserId,
  factor: NonNullable<Factor>,
  code: string,
): number | undefined {
  const secret = openAtRest(
    app.secrets.sealing.keys,
    factor.sealed_secret,
    contextOf(userId),
  );
  const step = totpStep(secret, code, app.platform.now());
  return step !== undefined && isUnused(step, factor.highest_step)
    ? step
    : undefined;
}

/** What a factor's secret is sealed for. */
export function contextOf(userId: UserId): string {
  return `totp ${userId}`;
}
