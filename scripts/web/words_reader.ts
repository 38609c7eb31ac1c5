/**
 * Tesseract in WebAssembly, and its data for French, which read the words in
 * pictures (words.md).
 *
 * @module
 */
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

const ENGINE = "tesseract.js-core/tesseract-core-simd-lstm.wasm";
/** The package of the data, which is in no script. */
export const DATA_PACKAGE = "@tesseract.js-data/fra";

/** Whole numbers instead of fractions: smaller, and as good. */
const DATA = `${DATA_PACKAGE}/4.0.0_best_int/fra.traineddata.gz`;

/** Whether a file is one that only reading words needs. */
export function isOfWords(name: string): boolean {
  return name.startsWith("words-");
}

/** The files. The packages are there once what uses them was bundled. */
export async function wordsReader(): Promise<[string, Uint8Array][]> {
  const { resolve } = createRequire(import.meta.url);
  return [
    ["words-engine.wasm", await Deno.readFile(resolve(ENGINE))],
    ["words-data.bin", gunzipSync(await Deno.readFile(resolve(DATA)))],
  ];
}
