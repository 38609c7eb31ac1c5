/**
 * Calls about assets, the feed, the trash, receipts, verification and state
 * slots (protocol/manifests.md, protocol/feed.md, protocol/receipts.md).
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import {
  type AssetReceipt,
  assetReceiptsResponse,
  type AssetResponse,
  assetResponse,
  type UploadResponse,
} from "./answers.ts";
import { askingOver, queryOf } from "./asking.ts";
import {
  emptiedResponse,
  type FeedPage,
  feedResponse,
  type FullAsset,
  fullAsset,
  queryResponse,
  type ReceiptsPage,
  receiptsResponse,
  type TrashPage,
  trashResponse,
  uploadsResponse,
  type Usage,
  usageResponse,
  type Verdict,
  verifyResponse,
} from "./asset_answers.ts";
import { type ManyBlobs, manyBlobs, type WantedBlob } from "./many_blobs.ts";
import { type BlobBody, getBlob, type Range } from "./blob_body.ts";
import { bytesOf, etagOf, type Transport } from "./transport.ts";

/**
 * Most bytes of an answer about many assets: a server includes 16 MiB of their
 * blobs, and lists 100,000.
 */
const QUERY_MAX_BYTES = 64 * 1024 * 1024;
/** Most bytes of a state slot. */
const SLOT_MAX_BYTES = 4 * 1024 * 1024;

/** A reading of the feed. */
export interface FeedQuery {
  readonly after?: number;
  readonly limit?: number;
  /** Seconds to wait for an entry. */
  readonly wait?: number;
  readonly albumId?: string;
  /** The `feed_epoch` that `after` is of. */
  readonly epoch?: string;
  /** Whether to get only the newest entry of each asset and album. */
  readonly latest?: boolean;
}

/** The reading calls, for an account or the holder of a capability. */
export interface ReadingCalls {
  feed(query: FeedQuery): Promise<FeedPage>;
  asset(assetId: string): Promise<AssetResponse>;
  /** Up to 500 assets; those that cannot be read are left out. */
  queryAssets(
    assetIds: readonly string[],
    include?: readonly ("metadata" | "provenance")[],
  ): Promise<readonly FullAsset[]>;
  blob(assetId: string, hash: string, range?: Range): Promise<BlobBody>;
  /** Up to 100 small blobs, in the order of the request. */
  blobs(wanted: readonly WantedBlob[]): Promise<ManyBlobs>;
}

/** The value of a state slot, and the ETag to pass when replacing it. */
export interface SlotValue {
  readonly bytes: Bytes;
  readonly etag: string;
}

/** The calls about assets. */
export interface AssetCalls extends ReadingCalls {
  deleteAsset(assetId: string): Promise<AssetResponse>;
  /** Removes an asset from the trash for ever. */
  purgeAsset(assetId: string): Promise<void>;
  restoreAsset(assetId: string): Promise<AssetResponse>;
  trash(after?: string | number, limit?: number): Promise<TrashPage>;
  emptyTrash(): Promise<{ readonly assets: number; readonly bytes: number }>;
  receipts(assetId: string): Promise<readonly AssetReceipt[]>;
  /** The account's receipts in the order of their numbers, after a number. */
  receiptsAfter(
    after: number,
    options?: {
      readonly limit?: number;
      readonly include?: "cbor" | "digest" | "index";
    },
  ): Promise<ReceiptsPage>;
  openUploads(
    after?: string,
    limit?: number,
  ): Promise<{
    readonly uploads: readonly UploadResponse[];
    readonly next_after?: string | null | undefined;
  }>;
  /** 1 to 100 assets, 1 to 1,000 hashes in all. */
  verifyStorage(
    assets: readonly {
      readonly asset_id: string;
      readonly blob_hashes: readonly string[];
    }[],
    deep?: boolean,
  ): Promise<readonly Verdict[]>;
  usage(): Promise<Usage>;
  slot(slot: string): Promise<SlotValue>;
  /**
   * Replaces the value that has the ETag `over`; null writes the first value.
   */
  putSlot(slot: string, bytes: Bytes, over: string | null): Promise<string>;
  deleteSlot(slot: string): Promise<void>;
}

/** Makes the reading calls, which `send` sends with its token. */
export function readingCalls(send: Transport["send"]): ReadingCalls {
  const { get, post } = askingOver(send);
  return {
    feed: ({ albumId, ...rest }) =>
      get(`/v1/sync${queryOf({ ...rest, album_id: albumId })}`, feedResponse),
    asset: (assetId) => get(`/v1/assets/${assetId}`, assetResponse),
    async queryAssets(assetIds, include) {
      const body = {
        asset_ids: assetIds,
        ...(include === undefined ? {} : { include }),
      };
      const { assets } = await post(
        "/v1/assets/query",
        body,
        queryResponse,
        QUERY_MAX_BYTES,
      );
      return assets.flatMap((asset) => fullAsset.safeParse(asset).data ?? []);
    },
    blob: (assetId, hash, range) =>
      getBlob(send, `/v1/assets/${assetId}/blobs/${hash}`, range),
    blobs: (wanted) =>
      manyBlobs(send, "/v1/assets/blobs", {
        blobs: wanted.map(({ assetId, hash }) => ({ asset_id: assetId, hash })),
      }, wanted.length),
  };
}

/** Makes the calls, which `send` sends with the account's token. */
export function assetCalls(send: Transport["send"]): AssetCalls {
  const { get, post, call, done } = askingOver(send);
  const slotPath = (slot: string) => `/v1/state/${slot}`;
  return {
    ...readingCalls(send),
    deleteAsset: (id) =>
      call({ method: "DELETE", path: `/v1/assets/${id}` }, assetResponse),
    purgeAsset: (id) =>
      done({ method: "DELETE", path: `/v1/assets/${id}?forever=true` }),
    restoreAsset: (id) =>
      post(`/v1/assets/${id}/restore`, undefined, assetResponse),
    trash: (after, limit) =>
      get(`/v1/trash${queryOf({ after, limit })}`, trashResponse),
    emptyTrash: () =>
      call({ method: "DELETE", path: "/v1/trash" }, emptiedResponse),
    async receipts(assetId) {
      const path = `/v1/assets/${assetId}/receipts`;
      return (await get(path, assetReceiptsResponse)).receipts;
    },
    receiptsAfter: (after, options = {}) =>
      get(`/v1/receipts${queryOf({ after, ...options })}`, receiptsResponse),
    openUploads: (after, limit) =>
      get(`/v1/upload${queryOf({ after, limit })}`, uploadsResponse),
    async verifyStorage(assets, deep) {
      const body = { assets, ...(deep === undefined ? {} : { deep }) };
      return (await post("/v1/storage/verify", body, verifyResponse)).verdicts;
    },
    usage: () => get("/v1/storage/usage", usageResponse),
    async slot(slot) {
      const response = await send({ method: "GET", path: slotPath(slot) });
      const bytes = await bytesOf(response, SLOT_MAX_BYTES);
      return { bytes, etag: etagOf(response) };
    },
    async putSlot(slot, bytes, over) {
      const response = await send({
        method: "PUT",
        path: slotPath(slot),
        headers: over === null
          ? { "If-None-Match": "*" }
          : { "If-Match": over },
        bytes: { mediaType: "application/octet-stream", body: bytes },
      });
      await response.body?.cancel();
      return etagOf(response);
    },
    deleteSlot: (slot) => done({ method: "DELETE", path: slotPath(slot) }),
  };
}
