/**
 * Copying a blob without its bytes (protocol/uploads.md#copy): one of an asset
 * that the caller reads becomes one of the caller's own.
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import type { AssetId } from "../../core/ids.ts";
import { isPresent, type SizedHash } from "../../store/blobs/blob_store.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import { hasLeftTrash } from "../assets/retention.ts";
import { findReadableAsset, listAttachedAs } from "../assets/store.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { isKnownDamaged } from "../lost_blobs.ts";
import { isHeld } from "../lifecycle/store.ts";
import { moveUsage } from "../usage.ts";
import { type AtOnceProblem, finalizeAtOnce } from "./at_once.ts";
import { requireQuota } from "./reservation.ts";
import type { UploadRow } from "./store.ts";

type SourceProblem = "error.asset.not_found" | "error.manifest.mismatch";

type CopyProblem =
  | AtOnceProblem
  | SourceProblem
  | "error.storage.quota_exceeded"
  | "error.upload.too_many_open"
  | "error.account.limit_reached";

/** Makes a blob of an asset one of the caller's asset, with room of its own. */
export function copyBlob(
  call: CallBy<"session", CopyProblem>,
  source: AssetId,
  request: UploadRequest,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, raise } = call;
  const { ciphertext_hash: hash, size } = request;
  return finalizeAtOnce(call, request, {
    check: async () => {
      await checkSource(call, app.db, source, request);
      if (await isWhole(app, { hash, size })) return;
      throw raise("error.asset.not_found");
    },
    take: async (tx) => {
      await checkSource(call, tx, source, request);
      // Reserved as for bytes to come, and let go as they are held. What the
      // account holds already takes no room.
      const room = await isHeld(tx, userId, hash) ? 0 : size;
      await requireQuota(call, tx, room);
      await moveUsage(tx, userId, { reserved: -room, openUploads: -1 });
    },
  });
}

/** Whether a blob is there: nothing is signed for that is not. */
export async function isWhole(
  app: App,
  { hash, size }: SizedHash,
): Promise<boolean> {
  const isThere = await isPresent(app.blobs, hash, size) &&
    !await isKnownDamaged(app.db, hash);
  if (!isThere) await app.signals.lostBlobs.note(hash);
  return isThere;
}

/** Whether an asset that the caller reads has this blob in this role. */
export async function hasCopyable(
  call: CallBy<"session", never>,
  db: Db,
  source: AssetId,
  { role, hash, size }: SizedHash & { readonly role: BlobRole },
): Promise<boolean> {
  const asset = await findSource(call, db, source);
  if (asset === undefined) return false;
  const held = await listAttachedAs(db, asset.owner_id, source, hash);
  return held.some((one) => one.role === role && one.size === size);
}

/** An asset of which the caller may copy blobs. */
async function findSource(
  { app, caller, now }: CallBy<"session", never>,
  db: Db,
  source: AssetId,
) {
  const asset = await findReadableAsset(db, caller.userId, source);
  const isReadable = asset !== undefined &&
    !hasLeftTrash(asset, now, app.limits.trashMs) &&
    // Blobs in the trash are their owner's alone.
    (asset.state === "live" || asset.owner_id === caller.userId);
  return isReadable ? asset : undefined;
}

/** Refuses an asset that is not the caller's to read, and another blob. */
async function checkSource(
  call: CallBy<"session", SourceProblem>,
  db: Db,
  source: AssetId,
  request: UploadRequest,
): Promise<void> {
  const asset = await findSource(call, db, source);
  if (asset === undefined) throw call.raise("error.asset.not_found");
  const { blob_role: role, ciphertext_hash: hash, size } = request;
  const held = await listAttachedAs(db, asset.owner_id, source, hash);
  const errors: FieldError[] = [];
  if (role === "provenance") {
    errors.push({ path: "/blob_role", message: "a manifest is never copied" });
  } else if (held.length === 0) {
    errors.push({
      path: "/manifest_envelope/ciphertext_hash",
      message: "must be that of a blob of this asset",
    });
  } else if (!held.some((one) => one.role === role)) {
    errors.push({ path: "/blob_role", message: "must be the blob's" });
  } else if (held.some((one) => one.size !== size)) {
    errors.push({ path: "/size", message: "must be the blob's" });
  }
  if (errors.length > 0) {
    throw call.raise("error.manifest.mismatch", { extra: { errors } });
  }
}
