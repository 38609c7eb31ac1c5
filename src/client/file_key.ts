/**
 * Keys of files and of their parts (protocol/client-cryptography.md#file-key).
 *
 * The suite leaves some details open, which are decided here. The salt of a
 * derived key is the 16 bytes of the `file_id` UUID. The salt of a part key is
 * the ASCII text `<role>/<index>`. A wrapped key is `nonce (12) ‖ box` with the
 * associated data `service-file-key/v1 ‖ 0x00 ‖ file_id bytes`, so that it
 * cannot be moved to another file.
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  type RandomBytes,
  utf8,
} from "../core/bytes.ts";
import { portablePrimitives, type Primitives } from "../crypto/primitives.ts";
import {
  assertKey,
  deriveKey,
  KEY_BYTES,
  NONCE_BYTES,
  uuidBytes,
} from "./suite.ts";

const FILE_LABEL = "service-file-key/v1";
const PART_LABEL = "service-part-key/v1";

/** The blobs of an asset that are sealed under keys of their own. */
export type PartRole = "metadata" | "derivative";

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
  assertKey(amk, "an album key");
  assertKey(fileKey, "a file key");
  const nonce = random(NONCE_BYTES);
  return concatBytes(
    nonce,
    primitives.seal(amk, nonce, fileKey, boundTo(fileId)),
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
  assertKey(amk, "an album key");
  const fileKey = primitives.open(
    amk,
    sealedKey.subarray(0, NONCE_BYTES),
    sealedKey.subarray(NONCE_BYTES),
    boundTo(fileId),
  );
  return fileKey?.length === KEY_BYTES ? fileKey : undefined;
}

/**
 * The key of an asset's metadata blob (index 0) or of a derivative (its `part`
 * in the metadata): HKDF(file key, `<role>/<index>`, `service-part-key/v1`).
 */
export function partKey(
  fileKey: Uint8Array,
  role: PartRole,
  index: number,
  primitives: Primitives = portablePrimitives,
): Bytes {
  assertKey(fileKey, "a file key");
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new RangeError("a part index is a whole number from 0");
  }
  return deriveKey(primitives, fileKey, utf8(`${role}/${index}`), PART_LABEL);
}

function boundTo(fileId: string): Bytes {
  return concatBytes(utf8(FILE_LABEL), new Uint8Array(1), uuidBytes(fileId));
}
