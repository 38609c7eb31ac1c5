/**
 * Sealing to a person (protocol/client-cryptography.md#sealing-to-a-person):
 * X-Wing (X25519 + ML-KEM-768, draft-connolly-cfrg-xwing-kem), then
 * ChaCha20-Poly1305.
 *
 * The suite leaves some details open, which are decided here. Sealed bytes are
 * `X-Wing ciphertext (1,120) ‖ ChaCha20-Poly1305 box`. The box's key is
 * HKDF(shared secret, empty salt, label), its nonce is twelve zeros (each key
 * seals once), and its associated data is the caller's. X-Wing has portable
 * code only, because it runs once for a member and not for every chunk.
 *
 * @module
 */
import { type Bytes, concatBytes, type RandomBytes } from "../../core/bytes.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import {
  deriveKey,
  KEY_BYTES,
  NONCE_BYTES,
  TAG_BYTES,
} from "../documents/suite.ts";
import {
  X_WING_CIPHERTEXT_BYTES,
  X_WING_COINS_BYTES,
  X_WING_PUBLIC_KEY_BYTES,
  xWingDecapsulate,
  xWingEncapsulate,
  xWingPublicKey,
} from "./x_wing.ts";

export { X_WING_CIPHERTEXT_BYTES, X_WING_PUBLIC_KEY_BYTES };

/** An X-Wing key pair; the secret key is the 32-byte seed. */
export interface SealingKeyPair {
  readonly publicKey: Bytes;
  readonly secretKey: Bytes;
}

/** The key pair of a 32-byte seed. Throws a RangeError for another length. */
export function sealingKeyPairFromSeed(seed: Uint8Array): SealingKeyPair {
  return { publicKey: xWingPublicKey(seed), secretKey: new Uint8Array(seed) };
}

/**
 * Seals bytes to an X-Wing public key. `label` separates uses from each other,
 * `associated` binds the context; opening needs both again. Throws for a public
 * key of the wrong length or one that fails FIPS 203's modulus check.
 */
export function sealTo(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  label: string,
  associated: Uint8Array,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  const { ciphertext, sharedSecret } = xWingEncapsulate(
    publicKey,
    random(X_WING_COINS_BYTES),
  );
  const key = deriveKey(primitives, sharedSecret, new Uint8Array(), label);
  const nonce = new Uint8Array(NONCE_BYTES);
  return concatBytes(
    ciphertext,
    primitives.seal(key, nonce, plaintext, associated),
  );
}

/**
 * Opens what {@link sealTo} sealed; undefined if it was cut, changed, or sealed
 * to another key or under another label or other associated data.
 */
export function openSealed(
  secretKey: Uint8Array,
  sealed: Uint8Array,
  label: string,
  associated: Uint8Array,
  primitives: Primitives = portablePrimitives,
): Bytes | undefined {
  if (sealed.length < X_WING_CIPHERTEXT_BYTES + TAG_BYTES) return undefined;
  const sharedSecret = secretIn(
    sealed.subarray(0, X_WING_CIPHERTEXT_BYTES),
    secretKey,
  );
  if (sharedSecret === undefined) return undefined;
  const key = deriveKey(primitives, sharedSecret, new Uint8Array(), label);
  return primitives.open(
    key,
    new Uint8Array(NONCE_BYTES),
    sealed.subarray(X_WING_CIPHERTEXT_BYTES),
    associated,
  );
}

/**
 * Decapsulates the secret. A changed ciphertext gives another secret, with
 * which the box does not open.
 */
function secretIn(
  ciphertext: Uint8Array,
  secretKey: Uint8Array,
): Bytes | undefined {
  if (secretKey.length !== KEY_BYTES) {
    throw new RangeError(`an X-Wing secret key has ${KEY_BYTES} bytes`);
  }
  try {
    return xWingDecapsulate(secretKey, ciphertext);
  } catch {
    // A point of low order, which no honest sealer sends.
    return undefined;
  }
}
