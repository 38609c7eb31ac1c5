import { type Insertable, sql, type Updateable } from "kysely";
import type { BlobHash, OpaqueId, UserId } from "../../core/ids.ts";
import { compiledList, compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import { isGoneLink, isLiveLink } from "../links.ts";

/**
 * Inserts a link with what it serves; false when its id is or was known. The
 * hashes come in their order, in which they are inserted several times faster.
 */
export async function insertShare(
  tx: Tx,
  share: Insertable<Schema["share"]>,
  serves: readonly BlobHash[],
): Promise<boolean> {
  if (await isGoneLink(tx, share.opaque_id)) return false;
  const { numInsertedOrUpdatedRows } = await tx.insertInto("share")
    .values(share)
    .onConflict((conflict) => conflict.column("opaque_id").doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  // One statement: ten thousand of them would hold everybody else up.
  await sql`insert into share_blob (opaque_id, hash)
    select ${share.opaque_id}, value from json_each(${JSON.stringify(serves)})`
    .execute(tx);
  return true;
}

/** What an account has of links. */
export async function countShares(db: Db, issuerId: UserId) {
  return await db.selectFrom("share")
    .select([
      sql<number>`count(*)`.as("ids"),
      sql<number>`count(*) filter (where revoked_at is null)`.as("live"),
      sql<number>`coalesce(
        sum(serves_count) filter (where revoked_at is null), 0)`.as("hashes"),
    ])
    .where("issuer_id", "=", issuerId)
    .executeTakeFirstOrThrow();
}

export function findShare(db: Db, opaqueId: OpaqueId) {
  return db.selectFrom("share")
    .select(["issuer_id", "revoked_at", "request_hash"])
    .where("opaque_id", "=", opaqueId)
    .executeTakeFirst();
}

/** Revokes a link for good and deletes what it served and its secret. */
export async function revokeOwnShare(
  tx: Tx,
  issuerId: UserId,
  opaqueId: OpaqueId,
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await tx.updateTable("share")
    .set({ revoked_at: now, wrapped_secret: null })
    .where("opaque_id", "=", opaqueId)
    .where("issuer_id", "=", issuerId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return;
  await tx.deleteFrom("share_blob")
    .where("opaque_id", "=", opaqueId)
    .execute();
}

function liveShares(db: Db, opaqueId: OpaqueId, now: number) {
  return db.selectFrom("share")
    .innerJoin("account", "account.user_id", "share.issuer_id")
    .where("share.opaque_id", "=", opaqueId)
    .where(isLiveLink("share", now))
    .where("account.suspended_at", "is", null);
}

/** A link that is neither revoked nor expired, of an active issuer. */
export const findLiveShare = compiledOnce(
  (db, opaqueId: OpaqueId, now: number) =>
    liveShares(db, opaqueId, now)
      .select([
        "share.metadata_hash",
        "share.wrapped_secret",
        "share.last_viewed_at",
      ]),
);

/** The blobs of a live link that a live asset, not withheld, references. */
function servedBlobs(db: Db, opaqueId: OpaqueId, now: number) {
  return liveShares(db, opaqueId, now)
    .innerJoin("share_blob", "share_blob.opaque_id", "share.opaque_id")
    .innerJoin("blob", "blob.hash", "share_blob.hash")
    .innerJoin("holding", "holding.hash", "blob.hash")
    .innerJoin("asset", "asset.asset_id", "holding.asset_id")
    .leftJoin("album", "album.album_id", "asset.album_id")
    .where("holding.applied", "=", sql.lit(1))
    .where("asset.state", "=", sql.lit("live"))
    .where("asset.withheld_at", "is", null)
    .whereRef("holding.owner_id", "=", "asset.owner_id")
    .where((where) =>
      where.or([
        where("asset.owner_id", "=", where.ref("share.issuer_id")),
        where("album.owner_id", "=", where.ref("share.issuer_id")),
      ])
    );
}

/** One of them. */
export const findServedBlob = compiledOnce(
  (db, opaqueId: OpaqueId, now: number, hash: BlobHash) =>
    servedBlobs(db, opaqueId, now)
      .select(["blob.size", "blob.stored_at", "share.last_viewed_at"])
      .where("share_blob.hash", "=", hash)
      // Written out: SQLite would prepare the statement again for a bound
      // LIMIT.
      .limit(sql.lit(1)),
);

/** Those of these that are among them. */
export function listServedBlobs(
  db: Db,
  opaqueId: OpaqueId,
  now: number,
  hashes: readonly BlobHash[],
): Promise<{ hash: BlobHash; size: number }[]> {
  return servedAmong(db, opaqueId, now, JSON.stringify(hashes));
}

const servedAmong = compiledList(
  (db, opaqueId: OpaqueId, now: number, hashes: string) =>
    servedBlobs(db, opaqueId, now)
      .select(["blob.hash", "blob.size"])
      .distinct()
      .where(
        "share_blob.hash",
        "in",
        sql<BlobHash>`(select value from json_each(${hashes}))`,
      ),
);

/** What is to be written of a link. */
export interface Viewed {
  /** When it was viewed last (ms). */
  readonly at: number;
  /** How often it was opened since the last write. */
  readonly opened: number;
}

/**
 * Counts openings of links, and notes when they were viewed, where the last
 * time that is noted lies at least so long before (ms).
 */
export async function noteViews(
  db: Db,
  views: ReadonlyMap<OpaqueId, Viewed>,
  everyMs: number,
): Promise<void> {
  const viewed = JSON.stringify(
    Array.from(views, ([id, { at, opened }]) => ({ id, at, opened })),
  );
  await sql`update share set views = views + viewed.value ->> 'opened',
      last_viewed_at = case
        when last_viewed_at > (viewed.value ->> 'at') - ${everyMs}
        then last_viewed_at else viewed.value ->> 'at' end
    from json_each(${viewed}) as viewed
    where share.opaque_id = viewed.value ->> 'id'
      and (viewed.value ->> 'opened' > 0 or last_viewed_at is null
        or last_viewed_at <= (viewed.value ->> 'at') - ${everyMs})`
    .execute(db);
}

/** The links of an issuer that were not revoked, newest first. */
export function listShares(db: Db, issuerId: UserId) {
  return ownShares(db, issuerId)
    .orderBy("created_at", "desc")
    .orderBy("opaque_id")
    .execute();
}

/** A link of an issuer that was not revoked. */
export function findOwnShare(db: Db, issuerId: UserId, opaqueId: OpaqueId) {
  return ownShares(db, issuerId)
    .where("opaque_id", "=", opaqueId)
    .executeTakeFirst();
}

function ownShares(db: Db, issuerId: UserId) {
  return db.selectFrom("share")
    .select([
      "opaque_id",
      "metadata_hash",
      "serves_count",
      "expires_at",
      "created_at",
      "views",
      "last_viewed_at",
      sql<0 | 1>`wrapped_secret is not null`.as("has_passphrase"),
    ])
    .where("issuer_id", "=", issuerId)
    .where("revoked_at", "is", null);
}

/** Whether a link serves a hash. */
export async function isServed(
  tx: Tx,
  opaqueId: OpaqueId,
  hash: BlobHash,
): Promise<boolean> {
  const row = await tx.selectFrom("share_blob")
    .select("hash")
    .where("opaque_id", "=", opaqueId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Served hashes that one statement reads or adds: a few milliseconds. */
export const SERVED_AT_ONCE = 5_000;

/** Some of the hashes that a link serves, in their order, past one. */
export const pageOfServed = compiledList(
  (db, opaqueId: OpaqueId, after: string) =>
    db.selectFrom("share_blob")
      .select("hash")
      .where("opaque_id", "=", opaqueId)
      .where(sql<string>`hash`, ">", after)
      .orderBy("hash")
      .limit(sql.lit(SERVED_AT_ONCE)),
);

/** Lets a link of an issuer's serve more hashes; false for no live one. */
export async function addServed(
  tx: Tx,
  issuerId: UserId,
  opaqueId: OpaqueId,
  hashes: readonly BlobHash[],
): Promise<boolean> {
  if (await findOwnShare(tx, issuerId, opaqueId) === undefined) return false;
  await sql`insert or ignore into share_blob (opaque_id, hash)
    select ${opaqueId}, value from json_each(${JSON.stringify(hashes)})`
    .execute(tx);
  return true;
}

/** Lets a link serve some hashes no more. */
export async function removeServed(
  tx: Tx,
  opaqueId: OpaqueId,
  hashes: readonly BlobHash[],
): Promise<void> {
  await sql`delete from share_blob where opaque_id = ${opaqueId}
    and hash in (select value from json_each(${JSON.stringify(hashes)}))`
    .execute(tx);
}

/** Changes a link that is not revoked; false if it does not exist. */
export async function updateShare(
  tx: Tx,
  issuerId: UserId,
  opaqueId: OpaqueId,
  change: Updateable<Schema["share"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("share")
    .set(change)
    .where("opaque_id", "=", opaqueId)
    .where("issuer_id", "=", issuerId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
