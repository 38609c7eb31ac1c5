import { sql } from "kysely";
import type { AssetId, OpaqueId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { moveUsage, readable } from "../usage.ts";

/** What an account has, in numbers. */
export interface Belongings {
  readonly sessions: number;
  readonly assets: number;
  /** Bytes that count against its quota. */
  readonly bytes: number;
  /** Assets whose retention floor lies ahead. */
  readonly retained: number;
  readonly albums: number;
  /** Others that the rosters of its albums name, each once. */
  readonly members: number;
  /** Assets of others in its albums. */
  readonly foreign_assets: number;
  readonly shares: number;
  readonly upload_links: number;
  /** Contributions of guests that are not adopted, and their open uploads. */
  readonly contributions: number;
  readonly state_slots: number;
  readonly open_uploads: number;
}

export async function countBelongings(
  db: Db,
  userId: UserId,
  now: number,
): Promise<Belongings> {
  const { rows } = await sql<Belongings>`
    with own as (select album_id from album where owner_id = ${userId})
    select
      (select count(*) from session where user_id = ${userId}) as sessions,
      (select count(*) from asset where owner_id = ${userId}) as assets,
      (select ${readable(sql`used_bytes + trash_bytes`)} from usage
        where user_id = ${userId}) as bytes,
      (select count(*) from asset where owner_id = ${userId}
        and retention_until > ${now}) as retained,
      (select count(*) from own) as albums,
      (select count(distinct member) from roster_member
        where album_id in own and member != ${userId}) as members,
      (select count(*) from asset where album_id in own
        and owner_id != ${userId}) as foreign_assets,
      (select count(*) from share where issuer_id = ${userId}
        and revoked_at is null) as shares,
      (select count(*) from upload_link where owner_id = ${userId}
        and revoked_at is null) as upload_links,
      (select count(*) from guest_upload
        where owner_id = ${userId}) as contributions,
      (select count(*) from state_slot
        where user_id = ${userId}) as state_slots,
      (select count(*) from upload where user_id = ${userId}
        and state = 'open') as open_uploads
  `.execute(db);
  const [counted] = rows;
  if (counted === undefined) throw new Error("a count without a row");
  return counted;
}

/** Sessions of an account's uploads, a batch of them. */
export function listUploads(tx: Tx, userId: UserId) {
  return tx.selectFrom("upload")
    .select(["upload_id", "user_id", "size", "state", "heals"])
    .where("user_id", "=", userId)
    .limit(sql.lit(300))
    .execute();
}

/** What guests brought to an account or are bringing, a batch of it. */
export function listGuestUploads(tx: Tx, userId: UserId) {
  return tx.selectFrom("guest_upload")
    .select(["upload_id", "opaque_id", "owner_id", "size", "state"])
    .where(
      "opaque_id",
      "in",
      tx.selectFrom("upload_link").select("opaque_id")
        .where("owner_id", "=", userId),
    )
    .limit(sql.lit(300))
    .execute();
}

/** Deletes upload links that nothing is left of; returns how many. */
export async function deleteUploadLinks(
  tx: Tx,
  userId: UserId,
): Promise<number> {
  const rows = await tx.selectFrom("upload_link")
    .select("opaque_id")
    .where("owner_id", "=", userId)
    .limit(sql.lit(300))
    .execute();
  const ids = rows.map(({ opaque_id }) => opaque_id);
  await noteGoneLinks(tx, ids);
  await sql`delete from upload_link
    where opaque_id in (select value from json_each(${JSON.stringify(ids)}))`
    .execute(tx);
  return ids.length;
}

/** Blobs of share links that are deleted at once. */
const SERVED_AT_ONCE = 5_000;

/** Deletes share links with what they serve; returns how many. */
export async function deleteShares(tx: Tx, userId: UserId): Promise<number> {
  const rows = await tx.selectFrom("share")
    .select(["opaque_id", "serves_count"])
    .where("issuer_id", "=", userId)
    .limit(sql.lit(300))
    .execute();
  const ids: OpaqueId[] = [];
  let served = 0;
  for (const { opaque_id, serves_count } of rows) {
    if (ids.length > 0 && served + serves_count > SERVED_AT_ONCE) break;
    ids.push(opaque_id);
    served += serves_count;
  }
  await noteGoneLinks(tx, ids);
  await sql`delete from share
    where opaque_id in (select value from json_each(${JSON.stringify(ids)}))`
    .execute(tx);
  return ids.length;
}

/** Their ids never live again. */
async function noteGoneLinks(tx: Tx, ids: readonly OpaqueId[]): Promise<void> {
  await sql`insert or ignore into gone_link (opaque_id)
    select value from json_each(${JSON.stringify(ids)})`.execute(tx);
}

/** Assets of an account, a batch of them, with the albums of others. */
export function listAssets(tx: Tx, userId: UserId) {
  return tx.selectFrom("asset")
    .leftJoin("album", "album.album_id", "asset.album_id")
    .select([
      "asset.asset_id",
      "asset.album_id",
      "asset.chain_head",
      "asset.held_at",
      "album.owner_id as album_owner_id",
    ])
    .where("asset.owner_id", "=", userId)
    .limit(sql.lit(200))
    .execute();
}

/**
 * Deletes assets with their manifests and all that they hold. Their receipts
 * stay, and so do their ids, which never live again.
 */
export async function deleteAssets(
  tx: Tx,
  userId: UserId,
  assetIds: readonly AssetId[],
  now: number,
): Promise<void> {
  const ids = sql`(select value from json_each(${JSON.stringify(assetIds)}))`;
  const { rows } = await sql<{ live: number }>`
    select count(*) as live from asset
    where asset_id in ${ids} and state = 'live'`.execute(tx);
  await moveUsage(tx, userId, { liveAssets: -(rows[0]?.live ?? 0) });
  await sql`insert or ignore into gone_asset (asset_id, owner_id, gone_at)
    select value, ${userId}, ${now} from ${ids}`.execute(tx);
  await sql`delete from manifest where asset_id in ${ids}`.execute(tx);
  await sql`delete from holding
    where owner_id = ${userId} and asset_id in ${ids}`.execute(tx);
  await sql`delete from asset where asset_id in ${ids}`.execute(tx);
}

/** Deletes a batch of blobs that no manifest holds; returns how many. */
export async function deletePendingHoldings(
  tx: Tx,
  userId: UserId,
): Promise<number> {
  const { rows } = await sql<{ hash: string }>`delete from holding
    where (owner_id, asset_id, role, hash) in (
      select owner_id, asset_id, role, hash from holding
      where owner_id = ${userId} limit 500)
    returning hash`.execute(tx);
  return rows.length;
}

/**
 * Deletes the entries of a batch of an account's feed that only the account
 * reads. Returns where the next batch begins, or undefined at the end. What the
 * account did in the albums of others is those albums' own history.
 */
export async function deleteFeed(
  tx: Tx,
  userId: UserId,
  after: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(sync_seq) as last from (
      select sync_seq from feed
      where user_id = ${userId} and sync_seq > ${after}
      order by sync_seq limit 1000)`.execute(tx);
  const last = rows[0]?.last ?? undefined;
  if (last === undefined) return undefined;
  await tx.deleteFrom("feed")
    .where("user_id", "=", userId)
    .where("sync_seq", ">", after)
    .where("sync_seq", "<=", last)
    .where((where) =>
      where.or([
        where("personal", "=", 1),
        where("album_owner_id", "is", null),
      ])
    )
    .execute();
  return last;
}

/** Empties one of an account's state slots; false when none holds anything. */
export async function deleteStateSlot(
  tx: Tx,
  userId: UserId,
): Promise<boolean> {
  const { rows } = await sql<{ size: number }>`delete from state_slot
    where rowid in (
      select rowid from state_slot where user_id = ${userId} limit 1)
    returning size`.execute(tx);
  const [dropped] = rows;
  if (dropped === undefined) return false;
  await moveUsage(tx, userId, { used: -dropped.size });
  return true;
}

/** Takes an account out of the reading of others' rosters; they stay signed. */
export async function leaveRosters(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("roster_member").where("member", "=", userId).execute();
  await tx.deleteFrom("upgrade_file").where("owner_id", "=", userId).execute();
}

/**
 * Deletes an account's row with everything that only it refers to. Does nothing
 * and returns false while other rows still refer to the account.
 */
export async function deleteAccountRow(
  tx: Tx,
  userId: UserId,
): Promise<boolean> {
  const { rows } = await sql<{ left: 0 | 1 }>`select
    exists (select 1 from upload where user_id = ${userId})
    or exists (select 1 from upload_link where owner_id = ${userId})
    or exists (select 1 from share where issuer_id = ${userId})
    or exists (select 1 from album where owner_id = ${userId})
    or exists (select 1 from asset where owner_id = ${userId})
    or exists (select 1 from state_slot where user_id = ${userId})
    or exists (select 1 from holding where owner_id = ${userId}) as left`
    .execute(tx);
  if (rows[0]?.left !== 0) return false;
  await tx.deleteFrom("account").where("user_id", "=", userId).execute();
  return true;
}
