/**
 * Writing the sync feed. Every change that a client follows takes its position
 * in the transaction that makes it.
 *
 * @module
 */
import type {
  AlbumId,
  AssetId,
  BlobHash,
  StateSlot,
  UserId,
} from "../core/ids.ts";
import type { Tx } from "../store/sqlite/database.ts";
import type { FeedAction } from "../store/sqlite/schema.ts";

interface FeedEntry {
  /** The account whose change it is, or whom alone it concerns. */
  readonly userId: UserId;
  readonly action: FeedAction;
  readonly albumId?: AlbumId | null;
  /** The album's owner, if that is another account. */
  readonly albumOwnerId?: UserId | null;
  readonly assetId?: AssetId;
  readonly chainHead?: BlobHash;
  readonly slot?: StateSlot;
  /** For this account alone, not for those who read the album. */
  readonly personal?: true;
  readonly at: number;
}

/** Appends an entry; returns its `sync_seq`, above all that were before. */
export async function appendFeed(tx: Tx, entry: FeedEntry): Promise<number> {
  const { sync_seq } = await tx.insertInto("feed")
    .values({
      user_id: entry.userId,
      action: entry.action,
      album_id: entry.albumId ?? null,
      album_owner_id: entry.albumOwnerId ?? null,
      asset_id: entry.assetId ?? null,
      chain_head: entry.chainHead ?? null,
      slot: entry.slot ?? null,
      personal: entry.personal === true ? 1 : 0,
      at: entry.at,
    })
    .returning("sync_seq")
    .executeTakeFirstOrThrow();
  return sync_seq;
}
