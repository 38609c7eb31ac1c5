/**
 * How deep and how wide rooms are: what a person has to go through to read one.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";
import { DEEPEST, MOST_FILES } from "../layers.ts";
import { withoutComments } from "./imports.ts";

/** A line for each folder with too many files; tests do not count. */
export function tooWide(paths: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) =>
    count > MOST_FILES
      ? [`${folder}: ${count} files, and a folder has at most ${MOST_FILES}`]
      : []
  );
}

/**
 * A line for each folder that is too deep. A file stands one floor above the
 * highest file of the folder whose values it imports; types do not count, nor
 * does what is loaded later by `import()`.
 */
export function tooDeep(sources: ReadonlyMap<string, string>): string[] {
  return Object.entries(DEEPEST).flatMap(([folder, most]) => {
    const chain = longestChain(sources, `${folder}/`);
    if (chain.length <= most) return [];
    const names = chain.map((path) => path.slice(folder.length + 1));
    return [
      `${folder}: ${chain.length} floors, and it has at most ${most}: ` +
      names.join(" → "),
    ];
  });
}

function longestChain(
  sources: ReadonlyMap<string, string>,
  within: string,
): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const below = (path: string): readonly string[] => {
    const held = known.get(path);
    if (held !== undefined) return held;
    // What imports itself by way of others is a breach of its own.
    known.set(path, [path]);
    const chains = valueImports(path, sources.get(path) ?? "")
      .filter((one) => one.startsWith(within) && sources.has(one)).map(below);
    const chain = [path, ...longest(chains)];
    known.set(path, chain);
    return chain;
  };
  return longest(
    [...sources.keys()].filter((path) => path.startsWith(within)).map(below),
  );
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((a, b) => b.length > a.length ? b : a, []);
}

/** The files whose values a file imports at once. */
function valueImports(path: string, source: string): string[] {
  const statements = withoutComments(source).matchAll(
    /^(?:im|ex)port (type\b)?([^;"()]*\bfrom\s*)?"(\.[^"]+)"/gm,
  );
  return [...statements].flatMap(([, type, names = "", specifier = ""]) => {
    const onlyTypes = /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}/.test(names);
    return type !== undefined || onlyTypes
      ? []
      : [normalize(`${dirname(path)}/${specifier}`)];
  });
}
