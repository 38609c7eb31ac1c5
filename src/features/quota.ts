/**
 * An account's quota: its own, or else the configured one.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";
import { lapsedTrash, type TrashHorizon } from "./aged.ts";

/** An account's own quota that says that it has none (`account quota`). */
export const NO_QUOTA = Number.MAX_SAFE_INTEGER;

/**
 * The bytes that an account may store; undefined: as many as it likes. `own`
 * is its row's, where null stands for the configured quota.
 */
export function quotaOf(
  own: number | null,
  configured: number | undefined,
): number | undefined {
  const quota = own ?? configured;
  return quota === NO_QUOTA ? undefined : quota;
}

/**
 * Whether a row of `usage` has room for so many bytes more. What has left the
 * trash is summed only where it decides: the one writer is not to look at all
 * of a large trash for every small file.
 */
export function hasRoomFor(
  bytes: number,
  { quotaBytes, trash }: {
    /** The configured quota; null for none. */
    readonly quotaBytes: number | null;
    readonly trash: TrashHorizon;
  },
): RawBuilder<boolean> {
  const counted = sql`used_bytes + reserved_bytes + trash_bytes + ${bytes}`;
  const quota = sql`coalesce(quota_bytes, ${quotaBytes})`;
  return sql<boolean>`(${quota} is null or ${counted} <= ${quota}
    or ${counted} - ${lapsedTrash(trash)} <= ${quota})`;
}
