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
 * way, and small ones with what about the same entries need. None is run in a
 * page that could not have run it before, and none of pages alone in a thread.
 */
export async function merged(
  scripts: ReadonlyMap<string, string>,
  { entries, pages, of }: {
    readonly entries: readonly string[];
    /** Those of them that run in pages; the others run in threads. */
    readonly pages: readonly string[];
    /** Begins the names of the joined files. */
    readonly of: string;
  },
): Promise<Map<string, string>> {
  const groups = joined(
    groupsOf(scripts, needsOf(scripts, entries), entries),
    { scripts, pages },
  );
  const parts = new Map(
    groups.flatMap(({ names }, at) => names.map((name) => [name, at])),
  );
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
      const part = parts.get(name);
      return part === undefined ? undefined : `${of}part-${part}`;
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

/** Scripts that become one file. */
interface Group {
  readonly names: readonly string[];
  /** Which entries need them at once. */
  readonly now: ReadonlySet<string>;
  /** Which entries need them at once or perhaps later. */
  readonly ever: ReadonlySet<string>;
  /** Characters. */
  readonly size: number;
}

/** The scripts that entries need at once, by who needs them how. */
function groupsOf(
  scripts: ReadonlyMap<string, string>,
  needs: ReadonlyMap<string, Need>,
  entries: readonly string[],
): Group[] {
  const keyOf = (name: string) => {
    const { now, later } = needs.get(name) ??
      { now: new Set(), later: new Set() };
    return JSON.stringify([
      entries.filter((one) => now.has(one)),
      // What is there at once cannot come later.
      entries.filter((one) => later.has(one) && !now.has(one)),
    ]);
  };
  const shared = [...scripts.keys()].filter((name) =>
    !entries.includes(name) && (needs.get(name)?.now.size ?? 0) > 0
  );
  return [...Map.groupBy(shared, keyOf)]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, names]) => {
      const { now, later } = needs.get(names[0] ?? "") ??
        { now: new Set<string>(), later: new Set<string>() };
      return {
        names,
        now,
        ever: new Set([...now, ...later]),
        size: names.reduce(
          (sum, one) => sum + (scripts.get(one) ?? "").length,
          0,
        ),
      };
    });
}

/** A smaller file is not worth a request (characters). */
const SMALL = 16_000;
/** What entries may get in vain by a file that is joined, all together. */
const MOST_WASTE = 80_000;

/**
 * Joins small groups with others as long as the entries get little in vain. What
 * is of pages alone is in no file of a thread, which could not run it.
 */
function joined(
  groups: readonly Group[],
  { scripts, pages }: {
    readonly scripts: ReadonlyMap<string, string>;
    readonly pages: readonly string[];
  },
): Group[] {
  const left = [...groups];
  const nextOf = ({ names }: Group) => {
    const imported = new Set(names.flatMap((name) => importsOf(scripts, name)));
    return left.filter((one) => one.names.some((name) => imported.has(name)));
  };
  /** Whether one imports another by way of a third. */
  const isBetween = (one: Group, other: Group): boolean => {
    const seen = new Set([one, other]);
    const look = nextOf(one);
    for (const next of look) {
      if (seen.has(next)) continue;
      seen.add(next);
      const further = nextOf(next);
      if (further.includes(other)) return true;
      look.push(...further);
    }
    return false;
  };
  /** Characters that the entries of one group alone get by another. */
  const gotInVain = (one: Group, other: Group) => {
    const entries = [...one.now].filter((entry) => !other.now.has(entry));
    const isForeign = entries.some((entry) =>
      nextOf(other).some((next) => next !== one && !next.now.has(entry))
    );
    return isForeign ? Infinity : entries.length * other.size;
  };
  /** The pages that may run it, and whether threads may. */
  const whereOf = ({ ever }: Group) =>
    JSON.stringify([
      pages.filter((page) => ever.has(page)),
      [...ever].some((entry) => !pages.includes(entry)),
    ]);
  const wasteOf = (one: Group, other: Group) =>
    whereOf(one) === whereOf(other)
      ? gotInVain(one, other) + gotInVain(other, one)
      : Infinity;
  for (;;) {
    let best: { one: Group; other: Group; waste: number } | undefined;
    for (const one of left) {
      if (one.size >= SMALL) continue;
      for (const other of left) {
        if (one === other) continue;
        const waste = wasteOf(one, other);
        if (waste >= (best?.waste ?? MOST_WASTE)) continue;
        // Files that import each other may be run before what they need.
        if (isBetween(one, other) || isBetween(other, one)) continue;
        best = { one, other, waste };
      }
    }
    if (best === undefined) return left;
    const { one, other } = best;
    left.splice(left.indexOf(one), 1);
    left.splice(left.indexOf(other), 1, {
      names: [...one.names, ...other.names],
      now: new Set([...one.now, ...other.now]),
      ever: new Set([...one.ever, ...other.ever]),
      size: one.size + other.size,
    });
  }
}

/** A script and all that it imports at once, by way of others too. */
export function allImportsOf(
  scripts: ReadonlyMap<string, string>,
  name: string,
): Set<string> {
  const all = new Set([name]);
  for (const one of all) {
    for (const next of importsOf(scripts, one)) all.add(next);
  }
  return all;
}

function importsOf(
  scripts: ReadonlyMap<string, string>,
  name: string,
): string[] {
  return [...(scripts.get(name) ?? "").matchAll(STATIC)]
    .map(([, imported = ""]) => imported);
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
    for (const next of importsOf(scripts, name)) visit(entry, next, when);
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
