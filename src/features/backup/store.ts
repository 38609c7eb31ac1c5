import { sql } from "kysely";
import type { AssetId, BlobHash, OpaqueId, UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";
import { IN_DATABASE } from "../../store/blobs/small_blobs.ts";
import { promised } from "../references.ts";
import { isLiveLink } from "../links.ts";
import { freeReservations } from "../usage.ts";

/** A blob that is in use, and that is a file. */
export interface HeldBlob {
  readonly hash: BlobHash;
  readonly size: number;
}

const HELD = promised(sql`blob.hash`);
/** The blob is in use, and is not in the database itself. */
const HELD_AS_FILE = sql<boolean>`(${HELD} and not ${IN_DATABASE})`;

/**
 * The blobs that are in use and are files, a page of them in the order of
 * hashes. Those in the database are backed up and restored with it.
 */
export function pageOfHeld(
  db: Db,
  after: HeldBlob | undefined,
): Promise<HeldBlob[]> {
  return db.selectFrom("blob")
    .select(["hash", "size"])
    .where(sql<string>`hash`, ">", after?.hash ?? "")
    .where(HELD_AS_FILE)
    .orderBy("hash")
    .limit(sql.lit(1_000))
    .execute();
}

/** How many blobs in use are files, and how many bytes they have. */
export async function countHeld(
  db: Db,
): Promise<{ readonly count: number; readonly bytes: number }> {
  return await db.selectFrom("blob")
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      sql<number>`coalesce(sum(size), 0)`.as("bytes"),
    ])
    .where(HELD_AS_FILE)
    .executeTakeFirstOrThrow();
}

/** Every blob of {@link pageOfHeld}, in the order of hashes. */
export async function* everyHeld(db: Db): AsyncGenerator<HeldBlob> {
  let page = await pageOfHeld(db, undefined);
  while (page.length > 0) {
    yield* page;
    page = await pageOfHeld(db, page.at(-1));
  }
}

/** Who holds a blob, and as what. */
export interface Holder {
  readonly hash: BlobHash;
  readonly owner_id: UserId;
  readonly address: string | null;
  /** Null for a guest's contribution, which is of no asset yet. */
  readonly asset_id: AssetId | null;
  readonly role: BlobRole | "contribution";
}

/** Everybody who holds one of the blobs: a few hundred of them at once. */
export async function holdersOf(
  db: Db,
  hashes: readonly BlobHash[],
): Promise<Holder[]> {
  const holdings = await db.selectFrom("holding")
    .leftJoin("account", "account.user_id", "holding.owner_id")
    .select(["hash", "owner_id", "address", "asset_id", "role"])
    .where("hash", "in", hashes)
    .orderBy("hash").orderBy("owner_id").orderBy("asset_id").orderBy("role")
    .execute();
  const guests = await db.selectFrom("guest_upload")
    .leftJoin("account", "account.user_id", "guest_upload.owner_id")
    .select(["ciphertext_hash", "owner_id", "address"])
    .where("ciphertext_hash", "in", hashes)
    .where("state", "=", "finalized")
    .orderBy("ciphertext_hash").orderBy("owner_id")
    .execute();
  return [
    ...holdings,
    ...guests.map(({ ciphertext_hash: hash, owner_id, address }) => ({
      ...{ hash, owner_id, address, asset_id: null },
      role: "contribution" as const,
    })),
  ];
}

/** A blob's bytes in the database, and what they are to be. */
interface SmallBytes {
  readonly hash: BlobHash;
  readonly size: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The blobs in the database after a hash, some of them. */
export function pageOfSmall(
  db: Db,
  after: SmallBytes | undefined,
): Promise<SmallBytes[]> {
  return db.selectFrom("small_blob")
    .innerJoin("blob", "blob.hash", "small_blob.hash")
    .select(["small_blob.hash", "size", "bytes"])
    .where(sql<string>`small_blob.hash`, ">", after?.hash ?? "")
    .orderBy("small_blob.hash")
    .limit(sql.lit(200))
    .execute();
}

/** A receipt's bytes, and what they are to be. */
export interface ReceiptBytes {
  readonly receipt_seq: number;
  readonly receipt_hash: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const RECEIPTS_AT_ONCE = sql.lit(500);

/** Receipts after a number, some of them. */
export function pageOfReceiptBytes(
  db: Db,
  after: number,
): Promise<ReceiptBytes[]> {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash", "body"])
    .where("receipt_seq", ">", after)
    .orderBy("receipt_seq")
    .limit(RECEIPTS_AT_ONCE)
    .execute();
}

/** The newest receipts, newest first, some of them. */
export function newestReceiptBytes(db: Db): Promise<ReceiptBytes[]> {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash", "body"])
    .orderBy("receipt_seq", "desc")
    .limit(RECEIPTS_AT_ONCE)
    .execute();
}

/** Those of some receipts that are there. */
export function theseReceiptBytes(
  db: Db,
  numbers: readonly number[],
): Promise<ReceiptBytes[]> {
  return db.selectFrom("receipt")
    .select(["receipt_seq", "receipt_hash", "body"])
    .where("receipt_seq", "in", numbers)
    .execute();
}

export async function countReceipts(db: Db): Promise<number> {
  const { count } = await db.selectFrom("receipt")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Those of the names that are addresses of files in use. */
export async function heldAmong(
  db: Db,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("blob")
    .select("hash")
    .where(
      sql<boolean>`hash in (select value from json_each(${
        JSON.stringify(names)
      }))`,
    )
    .where(HELD_AS_FILE)
    .execute();
  return new Set<string>(rows.map(({ hash }) => hash));
}

/** The numbers that a database has given out already. */
export interface GivenOut {
  readonly receiptSeq: number;
  readonly keyGeneration: number;
}

/** Starts a new feed and leaves a gap in the receipts; returns their floor. */
export async function moveOn(
  tx: Tx,
  to: { readonly feedEpoch: string; readonly receiptGap: number },
  since: GivenOut = { receiptSeq: 0, keyGeneration: 0 },
): Promise<number> {
  const { receipt_seq_floor } = await tx.updateTable("server")
    .set(({ eb, fn, selectFrom }) => ({
      feed_epoch: to.feedEpoch,
      key_generation: eb(
        fn<number>("max", ["key_generation", sql.lit(since.keyGeneration)]),
        "+",
        1,
      ),
      // Above a floor without receipts too: it may be a restore's that was
      // restored again, after receipts that are lost.
      receipt_seq_floor: sql<number>`${
        fn<number>("max", [
          "receipt_seq_floor",
          sql.lit(since.receiptSeq),
          fn.coalesce(
            selectFrom("receipt").select(({ fn }) =>
              fn.max("receipt_seq").as("last")
            ),
            sql.lit(0),
          ),
        ])
      } + ${to.receiptGap}`,
    }))
    .returning("receipt_seq_floor")
    .executeTakeFirstOrThrow();
  return receipt_seq_floor;
}

/** Forgets the bucket: everything that was restored lies in the directory. */
export async function forgetBucket(tx: Tx): Promise<void> {
  await tx.updateTable("server").set({ blob_bucket: null }).execute();
  await tx.deleteFrom("doomed_blob").execute();
  await tx.deleteFrom("quarantined_blob").execute();
  await tx.deleteFrom("stayed_blob").execute();
  // The place in the bucket is the old server's until the operator says
  // otherwise.
  await tx.deleteFrom("bucket_claim").execute();
}

/** Closes every session. */
export async function closeSessions(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom("session").executeTakeFirst();
  return Number(numDeletedRows);
}

/** Revokes every grant: peers are told so of the tokens that are known. */
export async function revokeGrants(tx: Tx, now: number): Promise<number> {
  const { numUpdatedRows } = await tx.updateTable("capability_grant")
    .set({ revoked_at: now })
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends every ceremony that was under way, for their other half is lost. */
export async function endCeremonies(tx: Tx): Promise<void> {
  await tx.deleteFrom("second_factor_challenge").execute();
  await tx.deleteFrom("revoke_challenge").execute();
  await tx.deleteFrom("enrollment_code").execute();
  // One that was used since the backup must not be good for a second time.
  await tx.updateTable("account").set({ sign_in_until: null })
    .where("sign_in_until", "is not", null)
    .execute();
  // What waited to be sent is old, and links in it may be void.
  await tx.deleteFrom("outgoing").execute();
  await tx.deleteFrom("notice").execute();
  await tx.deleteFrom("enrollment_channel").execute();
}

/** Ends every open upload, whose bytes are lost, and frees its room. */
export async function deleteUploads(tx: Tx): Promise<number> {
  const { numDeletedRows: own } = await tx.deleteFrom("upload")
    .where("state", "=", "open")
    .executeTakeFirst();
  await sql`update upload_link set
      bytes_used = max(bytes_used - (select coalesce(sum(size), 0)
        from guest_upload
        where guest_upload.opaque_id = upload_link.opaque_id
          and state = 'open'), 0),
      files_used = max(files_used - (select count(*) from guest_upload
        where guest_upload.opaque_id = upload_link.opaque_id
          and state = 'open'), 0)
    where opaque_id in (select opaque_id from guest_upload
      where state = 'open')`.execute(tx);
  const { numDeletedRows: guests } = await tx.deleteFrom("guest_upload")
    .where("state", "=", "open")
    .executeTakeFirst();
  await freeReservations(tx);
  await tx.deleteFrom("pending_blob").execute();
  return Number(own + guests);
}

/**
 * Deletes the uploads of a blob: a client that brings it again is asked for
 * its bytes, rather than told that they are here.
 */
export async function deleteUploadsOf(db: Db, hash: BlobHash): Promise<void> {
  await db.deleteFrom("upload")
    .where("ciphertext_hash", "=", hash)
    .where("state", "=", "finalized")
    .execute();
}

/**
 * Deletes the uploads that no manifest names yet: their receipts may have the
 * numbers of lost ones, and their client believes neither. It uploads again.
 */
export async function forgetUnused(db: Db): Promise<void> {
  await db.deleteFrom("upload")
    .where("state", "=", "finalized")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("holding").select(sql.lit(1).as("one"))
          .whereRef("holding.upload_id", "=", "upload.upload_id")
          .where("applied", "=", 0),
      )
    )
    .execute();
}

/** Deletes unused blobs: a backup is without their files. */
export async function deleteUnheld(tx: Tx): Promise<void> {
  await tx.deleteFrom("blob").where(sql<boolean>`not ${HELD}`).execute();
}

/** A link that strangers may use. */
export interface LiveLink {
  readonly opaque_id: OpaqueId;
  readonly user_id: UserId;
  readonly address: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
}

/**
 * Share links that are neither revoked nor expired, those of a suspended
 * account included: they live again with it.
 */
export function liveShares(db: Db, now: number): Promise<LiveLink[]> {
  return db.selectFrom("share")
    .innerJoin("account", "account.user_id", "share.issuer_id")
    .select([
      "opaque_id",
      "user_id",
      "address",
      "share.created_at",
      "expires_at",
    ])
    .where(isLiveLink("share", now))
    .orderBy("share.created_at")
    .orderBy("opaque_id")
    .execute();
}

/** The same of upload links. */
export function liveUploadLinks(db: Db, now: number): Promise<LiveLink[]> {
  return db.selectFrom("upload_link")
    .innerJoin("account", "account.user_id", "upload_link.owner_id")
    .select([
      "opaque_id",
      "user_id",
      "address",
      "upload_link.created_at",
      "expires_at",
    ])
    .where(isLiveLink("upload_link", now))
    .orderBy("upload_link.created_at")
    .orderBy("opaque_id")
    .execute();
}

/** Revokes every link of both kinds, as its owner would. */
export async function revokeLinks(tx: Tx, now: number): Promise<void> {
  const revoked = { revoked_at: now, wrapped_secret: null };
  await tx.updateTable("share").set(revoked)
    .where("revoked_at", "is", null).execute();
  await tx.deleteFrom("share_blob").execute();
  await tx.updateTable("upload_link").set(revoked)
    .where("revoked_at", "is", null).execute();
}
