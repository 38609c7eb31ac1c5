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
import { promisify } from "node:util";
import { gunzipSync, gzip as gzipCallback, type ZlibOptions } from "node:zlib";
import { textFiles } from "./catalogues.ts";
import { COUNTRIES } from "./countries.ts";
import { makeGazetteer } from "./gazetteer.ts";
import {
  type Carried,
  KEPT_BYTES,
  LENGTH_BYTES,
} from "../../src/assets/app_files.ts";
import { ABROAD_THREAD } from "../../src/http/static_file.ts";
import { allImportsOf, merged } from "./merging.ts";
import { LOCKED } from "../locked.ts";

const gzipped = promisify<Uint8Array, ZlibOptions, Buffer>(gzipCallback);
const WEB = fileURLToPath(new URL("../../src/web/", import.meta.url));
const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** What is bundled together: the pages' scripts, and the vault. */
export const APP_ENTRIES = [
  "app/main.tsx",
  "app/showing/link/early.ts",
  "app/showing/link/viewer.tsx",
  "app/showing/link/guest.tsx",
  "workers/vault/vault.ts",
].map((entry) => `${WEB}${entry}`);

/**
 * The threads of pictures and of uploads. They are a bundle apart, like those
 * below: what they shared with the first load would split that into many files.
 */
export const MEDIA_ENTRIES = [
  "workers/media/media.ts",
  "workers/sealing/sealing.ts",
].map((entry) => `${WEB}${entry}`);

/** An entry as it is named in the app: `main.js`. */
const nameOfEntry = (path: string) =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, ".js");

/** Those that run in pages. */
const PAGES = ["main.js", "early.js", "viewer.js", "guest.js"];

/** The thread of a share link's page, which loads no others. */
export const LINK_ENTRY = `${WEB}workers/shared/link.ts`;

/** The thread of an upload link's page. */
export const GUEST_ENTRY = `${WEB}workers/guests/guest_box.ts`;

/** The thread that looks for faces, which has all its libraries in it. */
export const FACES_ENTRY = `${WEB}workers/finding/faces.ts`;

/** The thread that makes copies of films, with the library for that. */
export const FILMS_ENTRY = `${WEB}workers/media/films.ts`;

/** The thread that talks to other servers, alike. */
export const ABROAD_ENTRY = `${WEB}workers/abroad/abroad.ts`;

/** The thread that reads words in pictures, alike. */
export const PICTURE_TEXT_ENTRY = `${WEB}workers/finding/picture_text.ts`;

/** An app's files by the path that they are served at. */
interface MadeApp {
  readonly build: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The app with all its parts. */
export async function makeApp(sources: string): Promise<MadeApp> {
  return await addParts(await makeCore(sources));
}

/**
 * What a browser needs to show the library. Its name tells of the sources of the
 * optional parts too, whose scripts are fetched under it.
 */
export async function makeCore(sources: string): Promise<MadeApp> {
  // First, and alone: on a new machine it installs the bundler, and a second
  // one at the same time finds half of it (deno 2.9.6).
  const worker = await bundled([`${WEB}sw.ts`]);
  // Each of the others is a bundle of its own: the app's first load would be in
  // more parts, and larger, for what few people ever open.
  const [
    scripts,
    media,
    link,
    guestBox,
    proving,
    films,
    abroad,
    styles,
    page,
    viewer,
    guest,
    prove,
    manifest,
  ] = await Promise
    .all([
      joined(APP_ENTRIES),
      joined(MEDIA_ENTRIES, "media-"),
      joined([LINK_ENTRY], "link-"),
      joined([GUEST_ENTRY], "guest-"),
      bundled([`${WEB}app/prove/prove.tsx`]),
      bundled([FILMS_ENTRY]),
      bundled([ABROAD_ENTRY]),
      joinedStyles(),
      Deno.readTextFile(`${WEB}app/index.html`),
      Deno.readTextFile(`${WEB}app/showing/link/viewer.html`),
      Deno.readTextFile(`${WEB}app/showing/link/guest.html`),
      Deno.readTextFile(`${WEB}app/prove/prove.html`),
      Deno.readTextFile(`${WEB}app/manifest.webmanifest`),
    ]);
  const built = new Map<string, string | Uint8Array>([
    ...scripts,
    ...media,
    ...link,
    ...guestBox,
    ...proving,
    ...films,
    ...abroad,
    ...styles,
    ...await images(),
    ...textFiles(),
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
    ["manifest", manifest],
    ["sources", sources],
  ]);
  // What few people ever need is fetched when they do.
  const kept = [...built.keys()].filter((name) =>
    name !== ABROAD_THREAD &&
    !/^(?:faces|films|guest[-_]|(?:link-|media-)?lib(?:heif|sodium)|prove|streets|picture[-_]text|things|towns|world)/
      .test(name)
  );
  const placed = (text: string) =>
    text.replaceAll("%BUILD%", build).replaceAll("%KEPT%", kept.join(" "));
  const files = inBuild(build, built);
  const all = new Map([...scripts, ...link, ...guestBox]);
  const ahead = (text: string) => placed(preloading(all, text));
  files.set("/", bytesOf(ahead(page)));
  // At the address of every share link, and of every upload link.
  files.set("/s/", bytesOf(ahead(viewer)));
  files.set("/u/", bytesOf(ahead(guest)));
  files.set("/prove", bytesOf(placed(prove)));
  files.set("/app/manifest.webmanifest", bytesOf(placed(manifest)));
  for (const [name, text] of worker) {
    files.set(`/${name}`, bytesOf(placed(text)));
  }
  return listed({ build, files });
}

/**
 * The app with its optional parts: looking for faces, things and words. They
 * need more packages, and more than half of the bytes, than all the rest.
 */
export async function addParts({ build, files }: MadeApp): Promise<MadeApp> {
  const { faceModels, thingsModel, pictureTextReader } = await import(
    "./parts.ts"
  );
  const [faces, pictureText] = await Promise.all([
    bundled([FACES_ENTRY]),
    bundled([PICTURE_TEXT_ENTRY]),
  ]);
  const built = new Map<string, string | Uint8Array>([
    ...faces,
    ...await faceModels(),
    ...await thingsModel(),
    ...pictureText,
    ...await pictureTextReader(),
  ]);
  return listed({
    build,
    files: new Map([...files, ...inBuild(build, built)]),
  });
}

/** A script that a page has fetched ahead, on its line. */
const PRELOAD =
  /^( *<link rel="modulepreload" href="[^"]*\/)([\w.-]+\.js)(">\n)/gm;

/**
 * A page that has fetched ahead what its scripts and threads import, too: on a
 * slow line each look into a script for what it imports takes a round trip.
 */
function preloading(
  scripts: ReadonlyMap<string, string>,
  page: string,
): string {
  const named = new Set<string>();
  return page.replaceAll(PRELOAD, (_, before, name, after) => {
    const files = [...allImportsOf(scripts, name)]
      .filter((file) => !named.has(file));
    for (const file of files) named.add(file);
    return files.map((file) => `${before}${file}${after}`).join("");
  });
}

function inBuild(
  build: string,
  built: ReadonlyMap<string, string | Uint8Array>,
): Map<string, Uint8Array> {
  return new Map(
    [...built].map((
      [name, text],
    ) => [`/app/${build}/${name}`, bytesOf(text)]),
  );
}

const LIST = "/app/files.json";

/** An app with the list of its files and their hashes. */
function listed({ build, files }: MadeApp): MadeApp {
  const hashes = [...files].filter(([path]) => path !== LIST)
    .map(([path, bytes]) => [path, hashOf(bytes)])
    .sort(([a = ""], [b = ""]) => a < b ? -1 : 1);
  const list = `${JSON.stringify(Object.fromEntries(hashes), null, 1)}\n`;
  return { build, files: new Map([...files, [LIST, bytesOf(list)]]) };
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
 * JSON that every server reads when it starts, then every file compressed, those
 * first that a server keeps, then the length of the JSON (`src/assets/app_files.ts`).
 */
export async function carry(
  sources: string,
  { build, files }: MadeApp,
  { isWhole = true } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const isKept = (bytes: Uint8Array) => bytes.length <= KEPT_BYTES;
  const ordered = [...files].sort(([a, one], [b, other]) =>
    Number(isKept(other)) - Number(isKept(one)) || (a < b ? -1 : 1)
  );
  // In zlib's threads, all cores at once.
  const compressed = await Promise.all(
    ordered.map(([, bytes]) => gzipped(bytes, { level: 9 })),
  );
  let at = 0;
  const carried = Object.fromEntries(
    ordered.map(([path, bytes], turn): [string, Carried] => {
      const { length: size = 0 } = compressed[turn] ?? {};
      const part = { hash: hashOf(bytes), length: bytes.length, at, size };
      at += size;
      return [path, part];
    }),
  );
  const text = bytesOf(
    `${JSON.stringify({ sources, isWhole, build, files: carried }, null, 1)}\n`,
  );
  const length = String(text.length).padStart(LENGTH_BYTES, "0");
  return new Uint8Array(
    Buffer.concat([text, ...compressed, bytesOf(length)]),
  );
}

/** What was carried, as it was made. */
export function carriedApp(bytes: Uint8Array): MadeApp {
  const all = Buffer.from(bytes);
  const length = Number(all.subarray(-LENGTH_BYTES).toString());
  const { build, files } = JSON.parse(all.subarray(0, length).toString());
  const gzips = all.subarray(length);
  return {
    build,
    files: new Map(
      Object.entries<Carried>(files).map(([path, { at, size }]) => [
        path,
        new Uint8Array(gunzipSync(gzips.subarray(at, at + size))),
      ]),
    ),
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

/**
 * Entries and what they share, in few files; `of` begins the names of the files
 * that are no entries.
 */
async function joined(
  entries: readonly string[],
  of = "",
): Promise<Map<string, string>> {
  const scripts = await bundled(entries, { isSplit: true, of });
  const names = entries.map(nameOfEntry);
  return await merged(scripts, { entries: names, pages: PAGES, of });
}

/** The bundles of entries and their shared chunks, by name. */
async function bundled(
  entries: readonly string[],
  { isSplit = false, of = "" } = {},
): Promise<Map<string, string>> {
  return named(
    (await split(entries, { isSplit })).map(({ name, text }) =>
      [
        name,
        // Entries of several folders end up in one.
        text.replace(/(["'])(?:\.\.\/)+([\w.-]+\.js\1)/g, "$1./$2"),
      ] as const
    ),
    of,
  );
}

/** A script as the bundler split it. */
export interface Split {
  readonly name: string;
  readonly text: string;
  /** A source map; empty where none was asked for. */
  readonly map: string;
}

/**
 * What the bundler makes of entries, in files as they are needed with `isSplit`;
 * with `maps` also from which sources.
 */
export async function split(
  entries: readonly string[],
  { maps = false, isSplit = entries.length > 1 } = {},
): Promise<Split[]> {
  await Deno.mkdir(DIST, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: DIST, prefix: ".web-" });
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "bundle",
        "--quiet",
        ...LOCKED,
        "--platform=browser",
        "--minify",
        ...(maps ? ["--sourcemap=external"] : []),
        ...(isSplit ? ["--code-splitting"] : []),
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
        const [text, map] = await Promise.all([
          Deno.readTextFile(path),
          maps ? Deno.readTextFile(`${path}.map`) : "",
        ]);
        return { name: path.slice(path.lastIndexOf("/") + 1), text, map };
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
 * made in: numbers, in the order of what is in them but for names, after `of`.
 */
function named(
  files: readonly (readonly [string, string])[],
  of: string,
): Map<string, string> {
  const bare = (text: string) => text.replaceAll(HASHED, "");
  const hashed = files.filter(([name]) => name.match(HASHED) !== null)
    .map(([name, text]) => ({ name, bare: bare(text) }))
    .sort((a, b) => a.bare < b.bare ? -1 : 1);
  const names = new Map(hashed.map(({ name }, at) => [
    name,
    name.replaceAll(HASHED, `${of}$1-${at}.js`),
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
  /\/(?:style\/0\d-\w+|grid\/grid|lightbox\/large|screens\/entry\/insecure_banner)\.css$/;

/**
 * The styles of the first load, and those of the parts that are fetched later.
 * In each, those of `style/` come first, in the order of their names, and those
 * of screens last, which may say otherwise than the parts that they use.
 */
async function joinedStyles(): Promise<readonly (readonly [string, string])[]> {
  const [shared, all] = await Promise.all([
    filesIn(`${WEB}app/style`, ".css"),
    filesIn(`${WEB}app`, ".css"),
  ]);
  const isScreen = (path: string) => path.includes("/screens/");
  const parts = all.filter((path) => !shared.includes(path));
  const ordered = [
    ...shared,
    ...parts.filter((path) => !isScreen(path)),
    ...parts.filter(isScreen),
  ];
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
