/**
 * Blobs that lie in a bucket cannot always be reached: whoever may wait is told
 * for how long (object-store.md#when-the-store-is-down).
 *
 * @module
 */
import { SECOND_MS } from "../core/time.ts";
import { BlobsUnavailable } from "../store/unavailable.ts";
import type { Call } from "./call.ts";

/** Does what needs the store of blobs; where that is away, says so. */
export async function whileReachable<T>(
  { raise }: Call<"error.storage.unavailable">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof BlobsUnavailable)) throw cause;
    const { retryAfterSeconds } = cause;
    throw raise("error.storage.unavailable", { retryAfterSeconds, cause });
  }
}

/**
 * The same for viewers of a link, whose contract has one answer that says to
 * wait: that of a budget that is spent.
 */
export async function whileLinkReachable<T>(
  { now, raise }: Call<"error.share.rate_limited">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof BlobsUnavailable)) throw cause;
    const { retryAfterSeconds } = cause;
    const retry_after = Math.ceil(now / SECOND_MS) + retryAfterSeconds;
    throw raise("error.share.rate_limited", {
      extra: { retry_after },
      retryAfterSeconds,
      cause,
    });
  }
}
