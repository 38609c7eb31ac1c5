/**
 * From replies and problems to responses (RFC 9457, RFC 9110).
 *
 * @module
 */
import { parse } from "zod";
import { Problem } from "../core/problem.ts";
import { prefersHtml, takesGzip } from "./accept.ts";
import { type Draft, HeaderDraft } from "./draft.ts";
import { DEPRECATION_LINK } from "./handshake.ts";
import type { Reply, Route, RouteSpec } from "./route.ts";
import { TUS_VERSION } from "./tus_version.ts";

const encoder = new TextEncoder();

/** Reason phrases: the `title` of a problem whose type is `about:blank`. */
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  423: "Locked",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  460: "Checksum Mismatch",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

/** The `title` of problems of a status. */
export function titleOf(status: number): string {
  return TITLES[status] ?? "";
}

/**
 * The page of a route, for clients that prefer one: before any budget, any look
 * and any parsing, so that it tells nothing of what it is of, and is there for
 * an address that was mangled too.
 */
export function pageReply<App>(
  { page }: Route<App>,
  app: App,
  request: Request,
): Reply | undefined {
  return page !== undefined && prefersHtml(request.headers.get("accept"))
    ? { status: 200, page: page(app) }
    : undefined;
}

/** Renders a success that the handler returned. */
export function renderReply(
  spec: RouteSpec | undefined,
  reply: Reply,
  request: Request,
): Draft {
  const isHead = request.method === "HEAD";
  const headers = new HeaderDraft();
  if (reply.headers !== undefined) {
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) headers.set(name, value);
    }
  }
  const success = spec?.success[reply.status];
  if (reply.page !== undefined) {
    // Never stored by a cache, so Vary need not name the encoding.
    const compressed = takesGzip(request.headers.get("Accept-Encoding"));
    const body = compressed ? reply.page.gzip : reply.page.html;
    if (compressed) headers.set("Content-Encoding", "gzip");
    for (const [name, value] of Object.entries(reply.page.headers)) {
      headers.set(name, value);
    }
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Length", String(body.length));
    return { status: reply.status, headers, body: isHead ? null : body };
  }
  if (success?.kind === "json") {
    const body = JSON.stringify(reply.json);
    headers.set("Content-Type", "application/json");
    headers.set("Content-Length", String(utf8Length(body)));
    setDefault(headers, "Cache-Control", spec?.cacheControl ?? "no-store");
    return { status: reply.status, headers, body: isHead ? null : body };
  }
  if (success?.kind === "bytes") {
    setDefault(headers, "Content-Type", success.mediaType);
    headers.set("Content-Length", String(reply.length ?? 0));
    if (spec?.cacheControl !== undefined) {
      setDefault(headers, "Cache-Control", spec.cacheControl);
    }
    if (OCTETS.has(success.mediaType)) {
      // Proxies leave the bytes, their length and their tag alone
      // (RFC 9111 5.2.2.6).
      headers.append("Cache-Control", "no-transform");
    }
    return {
      status: reply.status,
      headers,
      body: isHead ? null : reply.bytes ?? null,
    };
  }
  return { status: reply.status, headers, body: null };
}

/** What is encrypted or signed: compressing it only loses its length. */
const OCTETS: ReadonlySet<string> = new Set([
  "application/octet-stream",
  "application/cbor",
]);

/**
 * How many bytes a text is in UTF-8. The text itself is what is sent: the
 * runtime copies bytes twice more than it copies a text.
 */
function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length;
}

const ASCII = /^[\x20-\x7e]*$/;

function setDefault(
  headers: HeaderDraft,
  name: string,
  value: string,
): void {
  if (!headers.has(name)) headers.set(name, value);
}

/** What a problem's headers depend on, other than the problem. */
interface ProblemSurroundings {
  readonly tokenPresented: boolean;
  /**
   * Whether a deprecation has raised the window
   * (protocol/transport.md#deprecation).
   */
  readonly cutoffPassed: boolean;
  /** Whether it is a route of tus, whose every answer says so. */
  readonly tus: boolean;
  /** Methods of the path, for a 405. */
  readonly allow: readonly string[];
  readonly request: Request;
  readonly pathname: string;
}

/** Renders a refusal. Its cause stays here. */
export function renderProblem(
  refused: Problem,
  { request, pathname, ...around }: ProblemSurroundings,
): Draft {
  const page = unknownPage(refused, request, pathname);
  if (page !== undefined) return page;
  const isHead = request.method === "HEAD";
  const { tokenPresented, cutoffPassed, tus, allow } = around;
  const { status, code, detail, extra, retryAfterSeconds } = refused;
  const headers = new HeaderDraft();
  headers.set("Cache-Control", "no-store");
  if (status === 401) {
    headers.set(
      "WWW-Authenticate",
      tokenPresented ? 'Bearer error="invalid_token"' : "Bearer",
    );
  }
  if (tus) headers.set("Tus-Resumable", TUS_VERSION);
  if (code === "error.upload.tus_unsupported") {
    headers.set("Tus-Version", TUS_VERSION);
  }
  if (status === 405) headers.set("Allow", allow.join(", "));
  if (status === 426 && cutoffPassed) headers.set("Link", DEPRECATION_LINK);
  if (retryAfterSeconds !== undefined) {
    headers.set(
      "Retry-After",
      String(Math.max(1, Math.ceil(retryAfterSeconds))),
    );
  }
  // A 413 has no body and no content type (protocol/transport.md#bodies), except
  // where it is about something else than the length of the request's body.
  if (status === 413 && !refused.isExplained) {
    return { status, headers, body: null };
  }
  const body = JSON.stringify({
    type: "about:blank",
    title: titleOf(status),
    status,
    detail,
    code,
    ...extra,
  });
  headers.set("Content-Type", "application/problem+json");
  headers.set("Content-Length", String(utf8Length(body)));
  return { status, headers, body: isHead ? null : body };
}

/** Paths of programs: what is not there is told in their form. */
const OF_PROGRAMS = /^\/(?:v1|app|\.well-known)(?:\/|$)/;

const UNKNOWN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Page not found · strongroom</title>
<h1>There is no page at this address</h1>
<p>Check the address, or <a href="/">open your photos</a>.</p>
<p lang="de">Unter dieser Adresse gibt es keine Seite. Prüfe die Adresse, oder
<a href="/">öffne deine Fotos</a>.</p>
</html>
`;

/**
 * The page for an unknown path, for a browser; undefined for a program, which
 * gets the problem.
 */
function unknownPage(
  { code }: Problem,
  request: Request,
  pathname: string,
): Draft | undefined {
  if (code !== "error.request.route_unknown") return undefined;
  const isLooked = request.method === "GET" || request.method === "HEAD";
  if (!isLooked || OF_PROGRAMS.test(pathname)) return undefined;
  if (!prefersHtml(request.headers.get("accept"))) return undefined;
  const headers = new HeaderDraft();
  headers.set("Cache-Control", "no-store");
  headers.set(
    "Content-Security-Policy",
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Length", String(utf8Length(UNKNOWN_PAGE)));
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Referrer-Policy", "no-referrer");
  const body = request.method === "HEAD" ? null : UNKNOWN_PAGE;
  return { status: 404, headers, body };
}

/**
 * Throws unless a reply is one that its route declares: status, headers, and
 * for JSON the body after serialisation, strictly.
 */
export function checkReply(spec: RouteSpec, reply: Reply): void {
  const success = spec.success[reply.status];
  if (success === undefined) {
    throw new Error(`${spec.operation}: undeclared status ${reply.status}`);
  }
  for (const name of Object.keys(reply.headers ?? {})) {
    if (success.headers?.includes(name) !== true) {
      throw new Error(`${spec.operation}: undeclared header ${name}`);
    }
  }
  if (success.kind === "json") {
    parse(success.schema, JSON.parse(JSON.stringify(reply.json)));
  }
}
