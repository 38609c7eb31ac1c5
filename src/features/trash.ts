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

/** A row of `asset` has left the trash; `hasLeftTrash` says the same of one row. */
export function leftTrash(
  { now, deletedUntil }: TrashHorizon,
  table = "asset",
): RawBuilder<boolean> {
  const asset = sql.table(table);
  return sql`(${asset}.deleted_at <= ${deletedUntil} and ${asset}.held_at is null
    and coalesce(${asset}.retention_until, 0) <= ${now})`;
}

/** A row among those that are in the trash, in the order of their deletion. */
export interface TrashPlace {
  readonly deleted_at: number;
  readonly asset_id: string;
}

/** A part of the trash: past one row, and up to another where one is given. */
export interface TrashPart {
  readonly after: TrashPlace | undefined;
  readonly to: TrashPlace | undefined;
}

/**
 * Bytes that a row of `usage` still counts as trash and that are gone; of all
 * the trash, or of a part of it. A blob goes with the last asset that holds it.
 */
export function lapsedTrash(
  horizon: TrashHorizon,
  part: TrashPart = { after: undefined, to: undefined },
): RawBuilder<number> {
  // By its age: that is the little since the last collection, where an account
  // may have any number of assets, and others any number in the trash.
  // A blob's copies are looked at once, not for each of them: they are many
  // where a member means harm.
  return sql`(select coalesce(sum(size), 0) from (
    select max(holding.size) as size
    from asset indexed by asset_in_trash
    join holding on holding.owner_id = asset.owner_id
      and holding.asset_id = asset.asset_id and holding.applied = 1
    where asset.owner_id = usage.user_id and ${leftTrash(horizon)}
      and ${isPast(part)} and ${isUpTo(part)}
    group by holding.hash
    having not exists (select 1 from holding as other
      where other.hash = holding.hash and other.owner_id = usage.user_id
        and other.in_use = 1)
    and not exists (
      select 1 from holding as other left join asset as elsewhere
        on elsewhere.owner_id = other.owner_id
        and elsewhere.asset_id = other.asset_id
      where other.hash = holding.hash and other.owner_id = usage.user_id
        and (${leftTrash(horizon, "elsewhere")}
          and ${isUpTo(part, "elsewhere")}) is not true)))`;
}

function isPast({ after }: TrashPart): RawBuilder<boolean> {
  return after === undefined
    ? sql`true`
    : sql`(asset.deleted_at, asset.asset_id)
      > (${after.deleted_at}, ${after.asset_id})`;
}

function isUpTo({ to }: TrashPart, table = "asset"): RawBuilder<boolean> {
  const asset = sql.table(table);
  return to === undefined
    ? sql`true`
    : sql`(${asset}.deleted_at, ${asset}.asset_id)
      <= (${to.deleted_at}, ${to.asset_id})`;
}
