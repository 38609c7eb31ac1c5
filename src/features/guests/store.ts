import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { OpaqueId, UploadId, UserId } from "../../core/ids.ts";
import { compiledList, compiledOnce } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import { isGoneLink, isLiveLink } from "../links.ts";
import type { SessionChange } from "../uploads/store.ts";

type UploadLinkRow = Selectable<Schema["upload_link"]>;

/** Inserts a link; false when its id is or was known. */
export async function insertLink(
  tx: Tx,
  link: Insertable<Schema["upload_link"]>,
): Promise<boolean> {
  if (await isGoneLink(tx, link.opaque_id)) return false;
  const { numInsertedOrUpdatedRows } = await tx.insertInto("upload_link")
    .values(link)
    .onConflict((conflict) => conflict.column("opaque_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** What an account has of links. */
export async function countLinks(tx: Tx, ownerId: UserId) {
  return await tx.selectFrom("upload_link")
    .select([
      sql<number>`count(*)`.as("ids"),
      sql<number>`count(*) filter (where revoked_at is null)`.as("live"),
    ])
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
}

/** What guests brought an account, open sessions too. */
export async function countGuestUploads(
  tx: Tx,
  ownerId: UserId,
): Promise<number> {
  const { count } = await tx.selectFrom("guest_upload")
    .select(sql<number>`count(*)`.as("count"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Any link, dead or alive. */
export function findLink(db: Db, opaqueId: OpaqueId) {
  return db.selectFrom("upload_link")
    .select(["owner_id", "revoked_at", "request_hash"])
    .where("opaque_id", "=", opaqueId)
    .executeTakeFirst();
}

/**
 * What a link's sessions and contributions past their time still hold of it:
 * they count no more, whether or not the purge has run.
 */
function lapsed(what: "sum(size)" | "count(*)", now: number) {
  const value: RawBuilder<number> = sql.raw(what);
  // Only what waits for the purge is looked at, however full a link is.
  return sql<number>`(select coalesce(${value}, 0)
    from guest_upload indexed by guest_upload_by_expiry
    where guest_upload.expires_at <= ${now}
      and guest_upload.opaque_id = upload_link.opaque_id)`;
}

/** An owner's links: those not revoked, and those that still hold something. */
export function listLinks(db: Db, ownerId: UserId, now: number) {
  return db.selectFrom("upload_link")
    .select([
      "opaque_id",
      "album_id",
      "max_bytes",
      "max_files",
      "expires_at",
      "created_at",
      "last_received_at",
      "revoked_at",
      sql<number>`max(bytes_used - ${lapsed("sum(size)", now)}, 0)`
        .as("bytes_used"),
      sql<number>`max(files_used - ${lapsed("count(*)", now)}, 0)`
        .as("files_used"),
    ])
    .where("owner_id", "=", ownerId)
    .where((where) =>
      where.or([
        where("revoked_at", "is", null),
        where.exists(
          where.selectFrom("guest_upload")
            .select("upload_id")
            .whereRef("guest_upload.opaque_id", "=", "upload_link.opaque_id")
            .where("guest_upload.expires_at", ">", now),
        ),
      ])
    )
    .orderBy("created_at")
    .orderBy("opaque_id")
    .execute();
}

/** Revokes a link for good, without its keys; false if it did nothing. */
export async function revokeOwnLink(
  tx: Tx,
  ownerId: UserId,
  opaqueId: OpaqueId,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("upload_link")
    .set({
      revoked_at: now,
      wrapped_secret: null,
      recipient_key: new Uint8Array(),
    })
    .where("opaque_id", "=", opaqueId)
    .where("owner_id", "=", ownerId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export function listOpenSessions(tx: Tx, opaqueId: OpaqueId) {
  return tx.selectFrom("guest_upload")
    .select(["upload_id", "opaque_id", "owner_id", "size", "state"])
    .where("opaque_id", "=", opaqueId)
    .where("state", "=", "open")
    .execute();
}

/** A link that is neither revoked nor expired, of an active owner. */
export const findLiveLink = compiledOnce(
  (db, opaqueId: OpaqueId, now: number) =>
    db.selectFrom("upload_link")
      .innerJoin("account", "account.user_id", "upload_link.owner_id")
      .selectAll("upload_link")
      .where("upload_link.opaque_id", "=", opaqueId)
      .where(isLiveLink("upload_link", now))
      .where("account.suspended_at", "is", null),
);

/** What a live link has left. */
export async function countLeft(
  db: Db,
  { opaque_id }: Pick<UploadLinkRow, "opaque_id">,
  now: number,
): Promise<{ readonly bytes: number; readonly files: number }> {
  return await db.selectFrom("upload_link")
    .select([
      sql<number>`max_bytes
        - max(bytes_used - ${lapsed("sum(size)", now)}, 0)`.as("bytes"),
      sql<number>`max_files
        - max(files_used - ${lapsed("count(*)", now)}, 0)`.as("files"),
    ])
    .where("opaque_id", "=", opaque_id)
    .executeTakeFirstOrThrow();
}

/** Takes a file's part of what a link lets in; false when that is not left. */
export async function takeUse(
  tx: Tx,
  opaqueId: OpaqueId,
  size: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("upload_link")
    .set((column) => ({
      bytes_used: column("bytes_used", "+", size),
      files_used: column("files_used", "+", 1),
    }))
    .where("opaque_id", "=", opaqueId)
    .where(sql<boolean>`bytes_used + ${size} <= max_bytes`)
    .whereRef("files_used", "<", "max_files")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertGuestUpload(
  tx: Tx,
  upload: Insertable<Schema["guest_upload"]>,
): Promise<void> {
  await tx.insertInto("guest_upload").values(upload).execute();
}

/** A session of a live link, itself not past its time. */
export const findGuestSession = compiledOnce(
  (db, opaqueId: OpaqueId, uploadId: UploadId, now: number) =>
    db.selectFrom("upload_link")
      .innerJoin("account", "account.user_id", "upload_link.owner_id")
      .innerJoin(
        "guest_upload",
        "guest_upload.opaque_id",
        "upload_link.opaque_id",
      )
      .selectAll("guest_upload")
      .select("upload_link.album_id as link_album_id")
      .where("upload_link.opaque_id", "=", opaqueId)
      .where("upload_link.revoked_at", "is", null)
      .where("account.suspended_at", "is", null)
      .where("guest_upload.upload_id", "=", uploadId)
      .where(
        sql<boolean>`min(upload_link.expires_at, guest_upload.expires_at)
          > ${now}`,
      ),
);

/**
 * Notes a change of an open session, which expires with its link at the
 * latest; returns the expiry, or undefined when there is no such session.
 */
export async function noteGuestBytes(
  db: Db,
  uploadId: UploadId,
  { expires, ...rest }: SessionChange,
): Promise<number | undefined> {
  const row = await db.updateTable("guest_upload")
    .set({
      ...rest,
      ...(expires === undefined ? {} : {
        expires_at: sql<number>`min(${expires.at},
          (select upload_link.expires_at from upload_link
            where upload_link.opaque_id = guest_upload.opaque_id))`,
      }),
    })
    .where("upload_id", "=", uploadId)
    .returning("expires_at")
    .executeTakeFirst();
  return row?.expires_at;
}

/** Makes an open session a contribution; false if it is not open any more. */
export async function markReceived(
  tx: Tx,
  { upload_id: uploadId, opaque_id: opaqueId }: {
    readonly upload_id: UploadId;
    readonly opaque_id: OpaqueId;
  },
  at: { readonly received_at: number; readonly expires_at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable("guest_upload")
    .set({ state: "finalized", ...at })
    .where("upload_id", "=", uploadId)
    .where("state", "=", "open")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.updateTable("upload_link")
    .set({ last_received_at: at.received_at })
    .where("opaque_id", "=", opaqueId)
    .execute();
  return true;
}

/** Contributions that one statement reads: their metadata is bounded. */
export const CONTRIBUTIONS_AT_ONCE = 50;

/** A link's contributions past one, some of them, the first begun first. */
export const pageOfContributions = compiledList(
  (db, opaqueId: OpaqueId, after: string, now: number) =>
    db.selectFrom("guest_upload")
      .select([
        "upload_id",
        "ciphertext_hash",
        "size",
        "sealed_metadata",
        "received_at",
      ])
      .where("opaque_id", "=", opaqueId)
      .where("state", "=", sql.lit("finalized"))
      .where(sql<string>`upload_id`, ">", after)
      .where("expires_at", ">", now)
      .orderBy("upload_id")
      .limit(sql.lit(CONTRIBUTIONS_AT_ONCE)),
);
