import { type Insertable, type Selectable, sql } from "kysely";
import type { AssetId, BlobHash, UploadId, UserId } from "../../core/ids.ts";
import { withheldIn } from "../lifecycle/store.ts";
import {
  compiledList,
  compiledOnce,
  compiledWrite,
} from "../../store/sqlite/compiled.ts";
import { CLOCK_SLACK_MS } from "../../core/time.ts";
import {
  changeCompiled,
  type Db,
  type Tx,
} from "../../store/sqlite/database.ts";
import type { BlobRole, Schema } from "../../store/sqlite/schema.ts";
import { moveUsage } from "../usage.ts";

export type UploadRow = Selectable<Schema["upload"]>;

/** What bytes that arrive change about their session. */
export interface SessionChange {
  /** The expiry that the last byte asks for, and when that came (ms). */
  readonly expires?: { readonly at: number; readonly now: number };
  readonly unverified_from?: number | null;
}

const selectUpload = compiledOnce(
  (db, uploadId: UploadId, userId: UserId, now: number) =>
    db.selectFrom("upload")
      .selectAll()
      .where("upload_id", "=", uploadId)
      .where("user_id", "=", userId)
      .where("expires_at", ">", now),
);

/** A live session of an account; an expired one is not there any more. */
export function findUpload(
  db: Db,
  userId: UserId,
  uploadId: UploadId,
  now: number,
): Promise<UploadRow | undefined> {
  return selectUpload(db, uploadId, userId, now);
}

/** Open sessions that one statement reads. */
export const OPEN_AT_ONCE = 100;

/** Open sessions of an account past one, some of them, the oldest first. */
export const pageOfOpen = compiledList(
  (db, userId: UserId, after: string, now: number) =>
    db.selectFrom("upload")
      .selectAll()
      .where("user_id", "=", userId)
      .where("state", "=", sql.lit("open"))
      .where("upload_id", ">", sql<UploadId>`${after}`)
      .where("expires_at", ">", now)
      .orderBy("upload_id")
      .limit(sql.lit(OPEN_AT_ONCE)),
);

/** A blob in the part that it plays in an account's asset. */
interface Purpose {
  readonly userId: UserId;
  readonly assetId: AssetId;
  readonly role: BlobRole;
  readonly hash: BlobHash;
}

export function findByPurpose(
  db: Db,
  purpose: Purpose,
): Promise<UploadRow | undefined> {
  const { userId, assetId, role, hash } = purpose;
  return selectByPurpose(db, userId, assetId, role, hash);
}

const selectByPurpose = compiledOnce(
  (db, userId: UserId, assetId: AssetId, role: BlobRole, hash: BlobHash) =>
    db.selectFrom("upload")
      .selectAll()
      .where("user_id", "=", userId)
      .where("asset_id", "=", assetId)
      .where("blob_role", "=", role)
      .where("ciphertext_hash", "=", hash),
);

/** Whether a session is open, or the blob that it was finalized for is held. */
export async function holdsItsBlob(
  db: Db,
  upload: UploadRow,
): Promise<boolean> {
  if (upload.state === "open") return true;
  return await findHolding(db, purposeOf(upload)) !== undefined;
}

/** What a session is for. */
export function purposeOf(upload: UploadRow): Purpose {
  return {
    userId: upload.user_id,
    assetId: upload.asset_id,
    role: upload.blob_role,
    hash: upload.ciphertext_hash,
  };
}

/** The blob that an account's asset has in a role; undefined for none. */
export function findHolding(db: Db, purpose: Purpose) {
  return db.selectFrom("holding")
    .select("size")
    .where("owner_id", "=", purpose.userId)
    .where("asset_id", "=", purpose.assetId)
    .where("role", "=", purpose.role)
    .where("hash", "=", purpose.hash)
    .executeTakeFirst();
}

export async function insertUpload(
  tx: Tx,
  upload: Insertable<Schema["upload"]>,
): Promise<void> {
  await changeCompiled(tx, addUpload(tx, upload));
}

const addUpload = compiledWrite((db, upload: Insertable<Schema["upload"]>) =>
  db.insertInto("upload").values(upload)
);

/** Ends sessions without finalizing them and frees what they reserved. */
export async function endUploads(
  tx: Tx,
  uploads: readonly Pick<
    UploadRow,
    "upload_id" | "user_id" | "size" | "state" | "heals"
  >[],
): Promise<void> {
  for (const upload of uploads) {
    const { upload_id, user_id, state } = upload;
    const { numDeletedRows } = await tx.deleteFrom("upload")
      .where("upload_id", "=", upload_id)
      .where("state", "=", state)
      .executeTakeFirst();
    // A session that another request ended meanwhile has given its room back
    // already.
    if (numDeletedRows === 1n && state === "open") {
      const reserved = -reservedBy(upload);
      await moveUsage(tx, user_id, { reserved, openUploads: -1 });
    }
  }
}

/** Bytes of the quota that an open session keeps free for its blob. */
function reservedBy(
  { size, heals }: Pick<UploadRow, "size" | "heals">,
): number {
  // A blob that is given back has its room already.
  return heals === 1 ? 0 : size;
}

/** Sessions past their time, of one account or of all, a batch of them. */
export function listExpired(db: Db, now: number, userId?: UserId) {
  return userId === undefined
    ? expired(db, now).execute()
    : expiredOf(db, now, userId);
}

function expired(db: Db, now: number) {
  return db.selectFrom("upload")
    .select(["upload_id", "user_id", "size", "state", "heals"])
    .where("expires_at", "<=", now)
    // Written out: SQLite would prepare the statement again for a bound LIMIT.
    .limit(sql.lit(500));
}

// By their time as well: the purge leaves few that are past it, and the account
// may have any number that are not.
const expiredOf = compiledList((db, now: number, userId: UserId) =>
  expired(db, now).where(sql<boolean>`+user_id = ${userId}`)
);

/**
 * Notes a change of a session; returns its expiry, or undefined when there is
 * no such session any more. While its album is being upgraded a session
 * expires with the ceremony's window at the latest.
 */
export async function noteBytes(
  db: Db,
  uploadId: UploadId,
  change: SessionChange,
): Promise<number | undefined> {
  const { expires, ...rest } = change;
  const row = await db.updateTable("upload")
    .set({
      ...rest,
      ...(expires === undefined ? {} : {
        expires_at: sql<number>`min(${expires.at}, coalesce(
          (select upgrade.expires_at from upgrade
            where upgrade.album_id = upload.album_id
              and upgrade.state = 'live'
              and upgrade.expires_at > ${expires.now}),
          ${expires.at}))`,
      }),
    })
    .where("upload_id", "=", uploadId)
    .returning("expires_at")
    .executeTakeFirst();
  return row?.expires_at;
}

/**
 * Turns an open session into a finalized one; false if it is not open, or if
 * its asset was taken down and nothing may be added to it.
 */
export async function markFinalized(
  tx: Tx,
  upload: Pick<UploadRow, "upload_id" | "user_id" | "asset_id">,
  change: { readonly expires_at: number; readonly sync_seq: number | null },
  mayBeWithheld: boolean,
): Promise<boolean> {
  const { upload_id, user_id, asset_id } = upload;
  const query = tx.updateTable("upload")
    .set({ state: "finalized", ...change })
    .where("upload_id", "=", upload_id)
    .where("state", "=", "open");
  const whereTaken = mayBeWithheld
    ? query
    : query.where(({ not, exists }) =>
      not(exists(withheldIn(tx, user_id, asset_id)))
    );
  const { numUpdatedRows } = await whereTaken.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets open sessions of the future, guests' as well, have begun now. */
export async function repairUploadDates(
  db: Db,
  now: number,
  ttlMs: number,
): Promise<void> {
  for (const table of ["upload", "guest_upload"] as const) {
    await db.updateTable(table).set({ expires_at: now + ttlMs })
      .where("state", "=", "open")
      .where("created_at", ">", now + CLOCK_SLACK_MS)
      .where("expires_at", ">", now + ttlMs)
      .execute();
  }
}
