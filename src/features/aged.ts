/**
 * What has left the trash, collected or not, in SQL
 * (protocol/manifests.md#trash): no answer depends on collection having run.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";

/** Now, and the deletion time up to which an asset has left the trash (ms). */
export interface TrashHorizon {
  readonly now: number;
  readonly deletedUntil: number;
}

export function trashHorizon(now: number, trashMs: number): TrashHorizon {
  return { now, deletedUntil: now - trashMs };
}

/** A row of `asset` has left the trash; `hasAged` says the same of one row. */
export function agedAsset(
  { now, deletedUntil }: TrashHorizon,
): RawBuilder<boolean> {
  return sql`(asset.deleted_at <= ${deletedUntil} and asset.held_at is null
    and coalesce(asset.retention_until, 0) <= ${now})`;
}

/** Bytes that a row of `usage` still counts as trash and that are gone. */
export function lapsedTrash(horizon: TrashHorizon): RawBuilder<number> {
  // By its age: that is the little since the last collection, where an account
  // may have any number of assets.
  return sql`(select coalesce(sum(holding.size), 0)
    from asset indexed by asset_by_deletion
    join holding on holding.owner_id = asset.owner_id
      and holding.asset_id = asset.asset_id and holding.applied = 1
    where asset.owner_id = usage.user_id and ${agedAsset(horizon)})`;
}
