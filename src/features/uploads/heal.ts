/**
 * Giving back a blob that the server lost (protocol/uploads.md#heal): its bytes
 * come again under their hash, and everybody who references it has it again.
 *
 * @module
 */
import type { AssetId } from "../../core/ids.ts";
import { isPresent } from "../../store/blobs/blob_store.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import { hasLeftTrash } from "../assets/retention.ts";
import type { Call, CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import { requireDisk } from "../disk.ts";
import { findAsset, noteBlob } from "../lifecycle/store.ts";
import { forgetLost } from "../lost_blobs.ts";
import { moveUsage } from "../usage.ts";
import type { Completed } from "./complete.ts";
import { requireSlot } from "./reservation.ts";
import { contradictions } from "./rules.ts";
import { discardAll } from "./session.ts";
import {
  endUploads,
  findByPurpose,
  findHolding,
  insertUpload,
  markFinalized,
  purposeOf,
  type UploadRow,
} from "./store.ts";
import { endExpired, hasExpired, newUpload } from "./uploads.ts";

type SourceProblem = "error.asset.not_found" | "error.upload.not_needed";

type HealProblem =
  | SourceProblem
  | "error.manifest.mismatch"
  | "error.account.rate_limited"
  | "error.upload.too_many_open";

/**
 * Opens a session for a blob of the caller's asset that is missing or damaged.
 * Album, quota and the date of the manifest decide nothing here: the asset was
 * taken with this very blob before.
 */
export async function healBlob(
  call: CallBy<"session", HealProblem>,
  assetId: AssetId,
  request: UploadRequest,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, now, raise } = call;
  const { blob_role: role, ciphertext_hash: hash, size } = request;
  const errors = contradictions(request, userId, now, [[
    request.manifest_envelope.file_id === assetId,
    "file_id",
    "must be the asset that gets its blob back",
  ]]);
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  const purpose = { userId, assetId, role, hash };
  await requireHealable(call, app.db, assetId, request);
  const open = await findByPurpose(app.db, purpose);
  if (open === undefined || !stands(open, now)) {
    await requireLost(call, request);
  }
  await requireDisk(call.app, size);
  const lapsed = await hasExpired(app.db, now, userId);
  const outcome = await transaction(app.db, async (tx: Tx) => {
    const ended = lapsed ? await endExpired(tx, now, userId) : [];
    const held = await findByPurpose(tx, purpose);
    if (held !== undefined && stands(held, now)) {
      return { upload: held, created: false, ended };
    }
    if (held !== undefined) {
      await endUploads(tx, [held]);
      ended.push(held);
    }
    await requireHealable(call, tx, assetId, request);
    await requireSlot(call, tx);
    const upload: UploadRow = {
      ...newUpload(call, assetId, request),
      // It adds nothing to the album, and holds up nothing there.
      album_id: null,
      heals: 1,
    };
    await insertUpload(tx, upload);
    return { upload, created: true, ended };
  }, "soon");
  if (outcome.created) app.uploads.noteCreated(outcome.upload.upload_id);
  await discardAll(app, outcome.ended);
  return outcome;
}

/** Whether a session is one that gives a blob back and goes on. */
function stands(held: UploadRow, now: number): boolean {
  return held.heals === 1 && held.state === "open" && held.expires_at > now;
}

/** Refuses what is no blob of an asset of the caller's own. */
async function requireHealable(
  call: CallBy<"session", SourceProblem>,
  db: Db,
  assetId: AssetId,
  request: UploadRequest,
): Promise<void> {
  const { caller: { userId }, raise } = call;
  if (!await isOwn(call, db, userId, assetId)) {
    throw raise("error.asset.not_found");
  }
  const held = await findHolding(db, {
    userId,
    assetId,
    role: request.blob_role,
    hash: request.ciphertext_hash,
  });
  if (held?.size !== request.size) throw raise("error.upload.not_needed");
}

/** An asset of this account's, live or in its trash, that nothing withholds. */
async function isOwn(
  { app, now }: Call<never>,
  db: Db,
  userId: UploadRow["user_id"],
  assetId: AssetId,
): Promise<boolean> {
  const asset = await findAsset(db, assetId);
  return asset !== undefined && asset.owner_id === userId &&
    asset.withheld_at === null &&
    !hasLeftTrash(asset, now, app.limits.trashMs);
}

/**
 * Refuses a blob that is there, byte for byte. Its bytes are read for that,
 * which is paid for as in a deep verification.
 */
async function requireLost(
  call: CallBy<
    "session",
    "error.upload.not_needed" | "error.account.rate_limited"
  >,
  { ciphertext_hash: hash, size }: UploadRequest,
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  const { lostBlobs } = app.signals;
  if (await isPresent(app.blobs, hash, size)) {
    const spent = charge(call, "deep_verify", [userId], size);
    if (spent !== undefined) throw raise("error.account.rate_limited", spent);
  }
  if (await lostBlobs.look(hash)) return;
  throw raise("error.upload.not_needed");
}

/** Refuses to finalize for an asset that is gone, or lets go of the blob. */
export async function checkGivenBack(
  call: Call<"error.upload.not_found">,
  db: Db,
  upload: UploadRow,
): Promise<void> {
  const held = await findHolding(db, purposeOf(upload));
  const stands = held?.size === upload.size &&
    await isOwn(call, db, upload.user_id, upload.asset_id);
  if (!stands) throw call.raise("error.upload.not_found");
}

/** What finalizing makes true, inside its one transaction. */
export async function commitGivenBack(
  call: Call<"error.upload.not_found">,
  tx: Tx,
  upload: UploadRow,
): Promise<Completed> {
  const { app, now, raise } = call;
  const { user_id: userId, ciphertext_hash: hash, size } = upload;
  await checkGivenBack(call, tx, upload);
  await noteBlob(tx, { hash, size, stored_at: now });
  await forgetLost(tx, hash);
  await moveUsage(tx, userId, { openUploads: -1 });
  const finalized = await markFinalized(tx, upload, {
    expires_at: now + app.limits.uploadTtlMs,
    sync_seq: null,
  }, false);
  if (!finalized) throw raise("error.upload.not_found");
  return { syncSeq: null, replayed: false };
}
