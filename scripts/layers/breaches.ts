/**
 * What a file does that its place in the architecture forbids.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";
import {
  AROUND_PLATFORM,
  BROWSER_PLATFORM,
  EXCLUSIVE_WRITERS,
  FEATURES,
  FILE_PACKAGES,
  GLOBALS,
  LAYERS,
  LIBRARY_ROOMS,
  PACKAGES,
  PORTABLE,
  SHARED_FEATURE_FILES,
  TABLES_FILES,
  TIMED,
  TIMER_FILES,
} from "../layers.ts";
import { importsOf, withoutComments } from "./imports.ts";

/** What a file of `src/` does that its place forbids, a line each. */
export function breachesOf(path: string, source: string): string[] {
  const breaches: string[] = [];
  const layer = layerOf(path);
  const code = withoutComments(source);
  const breach = (what: string) => {
    breaches.push(`${path}: ${what}`);
  };
  if (LAYERS[layer] === undefined) breach(`no layer "${layer}"`);
  if (layer === "library") checkRoom(path, code, breach);
  for (const specifier of importsOf(code)) {
    if (specifier.startsWith(".")) {
      checkLocal(path, normalize(`${dirname(path)}/${specifier}`), breach);
    } else if (!mayUsePackage(path, layer, specifier)) {
      breach(`${layer} may not import ${specifier}`);
    }
  }
  if (!AROUND_PLATFORM.includes(layer) && !BROWSER_PLATFORM.includes(path)) {
    for (const [pattern, name] of GLOBALS) {
      if (name === "a timer" && mayTime(path)) continue;
      if (pattern.test(code)) breach(`${name} belongs to the platform`);
    }
  }
  for (const [pattern, table, file] of EXCLUSIVE_WRITERS) {
    if (path === file || TABLES_FILES.includes(path)) continue;
    if (!pattern.test(code)) continue;
    breach(`only ${file} changes the table ${table}`);
  }
  if (PORTABLE.includes(layer) && /\bDeno\./.test(code)) {
    breach(`${layer} may not use the runtime's own API`);
  }
  if (/\bimport\s*["'][^"']+\.css["']/.test(code)) {
    breach("every style sheet is joined, and a bundle cannot import one");
  }
  if (layer === "features" && raisesFreely(code)) {
    breach("raise problems through the route's Raise, not the catalogue");
  }
  return breaches;
}

function mayUsePackage(
  path: string,
  layer: string,
  specifier: string,
): boolean {
  return [...PACKAGES[layer] ?? [], ...FILE_PACKAGES[path] ?? []]
    .some((one) => specifier === one || specifier.startsWith(`${one}/`));
}

function checkLocal(
  path: string,
  target: string,
  breach: (what: string) => void,
): void {
  // The version stands in deno.json.
  if (target === "deno.json" && path === "src/core/version.ts") return;
  // Read, and no code of another layer.
  if (target === "dist/web/app.json" && path === "src/assets/app_files.ts") {
    return;
  }
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from !== to && !(LAYERS[from] ?? []).includes(to)) {
    breach(`${from} may not import ${to} (${target})`);
  }
  if (from === "features" && to === "features") {
    checkFeature(path, target, breach);
  }
}

/** Of the library's rooms, code goes down alone. */
function checkRoom(
  path: string,
  code: string,
  breach: (what: string) => void,
): void {
  const [, , from = "", file] = path.split("/");
  // The files next to the rooms open a library from them.
  if (file === undefined) return;
  if (!LIBRARY_ROOMS.includes(from)) breach(`no room "${from}"`);
  const values = code.replace(/\b(?:im|ex)port type\b[^;]*;/g, "");
  for (const specifier of importsOf(values)) {
    const target = normalize(`${dirname(path)}/${specifier}`).split("/");
    const [, layer, to = "", within] = target;
    if (layer !== "library" || within === undefined) continue;
    if (LIBRARY_ROOMS.indexOf(to) > LIBRARY_ROOMS.indexOf(from)) {
      breach(`${from} may not import ${to} (${target.join("/")})`);
    }
  }
}

function checkFeature(
  path: string,
  target: string,
  breach: (what: string) => void,
): void {
  const [from, to] = [path.split("/")[2] ?? "", target.split("/")[2] ?? ""];
  if (from === to || SHARED_FEATURE_FILES[to] !== undefined) return;
  const allowed = FEATURES[from] ?? SHARED_FEATURE_FILES[from];
  if (allowed === undefined) breach(`feature ${from} is not on the list`);
  else if (!allowed.includes(to)) breach(`${from} may not import ${to}`);
}

/** Whether a value, not only a type, is taken from the catalogue's module. */
function raisesFreely(code: string): boolean {
  const imports = code.matchAll(
    /import\s+(type\s+)?\{([^}]*)\}\s+from\s+"[^"]*core\/problem\.ts"/g,
  );
  return [...imports].some(([, onlyTypes, names = ""]) =>
    onlyTypes === undefined &&
    names.split(",").some((name) => /^\s*(problem|Problem)\b/.test(name))
  );
}

function layerOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.ts$/, "");
}

function mayTime(path: string): boolean {
  return TIMER_FILES.includes(path) || path.startsWith(TIMED);
}
