/**
 * Upload sessions: create, read, cancel (completions.md section 6).
 *
 * @module
 */
import {
  type AssetId,
  parseUuid,
  type UploadId,
  type UserId,
} from "../../core/ids.ts";
import type { Raise } from "../../core/problem.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction, type Tx } from "../../store/database.ts";
import {
  type AlbumView,
  assertWritable,
  requireAlbum,
} from "../albums/access.ts";
import type { App } from "../app.ts";
import { checkProtocol } from "../lifecycle/envelope.ts";
import { assertTaken } from "../lifecycle/quiescence.ts";
import { findClaim, isHeld } from "../lifecycle/store.ts";
import { receiptToWire } from "../receipts/receipts.ts";
import { findByUpload } from "../receipts/store.ts";
import { contradictions } from "./rules.ts";
import {
  countOpen,
  endUploads,
  findByPurpose,
  findUpload,
  insertUpload,
  listExpired,
  reserve,
  type UploadRow,
} from "./store.ts";
import type { UploadRequest } from "./wire.ts";

const TOO_MANY_OPEN_RETRY_SECONDS = 60;

type RaiseCreate = Raise<
  | "error.manifest.mismatch"
  | "error.handshake.protocol_unsupported"
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.upgrade_in_flight"
  | "error.request.too_large"
  | "error.storage.quota_exceeded"
  | "error.storage.full"
  | "error.upload.too_many_open"
>;

/**
 * Opens an upload session, or finds the one that the caller has for the same
 * file, role and hash. Checks everything, then reserves and inserts at once.
 */
export async function createUpload(
  app: App,
  userId: UserId,
  request: UploadRequest,
  raise: RaiseCreate,
): Promise<{ upload: UploadRow; created: boolean }> {
  const now = app.platform.now();
  const assetId = await checkRequest(app, userId, request, raise);
  const albumId = request.album_id ?? null;
  const outcome = await transaction(app.db, async (tx) => {
    const expired = await dropExpired(tx, now, userId);
    const held = await findByPurpose(tx, {
      userId,
      assetId,
      role: request.blob_role,
      hash: request.ciphertext_hash,
    });
    if (held !== undefined) {
      checkRepeated(held, request, raise);
      if (await stillHolds(tx, held)) {
        return { upload: held, created: false, expired };
      }
      await endUploads(tx, [held]);
    }
    // Again: a ceremony may have begun meanwhile.
    const album = await checkAlbum(app, tx, userId, assetId, request, raise);
    await requireRoom(app, tx, userId, request.size, raise);
    const upload: UploadRow = {
      upload_id: app.newId<UploadId>(),
      user_id: userId,
      asset_id: assetId,
      album_id: albumId,
      blob_role: request.blob_role,
      ciphertext_hash: request.ciphertext_hash,
      size: request.size,
      crypto_suite_id: request.crypto_suite_id,
      envelope: JSON.stringify(request.manifest_envelope),
      state: "open",
      created_at: now,
      expires_at: Math.min(
        now + app.limits.uploadTtlMs,
        album?.quiescence?.endsAt ?? Infinity,
      ),
      unverified_from: null,
      sync_seq: null,
    };
    await insertUpload(tx, upload);
    return { upload, created: true, expired };
  });
  await discardAll(app, outcome.expired);
  return outcome;
}

/** The checks that need no transaction; returns the asset's id. */
async function checkRequest(
  app: App,
  userId: UserId,
  request: UploadRequest,
  raise: RaiseCreate,
): Promise<AssetId> {
  const { manifest_envelope: manifest } = request;
  const errors = contradictions(request, userId, app.platform.now());
  const assetId = parseUuid<AssetId>(manifest.file_id);
  if (errors.length > 0 || assetId === undefined) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  const album = await checkAlbum(app, app.db, userId, assetId, request, raise);
  const { protocol_version: written } = manifest;
  checkProtocol(app, written, album?.protocolVersion, raise);
  const claim = await findClaim(app.db, assetId);
  if (claim !== undefined && claim.owner_id !== userId) {
    throw raise("error.manifest.mismatch", {
      extra: {
        errors: [{
          path: "/manifest_envelope/file_id",
          message: "is taken",
        }],
      },
    });
  }
  if (request.size > app.limits.maxBlobBytes) {
    throw raise("error.request.too_large");
  }
  const free = await app.blobs.freeBytes();
  if (free - request.size < app.limits.reservedDiskBytes) {
    throw raise("error.storage.full");
  }
  return assetId;
}

/** The album that a session is for takes it; undefined for none. */
async function checkAlbum(
  app: App,
  db: Db,
  userId: UserId,
  assetId: AssetId,
  request: UploadRequest,
  raise: RaiseCreate,
): Promise<AlbumView | undefined> {
  const { album_id: albumId } = request;
  if (typeof albumId !== "string") return undefined;
  const now = app.platform.now();
  const album = await requireAlbum(db, userId, albumId, now, raise);
  assertWritable(album, raise);
  await assertTaken(db, album, { userId, albumId, assetId, now }, raise);
  return album;
}

/**
 * Whether a session still stands for its bytes: those of a finalized one may
 * have been replaced since, and then have to come again.
 */
async function stillHolds(tx: Tx, upload: UploadRow): Promise<boolean> {
  const { state, user_id, asset_id, blob_role: role } = upload;
  if (state === "open") return true;
  const hash = upload.ciphertext_hash;
  return await isHeld(tx, user_id, asset_id, { role, hash });
}

/** A repeated create names the same size and album. */
function checkRepeated(
  held: UploadRow,
  request: UploadRequest,
  raise: Raise<"error.manifest.mismatch">,
): void {
  const errors = [
    ...held.size === request.size
      ? []
      : [{ path: "/size", message: "is not the one of this session" }],
    ...held.album_id === (request.album_id ?? null) ? [] : [{
      path: "/manifest_envelope/album_id",
      message: "is not the one of this session",
    }],
  ];
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
}

async function requireRoom(
  app: App,
  tx: Tx,
  userId: UserId,
  size: number,
  raise: Raise<"error.storage.quota_exceeded" | "error.upload.too_many_open">,
): Promise<void> {
  const { openUploads, accountQuotaBytes } = app.limits;
  const reserved = await reserve(tx, userId, size, {
    openUploads,
    quotaBytes: accountQuotaBytes ?? null,
  });
  if (reserved) return;
  if (await countOpen(tx, userId) >= openUploads) {
    throw raise("error.upload.too_many_open", {
      retryAfterSeconds: TOO_MANY_OPEN_RETRY_SECONDS,
    });
  }
  throw raise("error.storage.quota_exceeded");
}

/** The caller's session; expired, foreign and unknown ones are all one. */
export async function requireUpload(
  app: App,
  userId: UserId,
  uploadId: UploadId,
  raise: Raise<"error.upload.not_found">,
): Promise<UploadRow> {
  const upload = await findUpload(
    app.db,
    userId,
    uploadId,
    app.platform.now(),
  );
  if (upload === undefined) throw raise("error.upload.not_found");
  return upload;
}

/**
 * Bytes that count as arrived. Bytes under a checksum that was not verified
 * yet do not, not even after the process that was writing them died.
 */
export async function heldBytes(app: App, upload: UploadRow): Promise<number> {
  if (upload.state === "finalized") return upload.size;
  const onDisk = await app.blobs.heldBytes(upload.upload_id);
  return Math.min(onDisk, upload.unverified_from ?? onDisk);
}

/** A session in its wire form. */
export async function uploadToWire(app: App, upload: UploadRow) {
  const receipt = upload.state === "finalized"
    ? await findByUpload(app.db, upload.upload_id)
    : undefined;
  return {
    upload_id: upload.upload_id,
    state: upload.state,
    asset_id: upload.asset_id,
    ...(upload.album_id === null ? {} : { album_id: upload.album_id }),
    blob_role: upload.blob_role,
    ciphertext_hash: upload.ciphertext_hash,
    offset: await heldBytes(app, upload),
    size: upload.size,
    expires_at: toRfc3339(upload.expires_at),
    ...(receipt === undefined ? {} : { receipt: receiptToWire(receipt) }),
  };
}

/** Cancels an open session and drops its bytes. */
export async function cancelUpload(
  app: App,
  userId: UserId,
  uploadId: UploadId,
  raise: Raise<"error.upload.not_found" | "error.upload.finalized">,
): Promise<void> {
  await requireUpload(app, userId, uploadId, raise);
  await app.uploads.exclusive(uploadId, async () => {
    const upload = await requireUpload(app, userId, uploadId, raise);
    if (upload.state === "finalized") throw raise("error.upload.finalized");
    await transaction(app.db, (tx) => endUploads(tx, [upload]));
    await discardAll(app, [upload]);
  });
}

/** Removes sessions past their time, a batch; returns how many. */
export async function purgeUploads(
  app: Pick<App, "db" | "blobs" | "uploads" | "platform">,
): Promise<number> {
  const expired = await transaction(
    app.db,
    (tx) => dropExpired(tx, app.platform.now()),
  );
  await discardAll(app, expired);
  return expired.length;
}

async function dropExpired(tx: Tx, now: number, userId?: UserId) {
  const expired = await listExpired(tx, now, userId);
  await endUploads(tx, expired);
  return expired;
}

/**
 * Removes the files of sessions that ended. By then the session's end is
 * committed: a file that stays behind costs room until collection finds it,
 * and is no reason to tell the caller that the call failed.
 */
export async function discardAll(
  app: Pick<App, "blobs" | "uploads" | "platform">,
  uploads: readonly Pick<UploadRow, "upload_id">[],
): Promise<void> {
  for (const { upload_id } of uploads) {
    app.uploads.forget(upload_id);
    try {
      await app.blobs.discard(upload_id);
    } catch (cause) {
      app.platform.log.warn("upload file not removed", {
        upload_id,
        cause: String(cause),
      });
    }
  }
}
