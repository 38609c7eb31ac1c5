/**
 * Constants and small functions of suite 1 (protocol/client-cryptography.md)
 * that the files of the client library share.
 *
 * @module
 */
import { type Bytes, fromHex, toHex, utf8 } from "../../core/bytes.ts";
import {
  KEY_BYTES,
  NONCE_BYTES,
  type Primitives,
  TAG_BYTES,
} from "../../crypto/primitives.ts";

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

/** The prime of ML-KEM, and the bytes of its public key before the seed. */
const ML_KEM_Q = 3_329;
const ML_KEM_VECTOR_BYTES = 1_152;
const ML_KEM_PUBLIC_KEY_BYTES = 1_184;

/** The points of small order of X25519 (RFC 7748 section 6.1), little endian. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  `00${"00".repeat(31)}`,
  `01${"00".repeat(31)}`,
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  // p - 1, and 0 and 1 again.
  ...["ec", "ed", "ee"].map((low) => `${low}${"ff".repeat(30)}7f`),
]);

/**
 * Whether bytes are an X-Wing public key that can be sealed to: each coefficient
 * below the modulus (FIPS 203 section 7.2), and no point of small order.
 */
export function isSealingKey(bytes: Uint8Array): boolean {
  if (bytes.length !== X_WING_PUBLIC_KEY_BYTES) return false;
  // Three bytes are two coefficients of 12 bits.
  for (let at = 0; at < ML_KEM_VECTOR_BYTES; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const isReduced = (a | ((b & 0x0f) << 8)) < ML_KEM_Q &&
      ((b >> 4) | (c << 4)) < ML_KEM_Q;
    if (!isReduced) return false;
  }
  const point = bytes.slice(ML_KEM_PUBLIC_KEY_BYTES);
  // X25519 ignores the highest bit.
  point[31] = (point[31] ?? 0) & 0x7f;
  return !SMALL_ORDER.has(toHex(point));
}
