/**
 * The hybrid signature's halves in portable code; `hybrid.ts` loads it where
 * WebCrypto lacks one of them.
 *
 * @module
 */
import * as nobleEd25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa65 } from "@noble/post-quantum/ml-dsa.js";
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
      // As strict as RFC 8032: only canonical encodings of points.
      nobleEd25519.verify(signature, message, publicKey, { zip215: false }),
    );
  },
  verifyMlDsa65(publicKey, message, signature) {
    return Promise.resolve(ml_dsa65.verify(signature, message, publicKey));
  },
};
