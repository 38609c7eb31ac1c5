/**
 * `deno task bundle [folder]`: the program in parts that are loaded when they
 * are first used, its workers as one file of JavaScript each, the web app and a
 * launcher, in `dist/strongroom`. It needs only a Deno runtime, next to the
 * launcher or on the PATH. The executables are made of the same files.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import {
  ABROAD_ENTRY,
  APP_ENTRIES,
  FACES_ENTRY,
  FILMS_ENTRY,
  GUEST_ENTRY,
  LINK_ENTRY,
  MEDIA_ENTRIES,
  PICTURE_TEXT_ENTRY,
} from "./web/app.ts";
import { CARRIED_PACKAGES } from "./web/parts.ts";
import { APP_PATH, freshApp } from "./web/fresh.ts";
import {
  LAZY_FLAG,
  PROGRAM_PERMISSIONS,
  RUNTIME_FLAGS,
} from "./packaging/permissions.ts";
import {
  DIST,
  freshFolder,
  PackagingFault,
  ROOT,
  runOrFail,
  runScript,
  say,
} from "./packaging/release.ts";

/** The file of a bundle that has the licences of the packages in it. */
export const THIRD_PARTIES = "THIRD-PARTY-LICENSES";
export const BUNDLE = `${DIST}/strongroom`;
import {
  carriedParty,
  licencesOf,
  thirdPartiesOf,
  type ThirdParty,
  withoutPlaces,
} from "./packaging/third_parties.ts";
import { LOCKED } from "./locked.ts";

/** The only form in which the program may name a worker. */
const WORKER =
  /new Worker\(\s*new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g;
/** Those of zip.js, which is told to start none (`src/media/zip.ts`). */
const NEVER_STARTED =
  /new Worker\(\s*(?:resolvedURI, resolvedOptions|webWorkerURI, webWorkerOptions)\s*\)/g;

/** Where the program of a checkout reads the web app, and a bundled one. */
const [APP_THERE, APP_HERE] = ["../../dist/web/app.json", "./web-app"];

/** A bundle's files: what is run, what it starts in threads, what it reads. */
export interface Bundle {
  readonly main: string;
  /** What `main` imports, at once or later. */
  readonly parts: readonly string[];
  readonly workers: readonly string[];
  readonly app: string;
  /** Other people's packages that are in it. */
  readonly parties: readonly ThirdParty[];
}

/** Bundles the program into a folder, which is emptied first. */
export async function bundle(folder = BUNDLE): Promise<Bundle> {
  await freshFolder(folder);
  const program = await programTexts();
  const texts = new Map<string, string>();
  const workers = new Set<string>();
  for (const [name, text] of nameApp(program)) {
    const { named, names } = nameWorkers(text);
    for (const worker of names) workers.add(`${worker}.js`);
    texts.set(name, withoutPlaces(named));
  }
  // What the pages are made of is carried minified, without its remarks.
  const all = [...program.values()];
  for (const worker of workers) {
    const source = await workerSource(worker.replace(/\.js$/, ""));
    const text = await bundleText(source);
    all.push(text);
    texts.set(worker, withoutPlaces(text));
  }
  all.push(...await Promise.all(WEB_ENTRIES.map(bundleText)));
  const { texts: written, names } = namedByBuild(texts);
  for (const [name, text] of written) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const parties = [
    ...thirdPartiesOf(all.join("\n")),
    ...CARRIED_PACKAGES.map(carriedParty),
  ];
  await Deno.writeTextFile(
    `${folder}/${THIRD_PARTIES}`,
    await licencesOf(parties),
  );
  const launcher = `${folder}/strongroom`;
  await Deno.writeTextFile(launcher, LAUNCHER);
  await Deno.chmod(launcher, 0o755);
  await Deno.copyFile(`${ROOT}LICENSE`, `${folder}/LICENSE`);
  // Its name does not end in that of a module, which `deno compile` would load.
  const app = `${folder}/web-app`;
  await freshApp();
  await Deno.copyFile(APP_PATH, app);
  return {
    main: `${folder}/${MAIN}`,
    parts: [...program.keys()].filter((name) => name !== MAIN)
      .map((name) => `${folder}/${names.get(name)}`),
    workers: [...workers].map((name) => `${folder}/${names.get(name)}`),
    app,
    parties,
  };
}

const WEB_ENTRIES = [
  ...APP_ENTRIES,
  ...MEDIA_ENTRIES,
  LINK_ENTRY,
  GUEST_ENTRY,
  FACES_ENTRY,
  FILMS_ENTRY,
  PICTURE_TEXT_ENTRY,
  ABROAD_ENTRY,
];

const BUNDLING = [
  "bundle",
  "--quiet",
  ...LOCKED,
  // Native parts of ssh2, which goes without them where they are not there.
  "--external=*.node",
  "--external=cpu-features",
];

async function bundleText(path: string): Promise<string> {
  return asModule(await runOrFail(Deno.execPath(), [...BUNDLING, path]));
}

function asModule(text: string): string {
  // A module of this kind does not know it, and ssh2 has one of the other.
  return inAscii(text.replaceAll(/\b__dirname\b/g, "import.meta.dirname"));
}

/** The file that the launcher runs. */
const MAIN = "main.js";

/**
 * The program in parts, by their names. What is imported where it is first used
 * is a part of its own, so that a server that starts neither reads nor keeps
 * what only other commands need.
 */
async function programTexts(): Promise<ReadonlyMap<string, string>> {
  await Deno.mkdir(DIST, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: DIST, prefix: ".parts-" });
  try {
    await runOrFail(Deno.execPath(), [
      ...BUNDLING,
      ...["--code-splitting", "--outdir", folder, `${ROOT}main.ts`],
    ]);
    const texts = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) {
      texts.set(name, asModule(await Deno.readTextFile(`${folder}/${name}`)));
    }
    return renamed(texts);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** How one part names another. */
const PART = /"\.\/([\w.-]+\.js)"/g;

/**
 * Names parts by the order in which they are met from the first on. The
 * bundler's own names tell of where it ran.
 */
function renamed(texts: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map([[MAIN, MAIN]]);
  for (const name of names.keys()) {
    for (const [, part = ""] of (texts.get(name) ?? "").matchAll(PART)) {
      if (!texts.has(part) || names.has(part)) continue;
      names.set(part, `part-${String(names.size).padStart(3, "0")}.js`);
    }
  }
  if (names.size !== texts.size) {
    throw new PackagingFault(
      `${texts.size - names.size} parts are imported by none`,
    );
  }
  return new Map([...names].map(([name, given]) => [
    given,
    (texts.get(name) ?? "").replaceAll(PART, (whole, part: string) => {
      const to = names.get(part);
      return to === undefined ? whole : `"./${to}"`;
    }),
  ]));
}

/** The texts of a build under their names in it. */
interface NamedBuild {
  readonly texts: ReadonlyMap<string, string>;
  /** From the name of before to the one in the build. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Puts a mark of the whole build into the name of every file but the first.
 * A program whose files are replaced while it runs finds no part of another
 * build where it looks for its own, which would be another part or fit badly.
 */
export function namedByBuild(
  texts: ReadonlyMap<string, string>,
): NamedBuild {
  const build = createHash("sha256")
    .update(JSON.stringify([...texts].toSorted()))
    .digest("hex");
  const names = new Map([...texts.keys()].map((name) => [
    name,
    name === MAIN ? name : name.replace(/\.js$/, `.${build.slice(0, 12)}.js`),
  ]));
  return {
    names,
    texts: new Map([...texts].map(([name, text]) => [
      names.get(name) ?? name,
      text.replaceAll(PART, (whole, part: string) => {
        const to = names.get(part);
        return to === undefined ? whole : `"./${to}"`;
      }),
    ])),
  };
}

/**
 * Writes what is not ASCII as escapes. It is in literals and remarks only; a
 * single such character makes V8 keep the whole program with two bytes for
 * each.
 */
function inAscii(text: string): string {
  return text.replaceAll(
    // deno-lint-ignore no-control-regex
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes the bundle read the web app that is next to it. */
function nameApp(texts: ReadonlyMap<string, string>): [string, string][] {
  let named = 0;
  const given = [...texts].map(([name, text]): [string, string] => [
    name,
    text.replaceAll(JSON.stringify(APP_THERE), () => {
      named++;
      return JSON.stringify(APP_HERE);
    }),
  ]);
  if (named === 1) return given;
  throw new PackagingFault(`the program does not name ${APP_THERE} once`);
}

/** Makes the bundle name its workers' bundles, which are next to it. */
function nameWorkers(text: string): { named: string; names: string[] } {
  const names = new Set<string>();
  const named = text.replaceAll(WORKER, (whole, name: string) => {
    names.add(name);
    return whole.replace(`./${name}.ts`, `./${name}.js`);
  });
  const workers = text.replaceAll(NEVER_STARTED, "")
    .match(/\bnew Worker\(/g)?.length ?? 0;
  if (workers !== (text.match(WORKER)?.length ?? 0)) {
    throw new PackagingFault(
      `of ${workers} workers some are not named as ` +
        'new Worker(new URL("./name.ts", import.meta.url), …)',
    );
  }
  return { named, names: [...names] };
}

async function workerSource(name: string): Promise<string> {
  const found: string[] = [];
  const look = async (folder: string) => {
    for await (const entry of Deno.readDir(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) await look(path);
      else if (entry.name === `${name}.ts`) found.push(path);
    }
  };
  await look(`${ROOT}src`);
  const [source, ...others] = found;
  if (source !== undefined && others.length === 0) return source;
  throw new PackagingFault(`${found.length} files are named ${name}.ts`);
}

const LAUNCHER = `#!/bin/sh
# Runs the program with the Deno runtime next to this file, or the one on the
# PATH. It may run no other program and load no library.
here=$(dirname -- "$(readlink -f -- "$0")")
runtime=$here/deno
[ -x "$runtime" ] || runtime=$(command -v deno) || {
  echo "strongroom: there is no deno next to $here/strongroom or on the PATH:" \\
    "put deno ${Deno.version.deno} at either" >&2
  exit 1
}
export DENO_NO_UPDATE_CHECK=1
# The runtime keeps compiled code in the folder that systemd made for it, or in
# the cache folder of your home if you have one. A home without it may be a data
# directory, or become one: nothing is written there.
if [ -z "\${DENO_DIR:-}" ]; then
  DENO_DIR=/dev/null/none
  home=\${HOME:-/dev/null}
  caches=$home/.cache
  if [ -n "\${CACHE_DIRECTORY:-}" ]; then
    DENO_DIR=\${CACHE_DIRECTORY%%:*}
  elif [ -O "$caches" ] && [ -w "$caches" ] && [ ! -e "$home/db" ] &&
    mkdir -p -m 0700 "$caches/strongroom" 2>/dev/null; then
    DENO_DIR=$caches/strongroom
  fi
fi
export DENO_DIR
# The first start by hand on a desktop opens the browser. The program tells
# where through a pipe, within a minute. No browser is started as root.
if [ $# -eq 0 ] && [ -t 1 ] && [ "$(id -u)" -ne 0 ] &&
  [ -n "\${DISPLAY:-}\${WAYLAND_DISPLAY:-}" ] &&
  command -v xdg-open >/dev/null && command -v timeout >/dev/null; then
  pipes=$(mktemp -d) && mkfifo "$pipes/page" && {
    export FIRST_PAGE_PIPE="$pipes/page"
    (
      page=$(timeout 60 head -n 1 "$pipes/page")
      rm -r "$pipes"
      [ -z "$page" ] || exec xdg-open "$page"
    ) >/dev/null 2>&1 &
  }
fi
# On a terminal it would say of each of its caches that it has no file for it.
export DENO_LOG="\${DENO_LOG:-error,deno::cache=off}"
exec "$runtime" run --quiet --no-config --no-lock --no-npm --no-remote \\
  --no-prompt ${[...RUNTIME_FLAGS, LAZY_FLAG].join(" ")} \\
  ${PROGRAM_PERMISSIONS.join(" \\\n  ")} \\
  "$here/main.js" "$@"
`;

if (import.meta.main) {
  await runScript(async () => {
    const [given] = Deno.args;
    const folder = given === undefined ? BUNDLE : resolve(given);
    const { main, parts } = await bundle(folder);
    say(`${folder}/strongroom runs ${main}, in ${parts.length + 1} parts`);
  });
}
