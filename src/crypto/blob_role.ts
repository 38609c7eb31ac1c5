/**
 * The roles that blobs have in an asset. They are apart from receipts so that a
 * page which verifies no receipts does not load the signature code.
 *
 * @module
 */

/** The names of the roles in upload sessions and receipts. */
export const BLOB_ROLES = [
  "original",
  "derivative",
  "metadata",
  "provenance",
] as const;

/** One of {@link BLOB_ROLES}. */
export type BlobRole = typeof BLOB_ROLES[number];
