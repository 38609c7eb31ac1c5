/**
 * One-time enrollment codes, and the channel that one of them opens
 * (protocol/devices.md#enrollment).
 *
 * @module
 */
import { newChannelId, type UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import { requireRecent } from "../sessions/recent.ts";
import { drawCode, hashCode, readCode, showCode } from "./code.ts";
import {
  burnCode,
  CHANNEL_MS,
  CODE_MS,
  findLiveCode,
  findNewestChannel,
  insertChannel,
  putCode,
} from "./store.ts";

/** So many draws in a row that are taken mean a broken generator. */
const MAX_DRAWS = 8;

/**
 * Issues a code in place of any older one. The session has to have presented a
 * credential in the last five minutes; another session's does not count.
 */
export async function issueCode(
  call: CallBy<"session", "error.auth.reauthentication_required">,
) {
  const { app, caller, now } = call;
  const expiresAt = now + CODE_MS;
  const code = await transaction(app.db, async (tx) => {
    await requireRecent(call, tx);
    return await putFreshCode(app, tx, caller.userId, expiresAt);
  });
  return { code: showCode(code), expires_at: toRfc3339(expiresAt) };
}

/** Draws until a code is unused. */
async function putFreshCode(
  app: App,
  tx: Tx,
  userId: UserId,
  expiresAt: number,
): Promise<string> {
  for (let draws = 0; draws < MAX_DRAWS; draws++) {
    const code = drawCode(app.platform.random);
    const stored = await putCode(tx, {
      user_id: userId,
      code_hash: hashCode(code),
      expires_at: expiresAt,
    });
    if (stored) return code;
  }
  throw new Error(`${MAX_DRAWS} codes drawn, each held already`);
}

/** How far the caller's enrollment is; a newer code hides an older channel. */
export async function enrollmentState(app: App, userId: UserId) {
  const now = app.platform.now();
  const code = await findLiveCode(app.db, userId, now);
  if (code !== undefined) {
    return {
      state: "issued" as const,
      expires_at: toRfc3339(code.expires_at),
    };
  }
  const channel = await findNewestChannel(app.db, userId, now);
  if (channel === undefined) return { state: "none" as const };
  return {
    state: "redeemed" as const,
    channel_id: channel.channel_id,
    expires_at: toRfc3339(channel.expires_at),
  };
}

/**
 * Burns a code and opens its channel. Whatever is wrong with the code, the
 * answer is one; what has no code's shape costs nothing of the budget.
 */
export async function redeemCode(
  call: Call<"error.enrollment.code_refused" | "error.enrollment.rate_limited">,
  typed: string,
  clientAddress: string,
) {
  const { app, now, raise } = call;
  const code = readCode(typed);
  if (code === undefined) {
    throw raise("error.enrollment.code_refused", { cause: "misshapen" });
  }
  const spent = charge(call, "enroll_redeem", [clientAddress]);
  if (spent !== undefined) {
    throw raise("error.enrollment.rate_limited", {
      ...spent,
      extra: { retry_after: spent.retryAtSeconds },
    });
  }
  const channelId = newChannelId(app.platform.random);
  const expiresAt = now + CHANNEL_MS;
  await transaction(app.db, async (tx) => {
    const userId = await burnCode(tx, hashCode(code), now);
    if (userId === undefined) throw raise("error.enrollment.code_refused");
    await insertChannel(tx, {
      channel_id: channelId,
      user_id: userId,
      opened_at: now,
      expires_at: expiresAt,
    });
  });
  return { channel_id: channelId, expires_at: toRfc3339(expiresAt) };
}
