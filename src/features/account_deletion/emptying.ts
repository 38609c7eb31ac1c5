/**
 * Emptying an account out, in batches that are each whole by themselves
 * (accounts-and-moderation/delete-an-account.md).
 *
 * @module
 */
import type { AssetId, UserId } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import { appendFeed } from "../feed.ts";
import { endGuestUploads } from "../uploads/contributions.ts";
import { endUploads } from "../uploads/store.ts";
import type { ServiceContext } from "../service_context.ts";
import {
  deleteAlbum,
  findOwnAlbum,
  listOpenUploads,
  takeAssetsOut,
  takeUploadsOut,
} from "./albums_store.ts";
import { closeDoors, listHeld } from "./closing_store.ts";
import {
  deleteAccountRow,
  deleteAssets,
  deleteFeed,
  deletePendingHoldings,
  deleteShares,
  deleteStateSlot,
  deleteUploadLinks,
  leaveRosters,
  listAssets,
  listGuestUploads,
  listUploads,
} from "./store.ts";

export interface RemovalOptions {
  /** Called after every batch, with the assets that are gone so far. */
  readonly onProgress?: (assets: number) => void;
  /** Ends it between two batches. */
  readonly signal?: AbortSignal;
}

/** Held assets that a refusal names. */
const NAMED_AT_MOST = 10;
/** Others may write at least so long between two batches (ms). */
const PAUSE_MIN_MS = 2;

/**
 * Closes an account, if it is not closed yet, and deletes what it has. Throws
 * an {@link OperatorFault} while something is under legal hold, and the
 * signal's reason where that is aborted; then it may be called again.
 */
export async function emptyOut(
  context: ServiceContext,
  userId: UserId,
  options: RemovalOptions = {},
): Promise<void> {
  const { db, platform } = context;
  const { signal = new AbortController().signal } = options;
  let assets = 0;
  /** Repeats a step until it says that nothing is left for it. */
  const exhaust = async (step: (tx: Tx) => Promise<boolean>) => {
    for (let isDone = false; !isDone;) {
      let began = 0;
      isDone = await transaction(db, (tx) => {
        began = platform.monotonic();
        return step(tx);
      });
      options.onProgress?.(assets);
      // As long as it wrote: who waits for the database has its turn.
      const took = platform.monotonic() - began;
      const pause = Math.max(PAUSE_MIN_MS, took);
      await platform.sleep(pause, signal);
      signal.throwIfAborted();
    }
  };
  for (let isGone = false; !isGone;) {
    const now = platform.now();
    await transaction(db, async (tx) => {
      await refuseHeld(tx, userId);
      await closeDoors(tx, userId, now);
    });
    await exhaust((tx) => deleteUploads(context, tx, userId));
    await exhaust((tx) => deleteGuests(context, tx, userId));
    await exhaust(async (tx) => await deleteShares(tx, userId) === 0);
    await exhaust(async (tx) => !await deleteStateSlot(tx, userId));
    await exhaust((tx) => endAlbums(context, tx, userId, now));
    await exhaust(async (tx) => {
      const dropped = await deleteOwnAssets(tx, userId, now);
      assets += dropped;
      return dropped === 0;
    });
    await exhaust(async (tx) => await deletePendingHoldings(tx, userId) === 0);
    let read: number | undefined = 0;
    await exhaust(async (tx) => {
      read = await deleteFeed(tx, userId, read ?? 0);
      return read === undefined;
    });
    // Not so where a request that had begun before has brought something yet.
    isGone = await transaction(db, async (tx) => {
      await leaveRosters(tx, userId);
      return await deleteAccountRow(tx, userId);
    });
  }
}

/** Refuses while something is under legal hold, and names it. */
export async function refuseHeld(db: Db, userId: UserId): Promise<void> {
  const held = await listHeld(db, userId);
  if (held.length > 0) throw heldFault(held);
}

function heldFault(held: readonly AssetId[]): OperatorFault {
  const named = held.slice(0, NAMED_AT_MOST).join(", ");
  const more = held.length > NAMED_AT_MOST ? " and more" : "";
  return new OperatorFault(
    `it has assets under legal hold: ${named}${more}: if they need no ` +
      "hold any more, release them first with strongroom asset release",
  );
}

/**
 * Ends a batch of an account's uploads. Their files go first: an upload starts
 * over if only its row is left, and a file without its row is a stray.
 */
async function deleteUploads(
  { staging }: ServiceContext,
  tx: Tx,
  userId: UserId,
): Promise<boolean> {
  const uploads = await listUploads(tx, userId);
  for (const { upload_id, state } of uploads) {
    if (state === "open") await staging.discard(upload_id);
  }
  await endUploads(tx, uploads);
  return uploads.length === 0;
}

/** Ends a batch of what guests brought, then the links that are empty. */
async function deleteGuests(
  { staging }: ServiceContext,
  tx: Tx,
  userId: UserId,
): Promise<boolean> {
  const brought = await listGuestUploads(tx, userId);
  for (const { upload_id, state } of brought) {
    if (state === "open") await staging.discard(upload_id);
  }
  await endGuestUploads(tx, brought);
  if (brought.length > 0) return false;
  return await deleteUploadLinks(tx, userId) === 0;
}

/** Empties an album by a batch, or ends it; true if it does not exist. */
async function endAlbums(
  { staging }: ServiceContext,
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<boolean> {
  const albumId = await findOwnAlbum(tx, userId);
  if (albumId === undefined) return true;
  if (!await takeAssetsOut(tx, albumId, userId, now)) return false;
  if (!await takeUploadsOut(tx, albumId)) return false;
  const open = await listOpenUploads(tx, albumId);
  for (const { upload_id } of open) await staging.discard(upload_id);
  await endUploads(tx, open);
  if (open.length === 0) await deleteAlbum(tx, albumId, userId, now);
  return false;
}

/** Deletes a batch of an account's assets; returns how many. */
async function deleteOwnAssets(
  tx: Tx,
  userId: UserId,
  now: number,
): Promise<number> {
  const assets = await listAssets(tx, userId);
  const held = assets.filter(({ held_at }) => held_at !== null);
  if (held.length > 0) throw heldFault(held.map(({ asset_id }) => asset_id));
  for (const asset of assets) {
    // Those who read it in an album of another account; its own feed goes as
    // well.
    if (asset.album_owner_id === null) continue;
    await appendFeed(tx, {
      userId,
      action: "purge",
      albumId: asset.album_id,
      albumOwnerId: asset.album_owner_id,
      assetId: asset.asset_id,
      chainHead: asset.chain_head,
      at: now,
    });
  }
  await deleteAssets(tx, userId, assets.map(({ asset_id }) => asset_id), now);
  return assets.length;
}
