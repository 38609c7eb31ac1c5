/**
 * The JSON of the server's successes. Keys that are not known here are passed
 * over: a newer server says more.
 *
 * @module
 */
import * as z from "zod/mini";
import { BLOB_ROLES } from "../crypto/blob_role.ts";
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
  protocol_version: z.iso.date(),
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
export type Tokens = z.infer<typeof tokenResponse>;
/** What a confirmed second factor puts between a password and a session. */
export type SecondFactorChallenge = z.infer<typeof secondFactorChallenge>;
/** The reading of a receipt, and in `receipt_cbor` the receipt itself. */
export type AssetReceipt = z.infer<typeof assetReceipt>;
/** Where an upload session stands. */
export type UploadResponse = z.infer<typeof uploadResponse>;
/** A finalized blob; `sync_seq` where it applied a manifest. */
export type FinalizeResponse = z.infer<typeof finalizeResponse>;
/** An asset and the blobs that it holds. */
export type AssetResponse = z.infer<typeof assetResponse>;
/** The directory version that the server now holds. */
export type DirectoryResponse = z.infer<typeof publishDirectoryResponse>;
/** An album and the protocol date that it is pinned to. */
export type AlbumResponse = z.infer<typeof provisionAlbumResponse>;
/** What a guest is told of an upload link. */
export type GuestLink = z.infer<typeof guestLinkResponse>;
/** All that a link discloses without its key. */
export type SharedMetadata = z.infer<typeof sharedMetadataResponse>;
