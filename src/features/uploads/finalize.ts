/**
 * Finalizing: the bytes get their address, the asset its blob, the client its
 * receipt, all of it or nothing (completions.md section 6, Finalize).
 *
 * @module
 */
import type { BlobHash, UploadId, UserId } from "../../core/ids.ts";
import { parseBlobHash } from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import type { BodyStream } from "../../http/body.ts";
import type { Tx } from "../../store/database.ts";
import type { App } from "../app.ts";
import {
  type Applied,
  applyManifest,
  checkManifest,
  type ManifestWrite,
} from "../lifecycle/apply.ts";
import { insertHolding, isLive } from "../lifecycle/store.ts";
import type { IssuedReceipt } from "../receipts/chain.ts";
import { receiptToWire } from "../receipts/receipts.ts";
import { findByUpload } from "../receipts/store.ts";
import type { Slot } from "./active.ts";
import { type RaiseReceive, receive } from "./receive.ts";
import { markFinalized, releaseReservation, type UploadRow } from "./store.ts";
import { discardAll, heldBytes, requireUpload } from "./uploads.ts";
import { StoredEnvelope } from "./wire.ts";

type RaiseFinalize = Raise<
  | "error.upload.not_found"
  | "error.upload.incomplete"
  | "error.upload.hash_mismatch"
  | "error.asset.stale_revival"
  | "error.manifest.blob_missing"
  | "error.manifest.mismatch"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
>;

/** Finalizes a session that holds all its bytes; repeated, it replays. */
export async function finalizeUpload(
  app: App,
  userId: UserId,
  uploadId: UploadId,
  raise: RaiseFinalize,
) {
  await requireUpload(app, userId, uploadId, raise);
  return await app.uploads.exclusive(uploadId, async () => {
    const upload = await requireUpload(app, userId, uploadId, raise);
    return await finalizeExclusively(app, upload, raise);
  });
}

/** Takes a whole blob in one request and finalizes it. */
export async function putUpload(
  app: App,
  userId: UserId,
  uploadId: UploadId,
  body: BodyStream,
  raise: RaiseFinalize & RaiseReceive,
) {
  await requireUpload(app, userId, uploadId, raise);
  return await app.uploads.exclusive(uploadId, async (slot: Slot) => {
    const upload = await requireUpload(app, userId, uploadId, raise);
    if (upload.state === "open") {
      const { declaredBytes } = body;
      if (declaredBytes !== undefined && declaredBytes < upload.size) {
        const offset = await heldBytes(app, upload);
        throw raise("error.upload.incomplete", { extra: { offset } });
      }
      await receive(app, upload, { offset: 0, body, slot }, raise);
    }
    return await finalizeExclusively(app, upload, raise);
  });
}

async function finalizeExclusively(
  app: App,
  upload: UploadRow,
  raise: RaiseFinalize,
) {
  const { upload_id: uploadId, ciphertext_hash: hash } = upload;
  if (upload.state === "finalized") {
    const body = await findByUpload(app.db, uploadId);
    if (body === undefined) throw new Error("finalized without a receipt");
    return finalizeToWire(upload, body, upload.sync_seq, true);
  }
  const offset = await heldBytes(app, upload);
  if (offset !== upload.size) {
    throw raise("error.upload.incomplete", { extra: { offset } });
  }
  if (await hashOf(app, upload) !== hash) {
    app.uploads.forget(uploadId);
    await app.blobs.discard(uploadId);
    throw raise("error.upload.hash_mismatch");
  }
  const manifest = manifestOf(upload);
  if (manifest !== undefined) {
    await checkManifest(app.db, manifest, app.platform.now(), raise);
  }
  await app.blobs.place(uploadId, hash);
  const { body, applied } = await app.receipts.issue({
    ownerId: upload.user_id,
    uploadId,
    assetId: upload.asset_id,
    blobRole: upload.blob_role,
    ciphertextHash: hash,
    size: upload.size,
    envelopeHash: upload.blob_role === "provenance" ? hash : null,
  }, async (tx, receipt) => ({
    body: receipt.body,
    applied: await commit(app, tx, upload, manifest, receipt, raise),
  }));
  if (applied !== undefined) app.feedBell.ring();
  await discardAll(app, [upload]);
  // A session that was purged may have applied this manifest before.
  const { syncSeq = null, replayed = false } = applied ?? {};
  return finalizeToWire(upload, body, syncSeq, replayed);
}

/** The hash carried along while the bytes came, or else read back. */
function hashOf(app: App, upload: UploadRow): Promise<string> | string {
  const running = app.uploads.hashAt(upload.upload_id, upload.size);
  return running === undefined
    ? app.blobs.hashUpload(upload.upload_id)
    : running.hash.digest("hex");
}

/** The manifest that finalizing a provenance session applies. */
function manifestOf(upload: UploadRow): ManifestWrite | undefined {
  if (upload.blob_role !== "provenance") return undefined;
  const envelope = StoredEnvelope.parse(JSON.parse(upload.envelope));
  return {
    ownerId: upload.user_id,
    assetId: upload.asset_id,
    albumId: upload.album_id,
    inlineMetadata: [],
    manifestHash: upload.ciphertext_hash,
    envelope: upload.envelope,
    retentionUntil: envelope.retention_until ?? null,
    action: envelope.action,
    priorHash: hashOrNull(envelope.prior_provenance_hash),
    originalHash: hashOrNull(envelope.original_blob_hash),
    metadataHash: hashOrNull(envelope.metadata_blob_hash),
  };
}

function hashOrNull(text: string | null | undefined): BlobHash | null {
  return parseBlobHash(text ?? "") ?? null;
}

/** Everything that a finalization makes true, inside its one transaction. */
async function commit(
  app: App,
  tx: Tx,
  upload: UploadRow,
  manifest: ManifestWrite | undefined,
  receipt: IssuedReceipt,
  raise: RaiseFinalize,
): Promise<Applied | undefined> {
  const now = app.platform.now();
  const { user_id: ownerId, asset_id: assetId } = upload;
  // A derivative attaches to a live asset at once; the rest when applied.
  const attaches = upload.blob_role === "derivative" &&
    await isLive(tx, ownerId, assetId);
  await insertHolding(tx, {
    owner_id: ownerId,
    asset_id: assetId,
    role: upload.blob_role,
    hash: upload.ciphertext_hash,
    size: upload.size,
    upload_id: upload.upload_id,
    finalized_at: now,
    receipt_seq: receipt.receiptSeq,
    applied: attaches ? 1 : 0,
  });
  await releaseReservation(tx, upload);
  const applied: Applied | undefined = manifest === undefined
    ? undefined
    : await applyManifest(
      tx,
      manifest,
      { now, receiptSeq: receipt.receiptSeq },
      raise,
    );
  const finalized = await markFinalized(tx, upload.upload_id, {
    expires_at: now + app.limits.uploadTtlMs,
    sync_seq: applied?.syncSeq ?? null,
  });
  if (!finalized) throw raise("error.upload.not_found");
  return applied;
}

function finalizeToWire(
  upload: UploadRow,
  receipt: Uint8Array,
  syncSeq: number | null,
  replayed: boolean,
) {
  return {
    upload_id: upload.upload_id,
    asset_id: upload.asset_id,
    blob_role: upload.blob_role,
    ciphertext_hash: upload.ciphertext_hash,
    size: upload.size,
    receipt: receiptToWire(receipt),
    ...(syncSeq === null ? {} : { sync_seq: syncSeq }),
    replayed,
  };
}
