/**
 * Upload links, the guest's side: what a link tells, and the sessions that a
 * guest opens (protocol/links.md#guests).
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { OpaqueId, UploadId } from "../../core/ids.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import type { GuestUploadRequest } from "../../wire/bodies/links.ts";
import { trashHorizon } from "../trash.ts";
import { asOfNow, type Call } from "../call.ts";
import { charge } from "../charge.ts";
import { appendFeed } from "../feed.ts";
import { ROW_LIMITS } from "../row_limits.ts";
import { noteBlob } from "../lifecycle/store.ts";
import { forgetLost } from "../lost_blobs.ts";
import type { Ending } from "../uploads/complete.ts";
import { endGuestUploads } from "../uploads/contributions.ts";
import { finalizeToWire } from "../uploads/finalize.ts";
import { discardAll, type SessionHandle } from "../uploads/session.ts";
import { checkSize, endExpired } from "../uploads/uploads.ts";
import { moveUsage, takeQuota } from "../usage.ts";
import {
  countGuestUploads,
  countLeft,
  findGuestSession,
  findLiveLink,
  insertGuestUpload,
  markReceived,
  noteGuestBytes,
  takeUse,
} from "./store.ts";

/** A contribution that is not adopted goes after this long. */
const CONTRIBUTION_MS = 30 * DAY_MS;

type NotFoundProblem = "error.upload_link.not_found";

/**
 * Charges a guest's budget of a link. All ids without a live link share one
 * bucket per client address. So a refusal tells nothing of the id, and ids that
 * were never issued take no room.
 */
export async function chargeGuest(
  call: Call<"error.upload_link.rate_limited">,
  budget: "guest_create" | "guest_other",
  opaqueId: OpaqueId,
  clientAddress: string,
): Promise<void> {
  const { app, now, raise } = call;
  const isLive = await findLiveLink(app.db, opaqueId, now) !== undefined;
  const link = isLive ? opaqueId : "";
  const spent = charge(call, budget, [link, clientAddress]);
  if (spent !== undefined) throw raise("error.upload_link.rate_limited", spent);
}

/** A live link, or the one answer for everything else. */
export async function requireLiveLink(
  { app, now, raise }: Call<NotFoundProblem>,
  opaqueId: OpaqueId,
) {
  const link = await findLiveLink(app.db, opaqueId, now);
  if (link === undefined) throw raise("error.upload_link.not_found");
  return link;
}

/** What a guest is told of a link. */
export async function readGuestLink(
  call: Call<NotFoundProblem>,
  opaqueId: OpaqueId,
) {
  const link = await requireLiveLink(call, opaqueId);
  const left = await countLeft(call.app.db, link, call.now);
  return {
    recipient_key: toBase64(link.recipient_key),
    passphrase_protected: link.wrapped_secret !== null,
    max_bytes_left: left.bytes,
    files_left: left.files,
    expires_at: toRfc3339(link.expires_at),
  };
}

/** Opens a session: the link's use and the owner's room are taken at once. */
export async function createGuestUpload(
  call: Call<
    | NotFoundProblem
    | "error.upload_link.exhausted"
    | "error.request.too_large"
    | "error.storage.quota_exceeded"
  >,
  opaqueId: OpaqueId,
  request: GuestUploadRequest,
): Promise<GuestSession> {
  const { app, now, raise } = call;
  const { owner_id: ownerId } = await requireLiveLink(call, opaqueId);
  await checkSize(call, request.size);
  const open = async (tx: Tx) => {
    const expired = await endExpired(tx, now, ownerId);
    // Again: it may have been revoked meanwhile.
    const link = await findLiveLink(tx, opaqueId, now);
    if (link === undefined) throw raise("error.upload_link.not_found");
    const held = await countGuestUploads(tx, ownerId);
    if (held >= ROW_LIMITS.contributions) {
      throw raise("error.upload_link.exhausted", { cause: "contributions" });
    }
    if (!await takeUse(tx, opaqueId, request.size)) {
      throw raise("error.upload_link.exhausted");
    }
    // Guests are limited by their link, and block none of its owner's own
    // uploads: theirs are not counted among the open ones.
    const reserved = await takeQuota(tx, ownerId, { reserved: request.size }, {
      quotaBytes: app.limits.accountQuotaBytes ?? null,
      trash: trashHorizon(now, app.limits.trashMs),
    });
    if (!reserved) throw raise("error.storage.quota_exceeded");
    const upload = {
      upload_id: app.newId<UploadId>(),
      opaque_id: opaqueId,
      owner_id: ownerId,
      ciphertext_hash: request.ciphertext_hash,
      size: request.size,
      sealed_metadata: request.sealed_metadata,
      state: "open",
      created_at: now,
      expires_at: Math.min(now + app.limits.uploadTtlMs, link.expires_at),
      unverified_from: null,
      received_at: null,
    } as const;
    await insertGuestUpload(tx, upload);
    return {
      session: asSession({ ...upload, link_album_id: link.album_id }),
      expired,
    };
  };
  const { session, expired } = await transaction(app.db, open, "soon");
  app.uploads.noteCreated(session.upload_id);
  await discardAll(app, expired);
  return session;
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof findGuestSession>>>;

/** A guest's session as the data plane sees one: an original of no asset. */
function asSession(row: SessionRow) {
  return {
    ...row,
    asset_id: null,
    album_id: null,
    blob_role: "original",
  } as const;
}
type GuestSession = ReturnType<typeof asSession>;

/** A session of a live link, or the one answer for everything else. */
export async function requireGuestSession(
  { app, raise }: Call<NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): Promise<GuestSession> {
  const now = app.platform.now();
  const row = await findGuestSession(app.db, opaqueId, uploadId, now);
  if (row === undefined) throw raise("error.upload_link.not_found");
  return asSession(row);
}

/** A guest's session, for the data plane. */
export function guestHandle(
  call: Call<NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): SessionHandle<GuestSession> {
  const { app, raise } = call;
  return {
    uploadId,
    require: () => requireGuestSession(call, opaqueId, uploadId),
    notFound: () => raise("error.upload_link.not_found"),
    note: (change) => noteGuestBytes(app.db, uploadId, change),
  };
}

/** Ends an open session of a guest's. */
export function endGuestSession(tx: Tx, session: GuestSession): Promise<void> {
  return endGuestUploads(tx, [session]);
}

/** How a guest's session ends well: as a contribution to the link's owner. */
export function guestEnding(
  call: Call<NotFoundProblem>,
): Ending<GuestSession, ReturnType<typeof finalizeToWire<null>>> {
  return {
    order: (session) => ({
      ownerId: session.owner_id,
      uploadId: session.upload_id,
      assetId: null,
      blobRole: session.blob_role,
      ciphertextHash: session.ciphertext_hash,
      size: session.size,
      envelopeHash: null,
    }),
    commit: async (tx, session) => ({
      syncSeq: await contribute(asOfNow(call), tx, session),
      replayed: false,
    }),
    // A guest must not learn the position of the owner's feed.
    entryOf: () => null,
    answer: (session, receipt, { replayed }) =>
      finalizeToWire(session, receipt, { syncSeq: null, replayed }),
  };
}

/** Everything that a guest's finalization makes true; the feed's entry. */
async function contribute(
  { now, raise }: Call<NotFoundProblem>,
  tx: Tx,
  session: GuestSession,
): Promise<number> {
  const { owner_id: ownerId, ciphertext_hash: hash, size } = session;
  const received = await markReceived(tx, session, {
    received_at: now,
    expires_at: now + CONTRIBUTION_MS,
  });
  if (!received) throw raise("error.upload_link.not_found");
  await noteBlob(tx, { hash, size, stored_at: now });
  await forgetLost(tx, hash);
  await moveUsage(tx, ownerId, { reserved: -size, used: size });
  return await appendFeed(tx, {
    userId: ownerId,
    action: "contribution",
    albumId: session.link_album_id,
    personal: true,
    at: now,
  });
}
