/**
 * Answers of WebDAV (RFC 4918), of the folder that shows the library and of the
 * one that takes a telephone's photos.
 *
 * @module
 */
import { escapeXml } from "../../core/xml.ts";

/** A file or a folder in an answer. */
export interface DavResource {
  readonly kind: "file" | "folder";
  /** Path of its URL, with percent signs. */
  readonly href: string;
  readonly name: string;
  readonly size?: number;
  readonly mime?: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt?: number;
  /** An entity tag, with its quotes. */
  readonly tag?: string;
  /** More properties, as XML. */
  readonly more?: string;
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
/** The media type of these answers. */
const XML_TYPE = "application/xml; charset=utf-8";

/** The path of a URL to names below a root. */
export function hrefOf(names: readonly string[], isFolder: boolean): string {
  const path = names.map((name) => `/${encodeURIComponent(name)}`).join("");
  return isFolder ? `${path}/` : path;
}

/**
 * The answer to PROPFIND: resources that are at hand, and those below them page
 * by page, as the client takes them.
 */
export function multistatus(
  resources: readonly DavResource[],
  pages?: Iterable<readonly DavResource[]>,
): Response {
  const begin = `<D:multistatus xmlns:D="DAV:">${textOf(resources)}`;
  const end = "</D:multistatus>";
  if (pages === undefined) return xml(207, begin + end);
  function* pieces(pages: Iterable<readonly DavResource[]>) {
    yield HEAD + begin;
    for (const page of pages) yield textOf(page);
    yield end;
  }
  return paged(pieces(pages), { status: 207, type: XML_TYPE });
}

function textOf(resources: readonly DavResource[]): string {
  return resources.map(responseOf).join("");
}

/**
 * Resolves in a later turn of the event loop, and in each turn for one caller
 * alone: however many lists are made at once, other requests wait for a page.
 */
function nextTurn(): Promise<void> {
  return turn = turn.then(() => new Promise((done) => setImmediate(done)));
}

let turn: Promise<void> = Promise.resolve();

/**
 * An answer that is made piece by piece, as the client takes it. After each
 * piece others have their turn.
 */
export function paged(
  pieces: Iterable<string>,
  { status, type }: { readonly status: number; readonly type: string },
): Response {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn();
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void iterator.return?.(),
  }, { highWaterMark: 0 });
  return new Response(body, { status, headers: { "Content-Type": type } });
}

/** The refusal of a list of everything (RFC 4918 section 9.1). */
export function finiteDepth(): Response {
  return xml(
    403,
    '<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>',
  );
}

/** An answer in XML. */
export function xml(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(HEAD + text, {
    status,
    headers: { "Content-Type": XML_TYPE, ...headers },
  });
}

function responseOf(resource: DavResource): string {
  const { kind, href, name, size, mime, modifiedAt, tag, more } = resource;
  const about = [
    `<D:displayname>${escaped(name)}</D:displayname>`,
    kind === "folder"
      ? "<D:resourcetype><D:collection/></D:resourcetype>"
      : "<D:resourcetype/>",
    size === undefined
      ? ""
      : `<D:getcontentlength>${size}</D:getcontentlength>`,
    mime === undefined
      ? ""
      : `<D:getcontenttype>${escaped(mime)}</D:getcontenttype>`,
    modifiedAt === undefined
      ? ""
      : `<D:getlastmodified>${
        new Date(modifiedAt).toUTCString()
      }</D:getlastmodified>`,
    tag === undefined ? "" : `<D:getetag>${escaped(tag)}</D:getetag>`,
    more ?? "",
  ].join("");
  return `<D:response><D:href>${escaped(href)}</D:href><D:propstat><D:prop>` +
    `${about}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>` +
    "</D:response>";
}

/** What XML 1.0 cannot express, not even as a reference (section 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as it stands in XML. */
export function escaped(text: string): string {
  return escapeXml(text.replace(NOT_XML, "\ufffd"));
}
