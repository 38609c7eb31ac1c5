/**
 * From method and path to a route: a small trie over path segments.
 *
 * @module
 */
import type { Method, Route } from "./route.ts";

interface Node<App> {
  readonly literals: Map<string, Node<App>>;
  group: Node<App> | undefined;
  /** What is left of the path, as one group. */
  rest: Node<App> | undefined;
  readonly routes: Map<Method, Route<App>>;
}

export type Found<App> =
  | { readonly kind: "unknown" }
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | {
    readonly kind: "route";
    readonly route: Route<App>;
    /** Path groups as they stand in the URL, still percent-encoded. */
    readonly groups: readonly string[];
  };

export interface Router<App> {
  /** `pathname` is the URL's; HEAD finds what GET finds (RFC 9110 9.3.2). */
  readonly find: (method: string, pathname: string) => Found<App>;
  /** Whether a path is operators' alone. */
  readonly isForOperators: (pathname: string) => boolean;
  /** The methods of a path, for Allow and preflights; empty if unknown. */
  readonly methods: (pathname: string) => readonly string[];
}

/**
 * Builds a router. A literal segment wins over a group; two routes with one
 * method and path, or two names for one group, are a fault of the program.
 */
export function createRouter<App>(routes: readonly Route<App>[]): Router<App> {
  const root = emptyNode<App>();
  for (const route of routes) insert(root, route);
  // Most requests are for paths without groups: those are found at once.
  const exact = new Map<string, Found<App>>(
    routes.filter(({ spec }) => groupNames(spec.path).length === 0).map(
      (route) => [
        `${route.spec.method} ${route.spec.path}`,
        { kind: "route", route, groups: [] },
      ],
    ),
  );

  const beginnings = [
    ...new Set(
      routes.filter(({ spec }) => spec.forOperators === true)
        .map(({ spec }) => spec.path.split("{", 1)[0] ?? ""),
    ),
  ];

  const walk = (pathname: string) => {
    const groups: string[] = [];
    const node = descend(root, pathname.split("/").slice(1), 0, groups);
    return node === undefined ? undefined : { node, groups };
  };
  return {
    find(method, pathname) {
      const known = exact.get(`${method} ${pathname}`);
      if (known !== undefined) return known;
      const walked = walk(pathname);
      if (walked === undefined) return { kind: "unknown" };
      const { node, groups } = walked;
      const wanted = method === "HEAD" ? "GET" : method;
      for (const [one, route] of node.routes) {
        if (one === wanted) return { kind: "route", route, groups };
      }
      return isForBrowsers(node)
        ? { kind: "unknown" }
        : { kind: "method", allow: methodsOf(node) };
    },
    isForOperators(pathname) {
      if (!beginnings.some((one) => pathname.startsWith(one))) return false;
      const routes = walk(pathname)?.node.routes.values() ?? [];
      return [...routes].some(({ spec }) => spec.forOperators === true);
    },
    methods(pathname) {
      const walked = walk(pathname);
      return walked === undefined || isForBrowsers(walked.node)
        ? []
        : methodsOf(walked.node);
    },
  };
}

/**
 * Whether the path of a URL, as it was sent, is another once it is resolved:
 * it has a segment of dots, encoded or not, or a backslash. What a proxy in
 * front took for one place must not be another here.
 */
export function hasDots(url: string): boolean {
  const end = url.search(/[?#]/);
  const beginning = url.indexOf("/", url.indexOf("://") + 3);
  if (beginning < 0) return false;
  const path = end < 0 ? url.slice(beginning) : url.slice(beginning, end);
  if (!/\/(?:\.|%2e)|\\/i.test(path)) return false;
  return path.includes("\\") ||
    path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

function emptyNode<App>(): Node<App> {
  return {
    literals: new Map(),
    group: undefined,
    rest: undefined,
    routes: new Map(),
  };
}

function isGroup(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

/** The names of a path's groups, in their order. */
export function groupNames(path: string): string[] {
  return path.split("/").filter(isGroup).map((group) => group.slice(1, -1));
}

function insert<App>(root: Node<App>, route: Route<App>): void {
  const { method, path, params, takesRest } = route.spec;
  const declared = Object.keys(params ?? {});
  if (groupNames(path).join() !== declared.join()) {
    throw new Error(`${method} ${path}: params must be its groups, in order`);
  }
  let node = root;
  const segments = path.split("/").slice(1);
  for (const [at, segment] of segments.entries()) {
    if (takesRest === true && at === segments.length - 1) {
      node.rest ??= emptyNode();
      node = node.rest;
    } else if (isGroup(segment)) {
      node.group ??= emptyNode();
      node = node.group;
    } else {
      const next = node.literals.get(segment) ?? emptyNode();
      node.literals.set(segment, next);
      node = next;
    }
  }
  if (node.routes.has(method)) throw new Error(`${method} ${path}: twice`);
  node.routes.set(method, route);
}

function descend<App>(
  node: Node<App>,
  segments: readonly string[],
  depth: number,
  groups: string[],
): Node<App> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = descend(literal, segments, depth + 1, groups);
    if (found !== undefined) return found;
  }
  // An empty segment is no value: `/s/` is not `/s/{opaque_id}`.
  if (segment === "") return undefined;
  if (node.group !== undefined) {
    groups.push(segment);
    const found = descend(node.group, segments, depth + 1, groups);
    if (found !== undefined) return found;
    groups.pop();
  }
  const rest = segments.slice(depth);
  if (node.rest === undefined || rest.includes("")) return undefined;
  groups.push(rest.join("/"));
  return node.rest;
}

/** Whether programs know nothing of the path; see `RouteSpec.forBrowsers`. */
function isForBrowsers<App>({ routes }: Node<App>): boolean {
  return [...routes.values()].every(({ spec }) => spec.forBrowsers === true);
}

function methodsOf<App>(node: Node<App>): string[] {
  const methods = [...node.routes.keys()].flatMap((method): string[] =>
    method === "GET" ? ["GET", "HEAD"] : [method]
  );
  return methods.includes("OPTIONS") ? methods : [...methods, "OPTIONS"];
}
