/**
 * What the uploaders of Nextcloud ask for besides WebDAV, so that the apps that
 * people have send here, too: who the server is, a sign-in by the browser, and
 * large files in numbered pieces. Nothing of it shows or gives more than
 * WebDAV.
 *
 * Sources: the Nextcloud developer manual, "Login flow v2", "Basic WebDAV
 * operations", "Chunked file upload" (version 2) and "OCS API overview".
 *
 * @module
 */
import { fromUtf8, toHex } from "../../core/bytes.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { Limiter } from "../../core/limiter.ts";
import { countedAddress } from "../../http/client_address.ts";
import { tooMany } from "./refusals.ts";
import { bodyBytes } from "./bodies.ts";
import type { Credentials } from "./device_keys.ts";
import type { FolderNode, Path } from "./device_folder.ts";
import { refusedBy } from "./dav_methods.ts";
import { isWhose } from "./nextcloud_paths.ts";
import type { Asking, Taking } from "./taking.ts";

/** The version that the apps are told: they refuse much older ones. */
const VERSION = "30.0.0";

/** How long a sign-in may take, and how many are under way. */
const FLOW_MS = 20 * MINUTE_MS;
const MOST_FLOWS = 1_000;
/** Those that an address begins. */
const FLOWS = { limit: 10, windowMs: 15 * MINUTE_MS };
const FORM_MAX_BYTES = 8 * 1024;

interface Flow {
  readonly poll: string;
  readonly until: number;
  given?: Credentials;
}

/** The sign-ins that are under way, in memory alone. */
export class NextcloudFlows {
  readonly #flows = new Map<string, Flow>();
  readonly #begun = new Limiter(FLOWS);

  constructor(
    readonly parts: {
      readonly now: () => number;
      readonly random: (length: number) => Uint8Array;
      /** Under which telephones reach it; else the request's own address. */
      readonly address: () => string | undefined;
    },
  ) {}

  /**
   * Answers what is asked before anybody says who they are. `refusalOf` tells
   * whether a name and a password are wrong.
   */
  async answer(
    request: Request,
    address: string,
    refusalOf: (given: Credentials) => Response | undefined,
  ): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/index\.php(?=\/)/, "");
    if (path === "/status.php" && request.method === "GET") return json(STATUS);
    if (path === "/login/v2" && request.method === "POST") {
      return this.#begin(request, address);
    }
    if (path === "/login/v2/poll" && request.method === "POST") {
      return await this.#poll(request);
    }
    const [, token] = /^\/login\/v2\/flow\/([0-9a-f]{32})$/.exec(path) ?? [];
    if (token === undefined) return undefined;
    return await this.#show(request, token, refusalOf);
  }

  #begin(request: Request, address: string): Response {
    const { now, random } = this.parts;
    const spent = this.#begun.charge(countedAddress(address), now());
    if (spent !== undefined) return tooMany(spent.retryAt - now());
    for (const [token, { until }] of this.#flows) {
      // They end in the order in which they began.
      if (until > now()) break;
      this.#flows.delete(token);
    }
    // No stranger ends a sign-in that someone else is at.
    const [first] = this.#flows.values();
    if (first !== undefined && this.#flows.size >= MOST_FLOWS) {
      return tooMany(first.until - now());
    }
    const [token, poll] = [toHex(random(16)), toHex(random(32))];
    this.#flows.set(token, { poll, until: now() + FLOW_MS });
    const at = this.#origin(request);
    return json({
      poll: { token: poll, endpoint: `${at}/login/v2/poll` },
      login: `${at}/login/v2/flow/${token}`,
    });
  }

  async #poll(request: Request): Promise<Response> {
    const form = await formOf(request);
    const polled = form?.get("token") ?? "";
    for (const [token, { poll, given, until }] of this.#flows) {
      if (poll !== polled || until <= this.parts.now()) continue;
      if (given === undefined) break;
      // It is told once.
      this.#flows.delete(token);
      return json({
        server: this.#origin(request),
        loginName: given.name,
        appPassword: given.password,
      });
    }
    return new Response("[]", { status: 404, headers: JSON_TYPE });
  }

  async #show(
    request: Request,
    token: string,
    refusalOf: (given: Credentials) => Response | undefined,
  ): Promise<Response> {
    const flow = this.#flows.get(token);
    if (flow === undefined || flow.until <= this.parts.now()) {
      return page(404, "This sign-in has ended. Begin again in the app.");
    }
    if (request.method !== "POST") return page(200, FORM);
    const form = await formOf(request);
    const given = {
      name: (form?.get("name") ?? "").trim().toLowerCase(),
      password: form?.get("password") ?? "",
    };
    const refused = refusalOf(given);
    if (refused !== undefined) {
      return page(refused.status, `Name or password is wrong.${FORM}`);
    }
    flow.given = given;
    return page(200, "Done. Go back to the app.");
  }

  #origin(request: Request): string {
    const { address } = this.parts;
    const own = new URL(address() ?? request.url);
    const isAny = own.hostname === "0.0.0.0" || own.hostname === "[::]";
    return isAny ? new URL(request.url).origin : own.origin;
  }
}

const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: JSON_TYPE });
}

const STATUS = {
  installed: true,
  maintenance: false,
  needsDbUpgrade: false,
  version: `${VERSION}.0`,
  versionstring: VERSION,
  edition: "",
  productname: "strongroom receive",
  extendedSupport: false,
};

const FORM = `<form method="post"><p><label>Name
<input name="name" autocapitalize="none" autocomplete="username" required>
</label></p><p><label>Password
<input name="password" type="password" autocomplete="current-password" required>
</label></p><p>An app asks to send photos here. Enter what
<code>strongroom receive add</code> showed, if you began this yourself.</p>
<p><button>Let the app send</button></p></form>`;

function page(status: number, content: string): Response {
  return new Response(
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width">' +
      `<title>strongroom receive</title><main>${content}</main></html>`,
    {
      status,
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy":
          "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
        // With "no-referrer" the form's own Origin would be null.
        "Referrer-Policy": "same-origin",
      },
    },
  );
}

async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const bytes = await bodyBytes(request.body, FORM_MAX_BYTES);
  const text = bytes === undefined ? undefined : fromUtf8(bytes);
  return text === undefined ? undefined : new URLSearchParams(text);
}

/** Answers what the apps ask of a server that has let them in. */
export function answerOcs(
  pathname: string,
  { name, title }: { readonly name: string; readonly title: string },
): Response | undefined {
  const [, version, asked] =
    /^\/ocs\/v([12])\.php\/cloud\/(capabilities|user)$/.exec(pathname) ?? [];
  if (version === undefined) return undefined;
  const data = asked === "user"
    ? {
      id: name,
      "display-name": title,
      displayname: title,
      email: null,
      enabled: true,
      quota: { free: -3, used: 0, total: -3, relative: 0, quota: -3 },
    }
    : {
      version: {
        ...{ major: 30, minor: 0, micro: 0 },
        ...{ string: VERSION, edition: "", extendedSupport: false },
      },
      capabilities: {
        core: { pollinterval: 60, "webdav-root": "remote.php/webdav" },
        dav: { chunking: "1.0" },
        files: { bigfilechunking: true, undelete: false, versioning: false },
        files_sharing: { api_enabled: false },
      },
    };
  const statuscode = version === "1" ? 100 : 200;
  return json({
    ocs: { meta: { status: "ok", statuscode, message: "OK" }, data },
  });
}

/** The path of a piece of an upload. */
const UPLOADS =
  /^\/remote\.php\/dav\/uploads\/([^/]+)\/([^/]{1,128})(?:\/([^/]+))?\/?$/;

/** An upload in pieces: which came, and where each ends. */
interface Pieces {
  readonly path: Path;
  readonly ends: Map<string, number>;
  last: number;
  at: number;
}

/** Uploads of a telephone at a time; the taking bounds their bytes. */
const MOST_UPLOADS = 8;

/** What puts pieces together: each is sealed behind the one before. */
export class NextcloudUploads {
  readonly #uploads = new Map<string, Pieces>();

  constructor(readonly now: () => number) {}

  /** Answers a request for an upload; undefined if it is for something else. */
  async answer(
    request: Request,
    asking: Asking,
    taking: Taking,
    finish: (upload: Path, destination: string) => Promise<Response>,
  ): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const [, whose, id, piece] = UPLOADS.exec(pathname) ?? [];
    if (whose === undefined || id === undefined) return undefined;
    const { name } = asking.device;
    if (!isWhose(whose, name)) return new Response(null, { status: 404 });
    const key = `${name}\0${id}`;
    const held = this.#uploads.get(key);
    // No name of a telephone begins so.
    const path = ["\0uploads", id];
    if (request.method === "MKCOL" && piece === undefined) {
      if (held !== undefined) return new Response(null, { status: 405 });
      const own = [...this.#uploads].filter(([key]) =>
        key.startsWith(`${name}\0`)
      ).toSorted(([, one], [, other]) => one.at - other.at);
      for (const [key, { path }] of own.slice(0, -MOST_UPLOADS + 1)) {
        this.#uploads.delete(key);
        await taking.forget(asking, path);
      }
      this.#uploads.set(key, {
        ...{ path, ends: new Map<string, number>(), last: 0 },
        at: this.now(),
      });
      return new Response(null, { status: 201 });
    }
    if (held === undefined) return new Response(null, { status: 404 });
    const came = taking.brokenSize(asking, path);
    // A restart forgot the key, and old pieces expire: the app starts over.
    if (held.ends.size > 0 && came === undefined) {
      this.#uploads.delete(key);
      return new Response(null, { status: 404 });
    }
    held.at = this.now();
    switch (request.method) {
      case "PUT":
        return piece === undefined
          ? new Response(null, { status: 405 })
          : await putPiece(request, asking, taking, held, piece);
      case "MOVE": {
        const to = request.headers.get("destination");
        if (piece !== ".file" || to === null) {
          return new Response(null, { status: 400 });
        }
        const answer = await finish(path, to);
        if (answer.ok) this.#uploads.delete(key);
        return answer;
      }
      case "DELETE":
        await taking.forget(asking, path);
        this.#uploads.delete(key);
        return new Response(null, { status: 204 });
      default:
        return new Response(null, { status: 405 });
    }
  }
}

async function putPiece(
  request: Request,
  asking: Asking,
  taking: Taking,
  pieces: Pieces,
  name: string,
): Promise<Response> {
  // Its answer was lost, and the app sends it again.
  if (pieces.ends.has(name)) {
    await request.body?.cancel();
    return new Response(null, { status: 201 });
  }
  const number = /^\d{1,16}$/.test(name) ? Number(name) : NaN;
  // Sealing goes from the beginning to the end. Phones count from 1, the
  // program for computers from 0.
  const isFirst = pieces.ends.size === 0 && number === 0;
  if (!isFirst && number !== pieces.last + 1) {
    return new Response("pieces come in their order\n", { status: 409 });
  }
  const { path } = pieces;
  const begins = [...pieces.ends.values()].at(-1) ?? 0;
  const came = taking.brokenSize(asking, path) ?? 0;
  let node: FolderNode;
  try {
    node = await taking.take(asking, {
      path,
      // What had come of it before it broke is not taken twice.
      body: request.body === null
        ? null
        : skipping(request.body, came - begins),
      length: undefined,
      from: came,
      isPart: true,
    });
  } catch (error) {
    return refusedBy(error, { asking, taking }, path);
  }
  pieces.ends.set(name, node.size ?? 0);
  pieces.last = number;
  return new Response(null, { status: 201 });
}

function skipping(
  body: ReadableStream<Uint8Array>,
  count: number,
): ReadableStream<Uint8Array> {
  if (count <= 0) return body;
  let left = count;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const skipped = Math.min(left, piece.length);
        left -= skipped;
        if (skipped < piece.length) controller.enqueue(piece.subarray(skipped));
      },
    }),
  );
}
