/**
 * Constants and small functions of suite 1 (protocol/client-cryptography.md)
 * that the files of the client library share.
 *
 * @module
 */
import { type Bytes, fromHex, toHex, utf8 } from "../core/bytes.ts";
import {
  KEY_BYTES,
  NONCE_BYTES,
  type Primitives,
  TAG_BYTES,
} from "../crypto/primitives.ts";

export { KEY_BYTES, NONCE_BYTES, TAG_BYTES };

/** The suite's id, as `crypto_suite_id` and `X-Service-Crypto-Suite` name it. */
export const CRYPTO_SUITE_ID = 1;

/**
 * Plaintext bytes in a STREAM chunk by default. Blobs whose chunk size no field
 * states (metadata, derivatives, share indexes) always use this one.
 */
export const DEFAULT_CHUNK_SIZE = 65_536;

/**
 * HKDF-SHA-256 with an ASCII label as info, and by default 32 bytes of output.
 * If the suite names no salt it is empty, which RFC 5869 section 2.2 defines to
 * be a string of zeros.
 */
export function deriveKey(
  primitives: Primitives,
  secret: Uint8Array,
  salt: Uint8Array,
  label: string,
  length: number = KEY_BYTES,
): Bytes {
  return primitives.hkdfSha256(secret, salt, utf8(label), length);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Throws a RangeError, naming the key by `what`, for a key of another length.
 */
export function assertKey(key: Uint8Array, what: string): void {
  if (key.length !== KEY_BYTES) {
    throw new RangeError(`${what} has ${KEY_BYTES} bytes, not ${key.length}`);
  }
}

/** The 16 bytes of a canonical UUID. Throws a RangeError for any other text. */
export function uuidBytes(uuid: string): Bytes {
  const bytes = UUID.test(uuid) ? fromHex(uuid.replaceAll("-", "")) : undefined;
  if (bytes === undefined) {
    throw new RangeError(`not a canonical UUID: ${uuid}`);
  }
  return bytes;
}

/** The canonical text of 16 bytes as a UUID, version bits untouched. */
export function uuidText(bytes: Uint8Array): string {
  const hex = toHex(bytes);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join("-");
}

/** An X-Wing public key: ML-KEM-768 (1,184) ‖ X25519 (32). */
export const X_WING_PUBLIC_KEY_BYTES = 1_216;
/** An X-Wing ciphertext: ML-KEM-768 (1,088) ‖ X25519 (32). */
export const X_WING_CIPHERTEXT_BYTES = 1_120;
