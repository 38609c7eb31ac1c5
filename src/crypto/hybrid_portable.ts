/**
 * The hybrid signature's halves in portable code; `hybrid.ts` loads it where
 * WebCrypto lacks one of them.
 *
 * @module
 */
import * as nobleEd25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa65 } from "@noble/post-quantum/ml-dsa.js";
import { concatBytes, equalBytes } from "../core/bytes.ts";
import { isStrictEd25519, littleEndian, ORDER } from "./ed25519_strict.ts";
import type { HybridBackend } from "./hybrid_backend.ts";

// With this hash noble's synchronous functions work without crypto.subtle.
nobleEd25519.hashes.sha512 = sha512;

/**
 * The backend in pure JavaScript. Its ML-DSA signatures are deterministic (FIPS
 * 204 section 3.4): this code has no source of randomness, and equal bytes
 * allow fixed test vectors.
 */
export const portableBackend: HybridBackend = {
  name: "portable",
  openEd25519(seed) {
    return Promise.resolve({
      publicKey: nobleEd25519.getPublicKey(seed),
      sign: (message) => Promise.resolve(nobleEd25519.sign(message, seed)),
    });
  },
  openMlDsa65(seed) {
    const { publicKey, secretKey } = ml_dsa65.keygen(seed);
    return Promise.resolve({
      publicKey,
      sign: (message) =>
        Promise.resolve(
          ml_dsa65.sign(message, secretKey, { extraEntropy: false }),
        ),
    });
  },
  verifyEd25519(publicKey, message, signature) {
    return Promise.resolve(
      isStrictEd25519(publicKey, signature) &&
        verifiesEd25519(publicKey, message, signature),
    );
  },
  verifyMlDsa65(publicKey, message, signature) {
    return Promise.resolve(ml_dsa65.verify(signature, message, publicKey));
  },
};

/**
 * RFC 8032 section 5.1.7 with the equation that is not multiplied by eight, as
 * WebCrypto's implementations have it: noble's `verify` takes signatures whose
 * R or key has a part of small order, and so gives another answer.
 */
function verifiesEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const { Point } = nobleEd25519;
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % ORDER;
  let key: nobleEd25519.Point;
  try {
    key = Point.fromBytes(publicKey);
  } catch {
    return false;
  }
  const own = Point.BASE.multiply(littleEndian(s), false)
    .subtract(key.multiply(k, false));
  return equalBytes(own.toBytes(), r);
}
