/**
 * `strongroom webdav`: the library as a read-only folder of this machine (RFC
 * 4918, class 1), decrypted on the way: for Finder, Explorer, davfs2 and
 * rclone. A random token in the path keeps everybody else on the machine out,
 * pages of a browser among them.
 *
 * @module
 */
import { MINUTE_MS } from "../../../core/time.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { takenAt } from "../../../library/mod.ts";
import {
  type DavResource,
  finiteDepth,
  hrefOf,
  multistatus,
} from "../../dav/multistatus.ts";
import { printable } from "../../phrasing.ts";
import { catchUp } from "../following.ts";
import { layoutOf } from "./names.ts";
import type { CliContext } from "../cli_context.ts";
import { type File, type Folder, type Node, treeOf } from "./webdav_tree.ts";

/** The options of `webdav`. */
export interface WebdavOptions {
  readonly listen: string;
  readonly layout: string;
}

/** Plaintext that is decrypted at a time (bytes). */
const PIECE_BYTES = 4 * 1024 * 1024;
/** The feed is looked at again after this, once someone asks. */
const FRESH_MS = MINUTE_MS / 2;
const TOKEN_BYTES = 16;
/** Entries of a listing that are written at a time. */
const PAGE = 50;
const METHODS = "OPTIONS, GET, HEAD, PROPFIND";

/** Serves the library until the person ends it. */
export async function webdav(
  cli: CliContext,
  options: WebdavOptions,
): Promise<void> {
  const { platform, signal, tell, library } = cli;
  const { hostname, port } = placeOf(options.listen);
  const pathOf = layoutOf(options.layout);
  const token = platform.random(TOKEN_BYTES).toHex();
  await catchUp(cli);
  // A server that is ended before it begins never finishes.
  signal.throwIfAborted();
  let tree = treeOf(library.list(), pathOf);
  let lookedAt = platform.now();
  let looking: Promise<void> | undefined;
  const freshTree = async () => {
    if (platform.now() - lookedAt > FRESH_MS) {
      looking ??= catchUp(cli).then(({ changed }) => {
        if (changed.length > 0) tree = treeOf(library.list(), pathOf);
      }).catch(() => {
        // The server is away: what is known is shown.
      }).finally(() => {
        lookedAt = platform.now();
        looking = undefined;
      });
      await looking;
    }
    return tree;
  };
  const server = Deno.serve({
    hostname,
    port,
    signal,
    onListen: (address) => {
      const url = `http://${hostname}:${address.port}/${token}/`;
      tell({ event: "serving", url }, url);
    },
    onError: (error) => {
      cli.warn(printable(String(error)));
      return new Response(null, { status: 502 });
    },
  }, async (request) => {
    const path = pathOfRequest(request.url, token);
    if (path === undefined) return new Response(null, { status: 404 });
    return await answer(cli, request, path, await freshTree(), token);
  });
  await server.finished;
  signal.throwIfAborted();
}

/** Loopback alone: what is served is not encrypted any more. */
function placeOf(text: string): { hostname: string; port: number } {
  const [, hostname, port] =
    /^(127\.0\.0\.1|localhost):(\d{1,5})$/.exec(text) ??
      [];
  if (hostname === undefined || Number(port) > 65_535) {
    throw new OperatorFault(
      "--listen must be a port of this machine, such as 127.0.0.1:8471, " +
        "because anyone who can reach it can read your files",
    );
  }
  return { hostname: "127.0.0.1", port: Number(port) };
}

/** The names after the token; undefined for anybody who has it not. */
function pathOfRequest(
  url: string,
  token: string,
): readonly string[] | undefined {
  const [, given, ...rest] = new URL(url).pathname.split("/");
  if (given !== token) return undefined;
  try {
    return rest.filter((name) => name !== "").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

async function answer(
  cli: CliContext,
  request: Request,
  path: readonly string[],
  tree: Folder,
  token: string,
): Promise<Response> {
  await request.body?.cancel();
  if (request.method === "OPTIONS") {
    return new Response(null, { headers: { DAV: "1", Allow: METHODS } });
  }
  let node: Node | undefined = tree;
  for (const name of path) {
    node = node?.kind === "folder" ? node.names.get(name) : undefined;
  }
  if (node === undefined) return new Response(null, { status: 404 });
  switch (request.method) {
    case "PROPFIND":
      return properties(node, path, token, request.headers.get("depth"));
    case "GET":
    case "HEAD":
      return node.kind === "folder"
        ? listing(node)
        : contentOf(cli, node, request);
    default:
      return new Response(null, { status: 405, headers: { Allow: METHODS } });
  }
}

/** A folder for a browser: names alone, as text. */
function listing({ names }: Folder): Response {
  const text = [...names].map(([name, { kind }]) =>
    kind === "folder" ? `${name}/` : name
  ).sort().join("\n");
  return new Response(`${text}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

function properties(
  node: Node,
  path: readonly string[],
  token: string,
  depth: string | null,
): Response {
  // Infinity may be refused (RFC 4918 section 9.1).
  if (depth !== "0" && depth !== "1") return finiteDepth();
  const own = [propertiesOf(node, [token, ...path])];
  if (depth === "0" || node.kind !== "folder") return multistatus(own);
  function* below({ names }: Folder) {
    let page: DavResource[] = [];
    for (const [name, below] of names) {
      page.push(propertiesOf(below, [token, ...path, name]));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  }
  return multistatus(own, below(node));
}

function propertiesOf(node: Node, path: readonly string[]): DavResource {
  const { kind } = node;
  const href = hrefOf(path, kind === "folder");
  const name = path.length === 1 ? "" : path.at(-1) ?? "";
  if (kind === "folder") return { kind, href, name };
  const { size, mime, row, tag } = node;
  return { kind, href, name, size, mime, modifiedAt: takenAt(row), tag };
}

/** A file, or a part of it (RFC 9110 section 14). */
function contentOf(
  { library, signal }: CliContext,
  { row, wanted, size, tag }: File,
  request: Request,
): Response {
  const headers = new Headers({
    "Content-Type": "application/octet-stream",
    // It is opened by programs, never as a page of this origin.
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    "Last-Modified": new Date(takenAt(row)).toUTCString(),
    ETag: tag,
  });
  const asked = rangeOf(request.headers.get("range"), size);
  if (asked === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { first, last } = asked ?? { first: 0, last: size - 1 };
  headers.set("Content-Length", String(last - first + 1));
  if (asked !== undefined) {
    headers.set("Content-Range", `bytes ${first}-${last}/${size}`);
  }
  const status = asked === undefined ? 200 : 206;
  if (request.method === "HEAD" || last < first) {
    return new Response(null, { status, headers });
  }
  let at = first;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      signal.throwIfAborted();
      const until = Math.min(at + PIECE_BYTES - 1, last);
      controller.enqueue(
        await library.range(row.id, { first: at, last: until }, wanted),
      );
      at = until + 1;
      if (at > last) controller.close();
    },
  });
  return new Response(body, { status, headers });
}

/** One range of bytes; undefined where the whole is to be sent. */
function rangeOf(
  header: string | null,
  size: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(
    header ?? "",
  ) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const count = Math.min(Number(to), size);
    return count === 0
      ? "unsatisfiable"
      : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "unsatisfiable" : { first, last };
}
