import { sql } from "kysely";
import type { AssetId, BlobHash, UserId } from "../../core/ids.ts";
import { type TrashHorizon, type TrashPlace } from "../trash.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";

/** A declared content address, and the asset that is to rely on it. */
export interface Declared {
  readonly assetId: AssetId;
  readonly hash: BlobHash;
}

/** What the tables know of a declared address, a row for each role. */
export interface DeclaredRow {
  readonly asset_id: AssetId;
  readonly hash: BlobHash;
  /** The part that it plays in the asset; null: none. */
  readonly role: BlobRole | null;
  readonly applied: 0 | 1 | null;
  /** Of the asset; null where no manifest of it was applied. */
  readonly state: "live" | "deleted" | null;
  readonly withheld_at: number | null;
  /** Of the blob; null where the caller does not hold it anywhere. */
  readonly size: number | null;
  /** Whether a live asset of the caller's references it. */
  readonly indexed: 0 | 1;
  /** Whether one does that nothing withholds. */
  readonly shown: 0 | 1;
  /** What the server found wrong with its file; null: nothing. */
  readonly is_damaged: 0 | 1 | null;
}

/**
 * Some declared addresses in one question. Each is looked up by key, so that
 * the answer costs the same however large the library is.
 */
export async function findDeclared(
  db: Db,
  userId: UserId,
  declared: readonly Declared[],
): Promise<DeclaredRow[]> {
  const pairs = JSON.stringify(
    declared.map(({ assetId, hash }) => [assetId, hash]),
  );
  const { rows } = await sql<DeclaredRow>`
    with wanted as (
      select distinct value ->> 0 as asset_id, value ->> 1 as hash
      from json_each(${pairs})
    ), live as (
      select holding.hash, asset.withheld_at
      from holding indexed by holding_by_hash
      join asset on asset.asset_id = holding.asset_id
        and asset.owner_id = holding.owner_id
      where holding.owner_id = ${userId} and holding.applied = 1
        and asset.state = 'live'
    )
    select wanted.asset_id, wanted.hash, own.role, own.applied, asset.state,
      asset.withheld_at, blob.size, lost_blob.is_damaged,
      exists (select 1 from live where live.hash = wanted.hash) as indexed,
      exists (
        select 1 from live
        where live.hash = wanted.hash and live.withheld_at is null
      ) as shown
    from wanted
    left join holding as own on own.owner_id = ${userId}
      and own.asset_id = wanted.asset_id
      and own.role in ('original', 'derivative', 'metadata', 'provenance')
      and own.hash = wanted.hash
    left join asset on asset.asset_id = wanted.asset_id
      and asset.owner_id = ${userId}
    left join blob on blob.hash = wanted.hash and exists (
      select 1 from holding
      where holding.hash = wanted.hash and holding.owner_id = ${userId}
    )
    left join lost_blob on lost_blob.hash = blob.hash
  `.execute(db);
  return rows;
}

/** Assets in an account's trash that are looked at at once. */
const TRASH_AT_ONCE = 2_000;

/** Where a part of an account's trash ends that begins past a row of it. */
export async function endOfTrashPart(
  db: Db,
  userId: UserId,
  { deletedUntil }: TrashHorizon,
  after: TrashPlace | undefined,
): Promise<TrashPlace | undefined> {
  const { rows } = await sql<TrashPlace>`select deleted_at, asset_id
    from asset indexed by asset_in_trash
    where owner_id = ${userId} and deleted_at <= ${deletedUntil} and (deleted_at, asset_id)
      > (${after?.deleted_at ?? Number.MIN_SAFE_INTEGER}, ${
    after?.asset_id ?? ""
  })
    order by deleted_at, asset_id
    limit 1 offset ${sql.lit(TRASH_AT_ONCE - 1)}`.execute(db);
  return rows[0];
}

/** Bytes of the derivatives that an account holds, the trash's among them. */
export async function sumDerivatives(db: Db, userId: UserId): Promise<number> {
  const { bytes } = await db.selectFrom("holding")
    .select(sql<number>`coalesce(sum(size), 0)`.as("bytes"))
    .where("owner_id", "=", userId)
    .where("role", "=", "derivative")
    .executeTakeFirstOrThrow();
  return bytes;
}
