/**
 * Schemas and types of the answers of the operations of assets, the feed, links
 * and discovery. Unknown keys are ignored, because a newer server may send
 * more.
 *
 * @module
 */
import * as z from "zod/mini";
import { BLOB_ROLES, type BlobRole } from "../crypto/blob_role.ts";
import {
  assetReceipt,
  type AssetResponse,
  assetResponse,
  uploadResponse,
} from "./answers.ts";
import { count, hash, instant, uuid } from "./fields.ts";

export const opResponse = z.object({
  asset_id: uuid,
  sync_seq: z.int().check(z.gte(1)),
  action: z.enum(["create", "replace"]),
  replayed: z.boolean(),
  receipts: z.nullish(z.array(assetReceipt).check(z.maxLength(64))),
});
const feedEntry = z.object({
  sync_seq: z.int().check(z.gte(1)),
  /** An action of the feed; a newer server may have others. */
  action: z.string(),
  album_id: z.nullish(uuid),
  asset_id: z.nullish(uuid),
  chain_head: z.nullish(hash),
  slot: z.nullish(z.string()),
  at: instant,
});
export const feedResponse = z.object({
  feed_epoch: z.string(),
  entries: z.array(feedEntry).check(z.maxLength(1_000)),
  next_after: count,
  more: z.boolean(),
});
export const fullAsset = z.extend(assetResponse, {
  metadata: z.nullish(z.base64()),
  provenance: z.nullish(z.base64()),
});
export const queryResponse = z.object({
  // Each is read by itself: one that is not valid costs the others nothing.
  assets: z.array(z.unknown()).check(z.maxLength(500)),
});
export const trashResponse = z.object({
  assets: z.array(z.extend(assetResponse, { expires_at: instant })),
  next_after: z.nullish(z.union([z.string(), z.int()])),
});
export const emptiedResponse = z.object({ assets: count, bytes: count });
export const verifyResponse = z.object({
  verdicts: z.array(z.object({
    asset_id: uuid,
    durable: z.boolean(),
    blobs: z.array(z.object({
      hash,
      role: z.enum([...BLOB_ROLES, "unknown"]),
      stored: z.boolean(),
      indexed: z.boolean(),
      retrievable: z.boolean(),
      deep: z.nullish(z.enum(["intact", "corrupt", "rate_limited"])),
    })),
    checked_at: instant,
  })),
});
export const usageResponse = z.object({
  used_bytes: count,
  reserved_bytes: count,
  trash_bytes: count,
  quota_bytes: z.nullish(count),
  assets: count,
  blobs: count,
});
export const receiptsResponse = z.object({
  receipts: z.array(z.object({
    receipt_seq: z.int().check(z.gte(1)),
    sha256: hash,
    receipt_cbor: z.nullish(z.base64()),
    log_index: z.nullish(count),
  })),
  next_after: z.nullish(count),
  more: z.boolean(),
});
export const uploadsResponse = z.object({
  uploads: z.array(uploadResponse),
  next_after: z.nullish(z.string()),
});
const share = z.object({
  opaque_id: z.string(),
  metadata_hash: hash,
  serves_count: count,
  passphrase_protected: z.boolean(),
  expires_at: z.nullish(instant),
  created_at: instant,
  last_viewed_at: z.nullish(instant),
  views: z.nullish(count),
});
export const shareEntryResponse = share;
export const sharesResponse = z.object({ shares: z.array(share) });
export const uploadLinksResponse = z.object({
  upload_links: z.array(z.object({
    opaque_id: z.string(),
    album_id: z.nullish(uuid),
    max_bytes: count,
    max_files: count,
    bytes_used: count,
    files_used: count,
    expires_at: instant,
    created_at: instant,
    last_received_at: z.nullish(instant),
  })),
});
export const contributionResponse = z.object({
  upload_id: uuid,
  ciphertext_hash: hash,
  size: count,
  // 16 KiB, in base64.
  sealed_metadata: z.base64().check(z.maxLength(22_000)),
  received_at: instant,
});
export const contributionsResponse = z.object({
  // A server of before has all of them in one answer.
  contributions: z.array(contributionResponse).check(z.maxLength(20_000)),
  next_after: z.nullish(uuid),
});
export const versionResponse = z.object({
  name: z.string(),
  version: z.string(),
});
const deprecation = z.object({
  min_protocol_version: z.string(),
  announced_at: instant,
  cutoff: instant,
  detail_url: z.nullish(z.string()),
});
export const deprecationsResponse = z.object({
  announcements: z.array(deprecation),
});
export const serverInfoResponse = z.object({
  server_id: z.string(),
  api_base_url: z.string(),
  auth: z.object({
    oidc: z.nullish(z.object({ authorize: z.string(), callback: z.string() })),
  }),
  federation_url: z.nullish(z.string()),
  protocol_version: z.object({ min: z.string(), max: z.string() }),
  signing_key: z.base64(),
  signing_algorithm: z.string(),
  deprecations: z.array(deprecation),
});
export const revokedResponse = z.object({
  generated_at: instant,
  max_staleness_seconds: count,
  revoked: z.array(z.object({ jti: z.string(), expires_at: instant })),
});
export const healthResponse = z.object({ status: z.string() });
export const appConfigResponse = z.object({
  registration: z.string(),
  oidc: z.boolean(),
  max_blob_bytes: count,
  trash_days: count,
  version: z.string(),
  tls: z.boolean(),
  witness_key: z.optional(z.string()),
});

/** A page of the feed. */
export interface FeedPage {
  readonly feed_epoch: string;
  readonly entries: readonly {
    readonly sync_seq: number;
    readonly action: string;
    readonly at: string;
    readonly album_id?: string | null | undefined;
    readonly asset_id?: string | null | undefined;
    readonly chain_head?: string | null | undefined;
    readonly slot?: string | null | undefined;
  }[];
  readonly next_after: number;
  readonly more: boolean;
}
/** A change in the feed. */
export type FeedEntry = FeedPage["entries"][number];
/** An asset with those of its small blobs that were asked for. */
export interface FullAsset extends AssetResponse {
  readonly metadata?: string | null | undefined;
  readonly provenance?: string | null | undefined;
}
/** The server's verdict on an asset's blobs. */
export interface Verdict {
  readonly asset_id: string;
  readonly durable: boolean;
  readonly blobs: readonly {
    readonly hash: string;
    readonly role: BlobRole | "unknown";
    readonly stored: boolean;
    readonly indexed: boolean;
    readonly retrievable: boolean;
    readonly deep?: "intact" | "corrupt" | "rate_limited" | null | undefined;
  }[];
  readonly checked_at: string;
}
/** The storage that an account uses, in bytes. */
export interface Usage {
  readonly used_bytes: number;
  readonly reserved_bytes: number;
  readonly trash_bytes: number;
  readonly assets: number;
  readonly blobs: number;
  readonly quota_bytes?: number | null | undefined;
}
/** A share link as its issuer sees it. */
export interface ShareEntry {
  readonly opaque_id: string;
  readonly metadata_hash: string;
  readonly serves_count: number;
  readonly passphrase_protected: boolean;
  readonly created_at: string;
  readonly expires_at?: string | null | undefined;
  readonly last_viewed_at?: string | null | undefined;
  readonly views?: number | null | undefined;
}
/** An upload link as its owner sees it. */
export interface UploadLinkEntry {
  readonly opaque_id: string;
  readonly max_bytes: number;
  readonly max_files: number;
  readonly bytes_used: number;
  readonly files_used: number;
  readonly expires_at: string;
  readonly created_at: string;
  /** When a file came last, whatever became of it. */
  readonly last_received_at?: string | null | undefined;
  readonly album_id?: string | null | undefined;
}
/** A guest's file that waits to be adopted. */
export interface Contribution {
  readonly upload_id: string;
  readonly ciphertext_hash: string;
  readonly size: number;
  readonly sealed_metadata: string;
  readonly received_at: string;
}
/** A page of an account's receipts. */
export interface ReceiptsPage {
  readonly receipts: readonly {
    readonly receipt_seq: number;
    readonly sha256: string;
    readonly receipt_cbor?: string | null | undefined;
    /** Its place in the public log of receipts, once a checkpoint covers it. */
    readonly log_index?: number | null | undefined;
  }[];
  readonly more: boolean;
  readonly next_after?: number | null | undefined;
}
/** A page of the trash. */
export interface TrashPage {
  readonly assets: readonly (AssetResponse & { readonly expires_at: string })[];
  readonly next_after?: string | number | null | undefined;
}
/** The announced end of support for older protocol dates. */
export interface Deprecation {
  readonly min_protocol_version: string;
  readonly announced_at: string;
  readonly cutoff: string;
  readonly detail_url?: string | null | undefined;
}
/** The ends that the server announces. */
export interface Deprecations {
  readonly announcements: readonly Deprecation[];
}
/** Capabilities that were revoked before they expire. */
export interface RevokedCapabilities {
  readonly generated_at: string;
  readonly max_staleness_seconds: number;
  readonly revoked: readonly {
    readonly jti: string;
    readonly expires_at: string;
  }[];
}
/** A server's description of itself. */
export interface ServerInfo {
  readonly server_id: string;
  readonly api_base_url: string;
  readonly auth: {
    readonly oidc?:
      | {
        readonly authorize: string;
        readonly callback: string;
      }
      | null
      | undefined;
  };
  readonly protocol_version: {
    readonly min: string;
    readonly max: string;
  };
  readonly signing_key: string;
  readonly signing_algorithm: string;
  readonly deprecations: readonly Deprecation[];
  readonly federation_url?: string | null | undefined;
}
/** The facts that an app needs before anybody has signed in. */
export interface AppConfig {
  readonly registration: string;
  readonly oidc: boolean;
  readonly max_blob_bytes: number;
  readonly trash_days: number;
  readonly version: string;
  readonly tls: boolean;
  /** The verifier key of the server's cosignatures, where it is a witness. */
  readonly witness_key?: string | undefined;
}
