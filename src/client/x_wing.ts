/**
 * X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519 combined, so
 * that an attacker has to break both. A library computes the two halves. The
 * rest of the draft is short enough to be written here, which spares pages from
 * loading other curves.
 *
 * @module
 */
import { montgomery } from "@noble/curves/abstract/montgomery.js";
import { sha3_256, shake256 } from "@noble/hashes/sha3.js";
import { ml_kem768 as mlKem } from "@noble/post-quantum/ml-kem.js";
import { type Bytes, concatBytes, utf8 } from "../core/bytes.ts";
import { X_WING_CIPHERTEXT_BYTES, X_WING_PUBLIC_KEY_BYTES } from "./suite.ts";

export { X_WING_CIPHERTEXT_BYTES, X_WING_PUBLIC_KEY_BYTES };

/** A secret key is the seed of the key pair. */
export const X_WING_SECRET_KEY_BYTES = 32;
/** Coins for ML-KEM (32) and an ephemeral X25519 secret (32). */
export const X_WING_COINS_BYTES = 64;

const ML_KEM_PUBLIC_KEY_BYTES = 1_184;
const ML_KEM_CIPHERTEXT_BYTES = 1_088;
/** The draft's label, which it draws as a wing. */
const LABEL = utf8("\\.//^\\");

const P = 2n ** 255n - 19n;

/** X25519 (RFC 7748). */
const x25519 = montgomery({
  P,
  type: "x25519",
  adjustScalarBytes(scalar: Uint8Array) {
    const [first = 0, last = 0] = [scalar[0], scalar[31]];
    scalar[0] = first & 248;
    scalar[31] = last & 127 | 64;
    return scalar;
  },
  powPminus2(x) {
    let [power, result] = [x, 1n];
    for (let left = P - 2n; left > 0n; left >>= 1n) {
      if (left & 1n) result = result * power % P;
      power = power * power % P;
    }
    return result;
  },
});

interface Halves {
  readonly mlKem: { readonly publicKey: Uint8Array; secretKey: Uint8Array };
  readonly x25519: { readonly publicKey: Uint8Array; secretKey: Uint8Array };
}

function halvesOf(seed: Uint8Array): Halves {
  if (seed.length !== X_WING_SECRET_KEY_BYTES) {
    throw new RangeError(`an X-Wing seed has ${X_WING_SECRET_KEY_BYTES} bytes`);
  }
  const expanded = shake256(seed, { dkLen: 96 });
  const secretKey = expanded.subarray(64);
  return {
    mlKem: mlKem.keygen(expanded.subarray(0, 64)),
    x25519: { secretKey, publicKey: x25519.getPublicKey(secretKey) },
  };
}

function combine(
  mlKemSecret: Uint8Array,
  x25519Secret: Uint8Array,
  x25519Ciphertext: Uint8Array,
  x25519PublicKey: Uint8Array,
): Bytes {
  return new Uint8Array(sha3_256(concatBytes(
    mlKemSecret,
    x25519Secret,
    x25519Ciphertext,
    x25519PublicKey,
    LABEL,
  )));
}

/** The public key of a seed. Throws a RangeError for another length. */
export function xWingPublicKey(seed: Uint8Array): Bytes {
  const halves = halvesOf(seed);
  return concatBytes(halves.mlKem.publicKey, halves.x25519.publicKey);
}

/**
 * Makes a ciphertext and the secret in it from 64 random bytes. Throws for a
 * public key of the wrong length, one that fails FIPS 203's modulus check, and
 * one with a point of low order.
 */
export function xWingEncapsulate(
  publicKey: Uint8Array,
  coins: Uint8Array,
): { readonly ciphertext: Bytes; readonly sharedSecret: Bytes } {
  if (publicKey.length !== X_WING_PUBLIC_KEY_BYTES) {
    throw new RangeError(
      `an X-Wing public key has ${X_WING_PUBLIC_KEY_BYTES} bytes`,
    );
  }
  if (coins.length !== X_WING_COINS_BYTES) {
    throw new RangeError(`X-Wing takes ${X_WING_COINS_BYTES} random bytes`);
  }
  const theirs = publicKey.subarray(ML_KEM_PUBLIC_KEY_BYTES);
  const sealed = mlKem.encapsulate(
    publicKey.subarray(0, ML_KEM_PUBLIC_KEY_BYTES),
    coins.subarray(0, 32),
  );
  const ephemeral = coins.subarray(32);
  const point = x25519.getPublicKey(ephemeral);
  return {
    ciphertext: concatBytes(sealed.cipherText, point),
    sharedSecret: combine(
      sealed.sharedSecret,
      x25519.getSharedSecret(ephemeral, theirs),
      point,
      theirs,
    ),
  };
}

/**
 * Opens the secret in a ciphertext. ML-KEM rejects implicitly: a changed
 * ciphertext gives another secret. Throws for another length and for a point of
 * low order.
 */
export function xWingDecapsulate(
  seed: Uint8Array,
  ciphertext: Uint8Array,
): Bytes {
  if (ciphertext.length !== X_WING_CIPHERTEXT_BYTES) {
    throw new RangeError(
      `an X-Wing ciphertext has ${X_WING_CIPHERTEXT_BYTES} bytes`,
    );
  }
  const own = halvesOf(seed);
  const point = ciphertext.subarray(ML_KEM_CIPHERTEXT_BYTES);
  return combine(
    mlKem.decapsulate(
      ciphertext.subarray(0, ML_KEM_CIPHERTEXT_BYTES),
      own.mlKem.secretKey,
    ),
    x25519.getSharedSecret(own.x25519.secretKey, point),
    point,
    own.x25519.publicKey,
  );
}
