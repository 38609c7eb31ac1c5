/**
 * The symmetric primitives of suite 1: one interface, and its portable
 * implementation. The native one is in `client/keys/native.ts`. Both give the
 * same bytes for the same input (protocol/client-cryptography.md).
 *
 * @module
 */
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import type { Bytes } from "../core/bytes.ts";
import { portableSha256, type Sha256 } from "./sha256.ts";

/** Bytes of every symmetric key of the suite. */
export const KEY_BYTES = 32;
/** Bytes of a ChaCha20-Poly1305 nonce. */
export const NONCE_BYTES = 12;
/** Bytes that sealing adds. */
export const TAG_BYTES = 16;

const MIN_CHUNK_BYTES = 4 * 1024;
/** A phone must be able to hold a chunk in memory. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;

/**
 * Whether a blob may be cut into chunks of that many plaintext bytes: a power
 * of two from 4 KiB to 16 MiB (protocol/client-cryptography.md#blob).
 */
export function isChunkSize(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes >= MIN_CHUNK_BYTES &&
    bytes <= MAX_CHUNK_BYTES && (bytes & (bytes - 1)) === 0;
}

/** What suite 1 computes with; everything is synchronous and pure. */
export interface Primitives {
  readonly name: "native" | "portable";
  /** Starts an incremental SHA-256. */
  sha256(): Sha256;
  /**
   * HKDF-SHA-256, extract then expand (RFC 5869). An empty salt is the same as
   * none. `length` is in bytes, at most 8,160.
   */
  hkdfSha256(
    ikm: Uint8Array,
    salt: Uint8Array,
    info: Uint8Array,
    length: number,
  ): Bytes;
  /**
   * ChaCha20-Poly1305 (RFC 8439): ciphertext ‖ 16-byte tag. `key` has 32 bytes,
   * `nonce` 12; the pair must never seal twice.
   */
  seal(
    key: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associated?: Uint8Array,
  ): Bytes;
  /** The plaintext, or undefined if the tag, the key or a length is wrong. */
  open(
    key: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associated?: Uint8Array,
  ): Bytes | undefined;
}

/** The primitives in pure JavaScript, which work everywhere. */
export const portablePrimitives: Primitives = {
  name: "portable",
  sha256: portableSha256,
  hkdfSha256(ikm, salt, info, length) {
    return new Uint8Array(hkdf(nobleSha256, ikm, salt, info, length));
  },
  seal(key, nonce, plaintext, associated) {
    const sealed = new Uint8Array(plaintext.length + TAG_BYTES);
    chacha20poly1305(key, nonce, associated).encrypt(plaintext, sealed);
    return sealed;
  },
  open(key, nonce, sealed, associated) {
    if (sealed.length < TAG_BYTES) return undefined;
    const plaintext = new Uint8Array(sealed.length - TAG_BYTES);
    try {
      chacha20poly1305(key, nonce, associated).decrypt(sealed, plaintext);
      return plaintext;
    } catch {
      // noble throws for a wrong tag and for a wrong key length alike; a caller
      // would treat both the same way.
      return undefined;
    }
  },
};
