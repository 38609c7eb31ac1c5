import { sql } from "kysely";
import type { UserId } from "../../core/ids.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { TrashPlace } from "../trash.ts";
import { type AssetWithBlobs, BLOBS } from "./many_store.ts";

/** Rows of the trash that one statement reads. */
export const TRASH_AT_ONCE = 100;
const LIMIT = sql.lit(TRASH_AT_ONCE);

const BEGINNING: TrashPlace = {
  deleted_at: Number.MIN_SAFE_INTEGER,
  asset_id: "",
};

const pageWithBlobs = compiledList(
  (db, userId: UserId, deletedAt: number, assetId: string) => ({
    compile: () =>
      sql<AssetWithBlobs>`select asset.*, ${BLOBS} as blobs
        from asset indexed by asset_in_trash
        where owner_id = ${userId} and deleted_at is not null
          and (deleted_at, asset_id) > (${deletedAt}, ${assetId})
        order by deleted_at, asset_id limit ${LIMIT}`.compile(db),
  }),
);

/** What an account has in the trash, past one place, the oldest first. */
export function pageOfOwnTrash(
  db: Db,
  userId: UserId,
  after: TrashPlace = BEGINNING,
): Promise<AssetWithBlobs[]> {
  return pageWithBlobs(db, userId, after.deleted_at, after.asset_id);
}

/** The same up to an instant, without what it holds. */
export function listOwnTrash(
  db: Db,
  userId: UserId,
  { after = BEGINNING, until }: {
    readonly after: TrashPlace | undefined;
    readonly until: number;
  },
) {
  return db.selectFrom("asset")
    .select([
      "asset_id",
      "owner_id",
      "deleted_at",
      "held_at",
      "withheld_at",
      "retention_until",
    ])
    .where("owner_id", "=", userId)
    .where("deleted_at", "<=", until)
    .where(
      sql<boolean>`(deleted_at, asset_id)
        > (${after.deleted_at}, ${after.asset_id})`,
    )
    .orderBy("deleted_at")
    .orderBy("asset_id")
    .limit(LIMIT)
    .execute();
}
