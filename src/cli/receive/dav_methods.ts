/**
 * The methods of the receiver for telephones. It takes, and shows names and sizes:
 * what was sealed can be neither read nor removed.
 *
 * @module
 */
import { uuidV4 } from "../../core/ids.ts";
import { parseHttpDate, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { mediaTypeOf } from "../../media/media_types.ts";
import {
  type DavResource,
  escaped,
  finiteDepth,
  hrefOf,
  multistatus,
  paged,
  xml,
} from "../dav/multistatus.ts";
import { printable } from "../phrasing.ts";
import {
  type Changing,
  makeFolder,
  moveTo,
  type Refusal,
  removeAt,
} from "./changing.ts";
import { type FolderNode, isSafeList, type Path } from "./device_folder.ts";
import { lockInfoOf } from "./locks.ts";
import { holds, type Lock, type Locks, timeoutOf, tokensOf } from "./locks.ts";
import { bodyBytes } from "./bodies.ts";
import { baseOf, fileIdOf, ownProperties } from "./nextcloud_paths.ts";
import { type Asking, BrokenOff, NotTaken, type Taking } from "./taking.ts";

/** A request of a telephone that is known. */
export interface DavCall {
  readonly request: Request;
  readonly path: Path;
  /** What stands before it in the URL; `""` at the root. */
  readonly base: string;
  readonly asking: Asking;
  readonly taking: Taking;
  readonly locks: Locks;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
}

const METHODS =
  "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, MOVE, PROPFIND, PROPPATCH, " +
  "LOCK, UNLOCK";
/** Longest body in XML (bytes). */
const XML_MAX_BYTES = 64 * 1024;
const ONLY_TAKES =
  "this address only receives photos: they are encrypted on arrival " +
  "and cannot be read or removed here\n";

const CHANGES = ["PUT", "DELETE", "MKCOL", "MOVE", "PROPPATCH"];

/** Answers a request. */
export async function answerDav(call: DavCall): Promise<Response> {
  if (CHANGES.includes(call.request.method) && !isMet(call)) {
    return text(412, "the file does not match the request\n");
  }
  switch (call.request.method) {
    case "OPTIONS":
      return new Response(null, {
        headers: { DAV: "1, 2", Allow: METHODS, "MS-Author-Via": "DAV" },
      });
    case "PROPFIND":
      return await properties(call);
    case "PROPPATCH":
      return await refuseProperties(call);
    case "GET":
    case "HEAD":
      return content(call);
    case "PUT":
      return await put(call);
    case "MKCOL":
      return await makeFolderAt(call);
    case "DELETE":
      return await remove(call);
    case "MOVE":
      return await move(call);
    case "LOCK":
      return await lock(call);
    case "UNLOCK":
      return unlock(call);
    case "COPY":
      return text(403, ONLY_TAKES);
    default:
      return new Response(null, { status: 405, headers: { Allow: METHODS } });
  }
}

/** A node as the telephone sees it: broken files have what came of them. */
function nodeAt({ asking, taking }: DavCall, path: Path) {
  const broken = taking.brokenSize(asking, path);
  const held = asking.folder.get(path);
  if (broken === undefined) return held;
  const node: FolderNode = {
    name: path.at(-1) ?? "",
    kind: "file",
    size: broken,
    modified_at: held?.modified_at ?? 0,
    tag: `part-${broken}`,
  };
  return node;
}

async function properties(call: DavCall): Promise<Response> {
  const { request, path, asking } = call;
  if (await bodyText(request) === undefined) return text(413, "too long\n");
  const node = nodeAt(call, path);
  if (node === undefined) return text(404, "there is no such file\n");
  const depth = request.headers.get("depth") ?? "infinity";
  if (depth !== "0" && depth !== "1") return finiteDepth();
  const own = [resourceOf(call, node, path)];
  if (depth === "0" || node.kind !== "folder") return multistatus(own);
  function* below() {
    for (const page of asking.folder.list(path)) {
      yield page.map((one) => resourceOf(call, one, [...path, one.name]));
    }
  }
  return multistatus(own, below());
}

function resourceOf(
  { asking, locks, now, base, random }: DavCall,
  node: FolderNode,
  path: Path,
): DavResource {
  const { kind, name, size, modified_at: modifiedAt, tag } = node;
  const href = base + hrefOf(path, kind === "folder");
  const held = locks.on(asking.device.name, path);
  const more = (base === "" ? "" : ownProperties(node)) +
    provenXml(asking.folder.provenAt(node)) + LOCKABLE +
    (held === undefined
      ? "<D:lockdiscovery/>"
      : `<D:lockdiscovery>${lockXml(held, now())}</D:lockdiscovery>`);
  if (kind === "folder") {
    // Nextcloud's programs refuse a folder without a tag, and look into one again
    // whose tag is another.
    const itsTag = base === "" ? {} : { tag: `"${random(8).toHex()}"` };
    return { kind, href, name, modifiedAt, more, ...itsTag };
  }
  return {
    kind,
    href,
    name,
    size: size ?? 0,
    mime: mediaTypeOf(name),
    modifiedAt,
    tag: `"${tag}"`,
    more,
  };
}

/** When a file was proven to be in the library, on those that were. */
function provenXml(at: number | undefined): string {
  if (at === undefined) return "";
  const tag = "s:safe-to-delete";
  return `<${tag} xmlns:s="urn:strongroom">${toRfc3339(at)}</${tag}>`;
}

/** Properties are not stored, and the answer says so. */
async function refuseProperties(call: DavCall): Promise<Response> {
  const { request, path, base } = call;
  const body = await bodyText(request);
  if (body === undefined) return text(413, "too long\n");
  if (!mayChange(call, path)) return locked();
  const node = nodeAt(call, path);
  if (node === undefined) return text(404, "there is no such file\n");
  const href = escaped(base + hrefOf(path, node.kind === "folder"));
  return xml(
    207,
    `<D:multistatus xmlns:D="DAV:"><D:response><D:href>${href}</D:href>` +
      "<D:status>HTTP/1.1 403 Forbidden</D:status>" +
      "<D:responsedescription>properties are not kept" +
      "</D:responsedescription></D:response></D:multistatus>",
  );
}

function content(call: DavCall): Response {
  const { request, path, asking } = call;
  const node = nodeAt(call, path);
  if (node === undefined) return text(404, "there is no such file\n");
  const isHead = request.method === "HEAD";
  if (node.kind === "folder") {
    return isHead
      ? new Response(null, { headers: { "Content-Type": TEXT } })
      : paged(namesIn(asking.folder.list(path)), { status: 200, type: TEXT });
  }
  const isList = isSafeList(path);
  if (!isHead && !isList && (node.size ?? 0) > 0) return text(403, ONLY_TAKES);
  const body = isHead || !isList ? null : asking.folder.safeText() ?? null;
  return new Response(body, {
    status: 200,
    headers: {
      "Content-Type": isList ? TEXT : "application/octet-stream",
      "Content-Length": String(node.size ?? 0),
      ETag: `"${node.tag}"`,
      "Last-Modified": new Date(node.modified_at).toUTCString(),
    },
  });
}

/** Names as text, in order within each page. */
function* namesIn(
  pages: Iterable<readonly FolderNode[]>,
): Generator<string, void> {
  for (const page of pages) {
    const names = page.map(({ name, kind }) =>
      printable(kind === "folder" ? `${name}/` : name)
    ).sort();
    yield names.map((name) => `${name}\n`).join("");
  }
}

async function put(call: DavCall): Promise<Response> {
  const { request, path, base } = call;
  const { headers } = request;
  const range = contentRange(headers.get("content-range"));
  if (range === "malformed") return text(400, "a range is bytes 0-9/10\n");
  const refused = refusalOf(call, path);
  if (refused !== undefined) return refused;
  const before = call.asking.folder.get(path);
  try {
    const modifiedAt = modifiedAtOf(headers);
    const node = await call.taking.take(call.asking, {
      path,
      body: request.body,
      length: lengthOf(headers),
      range,
      modifiedAt,
    });
    const isWhole = range === undefined || node.size === range.total;
    return new Response(null, {
      status: before === undefined && isWhole ? 201 : 204,
      headers: {
        ETag: `"${node.tag}"`,
        ...base === "" ? {} : idsOf(node),
        ...(headers.has("x-oc-mtime") && modifiedAt !== undefined
          ? { "X-OC-MTime": "accepted" }
          : {}),
      },
    });
  } catch (error) {
    return refusedBy(error, call, path);
  }
}

/** Why a file may not be written to a path; undefined if it may. */
function refusalOf(call: DavCall, path: Path): Response | undefined {
  const { request: { headers }, asking: { folder } } = call;
  if (path.length === 0) return text(405, "name a file\n");
  if (isSafeList(path)) return text(403, "strongroom writes this file\n");
  const parent = folder.get(path.slice(0, -1));
  if (parent?.kind !== "folder") return text(409, "there is no such folder\n");
  const held = folder.get(path);
  if (held?.kind === "folder") return text(405, "this is a folder\n");
  if (!mayChange(call, path)) return locked();
  const noneMatch = headers.get("if-none-match");
  const match = headers.get("if-match");
  const isUnmet = (noneMatch !== null && held !== undefined &&
    names(noneMatch, held)) ||
    (match !== null && (held === undefined || !names(match, held)));
  return isUnmet ? text(412, "this file already exists\n") : undefined;
}

/** Whether a list of entity tags has that of a file (RFC 9110 section 13.1). */
function names(header: string, { tag }: FolderNode): boolean {
  return header.split(",").some((one) => {
    const given = one.trim().replace(/^W\//, "");
    return given === "*" || given === `"${tag}"`;
  });
}

function isName(name: string): boolean {
  return name !== "." && name !== ".." && !/[/\0]/.test(name) &&
    [...name].length <= 1_024;
}

/** The answer to a file that was not taken; throws what is a fault here. */
export function refusedBy(
  error: unknown,
  call: Pick<DavCall, "asking" | "taking">,
  path: Path,
): Response {
  if (error instanceof NotTaken) {
    const { status, message } = error;
    const size = call.taking.brokenSize(call.asking, path);
    return new Response(`${message}\n`, {
      status,
      headers: {
        "Content-Type": TEXT,
        ...(status === 503 || status === 507 ? { "Retry-After": "60" } : {}),
        ...(status === 416 ? { "Content-Range": `bytes */${size ?? 0}` } : {}),
      },
    });
  }
  // Anything else is a fault here, and the telephone tries again.
  if (!(error instanceof BrokenOff)) throw error;
  return text(400, "the file did not arrive completely\n");
}

async function makeFolderAt(call: DavCall): Promise<Response> {
  const { request, path } = call;
  const body = await bodyText(request);
  if (body !== "") {
    return text(415, "a request that creates a folder has no body\n");
  }
  if (path.length === 0 || nodeAt(call, path) !== undefined) {
    return text(405, "it already exists\n");
  }
  const refusal = makeFolder(changingOf(call), path);
  return refusal === undefined
    ? new Response(null, { status: 201 })
    : REFUSALS[refusal]();
}

async function remove(call: DavCall): Promise<Response> {
  const { request, path, asking, locks } = call;
  if (await bodyText(request) === undefined) return text(413, "too long\n");
  const refusal = await removeAt(changingOf(call), path);
  if (refusal !== undefined) return REFUSALS[refusal]();
  if (asking.folder.get(path) === undefined) {
    locks.drop(asking.device.name, path);
  }
  return new Response(null, { status: 204 });
}

async function move(call: DavCall): Promise<Response> {
  const { request, path, asking: { folder, device }, locks } = call;
  if (await bodyText(request) === undefined) return text(413, "too long\n");
  const to = destinationOf(call);
  if (to === undefined) return text(400, "give a destination on this server\n");
  const isOver = folder.get(to) !== undefined;
  const mayWriteOver = request.headers.get("overwrite") !== "F";
  const refusal = moveTo(changingOf(call), path, to, mayWriteOver);
  if (refusal !== undefined) return REFUSALS[refusal]();
  locks.drop(device.name, path);
  return new Response(null, { status: isOver ? 204 : 201 });
}

function changingOf(call: DavCall): Changing {
  const { asking, taking, now, random } = call;
  return {
    ...{ asking, taking, now, random },
    mayChange: (path, isDeep) => mayChange(call, path, isDeep),
  };
}

const REFUSALS: Readonly<Record<Refusal, () => Response>> = {
  absent: () => text(404, "there is no such file\n"),
  there: () => text(412, "this file already exists\n"),
  no_parent: () => text(409, "there is no such folder\n"),
  locked,
  sealed: () => text(403, ONLY_TAKES),
  misplaced: () => text(403, "it cannot be moved there\n"),
  full: () => text(507, "this phone has too many names here\n"),
  too_much: () => text(507, "too much at a time\n"),
};

/** Takes the parts that came of a file as the file that a header names. */
export async function putParts(
  call: Omit<DavCall, "path">,
  parts: Path,
  destination: string,
): Promise<Response> {
  const { request: { headers, url }, asking, taking } = call;
  const { pathname } = new URL(destination, url);
  const base = baseOf(pathname, asking.device.name) ?? "";
  const to = pathAt(destination, url, base);
  if (base === "" || to === undefined) {
    return text(400, "give a destination on this server\n");
  }
  const at: DavCall = { ...call, base, path: to };
  const refused = refusalOf(at, to);
  if (refused !== undefined) return refused;
  const isOver = asking.folder.get(to) !== undefined;
  const total = headers.get("oc-total-length");
  const came = taking.brokenSize(asking, parts);
  if (total !== null && came !== undefined && Number(total) !== came) {
    return text(400, "some of it did not come\n");
  }
  try {
    const node = await taking.finish(asking, parts, {
      path: to,
      modifiedAt: modifiedAtOf(headers),
    });
    if (node === undefined) return text(404, "there is no such upload\n");
    return new Response(null, {
      status: isOver ? 204 : 201,
      headers: {
        ETag: `"${node.tag}"`,
        ...idsOf(node),
        ...(headers.has("x-oc-mtime") ? { "X-OC-MTime": "accepted" } : {}),
      },
    });
  } catch (error) {
    return refusedBy(error, at, to);
  }
}

/** What Nextcloud's apps want to know of a file that they sent. */
function idsOf({ tag }: FolderNode): Record<string, string> {
  return { "OC-ETag": `"${tag}"`, "OC-FileId": fileIdOf(tag) };
}

function destinationOf(
  { request: { url, headers }, base }: DavCall,
): Path | undefined {
  const given = headers.get("destination");
  return given === null ? undefined : pathAt(given, url, base);
}

/**
 * The path of a URL that a header names. Behind a proxy its host may be
 * another; a path alone is taken, too.
 */
function pathAt(
  given: string,
  url: string,
  base: string,
): Path | undefined {
  const parsed = URL.canParse(given, url) ? new URL(given, url) : undefined;
  if (!parsed?.pathname.startsWith(base)) return undefined;
  const names: string[] = [];
  for (const part of parsed.pathname.slice(base.length).split("/")) {
    if (part === "") continue;
    try {
      names.push(decodeURIComponent(part));
    } catch {
      return undefined;
    }
  }
  return names.length <= 64 && names.every(isName) ? names : undefined;
}

async function lock(call: DavCall): Promise<Response> {
  const { request, path, asking, taking, locks, now, random } = call;
  const { headers } = request;
  const { device, folder } = asking;
  const body = await bodyText(request);
  if (body === undefined) return text(413, "too long\n");
  const timeout = headers.get("timeout");
  if (body.trim() === "") {
    const held = locks.refresh(device.name, tokensOf(headers), timeout);
    return held === undefined
      ? text(412, "there is no such lock\n")
      : discovery(200, held, now());
  }
  const { isShared, owner } = lockInfoOf(body);
  if (isShared) {
    return text(403, "locks are exclusive here\n");
  }
  if (isSafeList(path)) return text(403, "strongroom writes this file\n");
  if (path.length > 0 && folder.get(path.slice(0, -1))?.kind !== "folder") {
    return text(409, "there is no such folder\n");
  }
  const isNew = folder.get(path) === undefined;
  if (isNew && folder.count >= taking.limits.entries) {
    return text(507, "this phone has too many names here\n");
  }
  const made = locks.take(device.name, {
    token: `urn:uuid:${uuidV4(random)}`,
    path,
    isDeep: headers.get("depth") !== "0",
    owner,
  }, timeout);
  if (made === undefined) return locked();
  if (!isNew) return discovery(200, made, now());
  // A lock on a free name makes an empty file (RFC 4918 section 7.3).
  folder.put(path.slice(0, -1), {
    name: path.at(-1) ?? "",
    kind: "file",
    size: 0,
    modified_at: now(),
    tag: random(8).toHex(),
  });
  return discovery(201, made, now());
}

function unlock({ request, asking, locks }: DavCall): Response {
  const [token = ""] = tokensOf(request.headers);
  return locks.release(asking.device.name, token)
    ? new Response(null, { status: 204 })
    : text(409, "there is no such lock\n");
}

/** Whether the `If` header of a request holds. */
function isMet({ request, path, base, asking, locks }: DavCall): boolean {
  return holds(request.headers.get("if"), {
    path,
    pathOf: (url) => pathAt(url, request.url, base),
    at(path) {
      const tag = asking.folder.get(path)?.tag;
      return {
        token: locks.on(asking.device.name, path)?.token,
        tag: tag === undefined ? undefined : `"${tag}"`,
      };
    },
  });
}

function mayChange(
  { request, asking, locks }: DavCall,
  path: Path,
  isDeep = false,
): boolean {
  const tokens = tokensOf(request.headers);
  return locks.allows(asking.device.name, path, tokens, isDeep);
}

const LOCKABLE = "<D:supportedlock><D:lockentry><D:lockscope><D:exclusive/>" +
  "</D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>" +
  "</D:supportedlock>";

function lockXml(held: Lock, now: number): string {
  const { token, path, isDeep, owner } = held;
  return "<D:activelock><D:locktype><D:write/></D:locktype>" +
    "<D:lockscope><D:exclusive/></D:lockscope>" +
    `<D:depth>${isDeep ? "infinity" : "0"}</D:depth>` +
    `<D:owner>${escaped(owner)}</D:owner>` +
    `<D:timeout>${timeoutOf(held, now)}</D:timeout>` +
    `<D:locktoken><D:href>${token}</D:href></D:locktoken>` +
    `<D:lockroot><D:href>${escaped(hrefOf(path, false))}</D:href>` +
    "</D:lockroot></D:activelock>";
}

function discovery(status: number, held: Lock, now: number): Response {
  return xml(
    status,
    `<D:prop xmlns:D="DAV:"><D:lockdiscovery>${
      lockXml(held, now)
    }</D:lockdiscovery></D:prop>`,
    { "Lock-Token": `<${held.token}>` },
  );
}

function locked(): Response {
  return text(423, "it is locked\n");
}

const TEXT = "text/plain; charset=utf-8";

function text(status: number, said: string): Response {
  return new Response(said, { status, headers: { "Content-Type": TEXT } });
}

/** A short body as text; undefined if it is long. */
async function bodyText({ body }: Request): Promise<string | undefined> {
  const bytes = await bodyBytes(body, XML_MAX_BYTES);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function lengthOf(headers: Headers): number | undefined {
  const given = headers.get("content-length");
  return given !== null && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

/** When a file was changed, as uploaders of photos say it. */
function modifiedAtOf(headers: Headers): number | undefined {
  const seconds = /^\d{1,12}(\.\d+)?$/.exec(
    headers.get("x-oc-mtime")?.trim() ?? "",
  )?.[0];
  if (seconds !== undefined) {
    const at = Math.round(Number(seconds) * SECOND_MS);
    return at <= LATEST_MS ? at : undefined;
  }
  return parseHttpDate(headers.get("last-modified") ?? "");
}

/** The end of the year 9999 (ms). */
const LATEST_MS = 253_402_300_799_999;

function contentRange(header: string | null) {
  if (header === null) return undefined;
  const [, from, to, all] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header.trim()) ?? [];
  const [first, last, total] = [Number(from), Number(to), Number(all)];
  return from !== undefined && first <= last && last < total
    ? { first, last, total }
    : "malformed";
}
