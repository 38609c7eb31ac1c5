/**
 * Exports that nothing else names.
 *
 * @module
 */
import { withoutComments } from "./imports.ts";

const EXPORTED =
  /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|enum) (\w+)/gm;

/**
 * A line for each value that a file exports and no other file names. `sources`
 * are all files that may import of `src/`: its own, tests and scripts.
 */
export function unusedExports(
  sources: ReadonlyMap<string, string>,
): string[] {
  const namedIn = new Map<string, number>();
  const codes = sources.entries().map(([path, source]) =>
    [path, withoutComments(source)] as const
  ).toArray();
  for (const [, code] of codes) {
    for (const name of new Set(code.match(/\b[A-Za-z_$][\w$]*\b/g))) {
      namedIn.set(name, (namedIn.get(name) ?? 0) + 1);
    }
  }
  return codes.filter(([path]) => path.startsWith("src/")).flatMap((
    [path, code],
  ) =>
    [...code.matchAll(EXPORTED)].flatMap(([, name = ""]) =>
      namedIn.get(name) === 1 ? [`${path}: nothing imports ${name}`] : []
    )
  );
}
