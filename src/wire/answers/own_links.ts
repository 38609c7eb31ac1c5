/**
 * Answers to the owners of share and upload links (protocol/links.md).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  base64,
  count,
  flag,
  hash,
  instant,
  opaqueId,
  ordinal,
  upTo,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";

const issued = { opaque_id: opaqueId };

export const IssueShareResponse = z.strictObject(issued);

export const UploadLinkResponse = z.strictObject(issued);

export const ShareResponse = z.strictObject({
  opaque_id: opaqueId,
  metadata_hash: hash,
  serves_count: ordinal,
  passphrase_protected: flag,
  expires_at: z.optional(instant),
  created_at: instant,
  views: count,
  last_viewed_at: z.optional(instant),
});
/** A share link as its issuer sees it. */
export type ShareEntry = Opened<typeof ShareResponse>;

export const ListSharesResponse = z.strictObject({
  shares: z.array(ShareResponse),
});

const UploadLink = z.strictObject({
  opaque_id: opaqueId,
  album_id: z.optional(uuid),
  max_bytes: count,
  max_files: count,
  bytes_used: count,
  files_used: count,
  expires_at: instant,
  created_at: instant,
  /** When a file came last, whatever became of it. */
  last_received_at: z.optional(instant),
});
/** An upload link as its owner sees it. */
export type UploadLinkEntry = Opened<typeof UploadLink>;

export const UploadLinksResponse = z.strictObject({
  upload_links: z.array(UploadLink),
});

/** Bytes of what a guest says of a file; base64 has four thirds of them. */
export const SEALED_METADATA_MAX_BYTES = 16 * 1024;

export const ContributionResponse = z.strictObject({
  upload_id: uuid,
  ciphertext_hash: hash,
  size: count,
  sealed_metadata: base64.check(
    z.maxLength(4 * Math.ceil(SEALED_METADATA_MAX_BYTES / 3)),
  ),
  received_at: instant,
});
/** A guest's file that waits to be adopted. */
export type Contribution = Opened<typeof ContributionResponse>;

/** So many contributions are in one answer. */
const CONTRIBUTIONS_MAX = 1_000;

export const ContributionsResponse = z.strictObject({
  contributions: upTo(CONTRIBUTIONS_MAX, ContributionResponse),
  next_after: z.optional(uuid),
});
