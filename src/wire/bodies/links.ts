/**
 * Bodies about share and upload links (protocol/links.md).
 *
 * @module
 */
import { z } from "zod";
import type { AlbumId } from "../../core/ids.ts";
import { SEALED_METADATA_MAX_BYTES } from "../answers/own_links.ts";
import { BLOBS_MAX } from "./assets.ts";
import {
  base64Bytes,
  blobHash,
  blobHashes,
  integer,
  opaqueId,
  timestamp,
  uuid,
} from "./fields.ts";

const SERVES_MAX = 50_000;
const WRAPPED_SECRET_MAX_BYTES = 4 * 1024;

/** A list of this many hashes has 3.4 MB. */
export const ISSUE_LIMIT_BYTES = 4 * 1024 * 1024;

export const IssueShareRequest = z.strictObject({
  opaque_id: opaqueId,
  metadata_hash: blobHash,
  serves: blobHashes(SERVES_MAX),
  wrapped_secret: base64Bytes(1, WRAPPED_SECRET_MAX_BYTES).nullish(),
  expires_at: timestamp.nullish(),
});
export type IssueShareRequest = z.output<typeof IssueShareRequest>;

/** What is not named stays as it is; a null expiry takes it away. */
export const ChangeShareRequest = z.strictObject({
  expires_at: timestamp.nullish(),
  metadata_hash: blobHash.optional(),
  serves: blobHashes(SERVES_MAX).optional(),
});
export type ChangeShareRequest = z.output<typeof ChangeShareRequest>;

export const SharedBlobsRequest = z.strictObject({
  hashes: z.array(blobHash).min(1).max(BLOBS_MAX),
});

const OPAQUE_MAX_BYTES = 4 * 1024;

export const UploadLinkRequest = z.strictObject({
  opaque_id: opaqueId,
  album_id: uuid<AlbumId>().nullish(),
  recipient_key: base64Bytes(1, OPAQUE_MAX_BYTES),
  wrapped_secret: base64Bytes(1, OPAQUE_MAX_BYTES).nullish(),
  expires_at: timestamp,
  max_bytes: integer(1),
  max_files: integer(1),
});
export type UploadLinkRequest = z.output<typeof UploadLinkRequest>;

export const GuestUploadRequest = z.strictObject({
  ciphertext_hash: blobHash,
  size: integer(1),
  sealed_metadata: base64Bytes(1, SEALED_METADATA_MAX_BYTES),
});
export type GuestUploadRequest = z.output<typeof GuestUploadRequest>;
