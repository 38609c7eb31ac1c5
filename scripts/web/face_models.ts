/**
 * The models by which faces are found and compared, as `@vladmandic/face-api`
 * has them, and TensorFlow.js' WebAssembly that computes them.
 *
 * @module
 */
import { createRequire } from "node:module";

/** Our names of the models, and the package's. */
const MODELS = {
  find: "ssd_mobilenetv1_model",
  points: "face_landmark_68_model",
  compare: "face_recognition_model",
} as const;

/** WebAssembly with and without instructions for many numbers at once. */
const ENGINES = {
  "faces-simd.wasm": "tfjs-backend-wasm-simd.wasm",
  "faces-plain.wasm": "tfjs-backend-wasm.wasm",
} as const;

/** The package of the WebAssembly, which is in no script. */
export const ENGINE = "@tensorflow/tfjs-backend-wasm";

/** Whether a file is one that only finding faces needs. */
export function isOfFaces(name: string): boolean {
  return name.startsWith("faces-");
}

/**
 * The files by their names. The packages are there once what uses them was
 * bundled.
 */
export async function faceModels(): Promise<[string, Uint8Array | string][]> {
  const { resolve } = createRequire(import.meta.url);
  const files: [string, Uint8Array | string][] = [];
  const specs: Record<string, unknown> = {};
  for (const [name, model] of Object.entries(MODELS)) {
    const path = `@vladmandic/face-api/model/${model}`;
    const [{ weights }] = JSON.parse(
      await Deno.readTextFile(resolve(`${path}-weights_manifest.json`)),
    );
    specs[name] = weights;
    files.push([
      `faces-${name}.bin`,
      await Deno.readFile(resolve(`${path}.bin`)),
    ]);
  }
  for (const [name, file] of Object.entries(ENGINES)) {
    const path = `${ENGINE}/dist/${file}`;
    files.push([name, await Deno.readFile(resolve(path))]);
  }
  return [...files, ["faces-models.json", JSON.stringify(specs)]];
}
