/**
 * What a clock that was ahead has dated in the future, once it is right again:
 * nothing may last until that time has come and for its own length on top.
 *
 * @module
 */
import { type Db, transaction } from "../store/database.ts";
import type { Limits } from "./workplace.ts";
import { LOCK_MS } from "./lockout/lockout.ts";
import { redateLockout } from "./lockout/redate_store.ts";
import { redateSessions } from "./sessions/store.ts";
import { redateSecondFactor } from "./totp/store.ts";
import { redateCeremonies } from "./upgrade/store.ts";
import { redateUploads } from "./uploads/store.ts";

/** Lets what is of the future have begun now, by a clock that is believed. */
export function redateFuture(
  db: Db,
  now: number,
  limits: Pick<Limits, "sessionLifetimeMs" | "uploadTtlMs">,
): Promise<void> {
  return transaction(db, async (tx) => {
    await redateLockout(tx, now, LOCK_MS);
    await redateSecondFactor(tx, now);
    await redateSessions(tx, now, limits.sessionLifetimeMs);
    await redateUploads(tx, now, limits.uploadTtlMs);
    await redateCeremonies(tx, now);
  });
}
