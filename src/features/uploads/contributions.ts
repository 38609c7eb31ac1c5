/**
 * What guests bring, as far as an account's own uploads have to do with it: it
 * takes the owner's room until it is adopted, deleted or too old
 * (protocol/links.md#contributions).
 *
 * @module
 */
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { UploadId, UserId } from "../../core/ids.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";
import { moveUsage } from "../usage.ts";

export type GuestUploadRow = Selectable<Schema["guest_upload"]>;

/** What ending a guest's upload has to know of it. */
type Ended = Pick<
  GuestUploadRow,
  "upload_id" | "opaque_id" | "owner_id" | "size" | "state"
>;

/** Open sessions and contributions past their time, a batch of them. */
export function listExpiredGuests(
  db: Db,
  now: number,
  ownerId?: UserId,
): Promise<Ended[]> {
  return ownerId === undefined
    ? expired(db, now).execute()
    : expiredOf(db, now, ownerId);
}

function expired(db: Db, now: number) {
  return db.selectFrom("guest_upload")
    .select(["upload_id", "opaque_id", "owner_id", "size", "state"])
    .where("expires_at", "<=", now)
    // Written out: SQLite would prepare the statement again for a bound LIMIT.
    .limit(sql.lit(500));
}

const expiredOf = compiledList((db, now: number, ownerId: UserId) =>
  expired(db, now).where(sql<boolean>`+owner_id = ${ownerId}`)
);

/**
 * Ends guests' uploads, open or finalized: the owner has the room again, and
 * so has the link. What has ended or changed its state meanwhile is left alone.
 */
export async function endGuestUploads(
  tx: Tx,
  ended: readonly Ended[],
): Promise<void> {
  for (const { upload_id, opaque_id, owner_id, size, state } of ended) {
    const { numDeletedRows } = await tx.deleteFrom("guest_upload")
      .where("upload_id", "=", upload_id)
      .where("state", "=", state)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) continue;
    const by = state === "finalized" ? { used: -size } : { reserved: -size };
    await moveUsage(tx, owner_id, by);
    await tx.updateTable("upload_link")
      .set({
        bytes_used: givenBack("bytes_used", size, sql`coalesce(sum(size), 0)`),
        files_used: givenBack("files_used", 1, sql`count(*)`),
      })
      .where("opaque_id", "=", opaque_id)
      .execute();
  }
}

/**
 * What a link has used once that much of it is given back. Its count is wrong
 * where that is more than was used: then it is what its uploads take.
 */
function givenBack(
  counter: "bytes_used" | "files_used",
  by: number,
  left: RawBuilder<number>,
): RawBuilder<number> {
  return sql<number>`iif(${sql.ref(counter)} >= ${by},
    ${sql.ref(counter)} - ${by}, (select ${left} from guest_upload
      where guest_upload.opaque_id = upload_link.opaque_id))`;
}

/** A contribution of the caller's that is not adopted yet. */
export function findContribution(
  db: Db,
  ownerId: UserId,
  uploadId: UploadId,
  now: number,
): Promise<GuestUploadRow | undefined> {
  return db.selectFrom("guest_upload")
    .selectAll()
    .where("upload_id", "=", uploadId)
    .where("owner_id", "=", ownerId)
    .where("state", "=", "finalized")
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/**
 * Takes a contribution out of its link for good, and its bytes out of what is
 * counted; false when it is not there any more. The link's use stays.
 */
export async function takeContribution(
  tx: Tx,
  { upload_id, owner_id, size }: GuestUploadRow,
): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("guest_upload")
    .where("upload_id", "=", upload_id)
    .executeTakeFirst();
  if (numDeletedRows !== 1n) return false;
  await moveUsage(tx, owner_id, { used: -size });
  return true;
}
