/**
 * Bodies of uploads and lifecycle writes (protocol/uploads.md,
 * protocol/manifests.md).
 *
 * @module
 */
import { z } from "zod";
import type { AlbumId, AssetId, UploadId } from "../../core/ids.ts";
import { BLOB_ROLES } from "../../crypto/blob_role.ts";
import {
  base64Bytes,
  blobHash,
  boundedText,
  integer,
  protocolDate,
  timestamp,
  uuid,
} from "./fields.ts";

/** Kept with every manifest: what a client calls itself, and what is short. */
const CLIENT_VERSION_MAX = 256;
const shortText = boundedText(64);

/**
 * The server-visible mirror of the signed manifest
 * (protocol/manifests.md#envelope). Its ids and modes are text here: what
 * contradicts the request is a mismatch (422 `error.manifest.mismatch`), not a
 * shape.
 */
export const ManifestEnvelope = z.strictObject({
  crypto_suite_id: z.int(),
  protocol_version: protocolDate,
  album_id: uuid<AlbumId>().nullish(),
  file_id: shortText,
  amk_version: integer(0),
  ciphertext_hash: blobHash,
  plaintext_size: integer(0),
  chunk_size: integer(1),
  key_mode: shortText,
  metadata_blob_hash: blobHash.nullish(),
  original_blob_hash: blobHash.nullish(),
  created_by_user: shortText,
  created_by_device: shortText,
  client_version: boundedText(CLIENT_VERSION_MAX),
  timestamp,
  action: shortText,
  prior_provenance_hash: blobHash.nullish(),
  retention_until: timestamp.nullish(),
});
export type ManifestEnvelope = z.output<typeof ManifestEnvelope>;

/** The body of a lifecycle write may have so many bytes. */
export const OP_MAX_BYTES = 4 * 1024 * 1024;

/** Blobs that a write takes from where they are; one of each would do. */
const OP_BLOBS_MAX = 16;

/**
 * Derivatives that an asset lets go of with a manifest. Too many are a mismatch
 * (422 `error.manifest.mismatch`), not a shape.
 */
const Releases = z.array(blobHash).nullish();

/** A blob that the server has, and where. */
const OpBlob = z.strictObject({
  blob_role: z.enum(["original", "derivative"]),
  ciphertext_hash: blobHash,
  size: integer(1),
  adopts: uuid<UploadId>().nullish(),
  copies: uuid<AssetId>().nullish(),
}).refine(
  ({ adopts, copies }) =>
    (adopts ?? null) === null !== ((copies ?? null) === null),
  "either adopts or copies",
);
export type OpBlob = z.output<typeof OpBlob>;

export const OpRequest = z.strictObject({
  manifest_envelope: ManifestEnvelope,
  manifest_cbor: base64Bytes(1, OP_MAX_BYTES),
  metadata_blob: base64Bytes(1, OP_MAX_BYTES).nullish(),
  blobs: z.array(OpBlob).max(OP_BLOBS_MAX).nullish(),
  releases: Releases,
});
export type OpRequest = Omit<z.output<typeof OpRequest>, "blobs">;

export const UploadRequest = z.strictObject({
  album_id: uuid<AlbumId>().nullish(),
  crypto_suite_id: z.int(),
  blob_role: z.enum(BLOB_ROLES),
  ciphertext_hash: blobHash,
  size: integer(1),
  manifest_envelope: ManifestEnvelope,
  /** A guest's contribution that becomes this blob. */
  adopts: uuid<UploadId>().nullish(),
  /** An asset of which this blob is one already. */
  copies: uuid<AssetId>().nullish(),
  /** An asset that has lost this blob and gets it back. */
  heals: uuid<AssetId>().nullish(),
  /** With a manifest: what of its asset goes. */
  releases: Releases,
}).refine(
  ({ adopts, copies }) =>
    (adopts ?? null) === null || (copies ?? null) === null,
  { path: ["copies"], message: "not together with adopts" },
).refine(
  ({ adopts, copies, heals }) =>
    (heals ?? null) === null || (adopts ?? copies ?? null) === null,
  { path: ["heals"], message: "not together with adopts or copies" },
).refine(
  ({ adopts, copies, heals, releases }) =>
    (releases ?? []).length === 0 ||
    (adopts ?? copies ?? heals ?? null) === null,
  { path: ["releases"], message: "not together with adopts, copies or heals" },
);
export type UploadRequest = Omit<
  z.output<typeof UploadRequest>,
  "adopts" | "copies" | "heals"
>;
