/**
 * Reading vectors, and the implementations that each must hold for.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64, fromHex } from "../../src/core/bytes.ts";
import { nativeBackend } from "../../src/crypto/hybrid.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { sodiumPrimitives } from "../../src/web/workers/sealing/sodium.ts";

/** The bytes of hex that must be well-formed. */
export function hex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(text);
  assert(bytes !== undefined, `not hex: ${text}`);
  return bytes;
}

/** The bytes of base64 that must be well-formed. */
export function base64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(text);
  assert(bytes !== undefined, `not base64: ${text}`);
  return bytes;
}

const sodium = await sodiumPrimitives();
assert.notEqual(sodium.seal, portablePrimitives.seal, "libsodium is missing");

/** The symmetric primitives: each vector must come out of all of them. */
export const PRIMITIVES = [nativePrimitives, portablePrimitives, sodium];

/** Both signature backends; Deno must have the native one. */
export async function backends() {
  const native = await nativeBackend();
  assert(native !== undefined, "WebCrypto lacks ML-DSA-65 or Ed25519");
  return [native, portableBackend];
}

/** The bytes one by one, as a slow network delivers them. */
export function* oneByOne(bytes: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < bytes.length; i++) yield bytes.subarray(i, i + 1);
}

/** A copy with one bit changed; a negative offset counts from the end. */
export function flipped(bytes: Uint8Array, offset: number): Uint8Array {
  const changed = new Uint8Array(bytes);
  const at = offset < 0 ? bytes.length + offset : offset;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
