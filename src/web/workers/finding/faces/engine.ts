/**
 * TensorFlow.js in WebAssembly, which computes the models of faces and of
 * things.
 *
 * @module
 */
// @ts-types="./face_api.d.ts"
import { env, tf } from "@vladmandic/face-api/dist/face-api.esm.js";
import { buildFileAddress as file } from "../../vault/build_files.ts";

export { tf };
export type { Model, Tensor } from "./face_api.d.ts";

let started: Promise<void> | undefined;

/** Starts it once. Throws where there is no WebAssembly. */
export function startEngine(): Promise<void> {
  return started ??= start().catch((error) => {
    started = undefined;
    throw error;
  });
}

async function start(): Promise<void> {
  // In a thread it finds no page, and only asks what things are.
  const none = class {};
  env.setEnv({
    Canvas: OffscreenCanvas,
    CanvasRenderingContext2D: OffscreenCanvasRenderingContext2D,
    Image: none,
    ImageData,
    Video: none,
  });
  // One thread each: the app's pages are not isolated, which more would need.
  const wasm = file("faces-simd.wasm");
  tf.setWasmPaths({
    "tfjs-backend-wasm.wasm": file("faces-plain.wasm"),
    "tfjs-backend-wasm-simd.wasm": wasm,
    "tfjs-backend-wasm-threaded-simd.wasm": wasm,
  });
  if (!await tf.setBackend("wasm")) throw new Error("no WebAssembly");
  await tf.ready();
}
