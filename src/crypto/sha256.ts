/**
 * SHA-256 (FIPS 180-4), one-shot and incremental, in portable code. A
 * {@link Sha256Factory} stands for any implementation, so that a faster one can
 * be passed in.
 *
 * @module
 */
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { type Bytes, toHex } from "../core/bytes.ts";

/** A running hash. It must not be used again after `digest`. */
export interface Sha256 {
  /** Adds bytes; the caller may reuse the array afterwards. */
  update(bytes: Uint8Array): void;
  /** The hash of everything added, 32 bytes. */
  digest(): Bytes;
}

/** Starts a hash, in portable or in native code. */
export type Sha256Factory = () => Sha256;

/** Starts a hash in portable code. */
export const portableSha256: Sha256Factory = () => {
  const hash = nobleSha256.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digest: () => new Uint8Array(hash.digest()),
  };
};

/**
 * SHA-256 of bytes in memory, 32 bytes: for keys and receipts, not for blobs.
 */
export function sha256(bytes: Uint8Array): Bytes {
  return new Uint8Array(nobleSha256(bytes));
}

/** SHA-256 as lowercase hex, as content addresses and fingerprints show it. */
export function sha256Hex(bytes: Uint8Array): string {
  return toHex(sha256(bytes));
}

/** SHA-256 of a stream, however it is cut into pieces. */
export async function sha256Stream(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  start: Sha256Factory = portableSha256,
): Promise<Bytes> {
  const hash = start();
  for await (const piece of source) hash.update(piece);
  return hash.digest();
}
