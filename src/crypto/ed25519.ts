/**
 * Ed25519 without its hybrid partner (RFC 8032), which peer servers sign with.
 *
 * @module
 */
import {
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  hybridBackend,
} from "./hybrid.ts";

/**
 * Whether a signature over exactly this message is the key's. False for
 * anything malformed; never throws for its arguments.
 */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== ED25519_PUBLIC_KEY_BYTES) return false;
  if (signature.length !== ED25519_SIGNATURE_BYTES) return false;
  const backend = await hybridBackend();
  try {
    return await backend.verifyEd25519(publicKey, message, signature);
  } catch {
    // A point off the curve, or an encoding that the backend cannot import.
    return false;
  }
}
