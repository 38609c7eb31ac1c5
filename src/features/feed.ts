/**
 * Writing the sync feed. Every change that a client follows takes its position
 * in the transaction that makes it.
 *
 * @module
 */
import type { AlbumId, AssetId, BlobHash, UserId } from "../core/ids.ts";
import type { Tx } from "../store/database.ts";

export type FeedAction = "create" | "replace" | "album";

export interface FeedEntry {
  readonly userId: UserId;
  readonly action: FeedAction;
  readonly albumId?: AlbumId | null;
  readonly assetId?: AssetId;
  readonly chainHead?: BlobHash;
  readonly at: number;
}

/** Appends an entry; returns its `sync_seq`, above all that were before. */
export async function appendFeed(tx: Tx, entry: FeedEntry): Promise<number> {
  const { sync_seq } = await tx.insertInto("feed")
    .values({
      user_id: entry.userId,
      action: entry.action,
      album_id: entry.albumId ?? null,
      asset_id: entry.assetId ?? null,
      chain_head: entry.chainHead ?? null,
      at: entry.at,
    })
    .returning("sync_seq")
    .executeTakeFirstOrThrow();
  return sync_seq;
}
