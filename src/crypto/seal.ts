/**
 * Sealing small secrets at rest under a key that lies outside the database:
 * a random nonce, then ChaCha20-Poly1305 (RFC 8439).
 *
 * @module
 */
import { type Bytes, concatBytes, utf8 } from "../core/bytes.ts";
import { NONCE_BYTES, portablePrimitives } from "./primitives.ts";

/**
 * Seals a secret with a key of 32 bytes. `context` names the place of the
 * secret, so that it cannot be opened in another place.
 */
export function sealAtRest(
  key: Uint8Array,
  secret: Uint8Array,
  context: string,
  random: (length: number) => Uint8Array,
): Bytes {
  const nonce = random(NONCE_BYTES);
  const box = portablePrimitives.seal(key, nonce, secret, utf8(context));
  return concatBytes(nonce, box);
}

/**
 * Opens what {@link sealAtRest} sealed, with any of the keys; throws if none
 * fits.
 */
export function openAtRest(
  keys: readonly Uint8Array[],
  sealed: Uint8Array,
  context: string,
): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const box = sealed.subarray(NONCE_BYTES);
  for (const key of keys.toReversed()) {
    const secret = portablePrimitives.open(key, nonce, box, utf8(context));
    if (secret !== undefined) return secret;
  }
  throw new Error("no sealing key opens this secret");
}
