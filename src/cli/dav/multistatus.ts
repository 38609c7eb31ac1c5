/**
 * Answers of WebDAV (RFC 4918), of the folder that shows the library and of the
 * one that takes a telephone's photos.
 *
 * @module
 */

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
export const XML_TYPE = "application/xml; charset=utf-8";

/** The path of a URL to names below a root. */
export function hrefOf(names: readonly string[], isFolder: boolean): string {
  const path = names.map((name) => `/${encodeURIComponent(name)}`).join("");
  return isFolder ? `${path}/` : path;
}

/** The answer to PROPFIND, resource by resource. */
export function multistatus(resources: Iterable<DavResource>): Response {
  const told = [...resources].map(responseOf);
  return xml(
    207,
    `<D:multistatus xmlns:D="DAV:">${told.join("")}</D:multistatus>`,
  );
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

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** What XML 1.0 cannot express, not even as a reference (section 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as it stands in XML. */
export function escaped(text: string): string {
  return text.replace(NOT_XML, "\ufffd").replace(
    /[&<>"]/g,
    (letter) => ENTITIES[letter] ?? "",
  );
}
