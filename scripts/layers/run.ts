/**
 * Holds the source to the architecture (`../layers.ts`): layers, packages
 * and features; no file that imports itself by way of others, not even a type;
 * nothing but the platform that reaches for time, randomness, the network or the
 * environment; no export that no other file imports; no small file that only
 * its neighbour imports; no folder with too many files or floors, or that does
 * not say what it is. Run by `deno task layers`; exits 1 with a line per breach.
 *
 * @module
 */
import { FEATURES } from "../layers.ts";
import { breachesOf } from "./breaches.ts";
import { circlesOf, importGraph } from "./imports.ts";
import { unnamedRooms } from "./rooms.ts";
import { tooDeep, tooWide } from "./sizes.ts";
import { tooSmall } from "./small.ts";
import { unusedExports } from "./unused.ts";

const read = (path: string) => [path, Deno.readTextFileSync(path)] as const;
const files = new Map(filesUnder("src").map(read));
const paths = ["src", "tests", "scripts"].flatMap((folder) => [
  ...filesUnder(folder, true),
]);
const all = new Map([...paths, "main.ts"].map(read));
const breaches = [
  ...files.entries().flatMap(([path, source]) => breachesOf(path, source)),
  // A circle among features would make two of them one.
  ...circlesOf(FEATURES),
  // Whoever reads a file of a circle has to read all of them.
  ...circlesOf(importGraph(files)),
  ...unnamedRooms(files),
  ...tooDeep(files),
  ...tooWide(files.keys()),
  ...tooSmall(all),
  ...unusedExports(all),
];
const text = breaches.length === 0
  ? `layers hold in ${files.size} files\n`
  : breaches.map((line) => `${line}\n`).join("");
Deno.stdout.writeSync(new TextEncoder().encode(text));
if (breaches.length > 0) Deno.exit(1);

function* filesUnder(
  directory: string,
  withTests = false,
): Generator<string> {
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) yield* filesUnder(path, withTests);
    else if (
      /\.tsx?$/.test(path) && (withTests || !path.endsWith("_test.ts"))
    ) yield path;
  }
}
