/**
 * Has the web app bundled where its sources have changed since: `deno task web`,
 * `deno task start`, the tests and the benchmarks do it before they need it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Where the bundled app lies; `src/app_files.ts` reads it there. */
export const APP_PATH = `${ROOT}dist/web/app.json`;

/** All that the app is made of and by, files and folders, from the root. */
export const APP_SOURCES: readonly string[] = [
  "deno.json",
  "deno.lock",
  "scripts/web",
  "src/client",
  "src/wire",
  "src/core",
  "src/crypto",
  "src/web",
];

/** An app for a hash of its sources, with which it has to begin. */
export type Making = (sources: string) => Promise<string | Uint8Array>;

/** Where something made lies, and what it is made of. */
export interface Freshness {
  readonly path: string;
  /** Files and folders below the root. */
  readonly root: string;
  readonly sources: readonly string[];
  readonly make: Making;
}

/** The app of this checkout. Loading its bundler takes longer than to look. */
const THIS_APP: Freshness = {
  path: APP_PATH,
  root: ROOT,
  sources: APP_SOURCES,
  make: async (sources) => {
    Deno.stderr.writeSync(new TextEncoder().encode("bundling the web app\n"));
    const { carry, makeApp } = await import("./app.ts");
    return carry(sources, await makeApp());
  },
};

/**
 * Makes the app where there is none, or one of other sources; whether it did.
 * Of several processes and threads that ask at once one makes it, the others
 * wait, and whoever reads beside them reads the old one or the new one whole.
 */
export async function freshApp(
  { path, root, sources, make }: Freshness = THIS_APP,
): Promise<boolean> {
  const wanted = hashOf(root, sources);
  if (sourcesIn(path) === wanted) return false;
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  using lock = await Deno.open(`${path}.lock`, { write: true, create: true });
  await lock.lock(true);
  if (sourcesIn(path) === wanted) return false;
  const made = await make(wanted);
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

/** The hash stands first in what was made; undefined where nothing was. */
function sourcesIn(path: string): string | undefined {
  try {
    using file = Deno.openSync(path);
    const head = new Uint8Array(128);
    const length = file.readSync(head) ?? 0;
    const text = new TextDecoder().decode(head.subarray(0, length));
    return /^\{\s*"sources": "([0-9a-f]{64})"/.exec(text)?.[1];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
