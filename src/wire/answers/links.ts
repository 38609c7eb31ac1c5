/**
 * Answers to the holders of links (protocol/links.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { base64, count, flag, hash, instant } from "../fields.ts";
import type { Opened } from "../open.ts";

export const SharedMetadataResponse = z.strictObject({
  metadata_hash: hash,
  passphrase_protected: flag,
});
/** Everything that a share link shows without its secret. */
export type SharedMetadata = Opened<typeof SharedMetadataResponse>;

export const GuestLinkResponse = z.strictObject({
  recipient_key: base64,
  passphrase_protected: flag,
  max_bytes_left: count,
  files_left: count,
  expires_at: instant,
});
/** An upload link as a guest sees it. */
export type GuestLink = Opened<typeof GuestLinkResponse>;
