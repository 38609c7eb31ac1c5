/**
 * Schemas and types of answers that most clients need: sessions, uploads,
 * receipts, assets and links. Unknown keys are ignored, because a newer server
 * may send more.
 *
 * @module
 */
import * as z from "zod/mini";
import { BLOB_ROLES, type BlobRole } from "../crypto/blob_role.ts";
import { count, hash, instant, uuid } from "./fields.ts";

const accessToken = {
  access_token: z.string(),
  access_token_expires_at: instant,
  token_type: z.literal("Bearer"),
};
export const refreshResponse = z.object(accessToken);
export const tokenResponse = z.object({
  user_id: uuid,
  session_id: uuid,
  session_token: z.string(),
  session_expires_at: instant,
  ...accessToken,
});
export const secondFactorChallenge = z.object({
  challenge_id: uuid,
  methods: z.array(z.string()),
  expires_at: instant,
});
export const publishDirectoryResponse = z.object({
  user_id: uuid,
  directory_version: z.int().check(z.gte(1)),
  published_at: instant,
});
export const provisionAlbumResponse = z.object({
  album_id: uuid,
  protocol_version: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  created: z.boolean(),
});
export const assetReceipt = z.object({
  receipt_seq: z.int().check(z.gte(1)),
  server_id: z.string(),
  server_key_id: hash,
  prior_receipt_hash: z.nullish(hash),
  upload_id: uuid,
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: hash,
  size: count,
  envelope_hash: z.nullish(hash),
  received_at: instant,
  receipt_cbor: z.base64(),
});
export const assetReceiptsResponse = z.object({
  asset_id: uuid,
  receipts: z.array(assetReceipt),
});
export const uploadResponse = z.object({
  upload_id: uuid,
  state: z.enum(["open", "finalized"]),
  asset_id: z.nullish(uuid),
  album_id: z.nullish(uuid),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: hash,
  offset: count,
  size: count,
  expires_at: instant,
  receipt: z.nullish(assetReceipt),
});
export const finalizeResponse = z.object({
  upload_id: uuid,
  asset_id: z.nullish(uuid),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: hash,
  size: count,
  receipt: assetReceipt,
  sync_seq: z.nullish(z.int().check(z.gte(1))),
  replayed: z.boolean(),
});
export const assetResponse = z.object({
  asset_id: uuid,
  album_id: z.nullish(uuid),
  owner: uuid,
  state: z.enum(["live", "deleted"]),
  chain_head: hash,
  sync_seq: z.int().check(z.gte(1)),
  blobs: z.array(z.object({
    hash,
    role: z.enum(BLOB_ROLES),
    size: count,
  })),
  created_at: instant,
  updated_at: instant,
  deleted_at: z.nullish(instant),
});
export const issueShareResponse = z.object({ opaque_id: z.string() });
export const sharedMetadataResponse = z.object({
  metadata_hash: hash,
  passphrase_protected: z.boolean(),
});
export const guestLinkResponse = z.object({
  recipient_key: z.base64(),
  passphrase_protected: z.boolean(),
  max_bytes_left: count,
  files_left: count,
  expires_at: instant,
});

/** A session and its present access token. Secret. */
export interface Tokens {
  readonly access_token: string;
  readonly access_token_expires_at: string;
  readonly token_type: "Bearer";
  readonly user_id: string;
  readonly session_id: string;
  readonly session_token: string;
  readonly session_expires_at: string;
}
/** The challenge that follows the password if a second factor is confirmed. */
export interface SecondFactorChallenge {
  readonly challenge_id: string;
  readonly methods: readonly string[];
  readonly expires_at: string;
}
/** The fields of a receipt, and in `receipt_cbor` the receipt itself. */
export interface AssetReceipt {
  readonly receipt_seq: number;
  readonly server_id: string;
  readonly server_key_id: string;
  readonly upload_id: string;
  readonly blob_role: BlobRole;
  readonly ciphertext_hash: string;
  readonly size: number;
  readonly received_at: string;
  readonly receipt_cbor: string;
  readonly prior_receipt_hash?: string | null | undefined;
  readonly envelope_hash?: string | null | undefined;
}
/** The state of an upload session. */
export interface UploadResponse {
  readonly upload_id: string;
  readonly state: "open" | "finalized";
  readonly blob_role: BlobRole;
  readonly ciphertext_hash: string;
  readonly offset: number;
  readonly size: number;
  readonly expires_at: string;
  readonly asset_id?: string | null | undefined;
  readonly album_id?: string | null | undefined;
  readonly receipt?: AssetReceipt | null | undefined;
}
/** A finalized blob; `sync_seq` is set if it applied a manifest. */
export interface FinalizeResponse {
  readonly upload_id: string;
  readonly blob_role: BlobRole;
  readonly ciphertext_hash: string;
  readonly size: number;
  readonly receipt: AssetReceipt;
  readonly replayed: boolean;
  readonly asset_id?: string | null | undefined;
  readonly sync_seq?: number | null | undefined;
}
/** A blob of an asset. */
export interface StoredBlob {
  readonly hash: string;
  readonly role: BlobRole;
  readonly size: number;
}
/** An asset and the blobs that it holds. */
export interface AssetResponse {
  readonly asset_id: string;
  readonly owner: string;
  readonly state: "live" | "deleted";
  readonly chain_head: string;
  readonly sync_seq: number;
  readonly blobs: readonly StoredBlob[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly album_id?: string | null | undefined;
  readonly deleted_at?: string | null | undefined;
}
/** The directory version that the server now holds. */
export interface DirectoryResponse {
  readonly user_id: string;
  readonly directory_version: number;
  readonly published_at: string;
}
/** An album and the protocol date that it is pinned to. */
export interface AlbumResponse {
  readonly album_id: string;
  readonly protocol_version: string;
  readonly created: boolean;
}
/** An upload link as a guest sees it. */
export interface GuestLink {
  readonly recipient_key: string;
  readonly passphrase_protected: boolean;
  readonly max_bytes_left: number;
  readonly files_left: number;
  readonly expires_at: string;
}
/** Everything that a share link shows without its secret. */
export interface SharedMetadata {
  readonly metadata_hash: string;
  readonly passphrase_protected: boolean;
}
