/**
 * Answers about assets, the feed, the trash, verification and usage
 * (protocol/manifests.md, protocol/feed.md, protocol/receipts.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { BLOB_ROLES } from "../../crypto/blob_role.ts";
import {
  base64,
  blobRole,
  count,
  flag,
  hash,
  instant,
  ordinal,
  text,
  upTo,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";

export const AssetBlob = z.strictObject({
  hash,
  role: blobRole,
  size: count,
});
/** A blob of an asset. */
export type StoredBlob = Opened<typeof AssetBlob>;

export const AssetResponse = z.strictObject({
  asset_id: uuid,
  album_id: z.optional(uuid),
  owner: uuid,
  state: z.enum(["live", "deleted"]),
  chain_head: hash,
  sync_seq: ordinal,
  blobs: z.array(AssetBlob),
  created_at: instant,
  updated_at: instant,
  deleted_at: z.optional(instant),
});
/** An asset and the blobs that it holds. */
export type Asset = Opened<typeof AssetResponse>;

export const TrashedAsset = z.extend(AssetResponse, { expires_at: instant });

export const TrashResponse = z.strictObject({
  assets: z.array(TrashedAsset),
  next_after: z.optional(text),
});
/** A page of the trash. */
export type TrashPage = Opened<typeof TrashResponse>;

export const EmptyTrashResponse = z.strictObject({
  assets: count,
  bytes: count,
});

/** So many assets may be asked for at once. */
export const QUERIED_MAX = 500;

export const QueriedAsset = z.extend(AssetResponse, {
  metadata: z.optional(base64),
  provenance: z.optional(base64),
});
/** An asset with those of its small blobs that were asked for. */
export type FullAsset = Opened<typeof QueriedAsset>;

export const QueryResponse = z.strictObject({
  assets: upTo(QUERIED_MAX, QueriedAsset),
});

/** So many entries of the feed are in one answer. */
export const FEED_MAX = 1_000;

export const SyncEntry = z.strictObject({
  sync_seq: ordinal,
  action: z.enum([
    "create",
    "replace",
    "delete",
    "restore",
    "roster",
    "album",
    "tombstone",
    "contribution",
    "withheld",
    "reinstated",
    "purge",
    "state",
    "damaged",
  ]),
  album_id: z.optional(uuid),
  asset_id: z.optional(uuid),
  chain_head: z.optional(hash),
  slot: z.optional(text),
  at: instant,
});

export const SyncResponse = z.strictObject({
  feed_epoch: text,
  entries: upTo(FEED_MAX, SyncEntry),
  next_after: count,
  more: flag,
});

export const BlobVerdict = z.strictObject({
  hash,
  role: z.enum([...BLOB_ROLES, "unknown"]),
  stored: flag,
  indexed: flag,
  retrievable: flag,
  deep: z.optional(z.enum(["intact", "corrupt", "rate_limited"])),
});

const AssetVerdict = z.strictObject({
  asset_id: uuid,
  durable: flag,
  blobs: z.array(BlobVerdict),
  checked_at: instant,
});
/** The server's verdict on an asset's blobs. */
export type Verdict = Opened<typeof AssetVerdict>;

export const StorageVerifyResponse = z.strictObject({
  verdicts: z.array(AssetVerdict),
});

export const UsageResponse = z.strictObject({
  used_bytes: count,
  reserved_bytes: count,
  trash_bytes: count,
  quota_bytes: z.optional(count),
  assets: count,
  blobs: count,
});
/** The storage that an account uses, in bytes. */
export type Usage = Opened<typeof UsageResponse>;
