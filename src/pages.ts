/**
 * The pages that browsers get at `/s/…` and `/u/…` (protocol/links.md#viewing):
 * one document each, bundled by `deno task web`, with a policy that lets
 * nothing run but the very script and style inside.
 *
 * @module
 */
import { toBase64, toHex, utf8 } from "./core/bytes.ts";
import { sha256 } from "./crypto/sha256.ts";
import type { JsonDocument, Page } from "./http/route.ts";
import type { AppFiles } from "./http/static_file.ts";
import upload from "./web/pages/upload.html" with { type: "text" };

/** Both pages, as they are served; the same for every application. */
export function openPages(appFiles: AppFiles): Promise<Pages> {
  return opened ??= bothPages(appFiles);
}

interface Pages {
  readonly viewer: Page;
  readonly upload: Page;
}

let opened: Promise<Pages> | undefined;

async function bothPages(appFiles: AppFiles): Promise<Pages> {
  return { viewer: await viewerOf(appFiles), upload: await pageOf(upload) };
}

/** The page of share links is one of the app's; its address is a secret. */
async function viewerOf({ get, policy }: AppFiles): Promise<Page> {
  const file = get("/s/");
  if (file === undefined) throw new Error("the app has no page for links");
  return {
    html: await file.plain(),
    gzip: file.gzip,
    headers: { ...PAGE_HEADERS, "Content-Security-Policy": policy },
  };
}

const PAGE_HEADERS = {
  // The address of a link stays out of caches on disk.
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), " +
    "microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
} as const;

/** A document with the headers that go with it. */
export async function pageOf(text: string): Promise<Page> {
  const html = utf8(text);
  return {
    html,
    gzip: await gzipped(html),
    headers: { ...PAGE_HEADERS, "Content-Security-Policy": policyFor(text) },
  };
}

async function gzipped(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const compressing = new CompressionStream("gzip");
  const gzip = new Response(bytes).body?.pipeThrough(compressing) ?? null;
  return new Uint8Array(await new Response(gzip).arrayBuffer());
}

/** A JSON document as it is sent, with an entity tag for each of its codings. */
export async function jsonDocument(value: unknown): Promise<JsonDocument> {
  const json = utf8(JSON.stringify(value));
  const tag = toHex(sha256(json));
  return {
    plain: { bytes: json, etag: `"${tag}"` },
    gzip: { bytes: await gzipped(json), etag: `"${tag}-gzip"` },
  };
}

/** The policy for a document; throws where it has not one script, one style. */
function policyFor(html: string): string {
  return [
    "default-src 'none'",
    // Argon2id is WebAssembly, which counts as evaluation.
    `script-src '${hashOf(html, "script")}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(html, "style")}'`,
    "img-src blob:",
    "media-src blob:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** `sha256-…` of an inline element's text (CSP Level 3, section 2.3.1). */
function hashOf(html: string, element: "script" | "style"): string {
  const pattern = new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, "g");
  const [first, second] = [...html.matchAll(pattern)];
  if (first?.[1] === undefined || second !== undefined) {
    throw new Error(`a page has one <${element}>`);
  }
  return `sha256-${toBase64(sha256(utf8(first[1])))}`;
}
