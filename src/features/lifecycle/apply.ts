/**
 * Applying a signed manifest to an asset: checks first, then one transaction
 * with SQL alone (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import type { AlbumId, AssetId, BlobHash, UserId } from "../../core/ids.ts";
import { isPresent } from "../../store/blobs/blob_store.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import { type AlbumView, assertWritable, viewAlbum } from "../albums/access.ts";
import type { Call } from "../call.ts";
import { appendFeed } from "../feed.ts";
import { listLostAmong } from "../lost_blobs.ts";
import { moveUsage } from "../usage.ts";
import {
  type ChainFacts,
  decideManifest,
  type ManifestClaims,
} from "./rules.ts";
import { requireReleased } from "./releases.ts";
import {
  attachHoldings,
  deleteHoldings,
  detachHoldings,
  findAsset,
  findGone,
  findManifest,
  findSuccessor,
  type HeldBlob,
  insertManifest,
  listHoldings,
  putAsset,
} from "./store.ts";

/** A signed manifest whose provenance blob is finalized or about to be. */
export interface ManifestWrite extends ManifestClaims {
  readonly ownerId: UserId;
  readonly assetId: AssetId;
  readonly albumId: AlbumId | null;
  /** Metadata blobs that come with the manifest itself. */
  readonly inlineMetadata: readonly BlobHash[];
  /** Originals that are taken with the manifest. */
  readonly takenOriginals?: readonly BlobHash[];
  /** Derivatives that the asset lets go of. */
  readonly releases: readonly BlobHash[];
  /** SHA-256 of the signed manifest: the chain head once it is applied. */
  readonly manifestHash: BlobHash;
  /** The envelope as JSON, kept with the chain. */
  readonly envelope: string;
  /** Its retention floor. */
  readonly retentionUntil: number | null;
}

export interface Applied {
  readonly syncSeq: number;
  readonly replayed: boolean;
}

export type ManifestProblem =
  | "error.asset.stale_revival"
  | "error.manifest.blob_missing"
  | "error.manifest.mismatch"
  | "error.album.role_forbidden"
  | "error.album.tombstoned";

/**
 * Refuses a manifest that could not be applied now, before anything is signed
 * for it. {@link applyManifest} decides again inside its transaction.
 */
export async function checkManifest(
  call: Call<ManifestProblem>,
  db: Db,
  write: ManifestWrite,
): Promise<void> {
  const { ownerId, assetId, manifestHash } = write;
  if (await findManifest(db, ownerId, assetId, manifestHash)) return;
  const { original, asset } = await decide(call, db, write);
  if (asset === undefined) return;
  await lookAtChain(call, db, write, original, asset.chain_head);
}

/**
 * Looks at the earlier manifests of an asset that gets another original or
 * whose newest manifest is not there: its owner answers a loss. Of those that
 * are lost no one has the bytes, so the new manifest lets go of them; see
 * {@link listSuperseded}.
 */
async function lookAtChain(
  { app: { blobs, signals } }: Call<ManifestProblem>,
  db: Db,
  { ownerId, assetId }: ManifestWrite,
  original: BlobHash,
  head: BlobHash | null,
): Promise<void> {
  const held = await listHoldings(db, ownerId, assetId);
  const isSame = held.some(({ applied, role, hash }) =>
    applied === 1 && role === "original" && hash === original
  );
  const newest = held.find(({ hash }) => hash === head);
  const isThere = newest === undefined ||
    await isPresent(blobs, newest.hash, newest.size);
  if (isSame && isThere) return;
  for (const { role, applied, hash, size } of held) {
    if (role !== "provenance" || applied === 0) continue;
    if (!await isPresent(blobs, hash, size)) await signals.lostBlobs.look(hash);
  }
}

/**
 * Applies a manifest, or finds that it was applied before. `check` may refuse
 * the album as it is by now.
 */
export async function applyManifest(
  call: Call<ManifestProblem>,
  tx: Tx,
  write: ManifestWrite,
  receiptSeq: number,
  check: (album: AlbumView) => Promise<void> = async () => {},
): Promise<Applied> {
  const { now } = call;
  const { ownerId, assetId, albumId, manifestHash, action } = write;
  const before = await findManifest(tx, ownerId, assetId, manifestHash);
  if (before !== undefined) {
    return { syncSeq: before.sync_seq, replayed: true };
  }
  const { original, asset, album, released } = await decide(
    call,
    tx,
    write,
    check,
  );
  const previous = asset === undefined
    ? undefined
    : await findManifest(tx, ownerId, assetId, asset.chain_head);
  const superseded = await listSuperseded(
    tx,
    write,
    original,
    released,
    previous?.receipt_seq,
  );
  await attachHoldings(tx, ownerId, assetId, {
    original,
    metadata: write.metadataHash,
    provenance: manifestHash,
    derivativesAfter: previous?.receipt_seq ?? 0,
  });
  // After what attaches: it may release what is as young as that.
  if (asset === undefined || asset.held_at === null) {
    await deleteHoldings(tx, ownerId, assetId, superseded);
  } else await detachHoldings(tx, ownerId, assetId, superseded);
  const syncSeq = await appendFeed(tx, {
    userId: ownerId,
    action,
    albumId,
    albumOwnerId: album === undefined || album.ownerId === ownerId
      ? null
      : album.ownerId,
    assetId,
    chainHead: manifestHash,
    at: now,
  });
  await putAsset(tx, {
    asset_id: assetId,
    owner_id: ownerId,
    album_id: albumId,
    state: "live",
    chain_head: manifestHash,
    sync_seq: syncSeq,
    created_at: now,
    updated_at: now,
    retention_until: write.retentionUntil,
  });
  // In the trash it would have been refused.
  if (asset === undefined) await moveUsage(tx, ownerId, { liveAssets: 1 });
  await insertManifest(tx, {
    owner_id: ownerId,
    asset_id: assetId,
    manifest_hash: manifestHash,
    prior_hash: write.priorHash,
    action,
    envelope: write.envelope,
    sync_seq: syncSeq,
    receipt_seq: receiptSeq,
    applied_at: now,
  });
  return { syncSeq, replayed: false };
}

async function decide(
  call: Call<ManifestProblem>,
  db: Db,
  write: ManifestWrite,
  check: (album: AlbumView) => Promise<void> = async () => {},
) {
  const { raise } = call;
  const album = await writableAlbum(call, db, write);
  if (album !== undefined) await check(album);
  const asset = await findAsset(db, write.assetId);
  const claim = asset ?? await findGone(db, write.assetId);
  if (claim !== undefined && claim.owner_id !== write.ownerId) {
    // Another account's asset came to life under this id meanwhile.
    throw mismatch(call, "/manifest_envelope/file_id");
  }
  const holdings = await listHoldings(db, write.ownerId, write.assetId);
  const hashes = (role: string) =>
    holdings.filter((one) => one.role === role).map((one) => one.hash);
  // One that left the trash stays deleted for good.
  if (claim !== undefined && asset === undefined) {
    throw raise("error.asset.stale_revival", { extra: {} });
  }
  const facts: ChainFacts = {
    asset: asset && {
      state: asset.withheld_at === null ? asset.state : "withheld",
      chainHead: asset.chain_head,
    },
    originals: [...hashes("original"), ...write.takenOriginals ?? []],
    metadata: [...hashes("metadata"), ...write.inlineMetadata],
  };
  const decision = decideManifest(facts, write);
  switch (decision.kind) {
    case "apply":
      if (
        asset !== undefined && !await belongs(db, asset.album_id, write.albumId)
      ) {
        throw mismatch(call, "/manifest_envelope/album_id");
      }
      return {
        original: decision.originalHash,
        asset,
        album,
        released: await requireReleased(call, db, write),
      };
    case "chain_conflict":
      throw raise("error.asset.stale_revival", {
        extra: { chain_head: decision.chainHead },
      });
    case "deleted":
      throw raise("error.asset.stale_revival", { extra: {} });
    case "missing":
      throw raise("error.manifest.blob_missing", {
        extra: { missing: [...decision.hashes] },
      });
  }
}

/**
 * Whether a derivative attaches as it finalizes: to a live asset of its owner,
 * in an album that the owner may still write to.
 */
export async function attachesNow(
  call: Call<"error.album.role_forbidden" | "error.album.tombstoned">,
  db: Db,
  ownerId: UserId,
  assetId: AssetId,
): Promise<boolean> {
  const asset = await findAsset(db, assetId);
  if (asset?.owner_id !== ownerId || asset.state !== "live") return false;
  await writableAlbum(call, db, { ownerId, albumId: asset.album_id });
  return true;
}

/** The manifest's album, where the author may write now. */
async function writableAlbum(
  call: Call<"error.album.role_forbidden" | "error.album.tombstoned">,
  db: Db,
  { ownerId, albumId }: Pick<ManifestWrite, "ownerId" | "albumId">,
): Promise<AlbumView | undefined> {
  if (albumId === null) return undefined;
  const album = await viewAlbum(db, ownerId, albumId, call.now);
  // A write has no 404 for an album (protocol/albums.md#access).
  if (album === undefined) throw call.raise("error.album.role_forbidden");
  assertWritable(call, album);
  return album;
}

/**
 * Whether an asset that is replaced is where the manifest says. A replace moves
 * it on from a tombstoned album to the album's successor.
 */
export async function belongs(
  db: Db,
  heldIn: AlbumId | null,
  albumId: AlbumId | null,
): Promise<boolean> {
  if (heldIn === albumId) return true;
  let at = heldIn;
  while (at !== null) {
    at = (await findSuccessor(db, at))?.successor_id ?? null;
    // Out of every album an asset is never moved.
    if (at !== null && at === albumId) return true;
  }
  return false;
}

function mismatch({ raise }: Call<"error.manifest.mismatch">, path: string) {
  return raise("error.manifest.mismatch", {
    extra: { errors: [{ path, message: "is not the one of this asset" }] },
  });
}

/**
 * What the new manifest no longer holds: the original and metadata it
 * replaces, and with a new original the derivatives of the old one, which are
 * those that were finalized before the previous manifest was applied; those that
 * it releases; and earlier manifests that the server is known to have lost.
 */
async function listSuperseded(
  tx: Tx,
  write: ManifestWrite,
  original: BlobHash,
  released: readonly HeldBlob[],
  previousReceiptSeq: number | undefined,
): Promise<readonly HeldBlob[]> {
  if (previousReceiptSeq === undefined) return [];
  const held = await listHoldings(tx, write.ownerId, write.assetId);
  const attached = held.filter((one) => one.applied === 1);
  const originalChanged = !attached.some((one) =>
    one.role === "original" && one.hash === original
  );
  const lost = await listLostAmong(
    tx,
    attached.flatMap(({ role, hash }) => role === "provenance" ? [hash] : []),
  );
  return attached.filter((one) => {
    switch (one.role) {
      case "original":
        return one.hash !== original;
      case "metadata":
        return one.hash !== write.metadataHash;
      case "derivative":
        return released.some(({ hash }) => hash === one.hash) ||
          (originalChanged && one.receipt_seq < previousReceiptSeq);
      case "provenance":
        return lost.has(one.hash);
    }
  });
}
