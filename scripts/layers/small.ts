/**
 * Small files that belong to the only file that imports them.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";
import { LEAST_LINES, SMALL_FILES } from "../layers.ts";
import { importGraph, withoutComments } from "./imports.ts";

/** What a file imports by statements; what it passes on does not count. */
const AT_ONCE = /^import\b[^;"()]*"(\.[^"]+)"/gm;
/** What it loads later, or in a worker. */
const LATER = /\b(?:import|new URL)\(\s*"(\.[^"]+)"/g;

/**
 * A line for each small file of `src/` that a single file imports, at once and
 * from the same folder, and for each exception that is not needed. `sources`
 * are all files: the program, its scripts and its tests. A file that a test
 * imports too may stay, so that the test can look at it by itself.
 */
export function tooSmall(
  sources: ReadonlyMap<string, string>,
  exceptions: Readonly<Record<string, string>> = SMALL_FILES,
): string[] {
  const importers = onlyImporters(sources);
  const small = new Map(
    [...importers].filter(([path, importer]) =>
      path.startsWith("src/") && !path.endsWith(".d.ts") &&
      linesOf(sources.get(path) ?? "") < LEAST_LINES &&
      dirname(importer) === dirname(path) &&
      importsAtOnce(importer, sources.get(importer) ?? "", path)
    ),
  );
  return [
    ...[...small].filter(([path]) => exceptions[path] === undefined)
      .map(([path, importer]) =>
        `${path}: fewer than ${LEAST_LINES} lines that only ${importer} imports`
      ),
    ...Object.keys(exceptions).filter((path) => !small.has(path))
      .map((path) => `${path}: SMALL_FILES does not need it`),
  ];
}

/** The files that a single other file imports, each with that file. */
function onlyImporters(
  sources: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const only = new Map<string, string>();
  const shared = new Set<string>();
  for (const [path, imported] of Object.entries(importGraph(sources))) {
    for (const one of new Set(imported)) {
      if (only.has(one)) shared.add(one);
      only.set(one, path);
    }
  }
  for (const one of shared) only.delete(one);
  return only;
}

function importsAtOnce(importer: string, source: string, path: string) {
  const code = withoutComments(source);
  const has = (pattern: RegExp) =>
    code.matchAll(pattern).some(([, specifier = ""]) =>
      normalize(`${dirname(importer)}/${specifier}`) === path
    );
  return has(AT_ONCE) && !has(LATER);
}

function linesOf(source: string): number {
  return source.split("\n").length - 1;
}
