/**
 * Exports that no other file imports.
 *
 * @module
 */
import { ENTRIES } from "../layers.ts";
import { type Names, namesOf } from "./exports.ts";

/**
 * A line for each name that a file exports and no other file imports, be it a
 * value or a type. `sources` are all files: the program, its scripts and its
 * tests. What tests alone import of `src/` is in use if its own file needs it
 * too, so that they can look at a part by itself.
 */
export function unusedExports(
  sources: ReadonlyMap<string, string>,
): string[] {
  const files = new Map(
    [...sources].map(([path, source]) => [path, namesOf(path, source)]),
  );
  const used = usedNames(files, (path) => !isTest(path));
  const tested = usedNames(files, isTest);
  return [...files].filter(([path]) => isOurs(path)).flatMap((
    [path, { exported, words }],
  ) =>
    [...exported].flatMap((name) => {
      const id = `${path} ${name}`;
      const isNeededHere = (words.get(name) ?? 0) > 1;
      if (used.has(id)) return [];
      if (tested.has(id)) {
        return isNeededHere || !path.startsWith("src/")
          ? []
          : [`${path}: only tests use ${name}`];
      }
      return [
        isNeededHere
          ? `${path}: no other file imports ${name}`
          : `${path}: nothing uses ${name}`,
      ];
    })
  );
}

/** What some files import, as `path name`, each file that passes it on included. */
function usedNames(
  files: ReadonlyMap<string, Names>,
  counts: (path: string) => boolean,
): Set<string> {
  const used = new Set<string>();
  const use = (path: string, name: string): void => {
    const file = files.get(path);
    const id = `${path} ${name}`;
    if (file === undefined || used.has(id)) return;
    used.add(id);
    const from = file.passedOn.get(name);
    if (from !== undefined) use(from.file, from.name);
    else if (!file.exported.has(name)) {
      for (const one of file.all) use(one, name);
    }
  };
  const useAll = (path: string): void => {
    const { exported = [], all = [] } = files.get(path) ?? {};
    for (const name of exported) use(path, name);
    for (const one of all) useAll(one);
  };
  for (const [path, { uses, words }] of files) {
    if (!counts(path)) continue;
    if (ENTRIES.includes(path)) useAll(path);
    for (const { file, name } of uses) {
      if (file === path) continue;
      const module = name === "*" ? file : files.get(file)?.handedOn.get(name);
      if (name !== "*") use(file, name);
      if (module !== undefined) {
        for (const word of words.keys()) use(module, word);
      }
    }
  }
  return used;
}

function isTest(path: string): boolean {
  return path.startsWith("tests/") || path.endsWith("_test.ts");
}

/** The exports of these are of code that they write. */
const WRITE_CODE = [
  "scripts/messages/generating.ts",
  "tests/support/client_consumer.ts",
  "tests/support/next_release.ts",
];

/** Types of others' packages are declared as these have them. */
function isOurs(path: string): boolean {
  return !path.endsWith(".d.ts") && !WRITE_CODE.includes(path);
}
