/**
 * Has the web app bundled where its sources have changed since: `deno task
 * web`, the tests and the benchmarks do it before they need it. A start waits
 * for its core alone, and its optional parts are built behind the server.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Where the bundled app lies; `src/assets/app_files.ts` reads it there. */
export const APP_PATH = `${ROOT}dist/web/app.json`;

/**
 * All that the app is made of and by, files and folders, from the root. Not
 * `deno.json`: the pins of packages are in the other two, and what the compiler
 * has to know of the app in `src/web/deno.json`.
 */
export const APP_SOURCES: readonly string[] = [
  "deno.lock",
  "imports.json",
  "scripts/web",
  "src/client",
  "src/library",
  "src/media",
  "src/wire",
  "src/core",
  "src/crypto",
  "src/web",
];

/** A hash of what the app of this checkout is made of. */
export function sourcesOfApp(): string {
  return hashOf(ROOT, APP_SOURCES);
}

/**
 * An app for a hash of its sources, with which it has to begin; `core` says
 * that its core is there.
 */
type Making = (
  sources: string,
  core: boolean,
) => Promise<string | Uint8Array>;

/** Where something made lies, and what it is made of. */
interface Freshness {
  readonly path: string;
  /** Files and folders below the root. */
  readonly root: string;
  readonly sources: readonly string[];
  readonly make: Making;
  /** Whether the core is enough. */
  readonly isCore?: boolean;
}

/** The app of this checkout. Loading its bundler takes longer than to look. */
const THIS_APP: Freshness = {
  path: APP_PATH,
  root: ROOT,
  sources: APP_SOURCES,
  make: async (sources, hasCore) => {
    say("bundling the web app");
    const { addParts, carriedApp, carry, makeCore } = await import("./app.ts");
    const core = hasCore
      ? carriedApp(await Deno.readFile(APP_PATH))
      : await makeCore(sources);
    return carry(sources, await addParts(core));
  },
};

/** What of it a browser needs to show the library. */
const THIS_CORE: Freshness = {
  ...THIS_APP,
  make: async (sources) => {
    say("bundling the core of the web app");
    const { carry, makeCore } = await import("./app.ts");
    return carry(sources, await makeCore(sources), { isWhole: false });
  },
  isCore: true,
};

function say(what: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${what}\n`));
}

/** Makes the core of the app where there is neither it nor the app. */
export function freshCore(): Promise<boolean> {
  return freshApp(THIS_CORE);
}

/**
 * Builds the app if there is none, or one of other sources. Returns whether it
 * did. If several processes and threads ask at once, one builds it and the
 * others wait. Readers get the old one or the new one whole.
 */
export async function freshApp(
  { path, root, sources, make, isCore = false }: Freshness = THIS_APP,
): Promise<boolean> {
  const wanted = hashOf(root, sources);
  const isEnough = (made: Made | undefined) =>
    made?.sources === wanted && (isCore || made.isWhole);
  if (isEnough(madeAt(path))) return false;
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  using lock = await Deno.open(`${path}.lock`, { write: true, create: true });
  await lock.lock(true);
  const before = madeAt(path);
  if (isEnough(before)) return false;
  const made = await make(wanted, before?.sources === wanted);
  const bytes = typeof made === "string"
    ? new TextEncoder().encode(made)
    : made;
  await Deno.writeFile(`${path}.new`, bytes);
  await Deno.rename(`${path}.new`, path);
  return true;
}

/** SHA-256 in hex of every source, its name and this runtime, which bundles. */
function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash("sha256").update(Deno.version.deno);
  const add = (path: string) => {
    const bytes = Deno.readFileSync(`${root}${path}`);
    hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  };
  const look = (folder: string) => {
    const entries = [...Deno.readDirSync(`${root}${folder}`)]
      .sort((a, b) => a.name < b.name ? -1 : 1);
    for (const { name, isDirectory } of entries) {
      if (isDirectory) look(`${folder}/${name}`);
      else add(`${folder}/${name}`);
    }
  };
  for (const path of sources) {
    if (Deno.statSync(`${root}${path}`).isDirectory) look(path);
    else add(path);
  }
  return hash.digest("hex");
}

interface Made {
  readonly sources: string;
  readonly isWhole: boolean;
}

/** What stands first in what was made; undefined where nothing was. */
function madeAt(path: string): Made | undefined {
  try {
    using file = Deno.openSync(path);
    const head = new Uint8Array(128);
    const length = file.readSync(head) ?? 0;
    const text = new TextDecoder().decode(head.subarray(0, length));
    const [, sources, core] =
      /^\{\s*"sources": "([0-9a-f]{64})"(,\s*"isWhole": false)?/.exec(text) ??
        [];
    return sources === undefined
      ? undefined
      : { sources, isWhole: core === undefined };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
