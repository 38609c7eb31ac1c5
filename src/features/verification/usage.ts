/**
 * What an account's storage comes to (protocol/uploads.md#room).
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import { trashHorizon } from "../aged.ts";
import type { App } from "../app.ts";
import { quotaOf } from "../quota.ts";
import { countStretch, readCounters, sumDerivatives } from "./store.ts";

/** What of an application counting works with. */
export type UsageParts = Pick<App, "db"> & {
  readonly platform: Pick<App["platform"], "now" | "sleep">;
  readonly limits: Pick<App["limits"], "trashMs" | "accountQuotaBytes">;
};

/** Bytes by the counters that the quota is held against, and what is there. */
export async function usageOf(app: UsageParts, userId: UserId) {
  const trash = trashHorizon(app.platform.now(), app.limits.trashMs);
  const counters = await readCounters(app.db, userId, trash);
  if (counters === undefined) throw new Error("an account without usage");
  const { quota_bytes, ...bytes } = counters;
  const quotaBytes = quotaOf(quota_bytes, app.limits.accountQuotaBytes);
  return {
    ...bytes,
    ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
    ...await countLibrary(app, userId),
  };
}

/** Bytes of the derivatives that an account stores. */
export function derivativeBytes(
  { db }: Pick<UsageParts, "db">,
  userId: UserId,
): Promise<number> {
  return sumDerivatives(db, userId);
}

/** Counts in stretches, between which others have their turn. */
async function countLibrary(app: UsageParts, userId: UserId) {
  let [assets, blobs] = [0, 0];
  let after: string | null = "";
  while (after !== null) {
    const stretch = await countStretch(app.db, userId, after);
    assets += stretch.assets;
    blobs += stretch.blobs;
    after = stretch.last;
    if (after !== null) {
      await app.platform.sleep(0, new AbortController().signal);
    }
  }
  return { assets, blobs };
}
