/**
 * Which file imports which, and the circles among them.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";

/** The specifiers that code imports, or names as the address of a worker. */
export function importsOf(code: string): string[] {
  const pattern =
    /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|new URL\(\s*)"([^"]+)"/g;
  return [...code.matchAll(pattern)].flatMap(([, one]) => one ?? [])
    .filter((one) => one !== "" && !one.startsWith("http"));
}

/** A text, which may look as if a comment began in it, or a comment. */
const TEXT_OR_COMMENT =
  /("(?:[^"\\\n]|\\.)*"|`[^`\n]*`)|\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;

/** Code alone: what a comment says breaks no rule. */
export function withoutComments(source: string): string {
  return source.replace(
    TEXT_OR_COMMENT,
    (_, text: string | undefined) => text ?? "",
  );
}

/** What each file imports of the others, types and workers included. */
export function importGraph(
  sources: ReadonlyMap<string, string>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    [...sources].map(([path, source]) => [
      path,
      importsOf(withoutComments(source))
        .filter((one) => one.startsWith("."))
        .map((one) => normalize(`${dirname(path)}/${one}`))
        .filter((one) => sources.has(one)),
    ]),
  );
}

/**
 * A line for each circle that a walk over a graph closes. Where there are
 * circles there is one line at least; not every one needs to be named.
 */
export function circlesOf(
  graph: Readonly<Record<string, readonly string[]>>,
): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start !== -1) {
      found.push(`circle: ${[...trail.slice(start), node].join(" → ")}`);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph[node] ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of Object.keys(graph)) visit(node, []);
  return found;
}
