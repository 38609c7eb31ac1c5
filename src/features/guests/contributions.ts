/**
 * What guests have left under an owner's links
 * (protocol/links.md#contributions). Adopting is an upload: see
 * `uploads/adopt.ts`.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { OpaqueId, UploadId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction } from "../../store/database.ts";
import type { ReadableBlob } from "../blob_reply.ts";
import type { CallBy } from "../call.ts";
import { endGuestUploads, findContribution } from "../uploads/contributions.ts";
import { findLink, listContributions } from "./store.ts";

type NotFoundProblem = "error.upload_link.not_found";

/** The contributions of the caller's link, which may be dead by now. */
export async function readContributions(
  { app, caller: { userId }, now, raise }: CallBy<"session", NotFoundProblem>,
  opaqueId: OpaqueId,
) {
  const link = await findLink(app.db, opaqueId);
  if (link?.owner_id !== userId) throw raise("error.upload_link.not_found");
  const rows = await listContributions(app.db, opaqueId, now);
  return rows.map((row) => ({
    upload_id: row.upload_id,
    ciphertext_hash: row.ciphertext_hash,
    size: row.size,
    sealed_metadata: toBase64(row.sealed_metadata),
    received_at: toRfc3339(row.received_at),
  }));
}

/** The blob of one of the caller's contributions. */
export async function requireContributed(
  call: CallBy<"session", NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): Promise<ReadableBlob> {
  const row = await requireContribution(call, call.app.db, opaqueId, uploadId);
  return {
    hash: row.ciphertext_hash,
    size: row.size,
    storedAt: row.received_at ?? row.created_at,
  };
}

/** Deletes one of the caller's contributions; its room is free again. */
export async function deleteContribution(
  call: CallBy<"session", NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): Promise<void> {
  await transaction(call.app.db, async (tx) => {
    const row = await requireContribution(call, tx, opaqueId, uploadId);
    await endGuestUploads(tx, [row]);
  });
}

async function requireContribution(
  { caller: { userId }, now, raise }: CallBy<"session", NotFoundProblem>,
  db: Db,
  opaqueId: OpaqueId,
  uploadId: UploadId,
) {
  const row = await findContribution(db, userId, uploadId, now);
  if (row?.opaque_id !== opaqueId) throw raise("error.upload_link.not_found");
  return row;
}
