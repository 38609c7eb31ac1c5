/**
 * What an account's storage comes to (protocol/uploads.md#room).
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import { trashHorizon, type TrashPlace } from "../trash.ts";
import type { ServiceContext } from "../service_context.ts";
import { quotaOf } from "../quota.ts";
import { readCounters, sumLapsed } from "../usage.ts";
import { endOfTrashPart, sumDerivatives } from "./store.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";

/** What an account's counters say; it costs the same for any library. */
export async function usageOf(context: ServiceContext, userId: UserId) {
  const { quota_bytes, live_assets, held_blobs, ...bytes } = await countersOf(
    context,
    userId,
  );
  const quotaBytes = quotaOf(quota_bytes, context.limits.accountQuotaBytes);
  return {
    ...bytes,
    ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
    assets: live_assets,
    blobs: held_blobs,
  };
}

/**
 * The counters as they are once what has left the trash is collected. That is
 * summed in parts: a holiday's photographs leave it in one hour. The counters
 * are of the first part's moment, so what is collected after it is counted yet.
 */
async function countersOf(context: ServiceContext, userId: UserId) {
  const { db, platform, limits } = context;
  const trash = trashHorizon(platform.now(), limits.trashMs);
  let to = await endOfTrashPart(db, userId, trash, undefined);
  const part = { after: undefined, to };
  const counters = await readCounters(db, userId, trash, part);
  if (counters === undefined) throw new Error("an account without usage");
  let trashBytes = counters.trash_bytes;
  while (to !== undefined) {
    await yieldToEventLoop(context);
    const after: TrashPlace = to;
    to = await endOfTrashPart(db, userId, trash, after);
    trashBytes -= await sumLapsed(db, userId, trash, { after, to });
  }
  const { unknown: _, ...rest } = counters;
  return { ...rest, trash_bytes: Math.max(trashBytes, 0) };
}

/** Bytes of the derivatives that an account stores. */
export function derivativeBytes(
  { db }: ServiceContext,
  userId: UserId,
): Promise<number> {
  return sumDerivatives(db, userId);
}
