/**
 * `deno task pack [folder]`: the client library as an npm package,
 * `dist/strongroom-client-<version>.tgz`: ECMAScript modules with their types,
 * the vectors of the formats, and a page to begin with. `deno pack` makes it of
 * the very modules that the entries import; their types, which follow from the
 * schemas of `src/wire`, and what npm wants besides are added.
 *
 * @module
 */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import workspace from "../deno.json" with { type: "json" };
import map from "../imports.json" with { type: "json" };
import {
  DIST,
  freshFolder,
  PackagingFault,
  ROOT,
  runOrFail,
  runScript,
  say,
  VERSION,
} from "./packaging/release.ts";
import { LOCKED } from "./locked.ts";

const NAME = "@strongroom/client";
/** What a program can import. */
export const ENTRIES = {
  ".": "src/client/mod.ts",
  "./documents": "src/client/documents/documents.ts",
  "./library": "src/library/mod.ts",
  "./native": "src/client/keys/native.ts",
  "./web": "src/library/web.ts",
} as const;

const VECTORS = `${ROOT}tests/vectors`;
const PAGE = `${ROOT}src/docs/client-library.md`;

/** Makes the package in a folder; its path. */
export async function pack(folder = DIST): Promise<string> {
  const stage = await Deno.makeTempDir({ prefix: "strongroom-client-" });
  try {
    const modules = await modulesOf(Object.values(ENTRIES));
    for (const path of modules) await copyTo(stage, path);
    await Deno.copyFile(`${ROOT}LICENSE`, `${stage}/LICENSE`);
    await Deno.writeTextFile(
      `${stage}/README.md`,
      readme(await Deno.readTextFile(PAGE)),
    );
    const config = {
      name: NAME,
      version: VERSION,
      license: workspace.license,
      exports: Object.fromEntries(
        Object.entries(ENTRIES).map(([name, path]) => [name, `./${path}`]),
      ),
      imports: await importsOf(modules),
      compilerOptions: workspace.compilerOptions,
    };
    await Deno.writeTextFile(`${stage}/deno.json`, JSON.stringify(config));
    const made = `${stage}/made.tgz`;
    await runOrFail(
      Deno.execPath(),
      [
        // It would make the types without a compiler, and then none where one
        // follows from a schema.
        ...["pack", "--allow-slow-types", "--quiet", "--allow-dirty"],
        ...["--no-source-maps", "--output", made],
      ],
      {},
      stage,
    );
    const unpacked = `${stage}/unpacked`;
    await freshFolder(unpacked);
    await runOrFail("tar", ["-xzf", made, "-C", unpacked]);
    await declareTypes(stage, config, modules, `${unpacked}/package`);
    await Deno.mkdir(folder, { recursive: true });
    const path = `${folder}/strongroom-client-${VERSION}.tgz`;
    await complete(unpacked, path);
    return path;
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

const Graph = z.object({
  modules: z.array(z.object({ specifier: z.string() })),
});

/** The modules of the checkout that some entries lead to, as paths in it. */
async function modulesOf(entries: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const entry of entries) {
    const text = await runOrFail(Deno.execPath(), [
      "info",
      ...LOCKED,
      "--json",
      entry,
    ]);
    for (const { specifier } of Graph.parse(JSON.parse(text)).modules) {
      if (!specifier.startsWith("file:")) continue;
      found.add(relative(ROOT, fileURLToPath(specifier)));
    }
  }
  return [...found].sort();
}

async function copyTo(stage: string, path: string): Promise<void> {
  const target = `${stage}/${path}`;
  await Deno.mkdir(target.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.copyFile(`${ROOT}${path}`, target);
}

/** The checkout's own versions of the packages that some modules import. */
async function importsOf(
  modules: readonly string[],
): Promise<Record<string, string>> {
  const texts = await Promise.all(
    modules.map((path) => Deno.readTextFile(`${ROOT}${path}`)),
  );
  const all = texts.join("\n");
  return Object.fromEntries(
    Object.entries(map.imports).filter(([name]) =>
      all.includes(name.endsWith("/") ? `"${name}` : `"${name}"`)
    ),
  );
}

/** The page without the links into the checkout, which npm has not. */
function readme(page: string): string {
  return page.replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, "$1");
}

/** Adds the types of the staged modules to the package. */
async function declareTypes(
  stage: string,
  config: { readonly compilerOptions: typeof workspace.compilerOptions },
  modules: readonly string[],
  target: string,
): Promise<void> {
  const compilerOptions = {
    ...config.compilerOptions,
    // Deno's own types of node:https do not check with it.
    exactOptionalPropertyTypes: false,
  };
  await Deno.writeTextFile(
    `${stage}/deno.json`,
    JSON.stringify({ ...config, compilerOptions }),
  );
  await runOrFail(
    Deno.execPath(),
    [
      ...["transpile", "--quiet", "--declaration", "--outdir", "types"],
      ...Object.values(ENTRIES),
    ],
    {},
    stage,
  );
  for (const module of modules) {
    const name = module.replace(/\.ts$/, ".d.ts");
    const text = await Deno.readTextFile(`${stage}/types/${name}`);
    await Deno.writeTextFile(`${target}/${name}`, forPackage(text, module));
  }
}

/** The types of a module as npm has them: next to modules of JavaScript. */
function forPackage(types: string, module: string): string {
  const folder = dirname(module);
  return types
    .replace(/^\/\/\/ <amd-module .*\n/m, "")
    // The compiler names by its place what a module itself does not import.
    .replace(/"file:[^"]*?\/(src\/[^"]*)"/g, (_, path: string) => {
      const way = relative(folder, path);
      return `"${way.startsWith(".") ? way : `./${way}`}"`;
    })
    .replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"');
}

const Manifest = z.record(z.string(), z.unknown());
const typesOf = (path: string) => `./${path.replace(/\.ts$/, ".d.ts")}`;

/** Adds to what `deno pack` made what npm wants to know, and the vectors. */
async function complete(unpacked: string, path: string): Promise<void> {
  const file = `${unpacked}/package/package.json`;
  const manifest = Manifest.parse(JSON.parse(await Deno.readTextFile(file)));
  const complete = {
    ...manifest,
    description: "The client of strongroom: end-to-end encrypted photos, " +
      "files, albums and receipts, for programs and pages.",
    engines: { node: ">=22" },
    sideEffects: false,
    types: typesOf(ENTRIES["."]),
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([name, path]) => [name, {
          types: typesOf(path),
          default: `./${path.replace(/\.ts$/, ".js")}`,
        }]),
      ),
      "./vectors/*": "./vectors/*",
    },
  };
  await Deno.writeTextFile(file, `${JSON.stringify(complete, null, 2)}\n`);
  await Deno.mkdir(`${unpacked}/package/vectors`);
  for await (const { name } of Deno.readDir(VECTORS)) {
    if (!name.endsWith(".json")) continue;
    await Deno.copyFile(
      `${VECTORS}/${name}`,
      `${unpacked}/package/vectors/${name}`,
    );
  }
  // The same checkout makes the same bytes.
  await runOrFail("tar", [
    ...["--sort=name", "--owner=0", "--group=0", "--numeric-owner"],
    ...["--mtime=@0", "--mode=u=rwX,go=rX", "--use-compress-program=gzip -9n"],
    ...["-cf", path, "-C", unpacked, "package"],
  ]);
}

if (import.meta.main) {
  await runScript(async () => {
    const [folder, more] = Deno.args;
    if (more !== undefined) throw new PackagingFault("one folder, or none", 2);
    say(await pack(folder));
  });
}
