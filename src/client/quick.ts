/**
 * The fastest there is without native code: what a page and its Workers use.
 *
 * @module
 */
import { portablePrimitives, type Primitives } from "../crypto/primitives.ts";
import { portableSha256, type Sha256Factory } from "../crypto/sha256.ts";

let sha256: Sha256Factory = portableSha256;
let loading: Promise<void> | undefined;

/**
 * Portable code, in which WebAssembly hashes as soon as it is there: it begins
 * to load with the first hash, which nothing waits for. Where a policy forbids
 * it (no 'wasm-unsafe-eval') portable code goes on.
 */
export const quickPrimitives: Primitives = {
  ...portablePrimitives,
  sha256() {
    loading ??= load();
    return sha256();
  },
};

/** Waits until whatever can be quick is, or is known not to come. */
export async function quickened(): Promise<Primitives> {
  await (loading ??= load());
  return quickPrimitives;
}

async function load(): Promise<void> {
  try {
    const { wasmSha256 } = await import("./sha256_wasm.ts");
    sha256 = await wasmSha256();
  } catch {
    // No WebAssembly, or no way to fetch it: slower, and as correct.
  }
}
