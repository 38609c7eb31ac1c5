/**
 * The fastest primitives without native code, for pages and their Workers.
 *
 * @module
 */
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { portableSha256, type Sha256Factory } from "../../crypto/sha256.ts";

let sha256: Sha256Factory = portableSha256;
let loading: Promise<void> | undefined;

/**
 * Portable code whose hashes come from WebAssembly once that is loaded. Loading
 * begins with the first hash and nothing waits for it. If a policy forbids
 * WebAssembly (no 'wasm-unsafe-eval'), portable code stays in use.
 */
export const quickPrimitives: Primitives = {
  ...portablePrimitives,
  sha256() {
    loading ??= load();
    return sha256();
  },
};

/** Waits until WebAssembly is loaded or has failed to load. */
export async function quickened(): Promise<Primitives> {
  await (loading ??= load());
  return quickPrimitives;
}

async function load(): Promise<void> {
  try {
    const { wasmSha256 } = await import("./sha256_wasm.ts");
    sha256 = await wasmSha256();
  } catch {
    // WebAssembly cannot be used or fetched: portable code is slower but as
    // correct.
  }
}
