/**
 * What the vectors are made of: nothing random, nothing secret.
 *
 * @module
 */
import { ml_kem768_x25519 as xWing } from "@noble/post-quantum/hybrid.js";
import { X_WING_CIPHERTEXT_BYTES } from "../../src/client/keys/sealing.ts";
import { toHex, utf8 } from "../../src/core/bytes.ts";
import { sha256 } from "../../src/crypto/sha256.ts";

/** 32 bytes that a name stands for: every secret here comes out of this. */
export function secretOf(name: string): Uint8Array {
  return sha256(utf8(`strongroom test vectors: ${name}`));
}

/** A generator that gives the same bytes in every run. */
export function randomOf(name: string): (length: number) => Uint8Array {
  let call = 0;
  return (length) => {
    const bytes = new Uint8Array(length);
    for (let offset = 0; offset < length; offset += 32) {
      const block = secretOf(`${name}/${call++}`);
      bytes.set(block.subarray(0, Math.min(32, length - offset)), offset);
    }
    return bytes;
  };
}

/** Plaintext of any size: byte i is (i * i + 7 * i) mod 251. */
export function patternOf(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * i + 7 * i) % 251);
}

/**
 * The X-Wing shared secret of what was sealed to a person, in hex: who has no
 * X-Wing at hand looks at the rest with it.
 */
export function sharedSecretOf(
  sealed: Uint8Array,
  secretKey: Uint8Array,
): string {
  const ciphertext = sealed.subarray(0, X_WING_CIPHERTEXT_BYTES);
  return toHex(xWing.decapsulate(ciphertext, secretKey));
}

export const MASTER_KEY = secretOf("master key");
export const AMK = secretOf("album key");
export const FILE_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
export const USER_ID = "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a60";
export const DEVICE_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const OPAQUE_ID = "00112233445566778899aabbccddeeff";
export const SERVER_ID = "https://strongroom.example";
export const SIGNED_AT = "2026-10-01T12:00:00.000Z";
export const SMALL_COST = { memoryKib: 64, passes: 2, lanes: 1 };
/** The least that readers of links take. */
export const LINK_COST = { memoryKib: 19_456, passes: 2, lanes: 1 };
