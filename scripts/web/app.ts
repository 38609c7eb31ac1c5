/**
 * Makes the web app: its scripts bundled and split, its styles as one file, its
 * page, its manifest and its service worker, compressed into one file that the
 * program carries. What a build serves lies under a path that names it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { COUNTRIES } from "./countries.ts";
import { faceModels, isOfFaces } from "./face_models.ts";
import { isOfMeaning, meaningEngine } from "./meaning_engine.ts";
import { isOfThings, thingsModel } from "./things_model.ts";
import { isOfWords, wordsReader } from "./words_reader.ts";
import { makeGazetteer } from "./gazetteer.ts";
import { LENGTH_BYTES } from "../../src/app_files.ts";
import { merged } from "./merging.ts";

const WEB = fileURLToPath(new URL("../../src/web/", import.meta.url));
const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** What is bundled: the page's script, then what runs in threads of its own. */
export const APP_ENTRIES = [
  "app/main.tsx",
  "app/link/viewer.tsx",
  "app/link/guest.tsx",
  "workers/vault.ts",
  "workers/media.ts",
  "workers/sealing.ts",
  "workers/link.ts",
  "workers/guest_box.ts",
].map((entry) => `${WEB}${entry}`);

/** The same as they are named in the app: `main.js`. */
const ENTRY_NAMES = APP_ENTRIES.map((path) =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, ".js")
);

/** The thread that looks for faces, which has all its libraries in it. */
export const FACES_ENTRY = `${WEB}workers/faces.ts`;

/** The thread that makes copies of films, with the library for that. */
export const FILMS_ENTRY = `${WEB}workers/films.ts`;

/** The thread that finds out what pictures show, alike. */
export const MEANING_ENTRY = `${WEB}workers/meaning.ts`;

/** The thread that reads words in pictures, alike. */
export const WORDS_ENTRY = `${WEB}workers/words.ts`;

/** What few ever ask for. */
const CARRIED_APART = [isOfFaces, isOfMeaning, isOfThings, isOfWords];

/** An app's files by the path that they are served at. */
export interface MadeApp {
  readonly build: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The app, made anew. */
export async function makeApp(): Promise<MadeApp> {
  // By itself: on a new machine the first bundling installs the bundler, and a
  // second one beside it finds half of it (deno 2.9.6).
  const worker = await bundled([`${WEB}sw.ts`]);
  // By itself as well: the app's first load would be in more parts, and larger,
  // for what few people ever open.
  const proving = await bundled([`${WEB}app/prove/prove.tsx`]);
  const faces = await bundled([FACES_ENTRY]);
  const films = await bundled([FILMS_ENTRY]);
  const meaning = await bundled([MEANING_ENTRY]);
  const words = await bundled([WORDS_ENTRY]);
  const [scripts, styles, page, viewer, guest, prove, manifest] = await Promise
    .all([
      bundled(APP_ENTRIES).then((scripts) => merged(scripts, ENTRY_NAMES)),
      joinedStyles(),
      Deno.readTextFile(`${WEB}app/index.html`),
      Deno.readTextFile(`${WEB}app/link/viewer.html`),
      Deno.readTextFile(`${WEB}app/link/guest.html`),
      Deno.readTextFile(`${WEB}app/prove/prove.html`),
      Deno.readTextFile(`${WEB}app/manifest.webmanifest`),
    ]);
  const built = new Map<string, string | Uint8Array>([
    ...scripts,
    ...proving,
    ...faces,
    ...films,
    ...await faceModels(),
    ...meaning,
    ...await meaningEngine(),
    ...await thingsModel(),
    ...words,
    ...await wordsReader(),
    ...styles,
    ...await images(),
    ["libheif.wasm", await decoderOfHeic()],
    ["towns.bin", makeGazetteer()],
    ["world.json", COUNTRIES],
  ]);
  const build = nameOf([
    ...built,
    ...worker,
    ["page", page],
    ["viewer", viewer],
    ["guest", guest],
    ["prove", prove],
    [
      "manifest",
      manifest,
    ],
  ]);
  // What few people ever need is fetched when they do.
  const kept = [...built.keys()].filter((name) =>
    !/^(?:faces|films|meaning|lib(?:heif|sodium)|prove|streets|things|towns|words|world)/
      .test(name)
  );
  const placed = (text: string) =>
    text.replaceAll("%BUILD%", build).replaceAll("%KEPT%", kept.join(" "));
  const files = new Map<string, Uint8Array>();
  for (const [name, text] of built) {
    files.set(`/app/${build}/${name}`, bytesOf(text));
  }
  files.set("/", bytesOf(placed(page)));
  // At the address of every share link, and of every upload link.
  files.set("/s/", bytesOf(placed(viewer)));
  files.set("/u/", bytesOf(placed(guest)));
  files.set("/prove", bytesOf(placed(prove)));
  files.set("/app/manifest.webmanifest", bytesOf(placed(manifest)));
  for (const [name, text] of worker) {
    files.set(`/${name}`, bytesOf(placed(text)));
  }
  const hashes = [...files].map(([path, bytes]) => [path, hashOf(bytes)])
    .sort(([a = ""], [b = ""]) => a < b ? -1 : 1);
  files.set(
    "/app/files.json",
    bytesOf(`${JSON.stringify(Object.fromEntries(hashes), null, 1)}\n`),
  );
  return { build, files };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The decoder of HEIC, as its package has it. The package is there once what
 * uses it was bundled.
 */
function decoderOfHeic(): Promise<Uint8Array> {
  const { resolve } = createRequire(import.meta.url);
  return Deno.readFile(resolve("libheif-js/libheif-wasm/libheif.wasm"));
}

/**
 * What the program carries of it; `sources` tells of what it was made. It is
 * JSON that every server reads when it starts, then the files that few ever ask
 * for, then the length of the JSON (`src/app_files.ts`).
 */
export function carry(
  sources: string,
  { build, files }: MadeApp,
): Uint8Array<ArrayBuffer> {
  const apart: Uint8Array[] = [];
  let at = 0;
  const carried = Object.fromEntries(
    [...files].sort(([a], [b]) => a < b ? -1 : 1).map(([path, bytes]) => {
      const gzip = gzipSync(bytes, { level: 9 });
      const hash = hashOf(bytes);
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (!CARRIED_APART.some((isOf) => isOf(name))) {
        return [path, { hash, gzip: gzip.toString("base64") }];
      }
      apart.push(gzip);
      const part = { hash, at, size: gzip.length };
      at += gzip.length;
      return [path, part];
    }),
  );
  const text = bytesOf(
    `${JSON.stringify({ sources, build, files: carried }, null, 1)}\n`,
  );
  const length = String(text.length).padStart(LENGTH_BYTES, "0");
  return new Uint8Array(Buffer.concat([text, ...apart, bytesOf(length)]));
}

/** What was carried, as it was made. */
export function carriedApp(bytes: Uint8Array): MadeApp {
  const all = Buffer.from(bytes);
  const length = Number(all.subarray(-LENGTH_BYTES).toString());
  const { build, files } = JSON.parse(all.subarray(0, length).toString());
  const entries = Object.entries<
    { gzip: string } | { gzip?: undefined; at: number; size: number }
  >(files);
  const gzipOf = (file: (typeof entries)[number][1]) =>
    file.gzip === undefined
      ? all.subarray(length + file.at, length + file.at + file.size)
      : Buffer.from(file.gzip, "base64");
  return {
    build,
    files: new Map(entries.map(([path, file]) => [
      path,
      new Uint8Array(gunzipSync(gzipOf(file))),
    ])),
  };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
}

/** Sixteen hex digits of a hash of all that a build is made of. */
function nameOf(parts: Iterable<readonly [string, string | Uint8Array]>) {
  const hash = createHash("sha256");
  for (const [name, content] of parts) hash.update(`${name}\0`).update(content);
  return hash.digest("hex").slice(0, 16);
}

/** The bundles of entries and their shared chunks, by name. */
async function bundled(
  entries: readonly string[],
): Promise<Map<string, string>> {
  return named(
    (await split(entries)).map(({ name, text }) =>
      [
        name,
        // Entries of several folders end up in one.
        text.replace(/(["'])(?:\.\.\/)+([\w.-]+\.js\1)/g, "$1./$2"),
      ] as const
    ),
  );
}

/** A script as the bundler split it, and from which sources (a source map). */
export interface Split {
  readonly name: string;
  readonly text: string;
  readonly map: string;
}

/** What the bundler makes of entries, with the sources of all that is in it. */
export async function split(entries: readonly string[]): Promise<Split[]> {
  await Deno.mkdir(DIST, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: DIST, prefix: ".web-" });
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "bundle",
        "--quiet",
        "--platform=browser",
        "--minify",
        "--sourcemap=external",
        ...(entries.length > 1 ? ["--code-splitting"] : []),
        `--outdir=${folder}`,
        ...entries,
      ],
      cwd: WEB,
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    if (!success) {
      throw new Error(`deno bundle: ${new TextDecoder().decode(stderr)}`);
    }
    return await Promise.all(
      (await filesIn(folder, ".js")).map(async (path) => {
        const [text, map] = await Promise.all(
          [path, `${path}.map`].map((one) => Deno.readTextFile(one)),
        );
        return {
          name: path.slice(path.lastIndexOf("/") + 1),
          text: text ?? "",
          map: map ?? "",
        };
      }),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A file that the bundler named by a hash of itself and of where it lay. */
const HASHED = /([\w.-]+)-[A-Z0-9]{8}\.js/g;

/**
 * The same files with names that do not depend on the folder that they were
 * made in: numbers, in the order of what is in them but for names.
 */
function named(
  files: readonly (readonly [string, string])[],
): Map<string, string> {
  const bare = (text: string) => text.replaceAll(HASHED, "");
  const hashed = files.filter(([name]) => name.match(HASHED) !== null)
    .map(([name, text]) => ({ name, bare: bare(text) }))
    .sort((a, b) => a.bare < b.bare ? -1 : 1);
  const names = new Map(hashed.map(({ name }, at) => [
    name,
    name.replaceAll(HASHED, `$1-${at}.js`),
  ]));
  const renamed = (text: string) =>
    text.replaceAll(HASHED, (name) => names.get(name) ?? name);
  return new Map(
    files.map(([name, text]) => [renamed(name), renamed(text)] as const)
      .sort(([a], [b]) => a < b ? -1 : 1),
  );
}

/** The styles of what the first load shows. */
const FIRST_STYLES =
  /\/(?:style\/0\d-\w+|grid\/grid|lightbox\/large|views\/entry\/insecure_banner)\.css$/;

/**
 * The styles of the first load, and those of the parts that are fetched later.
 * In each, those of `style/` come first, in the order of their names, then those
 * of views.
 */
async function joinedStyles(): Promise<readonly (readonly [string, string])[]> {
  const [shared, all] = await Promise.all([
    filesIn(`${WEB}app/style`, ".css"),
    filesIn(`${WEB}app`, ".css"),
  ]);
  const ordered = [...shared, ...all.filter((path) => !shared.includes(path))];
  const joined = async (paths: readonly string[]) => {
    const texts = await Promise.all(
      paths.map((path) => Deno.readTextFile(path)),
    );
    return smaller(texts.join("\n"));
  };
  const isFirst = (path: string) => FIRST_STYLES.test(path);
  return [
    ["app.css", await joined(ordered.filter(isFirst))],
    ["later.css", await joined(ordered.filter((path) => !isFirst(path)))],
  ];
}

/** A style without remarks and without white space between rules. */
function smaller(css: string): string {
  return css.replace(/\/\*[^]*?\*\//g, "").replace(/\s*\n\s*/g, "\n")
    .replace(/\s*([{};])\s*/g, "$1").replaceAll(";}", "}").trim();
}

async function images(): Promise<[string, Uint8Array][]> {
  const paths = await filesIn(`${WEB}app/images`, "");
  return await Promise.all(
    paths.map(async (path): Promise<[string, Uint8Array]> => [
      path.slice(path.lastIndexOf("/") + 1),
      await Deno.readFile(path),
    ]),
  );
}

/** Files below a folder, sorted by path. */
async function filesIn(folder: string, ending: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (at: string) => {
    for await (const { name, isDirectory } of Deno.readDir(at)) {
      if (isDirectory) await look(`${at}/${name}`);
      else if (name.endsWith(ending)) found.push(`${at}/${name}`);
    }
  };
  await look(folder);
  return found.sort();
}
