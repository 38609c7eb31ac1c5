/**
 * Lifecycle writes: one signed manifest, with its metadata inline, applied to
 * an asset of an album (protocol/manifests.md#lifecycle-write). The whole check
 * battery runs before anything is written.
 *
 * @module
 */
import {
  type AlbumId,
  type AssetId,
  type BlobHash,
  parseUuid,
  type UploadId,
} from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { together } from "../../store/files/files.ts";
import type { OpRequest } from "../../wire/bodies/uploads.ts";
import { type AlbumView, assertWritable, viewAlbum } from "../albums/access.ts";
import { asOfNow, type Call, type CallBy } from "../call.ts";
import { requireDisk } from "../disk.ts";
import { forgetLost } from "../lost_blobs.ts";
import { quotaOf } from "../quota.ts";
import { ROW_LIMITS } from "../row_limits.ts";
import type { BlobRole } from "../../store/sqlite/schema.ts";
import type { IssuedReceipt, ReceiptOrder } from "../receipts/chain.ts";
import { receiptToWire } from "../receipts/receipts.ts";
import { listTogether } from "../receipts/store.ts";
import { readUsage } from "../usage.ts";
import {
  applyManifest,
  checkManifest,
  type ManifestProblem,
  type ManifestWrite,
} from "./apply.ts";
import { brokenRules, checkProtocol, envelopeRules } from "./envelope.ts";
import {
  type InlineBlob,
  inlineBlobs,
  leaveToCollection,
  storeInline,
} from "./inline.ts";
import { deletePending, notePending } from "./pending.ts";
import { refuseNewInUpgrade } from "./quiescence.ts";
import { contradictoryReleases } from "./releases.ts";
import { findClaim, findManifest, insertHolding } from "./store.ts";

type OpProblem =
  | ManifestProblem
  | "error.account.limit_reached"
  | "error.album.upgrade_in_flight"
  | "error.handshake.protocol_unsupported";

/** A blob that the server has already, and that a write takes. */
export interface TakenBlob {
  readonly role: "original" | "derivative";
  readonly hash: BlobHash;
  readonly size: number;
  /** Whether it is to be had; nothing is written. */
  readonly isThere: () => Promise<boolean>;
  /** Takes it; false where it is not to be had any more. */
  readonly take: (tx: Tx) => Promise<boolean>;
}

/**
 * Applies a manifest, or finds that it was applied before, with the blobs that
 * it takes from where they are.
 */
export async function applyOp(
  call: CallBy<"session", OpProblem>,
  albumId: AlbumId,
  request: OpRequest,
  taken: readonly TakenBlob[] = [],
) {
  const { app, caller: { userId }, now, raise } = call;
  const album = await viewAlbum(app.db, userId, albumId, now);
  if (album === undefined || album.role === "viewer") {
    throw raise("error.album.role_forbidden");
  }
  const blobs = inlineBlobs(request);
  const write: ManifestWrite = {
    ...readWrite(call, albumId, request, blobs, taken),
    takenOriginals: taken.filter(({ role }) => role === "original")
      .map(({ hash }) => hash),
  };
  const answer = async (
    { sync_seq, action, receipt_seq }: Application,
    replayed: boolean,
  ) => ({
    asset_id: write.assetId,
    sync_seq,
    action,
    replayed,
    receipts: (await listTogether(app.db, receipt_seq))
      .map((body) => receiptToWire(body)),
  });
  const before = await findManifest(
    app.db,
    userId,
    write.assetId,
    write.manifestHash,
  );
  if (before !== undefined) return await answer(before, true);
  await checkAlbum(call, app.db, album, write);
  const { protocol_version: written } = request.manifest_envelope;
  checkProtocol(call, written, album.protocolVersion);
  await checkOwner(call, write);
  await checkManifest(call, app.db, write);
  for (const one of taken) {
    if (!await one.isThere()) throw missing(call, one);
  }
  await requireInlineRoom(call, blobs);
  const uploadId = app.newId<UploadId>();
  const orders = [...taken, ...blobs.map(sized)]
    .map((blob) => receiptOrder(write, uploadId, blob));
  const distinct = [
    ...new Map(blobs.map((blob) => [blob.hash, blob])).values(),
  ];
  const isSmall = ({ bytes }: InlineBlob) =>
    bytes.length <= app.limits.smallBlobBytes;
  const small = distinct.filter(isSmall);
  // Each has a file of its own in staging, so that they are placed at once.
  const pending = distinct.filter((blob) => !isSmall(blob))
    .map(({ hash, bytes }) => ({
      uploadId: app.newId<UploadId>(),
      hash,
      bytes,
    }));
  await notePending(app.db, pending, now);
  try {
    await together(...pending.map((one) => storeInline(app, one)));
    const applied = await app.receipts.issueAll(
      orders,
      async (tx, receipts) => {
        const later = asOfNow(call);
        for (const one of taken) {
          if (!await one.take(tx)) throw missing(later, one);
        }
        const syncSeq = await commit(later, tx, write, receipts, taken.length);
        for (const { hash, bytes } of small) {
          await app.blobs.keepSmall(tx, hash, bytes);
        }
        const noted = await deletePending(tx, pending);
        if (noted === pending.length) return syncSeq;
        throw new Error("the write hung until its blobs were collected");
      },
    );
    app.signals.feedNotifier.notify();
    return await answer({ ...applied, action: write.action }, false);
  } catch (thrown) {
    await leaveToCollection(app, pending);
    // Nothing was issued for what the same write had made true before.
    if (thrown instanceof AppliedMeanwhile) {
      return await answer(thrown.before, true);
    }
    throw thrown;
  }
}

/** What is to be taken and is not there for this caller. */
function missing(
  { raise }: Call<"error.manifest.blob_missing">,
  { hash }: TakenBlob,
) {
  return raise("error.manifest.blob_missing", { extra: { missing: [hash] } });
}

function sized({ role, hash, bytes }: InlineBlob) {
  return { role, hash, size: bytes.length };
}

/**
 * Refuses what a quota could never get back. Inline blobs are not refused for
 * the quota (protocol/manifests.md#lifecycle-write), so that there is always
 * room to edit; but no manifest of a live asset ever goes, and the room above
 * has an end.
 */
async function requireInlineRoom(
  call: CallBy<"session", "error.account.limit_reached">,
  blobs: readonly InlineBlob[],
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  const bytes = blobs.reduce((sum, one) => sum + one.bytes.length, 0);
  await requireDisk(app, bytes);
  const held = await readUsage(app.db, userId);
  const { accountQuotaBytes } = app.limits;
  const quota = quotaOf(held?.quota_bytes ?? null, accountQuotaBytes);
  if (held === undefined || quota === undefined) return;
  if (held.bytes + bytes <= quota + ROW_LIMITS.inlineAboveQuota) return;
  throw raise("error.account.limit_reached", { extra: { limit: "quota" } });
}

/** What an application of a manifest has made true. */
interface Application {
  readonly sync_seq: number;
  readonly action: ManifestWrite["action"];
  /** The manifest's own receipt. */
  readonly receipt_seq: number;
}

/** The very same write came first: this one takes back its receipts. */
class AppliedMeanwhile extends Error {
  override readonly name = "AppliedMeanwhile";
  constructor(readonly before: Application) {
    super("applied meanwhile");
  }
}

/** The write that a request asks for, if its envelope agrees with it. */
function readWrite(
  call: CallBy<"session", "error.manifest.mismatch">,
  albumId: AlbumId,
  request: OpRequest,
  blobs: readonly InlineBlob[],
  taken: readonly TakenBlob[],
): ManifestWrite {
  const { caller: { userId }, now, raise } = call;
  const { manifest_envelope: envelope } = request;
  const original = envelope.original_blob_hash ?? null;
  const metadata = envelope.metadata_blob_hash ?? null;
  const inline = blobs.filter(({ role }) => role === "metadata");
  const releases = request.releases ?? [];
  const broken = brokenRules([
    [envelope.album_id === albumId, "album_id", "must be the path's"],
    ...envelopeRules(envelope, userId, now),
    [
      original === null || original === envelope.ciphertext_hash,
      "ciphertext_hash",
      "must be the original's",
    ],
    [
      inline.every(({ hash }) => hash === metadata),
      "metadata_blob_hash",
      "must be that of metadata_blob",
    ],
  ]);
  const errors = [
    ...broken,
    ...contradictoryReleases(releases, [
      original,
      metadata,
      ...[...taken, ...blobs].map(({ hash }) => hash),
    ]),
  ];
  const assetId = parseUuid<AssetId>(envelope.file_id);
  const manifest = blobs.at(-1);
  const action = envelope.action === "replace" ? "replace" : "create";
  if (errors.length > 0 || assetId === undefined || manifest === undefined) {
    throw raise("error.manifest.mismatch", { extra: { errors } });
  }
  return {
    ownerId: userId,
    assetId,
    albumId,
    inlineMetadata: inline.map(({ hash }) => hash),
    releases,
    manifestHash: manifest.hash,
    envelope: JSON.stringify(envelope),
    retentionUntil: envelope.retention_until ?? null,
    action,
    priorHash: envelope.prior_provenance_hash ?? null,
    originalHash: envelope.ciphertext_hash,
    metadataHash: metadata,
  };
}

/** A write that starts nothing new in an album that is being upgraded. */
async function checkAlbum(
  call: Call<OpProblem>,
  db: Db,
  album: AlbumView,
  write: ManifestWrite,
): Promise<void> {
  assertWritable(call, album);
  if (album.quiescence === undefined) return;
  // What was under way may be created; a replace of it has to wait.
  if (write.action === "replace") {
    throw call.raise("error.album.upgrade_in_flight");
  }
  const { ownerId: userId, albumId, assetId } = write;
  if (albumId === null) throw new Error("a write without an album");
  await refuseNewInUpgrade(call, db, album, { userId, albumId, assetId });
}

/** Another account's live or deleted asset is not this caller's to write. */
async function checkOwner(
  { app, raise }: Call<"error.manifest.mismatch">,
  write: ManifestWrite,
): Promise<void> {
  const claim = await findClaim(app.db, write.assetId);
  if (claim === undefined || claim.owner_id === write.ownerId) return;
  throw raise("error.manifest.mismatch", {
    extra: {
      errors: [{ path: "/manifest_envelope/file_id", message: "is taken" }],
    },
  });
}

function receiptOrder(
  write: ManifestWrite,
  uploadId: UploadId,
  { role, hash, size }: {
    readonly role: BlobRole;
    readonly hash: BlobHash;
    readonly size: number;
  },
): ReceiptOrder {
  return {
    ownerId: write.ownerId,
    uploadId,
    assetId: write.assetId,
    blobRole: role,
    ciphertextHash: hash,
    size,
    envelopeHash: role === "provenance" ? hash : null,
  };
}

/** Everything that a write makes true, inside its one transaction. */
async function commit(
  call: Call<OpProblem>,
  tx: Tx,
  write: ManifestWrite,
  receipts: readonly IssuedReceipt[],
  /** How many of them, the first, are for blobs that were taken. */
  takenCount: number,
) {
  const { now } = call;
  const { ownerId, assetId } = write;
  for (const [index, { order, receiptSeq }] of receipts.entries()) {
    await insertHolding(tx, {
      owner_id: ownerId,
      asset_id: assetId,
      role: order.blobRole,
      hash: order.ciphertextHash,
      size: order.size,
      upload_id: order.uploadId,
      finalized_at: now,
      receipt_seq: receiptSeq,
      applied: 0,
    });
    // Blobs that were taken over were not placed again.
    if (index >= takenCount) await forgetLost(tx, order.ciphertextHash);
  }
  // The manifest's own receipt is the last.
  const receiptSeq = receipts.at(-1)?.receiptSeq;
  if (receiptSeq === undefined) throw new Error("a write without a receipt");
  const { syncSeq, replayed } = await applyManifest(
    call,
    tx,
    write,
    receiptSeq,
    // Again: a ceremony may have begun since, and only SQL is left to do.
    (album) => checkAlbum(call, tx, album, write),
  );
  if (replayed) {
    const before = await findManifest(tx, ownerId, assetId, write.manifestHash);
    if (before === undefined) throw new Error("replayed and not there");
    throw new AppliedMeanwhile(before);
  }
  return { sync_seq: syncSeq, receipt_seq: receiptSeq };
}
