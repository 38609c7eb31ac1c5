import { z } from "zod";
import { BLOBS_MAX } from "../many_blobs.ts";
import {
  base64Bytes,
  blobHash,
  blobHashes,
  count,
  instant,
  integer,
  opaqueId,
  text,
  timestamp,
} from "../wire.ts";

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

export const IssueShareResponse = z.strictObject({ opaque_id: text });

/** What is not named stays as it is; a null expiry takes it away. */
export const ChangeShareRequest = z.strictObject({
  expires_at: timestamp.nullish(),
  metadata_hash: blobHash.optional(),
  serves: blobHashes(SERVES_MAX).optional(),
});
export type ChangeShareRequest = z.output<typeof ChangeShareRequest>;

/** A link as its issuer sees it. */
export const ShareResponse = z.strictObject({
  opaque_id: text,
  metadata_hash: text,
  serves_count: integer(1),
  passphrase_protected: z.boolean(),
  expires_at: instant.optional(),
  created_at: instant,
  views: count,
  last_viewed_at: instant.optional(),
});

export const ListSharesResponse = z.strictObject({
  shares: z.array(ShareResponse),
});

export const SharedMetadataResponse = z.strictObject({
  metadata_hash: text,
  passphrase_protected: z.boolean(),
});

export const SharedBlobsRequest = z.strictObject({
  hashes: z.array(blobHash).min(1).max(BLOBS_MAX),
});
