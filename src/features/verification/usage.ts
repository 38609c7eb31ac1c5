/**
 * What an account's storage comes to (completions.md section 6, Usage).
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import { trashHorizon } from "../aged.ts";
import type { App } from "../app.ts";
import { countStretch, readCounters } from "./store.ts";

/** Bytes by the counters that the quota is held against, and what is there. */
export async function usageOf(app: App, userId: UserId) {
  const trash = trashHorizon(app.platform.now(), app.limits.trashMs);
  const counters = await readCounters(app.db, userId, trash);
  if (counters === undefined) throw new Error("an account without usage");
  const { quota_bytes, ...bytes } = counters;
  const quotaBytes = quota_bytes ?? app.limits.accountQuotaBytes;
  return {
    ...bytes,
    ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
    ...await countLibrary(app, userId),
  };
}

/** Counts in stretches, between which others have their turn. */
async function countLibrary(app: App, userId: UserId) {
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
