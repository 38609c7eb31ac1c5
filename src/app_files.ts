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

/** In a checkout; packed, it lies beside the program. */
const CARRIED = new URL("../dist/web/app.json", import.meta.url);

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
  const { build, files } = carried ??= readCarried();
  const byPath = new Map<string, StaticFile>();
  for (const [path, file] of Object.entries(files)) {
    byPath.set(path, fileOf(path, file));
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

let carried: CarriedApp | undefined;

/** Synchronously, for it is read once, at the start. */
function readCarried(): CarriedApp {
  try {
    return JSON.parse(Deno.readTextFileSync(CARRIED));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new OperatorFault(
      "the web app was not bundled in this checkout: run deno task web",
      { cause },
    );
  }
}

interface Carried {
  /** SHA-256 of the plain file in hex. */
  readonly hash: string;
  readonly gzip: string;
}

function fileOf(path: string, { hash, gzip }: Carried): StaticFile {
  let held: Uint8Array<ArrayBuffer> | undefined;
  // Most of what a server carries is never asked of it.
  const compressed = () => held ??= decoded(path, gzip);
  const ending = path.slice(path.lastIndexOf(".") + 1);
  let plain: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return {
    // The page at `/` has no ending.
    mediaType: MEDIA_TYPES[ending] ?? "text/html; charset=utf-8",
    hash,
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
