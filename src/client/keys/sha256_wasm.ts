/**
 * SHA-256 in WebAssembly, two to six times as fast as portable code. `portable_primitives.ts`
 * loads it.
 *
 * @module
 */
import { createSHA256 } from "hash-wasm";
import type { Sha256Factory } from "../../crypto/sha256.ts";

/**
 * Makes hashes that share one WebAssembly memory, which holds the state of one
 * at a time: when another hash gets bytes, that state is saved. Rejects if
 * compiling is not allowed.
 */
export async function wasmSha256(): Promise<Sha256Factory> {
  const engine = await createSHA256();
  /** Saves the state of the hash that is in the engine. */
  let putAway: (() => void) | undefined;
  return () => {
    let state: Uint8Array | undefined;
    const own = () => {
      state = engine.save();
    };
    const enter = () => {
      if (putAway === own) return;
      putAway?.();
      if (state === undefined) engine.init();
      else engine.load(state);
      putAway = own;
    };
    return {
      update(bytes) {
        enter();
        engine.update(bytes);
      },
      digest() {
        enter();
        const digest = engine.digest("binary");
        putAway = undefined;
        return new Uint8Array(digest);
      },
    };
  };
}
