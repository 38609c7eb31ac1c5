/**
 * The service worker of the web app: over https the app opens without a
 * network. It asks the network first for the page, so that it never pins an old
 * build, and takes what names its build out of its cache.
 *
 * @module
 */

/** What a service worker is told; the types of pages do not have it. */
interface LastingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
declare const self: {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate",
    listener: (event: LastingEvent) => void,
  ): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
};

const BUILD = "%BUILD%";

/** The cache of this build; those of others go when this one takes over. */
const CACHE = `strongroom-${BUILD}`;
const FILES = `/app/${BUILD}/`;

self.addEventListener("install", (event) => {
  const kept = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(
      ["main.js", "app.css", "vault.js"].map((one) => `${FILES}${one}`),
    );
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
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname === "/" && request.mode === "navigate") {
    event.respondWith(fromNetwork(request));
  } else if (url.pathname.startsWith(FILES)) {
    event.respondWith(fromCache(request));
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
