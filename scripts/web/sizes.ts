/**
 * What the first load of the web app is made of: its modules, each with its
 * share of the compressed bytes. Printed by `deno task web --sizes`.
 *
 * @module
 */
import { deflateRawSync, gzipSync } from "node:zlib";
import { APP_ENTRIES, makeApp, type Split, split } from "./app.ts";
import { sourcesOfApp } from "./fresh.ts";

/** What a browser fetches before the first photos are seen. */
const FIRST_LOAD = ["main.js", "vault.js", "app.css"];

/** The files of the first load: those named, and what they import at once. */
export function firstLoad(
  textOf: (name: string) => string,
  names: readonly string[] = FIRST_LOAD,
): Set<string> {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    // `import(…)` comes when it is needed.
    for (
      const [, next = ""] of textOf(name).matchAll(
        /(?:from|import)\s*"[./]+\/([\w.-]+\.js)"/g,
      )
    ) load(next);
  };
  names.forEach(load);
  return loaded;
}

/** The pieces of a script that each of its modules became, by their paths. */
function piecesOf({ text, map }: Split): Map<string, string> {
  const { sources, mappings }: { sources: string[]; mappings: string } = JSON
    .parse(map);
  const pieces = new Map<string, string>();
  const lines = text.split("\n");
  let source = 0;
  mappings.split(";").forEach((line, at) => {
    const written = lines[at] ?? "";
    const marks: { column: number; source: number }[] = [];
    let column = 0;
    for (const segment of line.split(",")) {
      const [columns = 0, sourcesOn = 0] = numbersOf(segment);
      column += columns;
      source += sourcesOn;
      if (segment !== "") marks.push({ column, source });
    }
    marks.forEach((mark, turn) => {
      const path = sources[mark.source] ?? "";
      const end = marks[turn + 1]?.column ?? written.length;
      const piece = written.slice(mark.column, end);
      pieces.set(path, (pieces.get(path) ?? "") + piece);
    });
  });
  return pieces;
}

const DIGITS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of a segment of a source map (base 64, least bits first). */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if ((bits & 32) !== 0) continue;
    numbers.push((value & 1) === 0 ? value >> 1 : -(value >> 1));
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** `@noble/curves` of a package's file, and a module's path below `src`. */
function moduleName(path: string): string {
  const [, inPackage] = /\/npm\/[^/]+\/((?:@[\w.-]+\/)?.+)$/.exec(path) ?? [];
  if (inPackage !== undefined) return `npm:${inPackage}`;
  // The map tells paths from the bundler's own directory, wherever that is.
  const [, below = path] = /.*\/src\/(.+)$/.exec(path) ?? [];
  return below;
}

/** A module's piece of what is fetched at first, and by what. */
interface Piece {
  readonly name: string;
  readonly where: string;
  readonly text: string;
}

/** What modules became in the scripts of the first load. */
export async function firstPieces(): Promise<Piece[]> {
  const made = await split(APP_ENTRIES, { maps: true });
  const scripts = new Map(made.map((one) => [one.name, one.text]));
  const needed = ["main.js", "vault.js"].map((entry) =>
    firstLoad((name) => scripts.get(name) ?? "", [entry])
  );
  return made.flatMap((script) => {
    const where = ["page", "vault"]
      .filter((_, at) => needed[at]?.has(script.name)).join("+");
    if (where === "") return [];
    return [...piecesOf(script)].map(([path, text]) => (
      { name: moduleName(path), where, text }
    ));
  });
}

/** What the first load is made of, a line for each module, the largest first. */
export async function sizesText(): Promise<string> {
  const [{ files }, pieces] = await Promise.all([
    makeApp(sourcesOfApp()),
    firstPieces(),
  ]);
  const byName = new Map(
    [...files].map(([path, bytes]) => [path.split("/").at(-1) ?? "", bytes]),
  );
  const textOf = (name: string) => new TextDecoder().decode(byName.get(name));
  const total = [...firstLoad(textOf)].reduce(
    (sum, name) => sum + gzipSync(textOf(name), { level: 9 }).length,
    0,
  );
  const alone = [
    ...pieces,
    { name: "app.css", where: "page", text: textOf("app.css") },
  ].map(({ name, where, text }) => (
    { name, where, bytes: deflateRawSync(text, { level: 9 }).length }
  )).sort((a, b) => b.bytes - a.bytes);
  // Together they are smaller: each gets its part of what they are together.
  const sum = alone.reduce((sum, { bytes }) => sum + bytes, 0);
  const kib = (bytes: number) => (bytes / 1024).toFixed(2).padStart(7);
  const lines = alone.map(({ name, where, bytes }) =>
    `${kib(bytes * total / sum)} ${where.padEnd(10)} ${name}`
  );
  return [...lines, `${kib(total)} KiB compressed in all`, ""].join("\n");
}
