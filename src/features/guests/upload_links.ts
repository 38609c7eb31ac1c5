/**
 * Upload links, the owner's side: issue, list, revoke
 * (protocol/links.md#upload-links).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64 } from "../../core/bytes.ts";
import type { OpaqueId, UserId } from "../../core/ids.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { UploadLinkRequest } from "../../wire/bodies/links.ts";
import { assertWritable, requireAlbum } from "../albums/access.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import { assertWithin } from "../row_limits.ts";
import { endGuestUploads } from "../uploads/contributions.ts";
import { discardAll } from "../uploads/session.ts";
import {
  countLinks,
  findLink,
  insertLink,
  listLinks,
  listOpenSessions,
  revokeOwnLink,
} from "./store.ts";

/** A link lives at most this long. */
const LIFETIME_MAX_MS = 90 * DAY_MS;

type IssueProblem =
  | "error.request.invalid"
  | "error.upload_link.opaque_id_unavailable"
  | "error.album.not_found"
  | "error.album.role_forbidden"
  | "error.album.tombstoned"
  | "error.account.limit_reached";

/**
 * Issues a link. The caller's same body again is the same success; every other
 * use of a known id, that of a revoked link too, is refused in one way.
 */
export async function issueLink(
  call: CallBy<"session", IssueProblem>,
  request: UploadLinkRequest,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  checkExpiry(call, request.expires_at);
  const { opaque_id } = request;
  const requestHash = hashOfRequest(request);
  const isSame = (held: Awaited<ReturnType<typeof findLink>>) =>
    held?.owner_id === userId && held.revoked_at === null &&
    held.request_hash === requestHash;
  if (isSame(await findLink(app.db, opaque_id))) return;
  const albumId = request.album_id ?? null;
  await transaction(app.db, async (tx) => {
    if (albumId !== null) {
      const album = await requireAlbum(call, tx, userId, albumId);
      assertWritable(call, album);
    }
    if (await findLink(tx, opaque_id) === undefined) {
      const held = await countLinks(tx, userId);
      assertWithin(call, "uploadLinks", held.live + 1);
      assertWithin(call, "uploadLinkIds", held.ids + 1);
    }
    const inserted = await insertLink(tx, {
      opaque_id,
      owner_id: userId,
      album_id: albumId,
      recipient_key: request.recipient_key,
      wrapped_secret: request.wrapped_secret ?? null,
      max_bytes: request.max_bytes,
      max_files: request.max_files,
      expires_at: request.expires_at,
      created_at: now,
      request_hash: requestHash,
    });
    if (inserted || isSame(await findLink(tx, opaque_id))) return;
    throw raise("error.upload_link.opaque_id_unavailable");
  });
}

function checkExpiry(
  { now, raise }: Call<"error.request.invalid">,
  expiresAt: number,
): void {
  if (expiresAt > now && expiresAt <= now + LIFETIME_MAX_MS) return;
  throw raise("error.request.invalid", {
    extra: {
      errors: [{
        path: "/expires_at",
        message: "must lie in the future, at most 90 days ahead",
      }],
    },
  });
}

/** The same for requests that mean the same. */
function hashOfRequest(request: UploadLinkRequest): string {
  const { wrapped_secret: secret } = request;
  return createHash("sha256").update(JSON.stringify([
    request.album_id ?? null,
    toBase64(request.recipient_key),
    secret === undefined || secret === null ? null : toBase64(secret),
    request.expires_at,
    request.max_bytes,
    request.max_files,
  ])).digest("hex");
}

/**
 * The caller's links in their wire form. A revoked one is listed while it
 * holds contributions, as a link that expired when it was revoked.
 */
export async function readLinks(app: App, userId: UserId) {
  const links = await listLinks(app.db, userId, app.platform.now());
  return links.map((link) => ({
    opaque_id: link.opaque_id,
    ...(link.album_id === null ? {} : { album_id: link.album_id }),
    max_bytes: link.max_bytes,
    max_files: link.max_files,
    bytes_used: link.bytes_used,
    files_used: link.files_used,
    expires_at: toRfc3339(
      Math.min(link.expires_at, link.revoked_at ?? Infinity),
    ),
    created_at: toRfc3339(link.created_at),
    ...(link.last_received_at === null
      ? {}
      : { last_received_at: toRfc3339(link.last_received_at) }),
  }));
}

/**
 * Revokes the caller's link and ends its open sessions; its contributions
 * stay. Anything else changes nothing and looks alike.
 */
export async function revokeLink(
  app: App,
  userId: UserId,
  opaqueId: OpaqueId,
): Promise<void> {
  const now = app.platform.now();
  const ended = await transaction(app.db, async (tx) => {
    if (!await revokeOwnLink(tx, userId, opaqueId, now)) return [];
    const open = await listOpenSessions(tx, opaqueId);
    await endGuestUploads(tx, open);
    return open;
  });
  // A request that is still writing is stopped before its file goes.
  await Promise.all(
    ended.map((session) =>
      app.uploads.exclusive(
        session.upload_id,
        () => discardAll(app, [session]),
      )
    ),
  );
}
