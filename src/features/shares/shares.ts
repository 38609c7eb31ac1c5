/**
 * Share links: issue, revoke, and what an anonymous viewer may read
 * (protocol/links.md#share-links).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toBase64 } from "../../core/bytes.ts";
import type { BlobHash, OpaqueId, UserId } from "../../core/ids.ts";
import type { FieldError } from "../../core/catalogue.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { IssueShareRequest } from "../../wire/bodies/links.ts";
import type { App } from "../app.ts";
import type { ReadableBlob } from "../blob_reply.ts";
import type { Call, CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import { requireDisk } from "../disk.ts";
import type { SizedBlob } from "../many_blobs.ts";
import { assertWithin } from "../row_limits.ts";
import {
  chargeHashes,
  inTurn,
  lateExpiry,
  SERVED_BYTES,
  toWire,
} from "./changes.ts";
import {
  countShares,
  findLiveShare,
  findServedBlob,
  findShare,
  insertShare,
  listServedBlobs,
  listShares,
  revokeOwnShare,
} from "./store.ts";

/**
 * Issues a link. The caller's same body again is the same success; every other
 * use of a known id, that of a revoked link too, is refused in one way.
 */
export async function issueShare(
  call: CallBy<
    "session",
    | "error.request.invalid"
    | "error.share.opaque_id_unavailable"
    | "error.account.limit_reached"
  >,
  request: IssueShareRequest,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  const errors = brokenRules(request, now);
  if (errors.length > 0) {
    throw raise("error.request.invalid", { extra: { errors } });
  }
  const serves = request.serves.toSorted();
  const requestHash = hashOfRequest(request, serves);
  await requireDisk(app, request.serves.length * SERVED_BYTES);
  // A known id writes nothing.
  if (await findShare(app.db, request.opaque_id) === undefined) {
    chargeHashes(call, serves.length);
  }
  await inTurn(call, serves.length, () =>
    transaction(app.db, async (tx) => {
      if (await findShare(tx, request.opaque_id) === undefined) {
        const held = await countShares(tx, userId);
        assertWithin(call, "shares", held.live + 1);
        assertWithin(call, "shareIds", held.ids + 1);
        assertWithin(call, "servedHashes", held.hashes + request.serves.length);
      }
      const inserted = await insertShare(tx, {
        opaque_id: request.opaque_id,
        issuer_id: userId,
        metadata_hash: request.metadata_hash,
        wrapped_secret: request.wrapped_secret ?? null,
        expires_at: request.expires_at ?? null,
        created_at: now,
        request_hash: requestHash,
        serves_count: request.serves.length,
      }, serves);
      if (inserted) return;
      const held = await findShare(tx, request.opaque_id);
      if (
        held?.issuer_id !== userId || held.revoked_at !== null ||
        held.request_hash !== requestHash
      ) throw raise("error.share.opaque_id_unavailable");
    }));
}

/** What the shape alone does not show. */
function brokenRules(request: IssueShareRequest, now: number): FieldError[] {
  const errors: FieldError[] = [];
  if (!request.serves.includes(request.metadata_hash)) {
    errors.push({ path: "/metadata_hash", message: "must be in serves" });
  }
  return [...errors, ...lateExpiry(request.expires_at, now)];
}

/** The same for requests that mean the same; what is served in its order. */
function hashOfRequest(
  request: IssueShareRequest,
  serves: readonly BlobHash[],
): string {
  const { metadata_hash, wrapped_secret, expires_at } = request;
  return createHash("sha256").update(JSON.stringify([
    metadata_hash,
    serves,
    wrapped_secret === undefined || wrapped_secret === null
      ? null
      : toBase64(wrapped_secret),
    expires_at ?? null,
  ])).digest("hex");
}

/** Revokes the caller's link; anything else changes nothing and looks alike. */
export async function revokeShare(
  app: App,
  userId: UserId,
  opaqueId: OpaqueId,
): Promise<void> {
  await transaction(
    app.db,
    (tx) => revokeOwnShare(tx, userId, opaqueId, app.platform.now()),
  );
}

type ViewProblem = "error.share.not_found" | "error.share.rate_limited";

/**
 * Charges a viewer's budgets and answers with the link, or with the one answer
 * for everything that is no live link. All 404 answers are charged to one
 * bucket per client address, for every id. So a refusal tells nothing of the
 * id, and ids that were never issued take no room.
 */
function charged<T>(
  call: Call<ViewProblem>,
  { opaqueId, clientAddress }: Viewer,
  budget: "share_metadata" | "share_blob" | "share_secret",
  found: T | undefined,
  cost = 1,
): T {
  const { raise } = call;
  const link = found === undefined ? "" : opaqueId;
  const spent = charge(call, budget, [link, clientAddress], cost) ??
    (budget === "share_secret" && found !== undefined
      ? charge(call, "share_secret_per_link", [opaqueId])
      : undefined);
  if (spent !== undefined) {
    throw raise("error.share.rate_limited", {
      ...spent,
      extra: { retry_after: spent.retryAtSeconds },
    });
  }
  if (found === undefined) throw raise("error.share.not_found");
  return found;
}

/** Who asks for which link. */
interface Viewer {
  readonly opaqueId: OpaqueId;
  readonly clientAddress: string;
}

/** What a live link discloses. */
export async function viewShare(call: Call<ViewProblem>, viewer: Viewer) {
  const { app, now } = call;
  const share = await findLiveShare(app.db, viewer.opaqueId, now);
  return charged(call, viewer, "share_metadata", share);
}

/** The wrapped secret of a live link that has one. */
export async function viewSecret(call: Call<ViewProblem>, viewer: Viewer) {
  const { app, now } = call;
  const share = await findLiveShare(app.db, viewer.opaqueId, now);
  const wrapped = share?.wrapped_secret ?? null;
  const found = share === undefined || wrapped === null
    ? undefined
    : { wrapped, last_viewed_at: share.last_viewed_at };
  return charged(call, viewer, "share_secret", found);
}

/**
 * A blob that a live link serves and that, at this moment, a live asset of the
 * issuer (or of an album that the issuer owns) still references and nothing
 * withholds.
 */
export async function viewBlob(
  call: Call<ViewProblem>,
  viewer: Viewer,
  hash: BlobHash,
): Promise<ReadableBlob & Viewed> {
  const { app, now } = call;
  const served = await findServedBlob(app.db, viewer.opaqueId, now, hash);
  const blob = charged(call, viewer, "share_blob", served);
  const { size, stored_at: storedAt, last_viewed_at } = blob;
  return { hash, size, storedAt, last_viewed_at };
}

/**
 * The blobs of a live link that were asked for, each where {@link viewBlob}
 * would show it. Charged by blob, all of them or none.
 */
export async function viewBlobs(
  call: Call<ViewProblem>,
  viewer: Viewer,
  hashes: readonly BlobHash[],
): Promise<Viewed & { readonly wanted: readonly (SizedBlob | undefined)[] }> {
  const { app, now } = call;
  const share = await findLiveShare(app.db, viewer.opaqueId, now);
  const cost = hashes.length;
  const { last_viewed_at } = charged(call, viewer, "share_blob", share, cost);
  const served = await listServedBlobs(app.db, viewer.opaqueId, now, hashes);
  const sizes = new Map(served.map(({ hash, size }) => [hash, size]));
  const wanted = hashes.map((hash) => {
    const size = sizes.get(hash);
    return size === undefined ? undefined : { hash, size };
  });
  return { wanted, last_viewed_at };
}

/** What is noted of a link's views so far (ms). */
interface Viewed {
  readonly last_viewed_at: number | null;
}

/** Notes that a link has just been viewed; the viewer never waits for it. */
export function noteView(
  app: App,
  opaqueId: OpaqueId,
  { last_viewed_at: before }: Viewed,
): void {
  app.signals.shareViews.note(opaqueId, before, app.platform.now());
}

/** Notes that a viewer has just been told what a link discloses. */
export function noteOpening(app: App, { opaqueId, clientAddress }: Viewer) {
  app.signals.shareViews.open(opaqueId, clientAddress, app.platform.now());
}

/** The caller's links that were not revoked, newest first, as on the wire. */
export async function listOwnShares(app: App, userId: UserId) {
  await app.signals.shareViews.write();
  return (await listShares(app.db, userId)).map(toWire);
}
