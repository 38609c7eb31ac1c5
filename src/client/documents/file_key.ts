/**
 * Keys of originals and of metadata (protocol/client-cryptography.md#file-key).
 *
 * The file key opens the original alone: a link or an adopted file hands it
 * out. The metadata's key comes from the album's key, which only members have.
 * The salt of both is the 16 bytes of the `file_id` UUID. A wrapped key is
 * `nonce (12) ‖ box` with the associated data
 * `service-file-key/v1 ‖ 0x00 ‖ file_id bytes`, so that it cannot be moved to
 * another file.
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  type RandomBytes,
  utf8,
} from "../../core/bytes.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import {
  assertKey,
  deriveKey,
  KEY_BYTES,
  NONCE_BYTES,
  uuidBytes,
} from "./suite.ts";

const FILE_LABEL = "service-file-key/v1";
const METADATA_LABEL = "service-metadata-key/v1";
const SEAL_LABEL = "service-album-seal/v1";

/**
 * The file key of mode `derived`: HKDF(AMK, file_id bytes,
 * `service-file-key/v1`). `amk` is the album's key of that epoch, 32 bytes.
 */
export function derivedFileKey(
  amk: Uint8Array,
  fileId: string,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(amk, "an album key");
  return deriveKey(primitives, amk, uuidBytes(fileId), FILE_LABEL);
}

/** A file key of mode `wrapped`, and its sealed form for the manifest. */
export interface WrappedFileKey {
  readonly fileKey: Bytes;
  /** nonce (12) ‖ ciphertext (32) ‖ tag (16). */
  readonly sealedKey: Bytes;
}

/** Makes a random file key and seals it under the album's key. */
export function newWrappedFileKey(
  amk: Uint8Array,
  fileId: string,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): WrappedFileKey {
  const fileKey = new Uint8Array(random(KEY_BYTES));
  const sealedKey = wrapFileKey(amk, fileId, fileKey, random, primitives);
  return { fileKey, sealedKey };
}

/** Seals an existing file key, such as that of an adopted guest's file. */
export function wrapFileKey(
  amk: Uint8Array,
  fileId: string,
  fileKey: Uint8Array,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(fileKey, "a file key");
  const nonce = random(NONCE_BYTES);
  return concatBytes(
    nonce,
    primitives.seal(
      albumSealKey(amk, primitives),
      nonce,
      fileKey,
      boundTo(fileId),
    ),
  );
}

/**
 * Opens the file key of mode `wrapped`; undefined if the sealed key was
 * changed, or belongs to another album key or another file.
 */
export function unwrapFileKey(
  amk: Uint8Array,
  fileId: string,
  sealedKey: Uint8Array,
  primitives: Primitives = portablePrimitives,
): Bytes | undefined {
  const fileKey = primitives.open(
    albumSealKey(amk, primitives),
    sealedKey.subarray(0, NONCE_BYTES),
    sealedKey.subarray(NONCE_BYTES),
    boundTo(fileId),
  );
  return fileKey?.length === KEY_BYTES ? fileKey : undefined;
}

/**
 * The key of an asset's metadata: HKDF(AMK, file_id bytes,
 * `service-metadata-key/v1`). `amk` is the key of the manifest's album and
 * epoch, or the library key, 32 bytes.
 */
export function metadataKey(
  amk: Uint8Array,
  fileId: string,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(amk, "an album key");
  return deriveKey(primitives, amk, uuidBytes(fileId), METADATA_LABEL);
}

/**
 * The key under which an album's key seals something: HKDF(AMK,
 * `service-album-seal/v1`). An album's key is never the key of a cipher itself.
 */
export function albumSealKey(
  amk: Uint8Array,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(amk, "an album key");
  return deriveKey(primitives, amk, new Uint8Array(), SEAL_LABEL);
}

function boundTo(fileId: string): Bytes {
  return concatBytes(utf8(FILE_LABEL), new Uint8Array(1), uuidBytes(fileId));
}
