import { type RawBuilder, sql } from "kysely";
import type { BlobHash, UploadId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { BlobFile } from "../../store/blobs/inventory.ts";
import { IN_DATABASE } from "../../store/blobs/small_blobs.ts";
import type { Amount } from "../../core/sizes.ts";
import { leftTrash } from "../trash.ts";
import { endAsset, type OwnedAsset } from "../asset_end.ts";
import { referenced } from "../references.ts";
import {
  type Horizon,
  idleAsset,
  idleHolding,
  referencedAfter,
  working,
} from "./references.ts";

interface SizedBlob {
  readonly hash: BlobHash;
  readonly size: number;
}

async function first<T>(db: Db, query: RawBuilder<T>): Promise<T | undefined> {
  const { rows } = await query.execute(db);
  return rows[0];
}

async function amount(db: Db, query: RawBuilder<Amount>): Promise<Amount> {
  return await first(db, query) ?? { count: 0, bytes: 0 };
}

/** Rows that are looked at by one statement, whatever comes of them. */
const LOOKED_AT = sql.lit(200);

/** An asset in the trash, by its age there. */
export interface Trashed extends OwnedAsset {
  readonly deleted_at: number;
  /** Whether it has left the trash: neither a hold nor its floor keeps it. */
  readonly aged: 0 | 1;
}

/**
 * Assets whose time in the trash is over, some of them after the given one.
 * Those that are kept all the same are among them: any number may be, and a
 * search for the next that is not would hold up everybody.
 */
export async function pageOfTrash(
  db: Db,
  horizon: Horizon,
  after: Trashed | undefined,
): Promise<readonly Trashed[]> {
  const { rows } = await sql<Trashed>`select asset_id, owner_id, deleted_at,
      ${leftTrash(horizon)} as aged
    from asset
    where deleted_at <= ${horizon.deletedUntil} and (deleted_at, asset_id)
      > (${after?.deleted_at ?? Number.MIN_SAFE_INTEGER}, ${
    after?.asset_id ?? ""
  })
    order by deleted_at, asset_id limit ${LOOKED_AT}`.execute(db);
  return rows;
}

export function countLeftTrash(db: Db, horizon: Horizon): Promise<Amount> {
  return amount(
    db,
    sql<Amount>`select count(distinct asset.asset_id) as count,
        coalesce(sum(holding.size), 0) as bytes
      from asset left join holding on holding.asset_id = asset.asset_id
        and holding.owner_id = asset.owner_id
      where ${leftTrash(horizon)}`,
  );
}

/** Ends an asset that has left the trash; undefined where it is not due. */
export function endTrashedAsset(
  tx: Tx,
  asset: OwnedAsset,
  horizon: Horizon,
): Promise<Amount | undefined> {
  return endAsset(tx, asset, leftTrash(horizon), horizon.now);
}

/** An asset id with blobs that were never applied. */
export interface Unapplied extends OwnedAsset {
  /** Whether nothing has happened to it for long enough. */
  readonly idle: 0 | 1;
}

/**
 * Asset ids with blobs that were never applied, some of them after the given
 * one. Those that are not idle are among them: of a library that is being
 * brought, that is every one.
 */
export async function pageOfUnapplied(
  db: Db,
  horizon: Horizon,
  after: OwnedAsset | undefined,
): Promise<readonly Unapplied[]> {
  const idle = idleAsset(horizon, sql`owned.owner_id`, sql`owned.asset_id`);
  const { rows } = await sql<Unapplied>`select owner_id, asset_id,
      ${idle} as idle
    from (select distinct owner_id, asset_id from holding
      where applied = 0 and (owner_id, asset_id)
        > (${after?.owner_id ?? ""}, ${after?.asset_id ?? ""})
      order by owner_id, asset_id limit ${LOOKED_AT}) as owned`.execute(db);
  return rows;
}

export function countIdle(db: Db, horizon: Horizon): Promise<Amount> {
  return amount(
    db,
    sql<Amount>`select count(*) as count, coalesce(sum(size), 0) as bytes
      from holding where ${idleHolding(horizon)}`,
  );
}

/** Deletes the unapplied holdings of an asset to which nothing has happened. */
export async function deleteIdleHoldings(
  tx: Tx,
  { owner_id, asset_id }: OwnedAsset,
  horizon: Horizon,
): Promise<Amount> {
  const idle = await first(
    tx,
    sql<{ idle: 0 | 1 }>`select ${
      idleAsset(horizon, sql`${owner_id}`, sql`${asset_id}`)
    } as idle`,
  );
  if (idle?.idle !== 1) return { count: 0, bytes: 0 };
  const forgotten = await tx.deleteFrom("holding")
    .where("owner_id", "=", owner_id)
    .where("asset_id", "=", asset_id)
    .where("applied", "=", 0)
    .returning("size")
    .execute();
  const bytes = sum(forgotten);
  return { count: forgotten.length, bytes };
}

function sum(sized: readonly { readonly size: number }[]): number {
  return sized.reduce((bytes, { size }) => bytes + size, 0);
}

export async function countExpired(db: Db, now: number): Promise<number> {
  const { count } = await amount(
    db,
    sql<Amount>`select 0 as bytes,
      (select count(*) from upload where expires_at <= ${now})
      + (select count(*) from guest_upload where expires_at <= ${now})
        as count`,
  );
  return count;
}

/** Deletes the notes of writes that ended without saying so. */
export async function deleteStalePending(
  db: Db,
  { strayUntil }: Horizon,
): Promise<void> {
  await db.deleteFrom("pending_blob")
    .where("noted_at", "<=", strayUntil)
    .execute();
}

/** Where the next piece of the blob table after an address ends. */
export async function endOfPiece(
  db: Db,
  after: BlobHash | "",
): Promise<BlobHash | undefined> {
  const row = await db.selectFrom("blob")
    .select("hash")
    .where(sql<boolean>`hash > ${after}`)
    .orderBy("hash")
    .limit(sql.lit(1))
    .offset(sql.lit(999))
    .executeTakeFirst();
  return row?.hash;
}

/**
 * Blobs of a piece that nothing references; with a horizon, that nothing will
 * reference after a collection of that time.
 */
export async function listUnreferenced(
  db: Db,
  piece: { readonly after: BlobHash | ""; readonly to: BlobHash | undefined },
  horizon?: Horizon,
): Promise<readonly SizedBlob[]> {
  const hash = sql`blob.hash`;
  const { rows } = await sql<SizedBlob>`select hash, size from blob
    where hash > ${piece.after} and hash <= ${piece.to ?? "~"}
      and not ${
    horizon === undefined ? referenced(hash) : referencedAfter(hash, horizon)
  }`.execute(db);
  return rows;
}

export async function isReferenced(tx: Tx, hash: BlobHash): Promise<boolean> {
  const row = await first(
    tx,
    sql<{ found: 0 | 1 }>`select ${referenced(sql`${hash}`)} as found`,
  );
  return row?.found === 1;
}

export async function deleteBlob(tx: Tx, hash: BlobHash): Promise<void> {
  await tx.deleteFrom("blob").where("hash", "=", hash).execute();
}

/** How many files of blobs the database knows. */
export async function countBlobs(db: Db): Promise<number> {
  const { count } = await amount(
    db,
    sql<Amount>`select count(*) as count, 0 as bytes from blob
      where not ${IN_DATABASE}`,
  );
  return count;
}

/** The given addresses that have a row. */
export async function knownHashes(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<ReadonlySet<BlobHash>> {
  const { rows } = await sql<{ hash: BlobHash }>`select hash from blob
    where hash in (select value from json_each(${JSON.stringify(hashes)}))`
    .execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

/** Whether a file in `blobs/` is anybody's, or may be about to be. */
export async function isFileWanted(
  db: Db,
  { hash, uploadId }: BlobFile,
  horizon?: Horizon,
): Promise<boolean> {
  if (uploadId !== undefined) return await isWorking(db, uploadId);
  const wanted = horizon === undefined
    ? referenced(sql`${hash}`)
    : referencedAfter(sql`${hash}`, horizon);
  const row = await first(
    db,
    sql<{ found: 0 | 1 }>`select ${wanted}
      or exists (select 1 from blob where hash = ${hash}) as found`,
  );
  return row?.found === 1;
}

/** Whether an upload may still write or place its file. */
export async function isWorking(
  db: Db,
  uploadId: UploadId,
): Promise<boolean> {
  const row = await first(
    db,
    sql<{ found: 0 | 1 }>`select ${working(uploadId)} as found`,
  );
  return row?.found === 1;
}
