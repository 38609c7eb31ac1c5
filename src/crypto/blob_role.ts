/**
 * The parts that blobs have in an asset. Apart from receipts, so that a page
 * which verifies none does not load the signatures.
 *
 * @module
 */

/** What a session or a receipt calls a blob's part in its asset. */
export const BLOB_ROLES = [
  "original",
  "derivative",
  "metadata",
  "provenance",
] as const;

/** One of {@link BLOB_ROLES}. */
export type BlobRole = typeof BLOB_ROLES[number];
