/**
 * Holds the source to the architecture (`../layers.ts`): layers, packages
 * and features; no file that imports itself by way of others, not even a type;
 * and nothing but the platform that reaches for time, randomness, the network
 * or the environment. Run by `deno task layers`; exits 1 with a line per
 * breach.
 *
 * @module
 */
import { FEATURES } from "../layers.ts";
import { breachesOf } from "./breaches.ts";
import { circlesOf, importGraph } from "./imports.ts";

const files = new Map(
  filesUnder("src").map((path) => [path, Deno.readTextFileSync(path)]),
);
const breaches = [
  ...files.entries().flatMap(([path, source]) => breachesOf(path, source)),
  // A circle among features would make two of them one.
  ...circlesOf(FEATURES),
  // Whoever reads a file of a circle has to read all of them.
  ...circlesOf(importGraph(files)),
];
const text = breaches.length === 0
  ? `layers hold in ${files.size} files\n`
  : breaches.map((line) => `${line}\n`).join("");
Deno.stdout.writeSync(new TextEncoder().encode(text));
if (breaches.length > 0) Deno.exit(1);

function* filesUnder(directory: string): Generator<string> {
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) yield* filesUnder(path);
    else if (/\.tsx?$/.test(path) && !path.endsWith("_test.ts")) yield path;
  }
}
