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
import { fromBase64 } from "./core/bytes.ts";
import { OperatorFault } from "./core/operator.ts";
import type { AppFiles, StaticFile } from "./http/static_file.ts";

/**
 * In a checkout; packed, it lies beside the program. It is JSON, then files that
 * few ever ask for and that are read when somebody does, then the length of the
 * JSON in digits.
 */
const CARRIED = new URL("../dist/web/app.json", import.meta.url);

/** Digits of the length of the JSON, at the end. */
export const LENGTH_BYTES = 12;

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
  const { build, files, length } = carried ??= readCarried();
  const byPath = new Map<string, StaticFile>();
  for (const [path, file] of Object.entries(files)) {
    byPath.set(path, fileOf(path, file, length));
  }
  return {
    build,
    get: (path) => byPath.get(path),
    paths: () => [...byPath.keys()],
    policy: POLICY,
  };
}

interface CarriedApp {
  readonly build: string;
  readonly files: Readonly<Record<string, Carried>>;
}

let carried: ReturnType<typeof readCarried> | undefined;

/** Synchronously, for it is read once, at the start. */
function readCarried(): CarriedApp & { readonly length: number } {
  try {
    using file = Deno.openSync(CARRIED);
    const end = file.seekSync(0, Deno.SeekMode.End) - LENGTH_BYTES;
    const length = Number(textIn(file, end, LENGTH_BYTES));
    const app: CarriedApp = JSON.parse(textIn(file, 0, length));
    return { ...app, length };
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new OperatorFault(
      "the web app was not bundled in this checkout: run deno task web",
      { cause },
    );
  }
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

/** A file within the JSON, or after it. */
type Carried =
  & {
    /** SHA-256 of the plain file in hex. */
    readonly hash: string;
  }
  & ({ readonly gzip: string } | {
    readonly at: number;
    readonly size: number;
  });

function fileOf(path: string, file: Carried, length: number): StaticFile {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const served = {
    // The page at `/` has no ending.
    mediaType: MEDIA_TYPES[ending] ?? "text/html; charset=utf-8",
    hash: file.hash,
  };
  if ("at" in file) {
    // Asked for once by a browser, and too large to be kept.
    const gzip = () => {
      using carried = Deno.openSync(CARRIED);
      return bytesIn(carried, length + file.at, file.size);
    };
    return { ...served, gzip, plain: () => expanded(gzip()) };
  }
  let held: Uint8Array<ArrayBuffer> | undefined;
  // Most of what a server carries is never asked of it.
  const compressed = () => held ??= decoded(path, file.gzip);
  let plain: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return {
    ...served,
    gzip: compressed,
    plain: () => plain ??= expanded(compressed()),
  };
}

function decoded(path: string, gzip: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(gzip);
  if (bytes === undefined) throw new Error(`${path} is not base64`);
  return bytes;
}

async function expanded(
  gzip: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const expanding = new DecompressionStream("gzip");
  const stream = new Response(gzip).body?.pipeThrough(expanding) ?? null;
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
