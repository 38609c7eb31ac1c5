/**
 * The plaintext of a metadata blob (protocol/client-cryptography.md#metadata).
 * The blob is its encryption under `partKey(file key, "metadata", 0)`.
 *
 * @module
 */
import * as z from "zod";
import type { Bytes } from "../core/bytes.ts";
import { count, extent, fileName, hash, instant, mediaType } from "./fields.ts";
import { decodeJson, encodeJson } from "./json.ts";

const metadataSchema = z.object({
  name: fileName,
  mime: mediaType,
  /** Plaintext bytes of the original. */
  size: count,
  /** SHA-256 of the original's plaintext. */
  sha256: hash,
  taken_at: instant.optional(),
  width: extent.optional(),
  height: extent.optional(),
  duration_ms: count.optional(),
  derivatives: z.array(z.object({
    /** Content address of the derivative's blob. */
    hash,
    kind: z.enum(["thumbnail", "preview"]),
    mime: mediaType,
    width: extent,
    height: extent,
    /** Index of its part key. */
    part: count,
  })).max(64),
});

/** What an asset is: name, kind, extent and derivatives. */
export type Metadata = z.infer<typeof metadataSchema>;

/** The JSON bytes of metadata. Throws DocumentError for values out of bounds. */
export function encodeMetadata(metadata: Metadata): Bytes {
  return encodeJson(metadataSchema, metadata, "metadata");
}

/**
 * Metadata out of decrypted bytes; keys that are not known are passed over.
 * Throws DocumentError for another shape.
 */
export function decodeMetadata(bytes: Uint8Array): Metadata {
  return decodeJson(metadataSchema, bytes, "metadata");
}
