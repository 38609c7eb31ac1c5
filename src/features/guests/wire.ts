import { z } from "zod";
import type { AlbumId } from "../../core/ids.ts";
import { FinalizeResponse, UploadResponse } from "../uploads/wire.ts";
import {
  base64Bytes,
  blobHash,
  count,
  instant,
  integer,
  opaqueId,
  text,
  timestamp,
  uuid,
} from "../wire.ts";

const OPAQUE_MAX_BYTES = 4 * 1024;
const SEALED_METADATA_MAX_BYTES = 16 * 1024;

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

export const UploadLinkResponse = z.strictObject({ opaque_id: text });

export const UploadLinksResponse = z.strictObject({
  upload_links: z.array(z.strictObject({
    opaque_id: text,
    album_id: text.optional(),
    max_bytes: count,
    max_files: count,
    bytes_used: count,
    files_used: count,
    expires_at: instant,
    created_at: instant,
    last_received_at: instant.optional(),
  })),
});

export const ContributionResponse = z.strictObject({
  upload_id: text,
  ciphertext_hash: text,
  size: count,
  sealed_metadata: z.base64(),
  received_at: instant,
}).meta({ id: "ContributionResponse" });

export const ContributionsResponse = z.strictObject({
  contributions: z.array(ContributionResponse),
  next_after: text.optional(),
});

/** What a guest sees of a link. */
export const GuestLinkResponse = z.strictObject({
  recipient_key: z.base64(),
  passphrase_protected: z.boolean(),
  max_bytes_left: count,
  files_left: count,
  expires_at: instant,
});

export const GuestUploadRequest = z.strictObject({
  ciphertext_hash: blobHash,
  size: integer(1),
  sealed_metadata: base64Bytes(1, SEALED_METADATA_MAX_BYTES),
});
export type GuestUploadRequest = z.output<typeof GuestUploadRequest>;

/** A guest's session is of no asset, and of no album that the guest knows. */
export const GuestUploadResponse = UploadResponse.omit({ album_id: true })
  .extend({ asset_id: z.null() });

export const GuestFinalizeResponse = FinalizeResponse.omit({ sync_seq: true })
  .extend({ asset_id: z.null() });
