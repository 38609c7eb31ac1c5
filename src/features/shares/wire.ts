/** @module */
import { z } from "zod";
import { isOpaqueId, parseOpaqueId } from "../../core/ids.ts";
import type { OpaqueId } from "../../core/ids.ts";
import type { Parameter } from "../../http/route.ts";
import {
  base64Bytes,
  blobHash,
  instant,
  integer,
  text,
  timestamp,
} from "../wire.ts";

const SERVES_MAX = 10_000;
const WRAPPED_SECRET_MAX_BYTES = 4 * 1024;

const OPAQUE_ID_SCHEMA = {
  type: "string",
  pattern: "^[0-9a-f]{32}$",
} as const;

/** A list of this many hashes has 0.7 MB, near the limit of a body. */
export const ISSUE_LIMIT_BYTES = 2 * 1024 * 1024;

export const IssueShareRequest = z.strictObject({
  opaque_id: z.string()
    .refine(isOpaqueId, "32 lowercase hex characters are wanted")
    .meta(OPAQUE_ID_SCHEMA),
  metadata_hash: blobHash,
  serves: z.array(blobHash).min(1).max(SERVES_MAX).refine(
    (hashes) => new Set(hashes).size === hashes.length,
    "each hash once",
  ),
  wrapped_secret: base64Bytes(1, WRAPPED_SECRET_MAX_BYTES).nullish(),
  expires_at: timestamp.nullish(),
});
export type IssueShareRequest = z.output<typeof IssueShareRequest>;

export const IssueShareResponse = z.strictObject({ opaque_id: text });

export const ListSharesResponse = z.strictObject({
  shares: z.array(z.strictObject({
    opaque_id: text,
    metadata_hash: text,
    serves_count: integer(1),
    passphrase_protected: z.boolean(),
    expires_at: instant.optional(),
    created_at: instant,
    last_viewed_at: instant.optional(),
  })),
});

export const SharedMetadataResponse = z.strictObject({
  metadata_hash: text,
  passphrase_protected: z.boolean(),
});

export const opaqueIdParameter: Parameter<OpaqueId> = {
  parse: parseOpaqueId,
  schema: OPAQUE_ID_SCHEMA,
  description: "Share link id",
};
