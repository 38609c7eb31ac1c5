import { type RawBuilder, type Selectable, sql } from "kysely";
import type { AlbumId, AssetId, BlobHash, UserId } from "../../core/ids.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { BlobRole, Schema } from "../../store/sqlite/schema.ts";

/** An asset with what it holds, as one row tells it. */
export type AssetWithBlobs = Selectable<Schema["asset"]> & {
  /** JSON: the wire form of its blobs, in the order in which they came. */
  readonly blobs: string;
};

/** A blob that a request named by the asset that holds it. */
interface NamedBlob {
  /** Its place in the request. */
  readonly place: number;
  readonly role: BlobRole;
  readonly size: number;
  readonly owner_id: UserId;
  readonly state: "live" | "deleted";
  readonly deleted_at: number | null;
  readonly held_at: number | null;
  readonly retention_until: number | null;
}

const compilable = <R>(db: Db, query: RawBuilder<R>) => ({
  compile: () => query.compile(db),
});

/** One text for each asset: a row for each blob would repeat the asset's. */
export const BLOBS = sql`(select json_group_array(
    json_object('hash', hash, 'role', role, 'size', size) order by receipt_seq)
  from holding
  where holding.owner_id = asset.owner_id
    and holding.asset_id = asset.asset_id and holding.applied = 1)`;

/** Who reads an asset by an account: its own, or of an album that it is in. */
function readBy(a: UserId, b: UserId, c: UserId): RawBuilder<boolean> {
  return sql`asset.withheld_at is null and (asset.owner_id = ${a}
    or exists (select 1 from album
      where album.album_id = asset.album_id and album.owner_id = ${b})
    or exists (select 1 from roster_member
      where roster_member.album_id = asset.album_id
        and roster_member.member = ${c}))`;
}

function readIn(albumId: AlbumId): RawBuilder<boolean> {
  return sql`asset.withheld_at is null and asset.album_id = ${albumId}`;
}

// The list comes first in each: SQLite looks up what is wanted, one by one.
const FROM_LIST = sql`cross join asset on asset.asset_id = wanted.value`;

const readableAssets = compiledList(
  (db, ids: string, a: UserId, b: UserId, c: UserId) =>
    compilable(
      db,
      sql<AssetWithBlobs>`select asset.*, ${BLOBS} as blobs
        from json_each(${ids}) as wanted ${FROM_LIST}
        where ${readBy(a, b, c)}`,
    ),
);

const assetsInAlbum = compiledList((db, ids: string, albumId: AlbumId) =>
  compilable(
    db,
    sql<AssetWithBlobs>`select asset.*, ${BLOBS} as blobs
      from json_each(${ids}) as wanted ${FROM_LIST}
      where ${readIn(albumId)}`,
  )
);

/** Of these assets those that an account reads. */
export function listReadableAssets(
  db: Db,
  userId: UserId,
  assetIds: readonly AssetId[],
): Promise<AssetWithBlobs[]> {
  const ids = JSON.stringify(assetIds);
  return readableAssets(db, ids, userId, userId, userId);
}

/** Of these assets those of an album. */
export function listAlbumAssets(
  db: Db,
  albumId: AlbumId,
  assetIds: readonly AssetId[],
): Promise<AssetWithBlobs[]> {
  return assetsInAlbum(db, JSON.stringify(assetIds), albumId);
}

const NAMED = sql`wanted.key as place, holding.role, holding.size,
  asset.owner_id, asset.state, asset.deleted_at, asset.held_at,
  asset.retention_until`;

const FROM_NAMES = sql`cross join asset
    on asset.asset_id = wanted.value ->> 'asset_id'
  cross join holding on holding.owner_id = asset.owner_id
    and holding.asset_id = asset.asset_id
    and holding.hash = wanted.value ->> 'hash' and holding.applied = 1`;

const readableBlobs = compiledList(
  (db, names: string, a: UserId, b: UserId, c: UserId) =>
    compilable(
      db,
      sql<NamedBlob>`select ${NAMED} from json_each(${names}) as wanted
        ${FROM_NAMES} where ${readBy(a, b, c)}`,
    ),
);

const blobsInAlbum = compiledList((db, names: string, albumId: AlbumId) =>
  compilable(
    db,
    sql<NamedBlob>`select ${NAMED} from json_each(${names}) as wanted
      ${FROM_NAMES} where ${readIn(albumId)}`,
  )
);

/** A blob by the asset that holds it. */
export interface BlobName {
  readonly asset_id: AssetId;
  readonly hash: BlobHash;
}

/** The given blobs whose assets an account may read, in each of their roles. */
export function listReadableBlobs(
  db: Db,
  userId: UserId,
  names: readonly BlobName[],
): Promise<NamedBlob[]> {
  const text = JSON.stringify(names);
  return readableBlobs(db, text, userId, userId, userId);
}

/** The given blobs whose assets lie in an album. */
export function listAlbumBlobs(
  db: Db,
  albumId: AlbumId,
  names: readonly BlobName[],
): Promise<NamedBlob[]> {
  return blobsInAlbum(db, JSON.stringify(names), albumId);
}
