/**
 * Upload sessions of accounts: create, find, end (protocol/uploads.md#create).
 *
 * @module
 */
import {
  type AssetId,
  parseUuid,
  type UploadId,
  type UserId,
} from "../../core/ids.ts";
import { isPresent } from "../../store/blobs/blob_store.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { UploadRequest } from "../../wire/bodies/uploads.ts";
import {
  type AlbumView,
  assertWritable,
  requireAlbum,
} from "../albums/access.ts";
import type { App } from "../app.ts";
import type { ServiceContext } from "../service_context.ts";
import type { Call, CallBy } from "../call.ts";
import { requireDisk } from "../disk.ts";
import { belongs } from "../lifecycle/apply.ts";
import { checkProtocol } from "../lifecycle/envelope.ts";
import { refuseNewInUpgrade } from "../lifecycle/quiescence.ts";
import { requireReleased, storedReleases } from "../lifecycle/releases.ts";
import { findAsset, findClaim, findManifest } from "../lifecycle/store.ts";
import { endGuestUploads, listExpiredGuests } from "./contributions.ts";
import { requireQuota } from "./reservation.ts";
import { checkRepeated, contradictions } from "./rules.ts";
import { discardAll, type SessionHandle } from "./session.ts";
import {
  endUploads,
  findByPurpose,
  findUpload,
  holdsItsBlob,
  insertUpload,
  listExpired,
  noteBytes,
  type UploadRow,
} from "./store.ts";

/** What members read of an asset before anything else has at most 4 MiB. */
const DESCRIBING_MAX_BYTES = 4 * 1024 * 1024;

/** The refusals of a request that contradicts itself or what is held. */
export type RequestProblem =
  | "error.request.too_large"
  | "error.manifest.mismatch"
  | "error.handshake.protocol_unsupported"
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.album.upgrade_in_flight";

/** The refusals of a blob that there is no room for. */
type SizeProblem = "error.request.too_large";

type CreateProblem =
  | RequestProblem
  | SizeProblem
  | "error.storage.quota_exceeded"
  | "error.upload.too_many_open"
  | "error.account.limit_reached";

/**
 * Opens an upload session, or finds the one that the caller has for the same
 * file, role and hash. Checks everything, then reserves and inserts at once.
 */
export async function createUpload(
  call: CallBy<"session", CreateProblem>,
  request: UploadRequest,
): Promise<{ upload: UploadRow; created: boolean }> {
  const { app, caller: { userId }, now } = call;
  const assetId = await checkRequest(call, request);
  await checkSize(call, request.size);
  const lapsed = await hasExpired(app.db, now, userId);
  const open = async (tx: Tx) => {
    const expired = lapsed ? await endExpired(tx, now, userId) : [];
    const held = await findByPurpose(tx, {
      userId,
      assetId,
      role: request.blob_role,
      hash: request.ciphertext_hash,
    });
    // An expired session counts as gone, even before the purge removes it.
    const stands = held !== undefined && held.expires_at > now &&
      held.heals === 0 && await holdsItsBlob(tx, held);
    if (stands) {
      checkRepeated(call, held, request);
      return { upload: held, created: false, expired };
    }
    // The blob that it brought was replaced since, or it gives one back that
    // the caller now wants to upload again.
    if (held !== undefined) {
      await endUploads(tx, [held]);
      expired.push(held);
    }
    // Again: a ceremony may have begun meanwhile.
    const album = await checkAlbum(call, tx, assetId, request);
    await checkReleases(call, tx, assetId, request);
    await requireQuota(call, tx, request.size);
    const upload: UploadRow = {
      ...newUpload(call, assetId, request),
      expires_at: Math.min(
        now + app.limits.uploadTtlMs,
        album?.quiescence?.endsAt ?? Infinity,
      ),
    };
    await insertUpload(tx, upload);
    return { upload, created: true, expired };
  };
  // No client misses a session before a byte of it is acknowledged: a client
  // whose creation a power cut takes back creates it again.
  const outcome = await transaction(app.db, open, "soon");
  if (outcome.created) app.uploads.noteCreated(outcome.upload.upload_id);
  await discardAll(app, outcome.expired);
  if (!await hasLostItsBlob(app, outcome.upload)) return outcome;
  // The disk has lost bytes that this client still has: they are taken again.
  await transaction(app.db, (tx) => endUploads(tx, [outcome.upload]));
  return await createUpload(call, request);
}

/** Refuses a manifest that releases what its asset does not hold. */
async function checkReleases(
  call: CallBy<"session", "error.manifest.mismatch">,
  db: Db,
  assetId: AssetId,
  { releases, ciphertext_hash: manifest }: UploadRequest,
): Promise<void> {
  const { caller: { userId: ownerId } } = call;
  // It was applied, and its session purged: nothing is released again.
  if (await findManifest(db, ownerId, assetId, manifest)) return;
  const released = { ownerId, assetId, releases: releases ?? [] };
  await requireReleased(call, db, released);
}

/** Whether a session's blob was stored and is there no more. */
async function hasLostItsBlob(
  app: App,
  { state, ciphertext_hash: hash, size }: UploadRow,
): Promise<boolean> {
  return state === "finalized" && !await isPresent(app.blobs, hash, size);
}

/** A session for a request, open from now on. */
export function newUpload(
  { app, caller: { userId }, now }: CallBy<"session", never>,
  assetId: AssetId,
  request: UploadRequest,
): UploadRow {
  return {
    upload_id: app.newId<UploadId>(),
    user_id: userId,
    asset_id: assetId,
    album_id: request.album_id ?? null,
    blob_role: request.blob_role,
    ciphertext_hash: request.ciphertext_hash,
    size: request.size,
    crypto_suite_id: request.crypto_suite_id,
    envelope: JSON.stringify(request.manifest_envelope),
    state: "open",
    created_at: now,
    expires_at: now + app.limits.uploadTtlMs,
    unverified_from: null,
    sync_seq: null,
    heals: 0,
    releases: storedReleases(request.releases),
  };
}

/** The checks that need no transaction; returns the asset's id. */
export async function checkRequest(
  call: CallBy<"session", RequestProblem>,
  request: UploadRequest,
): Promise<AssetId> {
  const { app, caller: { userId }, raise } = call;
  const { manifest_envelope: manifest } = request;
  const errors = contradictions(request, userId, call.now);
  const assetId = parseUuid<AssetId>(manifest.file_id);
  if (errors.length > 0 || assetId === undefined) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  const album = await checkAlbum(call, app.db, assetId, request);
  const { protocol_version: written } = manifest;
  checkProtocol(call, written, album?.protocolVersion);
  await checkAsset(call, app.db, assetId, request);
  checkRole(call, request);
  return assetId;
}

/** Refuses a blob that is larger than its role lets it be. */
function checkRole(
  { raise }: Call<"error.request.too_large">,
  { blob_role: role, size }: UploadRequest,
): void {
  const isDescribing = role === "metadata" || role === "provenance";
  if (!isDescribing || size <= DESCRIBING_MAX_BYTES) return;
  throw raise("error.request.too_large", {
    detail: `A ${role} blob has at most ${DESCRIBING_MAX_BYTES} bytes.`,
  });
}

/**
 * Refuses a session for an asset that is not the caller's to upload to. A
 * derivative attaches without another manifest, so that here is where it has
 * to name the asset's album. Returns whether the id lives, lived, or is free.
 */
export async function checkAsset(
  { caller: { userId }, raise }: CallBy<"session", "error.manifest.mismatch">,
  db: Db,
  assetId: AssetId,
  request: UploadRequest,
): Promise<"free" | "live" | "ended"> {
  const claim = await findClaim(db, assetId);
  if (claim === undefined) return "free";
  const asset = await findAsset(db, assetId);
  const albumId = request.album_id ?? null;
  // A take-down makes an id one that is no more the owner's to upload to.
  const isTaken = claim.owner_id !== userId ||
    (asset !== undefined && asset.withheld_at !== null);
  const errors = isTaken
    ? [{ path: "/manifest_envelope/file_id", message: "is taken" }]
    : asset !== undefined && request.blob_role === "derivative" &&
        !await belongs(db, asset.album_id, albumId)
    ? [{
      path: "/manifest_envelope/album_id",
      message: "is not the one of this asset",
    }]
    : [];
  if (errors.length > 0) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  return asset?.state === "live" ? "live" : "ended";
}

/** Refuses a blob that is too large, or larger than the disk has room for. */
export async function checkSize(
  call: Call<SizeProblem>,
  size: number,
): Promise<void> {
  if (size > call.app.limits.maxBlobBytes) {
    throw call.raise("error.request.too_large");
  }
  await requireDisk(call.app, size);
}

/** The album that a session is for takes it; undefined for none. */
export async function checkAlbum(
  call: CallBy<"session", RequestProblem>,
  db: Db,
  assetId: AssetId,
  request: UploadRequest,
): Promise<AlbumView | undefined> {
  const { caller: { userId } } = call;
  const { album_id: albumId } = request;
  if (typeof albumId !== "string") return undefined;
  const album = await requireAlbum(call, db, userId, albumId);
  assertWritable(call, album);
  await refuseNewInUpgrade(call, db, album, { userId, albumId, assetId });
  return album;
}

/** The caller's session; expired, foreign and unknown ones are all one. */
export async function requireUpload(
  call: CallBy<"session", "error.upload.not_found">,
  uploadId: UploadId,
): Promise<UploadRow> {
  const { app, caller: { userId }, raise } = call;
  const upload = await findUpload(
    app.db,
    userId,
    uploadId,
    app.platform.now(),
  );
  if (upload === undefined) throw raise("error.upload.not_found");
  return upload;
}

/** The caller's session, for the data plane. */
export function uploadHandle(
  call: CallBy<"session", "error.upload.not_found">,
  uploadId: UploadId,
): SessionHandle<UploadRow> {
  const { app, raise } = call;
  return {
    uploadId,
    require: () => requireUpload(call, uploadId),
    notFound: () => raise("error.upload.not_found"),
    note: (change) => noteBytes(app.db, uploadId, change),
  };
}

/** Ends a session of an account's own. */
export function endUpload(tx: Tx, upload: UploadRow): Promise<void> {
  return endUploads(tx, [upload]);
}

/** Removes what is past its time, guests' too, a batch; returns how many. */
export async function purgeUploads(
  context: ServiceContext,
): Promise<number> {
  const expired = await transaction(
    context.db,
    (tx) => endExpired(tx, context.platform.now()),
  );
  await discardAll(context, expired);
  return expired.length;
}

/**
 * Ends what is past its time, of one account or of all: no room is refused
 * for the sake of what only waits for the purge. Their files stay to be
 * discarded once this is committed.
 */
export async function endExpired(tx: Tx, now: number, userId?: UserId) {
  const expired = await listExpired(tx, now, userId);
  await endUploads(tx, expired);
  const guests = await listExpiredGuests(tx, now, userId);
  await endGuestUploads(tx, guests);
  return [...expired, ...guests];
}

/** Whether there is anything to end; what expires later is for another time. */
export async function hasExpired(
  db: Db,
  now: number,
  userId: UserId,
): Promise<boolean> {
  return (await listExpired(db, now, userId)).length > 0 ||
    (await listExpiredGuests(db, now, userId)).length > 0;
}
