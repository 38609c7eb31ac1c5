/**
 * How recently a session presented a credential of its own
 * (protocol/authentication.md#recent-presentation).
 *
 * @module
 */
import { livesUntil, MINUTE_MS } from "../../core/time.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { CallBy } from "../call.ts";
import { readPresented } from "./store.ts";

/** For how long the presentation of a credential is recent (ms). */
export const RECENT_MS = 5 * MINUTE_MS;

/** A presentation that a clock was ahead for is not recent, now or then. */
export function isRecent(presentedAt: number, now: number): boolean {
  return livesUntil(presentedAt + RECENT_MS, RECENT_MS, now);
}

/**
 * Refuses a session that has not presented a credential of its own in the last
 * five minutes; another session's does not count. An access token alone, which
 * may be stolen, is not enough for what whoever has it would keep.
 */
export async function requireRecent(
  call: CallBy<"session", "error.auth.reauthentication_required">,
  db: Db,
): Promise<void> {
  const { caller: { sessionId }, now, raise } = call;
  const presentedAt = await readPresented(db, sessionId);
  if (presentedAt === undefined || !isRecent(presentedAt, now)) {
    throw raise("error.auth.reauthentication_required");
  }
}
