import type { Tx } from "../../store/sqlite/database.ts";
import { trashHorizon } from "../trash.ts";
import type { Call, CallBy } from "../call.ts";
import { assertWithin, ROW_LIMITS } from "../row_limits.ts";
import { countOpenUploads, countPending, takeQuota } from "../usage.ts";

const TOO_MANY_OPEN_RETRY_SECONDS = 60;

/**
 * Reserves the room of a new session: within the quota, and among not too many
 * open ones and blobs that wait for their manifest.
 */
export async function requireQuota(
  call: CallBy<
    "session",
    | "error.storage.quota_exceeded"
    | "error.upload.too_many_open"
    | "error.account.limit_reached"
  >,
  tx: Tx,
  size: number,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const { openUploads, accountQuotaBytes } = app.limits;
  const { pendingBlobs } = ROW_LIMITS;
  const by = { reserved: size, openUploads: 1 };
  const reserved = await takeQuota(tx, userId, by, {
    openUploads,
    pendingBlobs,
    quotaBytes: accountQuotaBytes ?? null,
    trash: trashHorizon(now, app.limits.trashMs),
  });
  if (reserved) return;
  const pending = await countPending(tx, userId);
  assertWithin(call, "pendingBlobs", pending + 1);
  if (await countOpenUploads(tx, userId) >= openUploads) {
    throw tooManyOpen(call);
  }
  throw raise("error.storage.quota_exceeded");
}

/** One more open session for bytes that have their room already. */
export async function requireSlot(
  call: CallBy<"session", "error.upload.too_many_open">,
  tx: Tx,
): Promise<void> {
  const { app, caller: { userId }, now } = call;
  const isOpened = await takeQuota(tx, userId, { openUploads: 1 }, {
    openUploads: app.limits.openUploads,
    quotaBytes: null,
    trash: trashHorizon(now, app.limits.trashMs),
  });
  if (!isOpened) throw tooManyOpen(call);
}

function tooManyOpen({ raise }: Call<"error.upload.too_many_open">) {
  return raise("error.upload.too_many_open", {
    retryAfterSeconds: TOO_MANY_OPEN_RETRY_SECONDS,
  });
}
