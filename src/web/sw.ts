/**
 * The service worker of the web app. Over https it lets the app open without a
 * network, videos play before they are loaded completely, large files be saved
 * while they arrive, and other apps share photos with it. It first asks the
 * network for the page, so that an old build never stays; files whose address
 * names the build come from the cache.
 *
 * It knows no keys: it streams bytes that a page has decrypted in its vault.
 *
 * @module
 */
import { rangeAsked, streamResponse } from "./workers/media/streaming.ts";
import type { StreamHead } from "./workers/media/viewing_calls.ts";
import { type Received, receiveOver } from "./workers/media/ports.ts";
import { UNKNOWN_PASS, VOUCHED } from "./workers/vault/page_passes.ts";

/** Events of service workers, which the types of pages lack. */
interface LastingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends LastingEvent {
  readonly request: Request;
  readonly clientId: string;
  respondWith(response: Promise<Response>): void;
}
interface SyncEvent extends LastingEvent {
  readonly tag: string;
}
interface Client {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** Of a page. */
  focus?(): Promise<unknown>;
}
declare const self: {
  readonly location: Location;
  readonly clients: {
    claim(): Promise<void>;
    get(id: string): Promise<Client | undefined>;
    matchAll(
      of: { readonly type: "window"; readonly includeUncontrolled: true },
    ): Promise<readonly Client[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate",
    listener: (event: LastingEvent) => void,
  ): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "sync", listener: (event: SyncEvent) => void): void;
  addEventListener(
    type:
      | "backgroundfetchsuccess"
      | "backgroundfetchfail"
      | "backgroundfetchabort"
      | "backgroundfetchclick",
    listener: (event: LastingEvent) => void,
  ): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent) => void,
  ): void;
};

const BUILD = "%BUILD%";
/** The files of the app, without those that few people need. */
const KEPT = "%KEPT%";

/**
 * The cache of this build; other builds' caches are deleted when this one takes
 * over.
 */
const CACHE = `strongroom-${BUILD}`;
const FILES = `/app/${BUILD}/`;
/**
 * Files that are fetched at a time while it is installed: on a slow line all
 * hundreds of them would keep the first pictures waiting.
 */
const AT_ONCE = 4;
const STREAM = "/app/stream/";
const SAVING = "/app/saving/";
const SHARED = "/app/shared";

self.addEventListener("install", (event) => {
  const kept = async () => {
    const cache = await caches.open(CACHE);
    // An installation that was cut off goes on where it ended.
    const there = new Set(
      (await cache.keys()).map(({ url }) => new URL(url).pathname),
    );
    const left = KEPT.split(" ").map((one) => `${FILES}${one}`)
      .filter((file) => !there.has(file)).values();
    const keep = async () => {
      for (const file of left) {
        await cache.add(new Request(file, { priority: "low" }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, keep));
    await cache.add(new Request("/", { headers: { Accept: "text/html" } }));
    await self.skipWaiting();
  };
  event.waitUntil(kept());
});

self.addEventListener("activate", (event) => {
  const taken = async () => {
    const names = await caches.keys();
    const others = names.filter((name) =>
      name.startsWith("strongroom-") && name !== CACHE
    );
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(taken());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (url.pathname === SHARED && request.method === "POST") {
    event.respondWith(takeShared(request));
  } else if (request.method !== "GET") {
    return;
  } else if (url.pathname === "/" && request.mode === "navigate") {
    event.respondWith(fromNetwork(request));
  } else if (url.pathname === `${FILES}abroad.js`) {
    // Its policy is the server's present one.
    return;
  } else if (url.pathname.startsWith(FILES)) {
    event.respondWith(fromCache(request));
  } else if (url.pathname.startsWith(STREAM)) {
    event.respondWith(played(event, url.pathname.slice(STREAM.length)));
  } else if (url.pathname.startsWith(SAVING)) {
    event.respondWith(saved(url.pathname.slice(SAVING.length)));
  } else if (url.pathname === VOUCHED) {
    event.respondWith(vouched(url.search.slice(1)));
  }
});

async function fromNetwork(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match("/", {
      ignoreVary: true,
      ignoreSearch: true,
    });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fromCache(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) await cache.put(request, fetched.clone());
  return fetched;
}

const nothing = () => new Response(null, { status: 404 });

/**
 * Answers a page's player with a video. Only players get an answer, because an
 * uploaded file must never become a document or a script of this origin.
 */
async function played(event: FetchEvent, assetId: string): Promise<Response> {
  const { request, clientId } = event;
  if (!["video", "audio"].includes(request.destination)) return nothing();
  const page = await self.clients.get(clientId);
  if (page === undefined) return nothing();
  const { port1, port2 } = new MessageChannel();
  const range = rangeAsked(request.headers.get("Range"));
  page.postMessage({ stream: { assetId, ...range } }, [port2]);
  try {
    return streamResponse(
      await receiveOver<StreamHead>(port1),
      request.headers.has("Range"),
    );
  } catch {
    // The page has been told the reason.
    return new Response(null, { status: 502 });
  }
}

/** A file that a page wants to save. */
interface Wanted {
  readonly name: string;
  readonly port: MessagePort;
}

/**
 * Files that pages want to save, by the ids that they gave; each is asked for
 * once.
 */
const saving = new Map<string, Wanted>();
/** Downloads that began before their page's message was here, by their ids. */
const awaited = new Map<string, (wanted: Wanted) => void>();
/** Time within which the message of a download arrives (ms). */
const TOLD_MS = 15_000;
/** Files that other apps shared, only in memory until a page takes them. */
const shared: File[] = [];

/** Passes that pages of the app gave, until the vault asks about them. */
const passes = new Set<string>();
/** Passes that the vault asked about before they were given. */
const doubted = new Map<string, (isKnown: true) => void>();
/**
 * Time for which a pass is known, in which a slow network brings the vault
 * (ms).
 */
const KNOWN_MS = 30_000;
/** Time for which a pass is waited for (ms). */
const DOUBTED_MS = 2_000;

/** Takes a pass from a page of the app, and from no other document. */
function takePass(pass: string, source: MessageEvent["source"]): void {
  if (!isAppPage(source)) return;
  const wait = doubted.get(pass);
  if (wait !== undefined) return wait(true);
  passes.add(pass);
  setTimeout(() => passes.delete(pass), KNOWN_MS);
}

/**
 * Whether a message is from the app's page. The browser keeps the address that
 * a document was loaded from, whatever the document makes of it later.
 */
function isAppPage(source: MessageEvent["source"]): boolean {
  if (source === null || !("url" in source)) return false;
  const { origin, pathname } = new URL(String(source.url));
  return origin === self.location.origin && pathname === "/";
}

/** Tells the vault whether a page of the app gave a pass; only once. */
async function vouched(pass: string): Promise<Response> {
  const isKnown = passes.delete(pass) || await new Promise((resolve) => {
    doubted.set(pass, resolve);
    setTimeout(resolve, DOUBTED_MS);
  });
  doubted.delete(pass);
  return new Response(null, { status: isKnown === true ? 204 : UNKNOWN_PASS });
}

self.addEventListener("message", ({ data, source, ports: [port] }) => {
  if (data?.pass !== undefined) return takePass(data.pass, source);
  if (port === undefined) return;
  if (data === "shared") {
    if (!isAppPage(source)) return;
    port.postMessage(shared.splice(0));
  } else if (typeof data === "object" && data !== null && "saving" in data) {
    const wanted = { name: data.name, port };
    const begin = awaited.get(data.saving);
    if (begin === undefined) saving.set(data.saving, wanted);
    else begin(wanted);
  }
  // Any other message just keeps the worker alive.
});

/**
 * What the page told of a download. Messages and navigations reach the worker
 * on ways of their own, so that either may be first.
 */
async function wantedOf(id: string): Promise<Wanted | undefined> {
  const told = saving.get(id);
  saving.delete(id);
  if (told !== undefined) return told;
  const wanted = await new Promise<Wanted | undefined>((resolve) => {
    awaited.set(id, resolve);
    setTimeout(resolve, TOLD_MS);
  });
  awaited.delete(id);
  return wanted;
}

/** Streams a file into a download of the browser. */
async function saved(id: string): Promise<Response> {
  const wanted = await wantedOf(id);
  // The page navigated here; an answer without content leaves it where it is.
  if (wanted === undefined) return new Response(null, { status: 204 });
  let received: Received<unknown>;
  try {
    received = await receiveOver(wanted.port);
  } catch {
    return new Response(null, { status: 204 });
  }
  const name = encodeURIComponent(wanted.name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return new Response(received.stream, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Type": "application/octet-stream",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/**
 * Takes files that another app shares, and opens the app at the place to add
 * them.
 */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  // Files that no one took before are dropped.
  shared.splice(0);
  shared.push(...form.getAll("files").filter((one) => one instanceof File));
  return Response.redirect("/#/upload", 303);
}

/** The pages that are open. */
function pages(): Promise<readonly Client[]> {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/**
 * Tells the open pages about what goes on without them. Without a page nothing
 * is left to do here: what was sent is taken up by the next one, which has
 * keys.
 */
async function tellPages(background: string): Promise<void> {
  for (const page of await pages()) page.postMessage({ background });
}

for (
  const ended of [
    "backgroundfetchsuccess",
    "backgroundfetchfail",
    "backgroundfetchabort",
  ] as const
) {
  self.addEventListener(
    ended,
    (event) => event.waitUntil(tellPages("ended")),
  );
}

// There is a network again.
self.addEventListener(
  "sync",
  (event) => event.waitUntil(tellPages(event.tag)),
);

self.addEventListener("backgroundfetchclick", (event) => {
  const shown = async () => {
    const [page] = await pages();
    await (page?.focus?.() ?? self.clients.openWindow("/"));
  };
  event.waitUntil(shown());
});
