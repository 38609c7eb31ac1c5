/**
 * The caller's own moderation record (protocol/moderation.md#the-record): a
 * reinstatement does not erase the suspension that it lifted.
 *
 * @module
 */
import type { z } from "zod";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { ModerationRecordResponse } from "../../wire/answers/accounts.ts";
import { route } from "../app.ts";
import type { ServiceContext } from "../service_context.ts";
import { readRecord } from "./store.ts";

/** An account's record in its wire form. */
export async function recordOf(
  { db }: ServiceContext,
  userId: UserId,
): Promise<z.input<typeof ModerationRecordResponse>> {
  const rows = await readRecord(db, userId);
  const since = rows[0]?.suspended_at ?? null;
  return {
    ...(since === null
      ? { standing: "active" }
      : { standing: "suspended", suspended_since: toRfc3339(since) }),
    events: rows.flatMap(({ action, asset_id, at, reason }) =>
      // An account without events is one row without an event.
      action === null || at === null ? [] : [{
        action,
        ...(asset_id === null ? {} : { asset_id }),
        at: toRfc3339(at),
        ...(reason === null ? {} : { reason }),
      }]
    ),
  };
}

export const moderationRoutes = [
  route({
    operation: "readModerationRecord",
    method: "GET",
    path: "/v1/moderation/record",
    summary: "The caller's standing and moderation events",
    credential: "session",
    success: { 200: { kind: "json", schema: ModerationRecordResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await recordOf(app, caller.userId),
  })),
];
