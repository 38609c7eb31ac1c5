/**
 * The pages that browsers get at the addresses of links: those of the app that
 * lie at `/s/` and `/u/`, with headers that keep the address to themselves
 * (protocol/links.md#viewing).
 *
 * @module
 */
import { toHex, utf8 } from "../core/bytes.ts";
import { sha256 } from "../crypto/sha256.ts";
import type { JsonDocument, Page } from "../http/route.ts";
import type { AppFiles } from "../http/static_file.ts";

/**
 * Both pages, as they are served; the same for every application that browsers
 * reach over https, and for every other.
 */
export function openPages(
  appFiles: AppFiles,
  isSecure: boolean,
): Promise<Pages> {
  const held = opened.get(isSecure) ?? bothPages(appFiles, isSecure);
  opened.set(isSecure, held);
  return held;
}

interface Pages {
  readonly viewer: Page;
  readonly upload: Page;
}

const opened = new Map<boolean, Promise<Pages>>();

async function bothPages(
  appFiles: AppFiles,
  isSecure: boolean,
): Promise<Pages> {
  return {
    viewer: await pageAt(appFiles, "/s/", isSecure),
    upload: await pageAt(appFiles, "/u/", isSecure),
  };
}

/** A page of links is one of the app's; its address is a secret. */
async function pageAt(
  { get, policy }: AppFiles,
  path: "/s/" | "/u/",
  isSecure: boolean,
): Promise<Page> {
  const file = get(path);
  if (file === undefined) throw new Error(`the app has no page for ${path}`);
  return {
    html: await file.plain.bytes(),
    gzip: await file.gzip.bytes(),
    headers: {
      ...PAGE_HEADERS,
      ...openerPolicy(isSecure),
      "Content-Security-Policy": policy,
    },
  };
}

/**
 * Keeps the windows and the processes of other origins apart. On plain http
 * browsers pass it over and complain to whoever looks.
 */
function openerPolicy(isSecure: boolean): Record<string, string> {
  return isSecure
    ? {
      "Cross-Origin-Opener-Policy": "same-origin",
      "Origin-Agent-Cluster": "?1",
    }
    : {};
}

const PAGE_HEADERS = {
  // The address of a link stays out of caches on disk.
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), " +
    "microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
} as const;

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
