/**
 * Notes of blobs that a write is about to place. Collection, perhaps in another
 * process, takes what nothing references; between its file and its row a blob
 * is referenced by its note alone.
 *
 * @module
 */
import type { BlobHash, UploadId } from "../../core/ids.ts";
import { change, type Db, transaction } from "../../store/sqlite/database.ts";

/**
 * A blob that is about to be placed, and its file in staging until then.
 */
export interface PendingBlob {
  readonly uploadId: UploadId;
  readonly hash: BlobHash;
}

/**
 * Notes blobs before they are placed. Call {@link deletePending} in the
 * transaction that references them, or if the write fails. A power cut may undo
 * the notes: then the write is gone too, and its blobs are unreferenced.
 */
export async function notePending(
  db: Db,
  pending: readonly PendingBlob[],
  now: number,
): Promise<void> {
  if (pending.length === 0) return;
  const notes = pending.map(({ uploadId, hash }) => ({
    upload_id: uploadId,
    hash,
    noted_at: now,
  }));
  await transaction(
    db,
    (tx) => change(tx, tx.insertInto("pending_blob").values(notes)),
    "soon",
  );
}

/**
 * Deletes the notes of a write; returns how many there still were. Collection
 * deletes those of a write that hung for too long, and then perhaps its blobs.
 */
export async function deletePending(
  db: Db,
  pending: readonly PendingBlob[],
): Promise<number> {
  if (pending.length === 0) return 0;
  const ids = pending.map(({ uploadId }) => uploadId);
  const { numDeletedRows } = await db.deleteFrom("pending_blob")
    .where("upload_id", "in", ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
