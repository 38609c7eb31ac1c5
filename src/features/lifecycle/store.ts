import { type Insertable, sql } from "kysely";
import type { AlbumId, AssetId, BlobHash, UserId } from "../../core/ids.ts";
import {
  compiledList,
  compiledOnce,
  compiledWrite,
} from "../../store/sqlite/compiled.ts";
import {
  change,
  changeCompiled,
  type Db,
  type Tx,
} from "../../store/sqlite/database.ts";
import type { BlobRole, Schema } from "../../store/sqlite/schema.ts";

export const findAsset = compiledOnce((db, assetId: AssetId) =>
  db.selectFrom("asset")
    .selectAll()
    .where("asset_id", "=", assetId)
);

/** Whose an id is that ever was an asset's: live, deleted or gone. */
export async function findClaim(
  db: Db,
  assetId: AssetId,
): Promise<{ readonly owner_id: UserId } | undefined> {
  return await findAsset(db, assetId) ?? await findGone(db, assetId);
}

/** Whose an asset was that is gone for good. */
export const findGone: (
  db: Db,
  assetId: AssetId,
) => Promise<{ readonly owner_id: UserId } | undefined> = compiledOnce(
  (db, assetId: AssetId) =>
    db.selectFrom("gone_asset")
      .select("owner_id")
      .where("asset_id", "=", assetId),
);

/** An owner's blobs of an asset, in the order in which they were finalized. */
export const listHoldings = compiledList(
  (db, ownerId: UserId, assetId: AssetId) =>
    db.selectFrom("holding")
      .select(["role", "hash", "size", "applied", "receipt_seq"])
      .where("owner_id", "=", ownerId)
      .where("asset_id", "=", assetId)
      .orderBy("receipt_seq"),
);

/** A manifest of an owner's asset that was applied. */
export const findManifest = compiledOnce(
  (db, ownerId: UserId, assetId: AssetId, hash: BlobHash) =>
    db.selectFrom("manifest")
      .select(["action", "sync_seq", "receipt_seq"])
      .where("owner_id", "=", ownerId)
      .where("asset_id", "=", assetId)
      .where("manifest_hash", "=", hash),
);

export async function insertManifest(
  tx: Tx,
  manifest: Insertable<Schema["manifest"]>,
): Promise<void> {
  await change(tx, tx.insertInto("manifest").values(manifest));
}

/**
 * Makes an asset live, or moves a live one on to its new chain head. Of the
 * retention floors that its manifests carried the latest stays.
 */
export async function putAsset(
  tx: Tx,
  asset: Insertable<Schema["asset"]>,
): Promise<void> {
  const { album_id, chain_head, sync_seq, updated_at } = asset;
  const floor = asset.retention_until ?? null;
  const put = tx.insertInto("asset")
    .values(asset)
    .onConflict((conflict) =>
      conflict.column("asset_id")
        .doUpdateSet({
          album_id,
          chain_head,
          sync_seq,
          updated_at,
          retention_until: sql<number | null>`coalesce(
            max(asset.retention_until, ${floor}),
            asset.retention_until, ${floor})`,
        })
    );
  await change(tx, put);
}

/** Marks what a live manifest holds from now on, pending derivatives too. */
export async function attachHoldings(
  tx: Tx,
  ownerId: UserId,
  assetId: AssetId,
  held: {
    readonly original: BlobHash;
    readonly metadata: BlobHash | null;
    readonly provenance: BlobHash;
    /** Pending derivatives attach, those with receipts after this one. */
    readonly derivativesAfter: number;
  },
): Promise<void> {
  const attached = tx.updateTable("holding")
    .set({ applied: 1 })
    .where("owner_id", "=", ownerId)
    .where("asset_id", "=", assetId)
    .where((where) =>
      where.or([
        where.and([
          where("role", "=", "derivative"),
          where("receipt_seq", ">", held.derivativesAfter),
        ]),
        where.and({ role: "original", hash: held.original }),
        where.and({ role: "provenance", hash: held.provenance }),
        ...held.metadata === null
          ? []
          : [where.and({ role: "metadata", hash: held.metadata })],
      ])
    );
  await change(tx, attached);
}

/** A blob in the part that it plays in an asset. */
export interface HeldBlob {
  readonly role: BlobRole;
  readonly hash: BlobHash;
  readonly size: number;
}

/** Deletes holdings of an asset. */
export async function deleteHoldings(
  tx: Tx,
  ownerId: UserId,
  assetId: AssetId,
  dropped: readonly HeldBlob[],
): Promise<void> {
  for (const { role, hash } of dropped) {
    await tx.deleteFrom("holding")
      .where("owner_id", "=", ownerId)
      .where("asset_id", "=", assetId)
      .where("role", "=", role)
      .where("hash", "=", hash)
      .execute();
  }
}

/** Lets an asset go of blobs that a legal hold keeps; they stay in use. */
export async function detachHoldings(
  tx: Tx,
  ownerId: UserId,
  assetId: AssetId,
  detached: readonly HeldBlob[],
): Promise<void> {
  for (const { role, hash } of detached) {
    await tx.updateTable("holding")
      .set({ applied: 0 })
      .where("owner_id", "=", ownerId)
      .where("asset_id", "=", assetId)
      .where("role", "=", role)
      .where("hash", "=", hash)
      .execute();
  }
}

/** Whether an asset of this owner is taken down. */
export async function isWithheld(
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
): Promise<boolean> {
  const asset = await findAsset(db, assetId);
  return asset?.owner_id === ownerId && asset.withheld_at !== null;
}

/** The same as part of a query. */
export function withheldIn(
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
) {
  return db.selectFrom("asset")
    .select("asset_id")
    .where("asset_id", "=", assetId)
    .where("owner_id", "=", ownerId)
    .where("withheld_at", "is not", null);
}

/** Whether an account holds a blob: another asset with it takes no room. */
export async function isHeld(
  db: Db,
  ownerId: UserId,
  hash: BlobHash,
): Promise<boolean> {
  const held = await db.selectFrom("holding")
    .select("hash")
    .where("hash", "=", hash)
    .where("owner_id", "=", ownerId)
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}

/** The album that a tombstoned one was moved to. */
export function findSuccessor(db: Db, albumId: AlbumId) {
  return db.selectFrom("album")
    .select("successor_id")
    .where("album_id", "=", albumId)
    .where("tombstoned_at", "is not", null)
    .executeTakeFirst();
}

/** Whether a file was in flight or pending when its album's ceremony began. */
export async function wasUnderWay(
  db: Db,
  file: {
    readonly userId: UserId;
    readonly albumId: AlbumId;
    readonly assetId: AssetId;
  },
): Promise<boolean> {
  const row = await db.selectFrom("upgrade_file")
    .select("asset_id")
    .where("album_id", "=", file.albumId)
    .where("owner_id", "=", file.userId)
    .where("asset_id", "=", file.assetId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a blob's bytes lie under their address. */
export async function noteBlob(
  tx: Tx,
  blob: Insertable<Schema["blob"]>,
): Promise<void> {
  await changeCompiled(tx, addBlob(tx, blob));
}

const addBlob = compiledWrite((db, blob: Insertable<Schema["blob"]>) =>
  db.insertInto("blob")
    .values(blob)
    .onConflict((conflict) => conflict.column("hash").doNothing())
);

const addHolding = compiledWrite((db, held: Insertable<Schema["holding"]>) =>
  db.insertInto("holding")
    .values(held)
    .onConflict((conflict) =>
      conflict.columns(["owner_id", "asset_id", "role", "hash"]).doNothing()
    )
);

/** Notes a blob's bytes and the part they play in an asset. */
export async function insertHolding(
  tx: Tx,
  holding: Insertable<Schema["holding"]>,
): Promise<void> {
  await noteBlob(tx, {
    hash: holding.hash,
    size: holding.size,
    stored_at: holding.finalized_at,
  });
  await changeCompiled(tx, addHolding(tx, holding));
  await reattach(tx, holding);
}

/** Attaches blobs again that a legal hold kept after the asset dropped them. */
async function reattach(
  tx: Tx,
  { applied, ...holding }: Insertable<Schema["holding"]>,
): Promise<void> {
  if (applied !== 1) return;
  const { upload_id, finalized_at, receipt_seq } = holding;
  await change(
    tx,
    tx.updateTable("holding")
      .set({ upload_id, finalized_at, receipt_seq, applied })
      .where("owner_id", "=", holding.owner_id)
      .where("asset_id", "=", holding.asset_id)
      .where("role", "=", holding.role)
      .where("hash", "=", holding.hash)
      .where("applied", "=", 0),
  );
}
