/**
 * What has expired and only takes room: one list, for the periodic task of the
 * server and for the operator's `gc`.
 *
 * @module
 */
import { transaction } from "../store/sqlite/database.ts";
import type { ServiceContext } from "./service_context.ts";
import { purgeGrants } from "./capabilities/store.ts";
import { purgeInvitations } from "./accounts/invitation_store.ts";
import { purgeEnrollment } from "./enrollment/store.ts";
import { purgeLockout } from "./lockout/lockout.ts";
import { purgeSessions } from "./sessions/store.ts";
import { purgeSecondFactor } from "./totp/store.ts";

/** Rows that were removed. */
export interface Purged {
  /** Failed sign-ins, by password or second factor, and pending ones. */
  readonly signInRecords: number;
  /** Enrollment codes, relay channels, invitations. */
  readonly enrollments: number;
  /** Sessions of accounts, and challenges to end them. */
  readonly sessions: number;
  /** Grants of capabilities. */
  readonly grants: number;
}

/** Removes what has expired at an instant (ms). */
export async function purgeExpired(
  { db, limits }: ServiceContext,
  now: number,
): Promise<Purged> {
  return {
    signInRecords: await purgeLockout(db, now) +
      await purgeSecondFactor(db, now),
    enrollments: await purgeEnrollment(db, now) +
      await purgeInvitations(db, now),
    sessions: await purgeSessions(db, now, limits),
    grants: await purgeGrants(db, now),
  };
}

/** Counts what {@link purgeExpired} would remove, by doing it and undoing it. */
export async function countExpired(
  context: ServiceContext,
  now: number,
): Promise<Purged> {
  let counted: Purged | undefined;
  const undone = new Error("undone");
  try {
    await transaction(context.db, async (tx) => {
      counted = await purgeExpired({ ...context, db: tx }, now);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  if (counted === undefined) throw new Error("nothing was counted");
  return counted;
}
