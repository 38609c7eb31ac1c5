/**
 * X-Wing (draft-connolly-cfrg-xwing-kem-10, the number that the library's manual
 * names): ML-KEM-768 and X25519 combined, so that an attacker has to break both.
 * All of it is computed by the library; this file bounds the lengths.
 *
 * @module
 */
import { ml_kem768_x25519 as xWing } from "@noble/post-quantum/hybrid.js";
import type { Bytes } from "../../core/bytes.ts";
import {
  X_WING_CIPHERTEXT_BYTES,
  X_WING_PUBLIC_KEY_BYTES,
} from "../documents/suite.ts";

export { X_WING_CIPHERTEXT_BYTES, X_WING_PUBLIC_KEY_BYTES };

/** A secret key is the seed of the key pair. */
const X_WING_SECRET_KEY_BYTES = 32;
/** Coins for ML-KEM (32) and an ephemeral X25519 secret (32). */
export const X_WING_COINS_BYTES = 64;

/** The public key of a seed. Throws a RangeError for another length. */
export function xWingPublicKey(seed: Uint8Array): Bytes {
  assertLength(seed, X_WING_SECRET_KEY_BYTES, "seed");
  return new Uint8Array(xWing.keygen(seed).publicKey);
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
  assertLength(publicKey, X_WING_PUBLIC_KEY_BYTES, "public key");
  assertLength(coins, X_WING_COINS_BYTES, "set of coins");
  const { cipherText, sharedSecret } = xWing.encapsulate(publicKey, coins);
  return {
    ciphertext: new Uint8Array(cipherText),
    sharedSecret: new Uint8Array(sharedSecret),
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
  assertLength(seed, X_WING_SECRET_KEY_BYTES, "seed");
  assertLength(ciphertext, X_WING_CIPHERTEXT_BYTES, "ciphertext");
  return new Uint8Array(xWing.decapsulate(ciphertext, seed));
}

function assertLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length === length) return;
  throw new RangeError(`an X-Wing ${what} has ${length} bytes`);
}
