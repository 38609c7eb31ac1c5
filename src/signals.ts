import type { Platform } from "./core/platform.ts";
import { KeyedQueue } from "./core/keyed_queue.ts";
import type { Signals } from "./features/app.ts";
import { LostBlobs } from "./features/lost_blobs.ts";
import { ShareViews } from "./features/shares/views.ts";
import { FeedNotifier } from "./features/sync/feed_notifier.ts";
import type { BlobStore } from "./store/blobs/blob_store.ts";
import type { Db } from "./store/sqlite/database.ts";

/** Hashes of an account's links that are written or wait to be. */
const SHARE_HASHES_MAX = 400_000;

/** What requests tell those who wait, or who write it down later. */
export function signalsOf(
  store: { readonly db: Db; readonly blobs: BlobStore },
  platform: Platform,
): Omit<Signals, "clock"> {
  const feedNotifier = new FeedNotifier(store.db, platform);
  return {
    feedNotifier,
    shareViews: new ShareViews(store.db, platform),
    shareChanges: new KeyedQueue(SHARE_HASHES_MAX),
    lostBlobs: new LostBlobs(store, platform, feedNotifier),
  };
}
