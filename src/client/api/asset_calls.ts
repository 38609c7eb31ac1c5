/**
 * Calls about assets, the feed, the trash, receipts, verification and state
 * slots (protocol/manifests.md, protocol/feed.md, protocol/receipts.md).
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import {
  type Asset,
  AssetResponse,
  EmptyTrashResponse,
  FEED_MAX,
  type FullAsset,
  QUERIED_MAX,
  QueriedAsset,
  QueryResponse,
  StorageVerifyResponse,
  SyncEntry,
  SyncResponse,
  type TrashPage,
  TrashResponse,
  type Usage,
  UsageResponse,
  type Verdict,
} from "../../wire/answers/assets.ts";
import {
  type AssetReceipt,
  AssetReceiptsResponse,
  type ReceiptsPage,
  ReceiptsResponse,
} from "../../wire/answers/receipts.ts";
import {
  ListUploadsResponse,
  type Upload,
} from "../../wire/answers/uploads.ts";
import type {
  BlobsRequest,
  QueryRequest,
  StorageVerifyRequest,
} from "../../wire/bodies/assets.ts";
import { text, upTo } from "../../wire/fields.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver, queryOf } from "./asking.ts";
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

/** A newer server may have more actions. */
const feed = open(z.extend(SyncResponse, {
  entries: upTo(FEED_MAX, z.extend(SyncEntry, { action: text })),
}));
/** A page of the feed. */
export type FeedPage = z.output<typeof feed>;
/** A change in the feed. */
export type FeedEntry = FeedPage["entries"][number];

/** Each is read by itself: one that is not valid costs the others nothing. */
const queried = open(z.extend(QueryResponse, {
  assets: upTo(QUERIED_MAX, z.unknown()),
}));

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
  asset(assetId: string): Promise<Asset>;
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
  deleteAsset(assetId: string): Promise<Asset>;
  /** Removes an asset from the trash for ever. */
  purgeAsset(assetId: string): Promise<void>;
  restoreAsset(assetId: string): Promise<Asset>;
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
    readonly uploads: readonly Upload[];
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
      get(`/v1/sync${queryOf({ ...rest, album_id: albumId })}`, feed),
    asset: (assetId) => get(`/v1/assets/${assetId}`, open(AssetResponse)),
    async queryAssets(assetIds, include) {
      const body = {
        asset_ids: assetIds,
        ...(include === undefined ? {} : { include }),
      } satisfies Sent<typeof QueryRequest>;
      const { assets } = await post(
        "/v1/assets/query",
        body,
        queried,
        QUERY_MAX_BYTES,
      );
      const full = open(QueriedAsset);
      return assets.flatMap((asset) => full.safeParse(asset).data ?? []);
    },
    blob: (assetId, hash, range) =>
      getBlob(send, `/v1/assets/${assetId}/blobs/${hash}`, range),
    blobs: (wanted) =>
      manyBlobs(
        send,
        "/v1/assets/blobs",
        {
          blobs: wanted.map(({ assetId, hash }) => ({
            asset_id: assetId,
            hash,
          })),
        } satisfies Sent<typeof BlobsRequest>,
        wanted.length,
      ),
  };
}

/** Makes the calls, which `send` sends with the account's token. */
export function assetCalls(send: Transport["send"]): AssetCalls {
  const { get, post, call, done } = askingOver(send);
  const slotPath = (slot: string) => `/v1/state/${slot}`;
  return {
    ...readingCalls(send),
    deleteAsset: (id) =>
      call({ method: "DELETE", path: `/v1/assets/${id}` }, open(AssetResponse)),
    purgeAsset: (id) =>
      done({ method: "DELETE", path: `/v1/assets/${id}?forever=true` }),
    restoreAsset: (id) =>
      post(`/v1/assets/${id}/restore`, undefined, open(AssetResponse)),
    trash: (after, limit) =>
      get(`/v1/trash${queryOf({ after, limit })}`, open(TrashResponse)),
    emptyTrash: () =>
      call({ method: "DELETE", path: "/v1/trash" }, open(EmptyTrashResponse)),
    async receipts(assetId) {
      const path = `/v1/assets/${assetId}/receipts`;
      return (await get(path, open(AssetReceiptsResponse))).receipts;
    },
    receiptsAfter: (after, options = {}) =>
      get(
        `/v1/receipts${queryOf({ after, ...options })}`,
        open(ReceiptsResponse),
      ),
    openUploads: (after, limit) =>
      get(`/v1/upload${queryOf({ after, limit })}`, open(ListUploadsResponse)),
    async verifyStorage(assets, deep) {
      const body = {
        assets,
        ...(deep === undefined ? {} : { deep }),
      } satisfies Sent<typeof StorageVerifyRequest>;
      return (await post(
        "/v1/storage/verify",
        body,
        open(StorageVerifyResponse),
      )).verdicts;
    },
    usage: () => get("/v1/storage/usage", open(UsageResponse)),
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
