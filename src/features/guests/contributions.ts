/**
 * What guests have left under an owner's links
 * (protocol/links.md#contributions). Adopting is an upload: see
 * `uploads/adopt.ts`.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { OpaqueId, UploadId, UserId } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction } from "../../store/database.ts";
import type { App } from "../app.ts";
import type { ReadableBlob } from "../blob_reply.ts";
import { endGuestUploads, findContribution } from "../uploads/contributions.ts";
import { findLink, listContributions } from "./store.ts";

type RaiseNotFound = Raise<"error.upload_link.not_found">;

/** The contributions of the caller's link, which may be dead by now. */
export async function readContributions(
  app: App,
  userId: UserId,
  opaqueId: OpaqueId,
  raise: RaiseNotFound,
) {
  const link = await findLink(app.db, opaqueId);
  if (link?.owner_id !== userId) throw raise("error.upload_link.not_found");
  const rows = await listContributions(app.db, opaqueId, app.platform.now());
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
  app: App,
  userId: UserId,
  opaqueId: OpaqueId,
  uploadId: UploadId,
  raise: RaiseNotFound,
): Promise<ReadableBlob> {
  const row = await requireContribution(
    app,
    app.db,
    userId,
    opaqueId,
    uploadId,
    raise,
  );
  return {
    hash: row.ciphertext_hash,
    size: row.size,
    storedAt: row.received_at ?? row.created_at,
  };
}

/** Deletes one of the caller's contributions; its room is free again. */
export async function deleteContribution(
  app: App,
  userId: UserId,
  opaqueId: OpaqueId,
  uploadId: UploadId,
  raise: RaiseNotFound,
): Promise<void> {
  await transaction(app.db, async (tx) => {
    const row = await requireContribution(
      app,
      tx,
      userId,
      opaqueId,
      uploadId,
      raise,
    );
    await endGuestUploads(tx, [row]);
  });
}

async function requireContribution(
  app: App,
  db: Db,
  userId: UserId,
  opaqueId: OpaqueId,
  uploadId: UploadId,
  raise: RaiseNotFound,
) {
  const now = app.platform.now();
  const row = await findContribution(db, userId, uploadId, now);
  if (row?.opaque_id !== opaqueId) throw raise("error.upload_link.not_found");
  return row;
}
