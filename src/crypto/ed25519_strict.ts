/**
 * What no implementation here takes of an Ed25519 signature, so that native and
 * portable code agree: they differ where RFC 8032 leaves a choice.
 *
 * @module
 */
import { equalBytes, fromHex } from "../core/bytes.ts";

/** 2²⁵⁵ − 19 (RFC 8032 section 5.1). */
const P = 2n ** 255n - 19n;
/** The curve's d, −121665/121666 modulo P. */
const D =
  37095705934669439343138083508754565189542113879843219016388785533085940283555n;
/** The order of the base point (RFC 8032 section 5.1). */
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The y coordinates of the points of small order, little endian. */
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].map((hex) => fromHex(hex) ?? new Uint8Array());

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Whether a public key is written canonically and of no small order, for which
 * anybody can make signatures, and the signature's `S` is below L.
 */
export function isStrictEd25519(
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  return signature.length === SIGNATURE_BYTES &&
    strictY(publicKey) !== undefined &&
    littleEndian(signature.subarray(KEY_BYTES)) < ORDER;
}

/**
 * Whether these bytes are a raw public key that can have a private key: 32
 * bytes, the canonical encoding of a point of the curve, and not a point of
 * small order, for which anybody can make signatures.
 */
export function isEd25519PublicKey(bytes: Uint8Array): boolean {
  const y = strictY(bytes);
  if (y === undefined) return false;
  // x² is (y² − 1) / (d·y² + 1) (RFC 8032 section 5.1.3), and has a root if the
  // product of both has one.
  const product = (y * y - 1n) * (D * y * y + 1n) % P;
  return power(product, (P - 1n) / 2n) === 1n;
}

/** The y of a key that is canonical and of no small order. */
function strictY(publicKey: Uint8Array): bigint | undefined {
  if (publicKey.length !== KEY_BYTES) return undefined;
  const bytes = publicKey.slice();
  bytes[KEY_BYTES - 1] = (bytes[KEY_BYTES - 1] ?? 0) & 0x7f;
  if (SMALL_ORDER.some((small) => equalBytes(small, bytes))) return undefined;
  const y = littleEndian(bytes);
  return y < P ? y : undefined;
}

function power(base: bigint, exponent: bigint): bigint {
  let value = 1n;
  for (let left = exponent, square = base; left > 0n; left >>= 1n) {
    if (left & 1n) value = value * square % P;
    square = square * square % P;
  }
  return value;
}

/** The number that these bytes are, the least significant one first. */
export function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  return value;
}
