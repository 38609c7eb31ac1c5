/**
 * ONNX Runtime in WebAssembly, which runs the models that an operator puts onto
 * the server (meaning.md).
 *
 * @module
 */
import { createRequire } from "node:module";

/** The package of it. */
export const MEANING_PACKAGE = "onnxruntime-web";

const ENGINE = "meaning-engine.wasm";

/** Whether a file is one that only finding by meaning needs. */
export function isOfMeaning(name: string): boolean {
  return name === ENGINE;
}

/** The file. The package is there once what uses it was bundled. */
export async function meaningEngine(): Promise<[string, Uint8Array][]> {
  const { resolve } = createRequire(import.meta.url);
  const path = resolve(`${MEANING_PACKAGE}/ort-wasm-simd-threaded.wasm`);
  return [[ENGINE, await Deno.readFile(path)]];
}
