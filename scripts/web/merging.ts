/**
 * Fewer files for browsers: what the bundler split and is always loaded together
 * is joined again. A first visit then asks for a dozen files and not for sixty,
 * and they are smaller compressed.
 *
 * @module
 */
import { type OutputChunk, type Plugin, rollup } from "@rollup/wasm-node";

/** Which entries need a script at once, and which perhaps later. */
interface Need {
  readonly now: Set<string>;
  readonly later: Set<string>;
}

const STATIC = /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g;
const DYNAMIC = /import\("\.\/([\w.-]+\.js)"\)/g;

/**
 * Scripts, by name, with those joined that the same entries need in the same
 * way: none is run in a page or thread that could not have run it before.
 */
export async function merged(
  scripts: ReadonlyMap<string, string>,
  entries: readonly string[],
): Promise<Map<string, string>> {
  const needs = needsOf(scripts, entries);
  const partOf = (name: string): string | undefined => {
    const need = needs.get(name);
    if (need === undefined || entries.includes(name)) return undefined;
    const now = entries.filter((one) => need.now.has(one));
    if (now.length === 0) return undefined;
    // What is there at once cannot come later.
    const later = entries.filter((one) =>
      need.later.has(one) && !need.now.has(one)
    );
    return JSON.stringify([now, later]);
  };
  const parts = [...new Set([...scripts.keys()].map(partOf))]
    .filter((part) => part !== undefined).sort();
  const bundle = await rollup({
    input: Object.fromEntries(
      entries.map((name) => [name.replace(/\.js$/, ""), name]),
    ),
    plugins: [inMemory(scripts)],
    preserveEntrySignatures: false,
    // Each was shaken already, and is run for what it does as well.
    treeshake: false,
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: "es",
    compact: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    manualChunks: (name) => {
      const part = partOf(name);
      return part === undefined ? undefined : `part-${parts.indexOf(part)}`;
    },
  });
  await bundle.close();
  return new Map(
    output
      .filter((one): one is OutputChunk => one.type === "chunk")
      .map(({ fileName, code }) => [fileName, quoted(code)] as const)
      .sort(([a], [b]) => a < b ? -1 : 1),
  );
}

/** Imports in the quotes that the bundler gives them. */
function quoted(code: string): string {
  return code.replace(/'(\.\/[\w.-]+\.js)'/g, '"$1"');
}

function needsOf(
  scripts: ReadonlyMap<string, string>,
  entries: readonly string[],
): Map<string, Need> {
  const needs = new Map<string, Need>(
    [...scripts.keys()].map((name) => [
      name,
      { now: new Set(), later: new Set() },
    ]),
  );
  const visit = (entry: string, name: string, when: keyof Need) => {
    const need = needs.get(name);
    if (need === undefined || need[when].has(entry)) return;
    need[when].add(entry);
    const text = scripts.get(name) ?? "";
    for (const [, next = ""] of text.matchAll(STATIC)) visit(entry, next, when);
    for (const [, next = ""] of text.matchAll(DYNAMIC)) {
      visit(entry, next, "later");
    }
  };
  for (const entry of entries) visit(entry, entry, "now");
  return needs;
}

function inMemory(scripts: ReadonlyMap<string, string>): Plugin {
  return {
    name: "in memory",
    resolveId: (asked) => asked.replace(/^\.\//, ""),
    load: (name) => scripts.get(name) ?? null,
  };
}
