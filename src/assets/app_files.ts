/**
 * The web app that browsers get at `/`: bundled by `deno task web`, compressed,
 * in a file that a packed program carries.
 *
 * The path of scripts and styles contains their build, so browsers may cache
 * them forever; the page and the service worker are requested each time, so no
 * browser stays on an old build.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { utf8 } from "../core/bytes.ts";
import { OperatorFault } from "../core/operator.ts";
import { sha256Hex } from "../crypto/sha256.ts";
import type { AppFiles, StaticFile } from "../http/static_file.ts";

/**
 * In a checkout; packed, it is next to the program. It is JSON, then every file
 * compressed, the small ones first, then the length of the JSON in digits.
 */
const CARRIED = new URL("../../dist/web/app.json", import.meta.url);

/** Digits of the length of the JSON, at the end. */
export const LENGTH_BYTES = 12;

/** A longer file is not kept in memory, but read where it is sent. */
export const KEPT_BYTES = 64 * 1024;

/** Of a long file this much is read at a time. */
const PIECE_BYTES = 64 * 1024;
/** The same where it is expanded: that makes a multiple of it. */
const EXPANDED_PIECE_BYTES = 16 * 1024;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  bin: "application/octet-stream",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

/**
 * What the policy of the app's documents and Workers lets run: its own files.
 */
const POLICY = [
  "default-src 'none'",
  // Argon2id and SHA-256 are WebAssembly, which counts as evaluation.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types strongroom",
].join("; ");

/**
 * The files that the program carries. Throws an {@link OperatorFault} in a
 * checkout where they were not bundled.
 */
export function openAppFiles(): AppFiles {
  return filesOf(carried ??= readCarried());
}

/**
 * The same for a server. Where they were not bundled, a page says so instead.
 *
 * The first start of a checkout serves the core of the app while its optional
 * parts are built. A request for one is answered with nothing, and has it
 * looked for: all parts are served once `publish` has noted the app that has
 * them.
 */
export function servedAppFiles(
  publish: (files: AppFiles) => Promise<void>,
): AppFiles {
  let app: CarriedApp & Held;
  try {
    app = carried ??= readCarried();
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    return notBundled();
  }
  let served = filesOf(app);
  let isLooking = false;
  const look = async () => {
    isLooking = true;
    try {
      const next = readCarried();
      if (next.build !== app.build || next.isWhole === false) {
        next.open?.close();
        return;
      }
      const files = filesOf(next);
      await publish(files);
      [carried, app, served] = [next, next, files];
    } catch {
      // The next request for a part has them looked for again.
    } finally {
      isLooking = false;
    }
  };
  return {
    build: app.build,
    get: (path) => {
      const file = served.get(path);
      const mayCome = file === undefined && app.isWhole === false &&
        path.startsWith(`/app/${app.build}/`);
      if (mayCome && !isLooking) look();
      return file;
    },
    paths: () => served.paths(),
    policy: POLICY,
  };
}

function filesOf({ build, files, ...held }: CarriedApp & Held): AppFiles {
  const byPath = new Map<string, StaticFile>();
  for (const [path, file] of Object.entries(files)) {
    byPath.set(path, fileOf(path, file, held));
  }
  return {
    build,
    get: (path) => byPath.get(path),
    paths: () => [...byPath.keys()],
    policy: POLICY,
  };
}

/** Where people look for the app. */
const PAGES = ["/", "/s/", "/u/", "/prove"];

const NOT_BUNDLED = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>strongroom</title>
<h1>The web app is not built</h1>
<p>The server runs, and programs can use it. To use it in a browser, build the
web app in the folder of the program, then restart the server:</p>
<pre>deno task web</pre>
</html>
`;

function notBundled(): AppFiles {
  const plain = utf8(NOT_BUNDLED);
  const formOf = (bytes: Uint8Array<ArrayBuffer>) => ({
    length: bytes.length,
    bytes: () => Promise.resolve(bytes),
  });
  const page: StaticFile = {
    mediaType: "text/html; charset=utf-8",
    hash: sha256Hex(plain),
    gzip: formOf(new Uint8Array(gzipSync(plain))),
    plain: formOf(plain),
  };
  return {
    build: "none",
    get: (path) => PAGES.includes(path) ? page : undefined,
    paths: () => PAGES,
    policy: POLICY,
  };
}

interface CarriedApp {
  readonly build: string;
  /** False for the core alone. */
  readonly isWhole?: boolean;
  readonly files: Readonly<Record<string, Carried>>;
}

/** What is known of the carried file besides. */
interface Held {
  /** Bytes of the JSON, after which the files come. */
  readonly length: number;
  /** The small files, all that a server keeps of them. */
  readonly kept: Uint8Array<ArrayBuffer>;
  /** Another one is an upgrade, which this program knows nothing about. */
  readonly version: string;
  /** The core, which is replaced while it is served, is kept open. */
  readonly open: Deno.FsFile | undefined;
}

/** A file after the JSON. */
export interface Carried {
  /** SHA-256 of the plain file in hex. */
  readonly hash: string;
  /** Bytes of the plain file. */
  readonly length: number;
  /** Where it begins, and the bytes that it has there, compressed. */
  readonly at: number;
  readonly size: number;
}

let carried: CarriedApp & Held | undefined;

/** Synchronously, for it is read once, at the start. */
function readCarried(): CarriedApp & Held {
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(CARRIED);
    const end = file.seekSync(0, Deno.SeekMode.End) - LENGTH_BYTES;
    const length = Number(textIn(file, end, LENGTH_BYTES));
    const app: CarriedApp = JSON.parse(textIn(file, 0, length));
    const keptBytes = Object.values(app.files)
      .reduce((sum, one) => sum + (isKept(one) ? one.size : 0), 0);
    const kept = bytesIn(file, length, keptBytes);
    const version = versionOf(file);
    const open = app.isWhole === false ? file : undefined;
    if (open !== undefined) file = undefined;
    return { ...app, length, kept, version, open };
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new OperatorFault(
      "the web app was not bundled in this checkout: run deno task web",
      { cause },
    );
  } finally {
    file?.close();
  }
}

function isKept({ length }: Carried): boolean {
  return length <= KEPT_BYTES;
}

function versionOf(file: Deno.FsFile): string {
  const { ino, size, mtime } = file.statSync();
  return `${ino} ${size} ${mtime?.getTime()}`;
}

function textIn(file: Deno.FsFile, at: number, size: number): string {
  return new TextDecoder().decode(bytesIn(file, at, size));
}

function bytesIn(
  file: Deno.FsFile,
  at: number,
  size: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  file.seekSync(at, Deno.SeekMode.Start);
  for (let read = 0; read < size;) {
    const more = file.readSync(bytes.subarray(read));
    if (more === null) throw new Error("the web app's file is cut off");
    read += more;
  }
  return bytes;
}

function fileOf(path: string, file: Carried, held: Held): StaticFile {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const served = {
    // The page at `/` has no ending.
    mediaType: MEDIA_TYPES[ending] ?? "text/html; charset=utf-8",
    hash: file.hash,
  };
  if (isKept(file)) {
    const gzip = held.kept.subarray(file.at, file.at + file.size);
    let plain: Promise<Uint8Array<ArrayBuffer>> | undefined;
    return {
      ...served,
      gzip: { length: gzip.length, bytes: () => Promise.resolve(gzip) },
      plain: {
        length: file.length,
        bytes: () => plain ??= bytesOf(expanded(streamOf(gzip))),
      },
    };
  }
  const gzip = () => piecesOf(file, held, PIECE_BYTES);
  const plain = () => {
    const pieces = piecesOf(file, held, EXPANDED_PIECE_BYTES);
    return pieces && expanded(pieces);
  };
  const whole = (open: typeof gzip) => async () => {
    const pieces = open();
    if (pieces === undefined) throw new Error("the program was replaced");
    return await bytesOf(pieces);
  };
  return {
    ...served,
    gzip: { length: file.size, bytes: whole(gzip), stream: gzip },
    plain: { length: file.length, bytes: whole(plain), stream: plain },
  };
}

/**
 * A long file, read as it is asked for: nothing of it is held, and no
 * descriptor. Undefined once the program was replaced by another version.
 */
function piecesOf(
  { at, size }: Carried,
  { length, version, open }: Held,
  pieceBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
  const read = (from: number) => {
    const most = Math.min(pieceBytes, size - from);
    if (open !== undefined) return bytesIn(open, length + at + from, most);
    using file = Deno.openSync(CARRIED);
    return versionOf(file) === version
      ? bytesIn(file, length + at + from, most)
      : undefined;
  };
  let next = read(0);
  if (next === undefined) return undefined;
  let sent = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = next ?? read(sent);
      if (piece === undefined) throw new Error("the program was replaced");
      next = undefined;
      sent += piece.length;
      controller.enqueue(piece);
      if (sent === size) controller.close();
    },
  }, { highWaterMark: 0 });
}

function streamOf(
  bytes: Uint8Array<ArrayBuffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream();
}

function expanded(
  gzip: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return gzip.pipeThrough(new DecompressionStream("gzip"));
}

async function bytesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
