/**
 * How recently a session presented a credential of its own
 * (protocol/authentication.md#recent-presentation).
 *
 * @module
 */
import type { SessionCaller } from "../../core/caller.ts";
import type { Raise } from "../../core/problem.ts";
import { livesUntil, MINUTE_MS } from "../../core/time.ts";
import type { Db } from "../../store/database.ts";
import type { App } from "../app.ts";
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
  app: App,
  db: Db,
  { sessionId }: SessionCaller,
  raise: Raise<"error.auth.reauthentication_required">,
): Promise<void> {
  const presentedAt = await readPresented(db, sessionId);
  if (
    presentedAt === undefined || !isRecent(presentedAt, app.platform.now())
  ) throw raise("error.auth.reauthentication_required");
}
