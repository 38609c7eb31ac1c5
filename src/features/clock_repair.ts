/**
 * Repairs what a clock that was ahead has dated in the future, once it is right
 * again: nothing may last until that time has come and for its own length on
 * top.
 *
 * @module
 */
import { type Db, transaction } from "../store/sqlite/database.ts";
import { SIGN_IN_MS } from "./accounts/set_password.ts";
import { repairSignInDates } from "./accounts/set_password_store.ts";
import type { Limits } from "./service_context.ts";
import { LOCK_MS } from "./lockout/lockout.ts";
import { repairLockoutDates } from "./lockout/store.ts";
import { repairSessionDates } from "./sessions/store.ts";
import { repairSecondFactorDates } from "./totp/store.ts";
import { repairCeremonyDates } from "./album_upgrade/store.ts";
import { repairUploadDates } from "./uploads/store.ts";

/** Moves dates in the future to now, by a trusted clock. */
export function repairFutureDates(
  db: Db,
  now: number,
  limits: Pick<Limits, "sessionLifetimeMs" | "uploadTtlMs">,
): Promise<void> {
  return transaction(db, async (tx) => {
    await repairLockoutDates(tx, now, LOCK_MS);
    await repairSecondFactorDates(tx, now);
    await repairSessionDates(tx, now, limits.sessionLifetimeMs);
    await repairUploadDates(tx, now, limits.uploadTtlMs);
    await repairCeremonyDates(tx, now);
    await repairSignInDates(tx, now + SIGN_IN_MS);
  });
}
