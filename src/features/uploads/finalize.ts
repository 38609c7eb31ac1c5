/**
 * Finalizing an account's own session: the asset gets its blob, and a signed
 * manifest is applied (protocol/uploads.md#finalize).
 *
 * @module
 */
import { z } from "zod";
import type { AssetId, BlobHash } from "../../core/ids.ts";
import { parseBlobHash } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { asOfNow, type Call } from "../call.ts";
import {
  type Applied,
  applyManifest,
  attachesNow,
  checkManifest,
  type ManifestWrite,
} from "../lifecycle/apply.ts";
import { readReleases } from "../lifecycle/releases.ts";
import { insertHolding, isWithheld } from "../lifecycle/store.ts";
import { forgetLost } from "../lost_blobs.ts";
import type { IssuedReceipt } from "../receipts/chain.ts";
import { receiptToWire } from "../receipts/receipts.ts";
import { moveUsage } from "../usage.ts";
import type { Completed, Ending } from "./complete.ts";
import { checkGivenBack, commitGivenBack } from "./heal.ts";
import type { NamedSession } from "./session.ts";
import { markFinalized, type UploadRow } from "./store.ts";

/** The parts of a stored envelope that decide when it is applied. */
const StoredEnvelope = z.object({
  action: z.enum(["create", "replace"]),
  prior_provenance_hash: z.string().nullish(),
  original_blob_hash: z.string().nullish(),
  metadata_blob_hash: z.string().nullish(),
  /** Milliseconds: what is stored was read already. */
  retention_until: z.number().nullish(),
});

type FinalizeProblem =
  | "error.upload.not_found"
  | "error.asset.stale_revival"
  | "error.manifest.blob_missing"
  | "error.manifest.mismatch"
  | "error.album.role_forbidden"
  | "error.album.tombstoned";

/** How a session of an account's own ends well. */
export function uploadEnding(
  begun: Call<FinalizeProblem>,
): Ending<UploadRow, ReturnType<typeof finalizeToWire<AssetId>>> {
  return {
    check: async (upload) => {
      const call = asOfNow(begun);
      const { db } = call.app;
      if (upload.heals === 1) return await checkGivenBack(call, db, upload);
      const manifest = manifestOf(upload);
      if (manifest === undefined) await refuseTakenDown(call, db, upload);
      else await checkManifest(call, db, manifest);
      if (upload.blob_role !== "derivative") return;
      await attachesNow(call, db, upload.user_id, upload.asset_id);
    },
    order: (upload) => ({
      ownerId: upload.user_id,
      uploadId: upload.upload_id,
      assetId: upload.asset_id,
      blobRole: upload.blob_role,
      ciphertextHash: upload.ciphertext_hash,
      size: upload.size,
      envelopeHash: upload.blob_role === "provenance"
        ? upload.ciphertext_hash
        : null,
    }),
    commit: async (tx, upload, receipt) => {
      const call = asOfNow(begun);
      if (upload.heals === 1) return await commitGivenBack(call, tx, upload);
      const manifest = manifestOf(upload);
      const applied = await commit(call, tx, upload, manifest, receipt);
      // A session that was purged may have applied this manifest before.
      return applied ?? { syncSeq: null, replayed: false };
    },
    entryOf: ({ sync_seq }) => sync_seq,
    answer: finalizeToWire,
  };
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
    releases: readReleases(upload.releases),
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

/** Nothing is added to an asset that was taken down meanwhile. */
async function refuseTakenDown(
  { raise }: Call<"error.asset.stale_revival">,
  db: Db,
  { user_id: ownerId, asset_id: assetId }: UploadRow,
): Promise<void> {
  if (await isWithheld(db, ownerId, assetId)) {
    throw raise("error.asset.stale_revival", { extra: {} });
  }
}

/** Everything that a finalization makes true, inside its one transaction. */
async function commit(
  call: Call<FinalizeProblem>,
  tx: Tx,
  upload: UploadRow,
  manifest: ManifestWrite | undefined,
  receipt: IssuedReceipt,
): Promise<Applied | undefined> {
  const { app, now, raise } = call;
  const { user_id: ownerId, asset_id: assetId } = upload;
  // A derivative attaches to a live asset at once; the rest when applied.
  const attaches = upload.blob_role === "derivative" &&
    await attachesNow(call, tx, ownerId, assetId);
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
  await forgetLost(tx, upload.ciphertext_hash);
  await moveUsage(tx, upload.user_id, {
    reserved: -upload.size,
    openUploads: -1,
  });
  const applied: Applied | undefined = manifest === undefined
    ? undefined
    : await applyManifest(call, tx, manifest, receipt.receiptSeq);
  const finalized = await markFinalized(tx, upload, {
    expires_at: now + app.limits.uploadTtlMs,
    sync_seq: applied?.syncSeq ?? null,
  }, manifest !== undefined);
  if (finalized) return applied;
  if (manifest === undefined) await refuseTakenDown(call, tx, upload);
  throw raise("error.upload.not_found");
}

/** The answer to finalizing a session of any kind. */
export function finalizeToWire<A extends AssetId | null>(
  session: NamedSession<A>,
  receipt: Uint8Array,
  { syncSeq, replayed }: Completed,
) {
  return {
    upload_id: session.upload_id,
    asset_id: session.asset_id,
    blob_role: session.blob_role,
    ciphertext_hash: session.ciphertext_hash,
    size: session.size,
    receipt: receiptToWire(receipt),
    ...(syncSeq === null ? {} : { sync_seq: syncSeq }),
    replayed,
  };
}
