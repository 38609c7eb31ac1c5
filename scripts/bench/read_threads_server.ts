/**
 * The server of `read_threads.ts`. Arguments: database, number of threads. The
 * main thread is one of them; the others are workers that import this module
 * and are told the database and the port.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** Sessions and blobs of the database. */
export const ROWS = 2_000;

/** The parts of a worker's scope that are used. */
declare const self: {
  readonly name?: string;
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage: (port: number) => void;
};

interface Order {
  readonly path: string;
  readonly port: number;
}

/** The name of the threads that are not the main one. */
const WORKER = "reader";

/** Headers like those of a blob down a share link. */
const HEADERS = {
  "Content-Type": "application/octet-stream",
  "Content-Length": String(4 * 1024),
  "Cache-Control": "private, no-cache",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Content-Range, ETag, X-Service-Protocol",
  "Accept-Ranges": "bytes",
  "X-Service-Protocol": "1",
};

/** What the pipeline reads of each request. */
const READ = [
  "x-service-protocol",
  "x-service-crypto-suite",
  "x-service-sidecar-schema",
  "authorization",
  "content-length",
  "origin",
  "range",
  "if-none-match",
];

/** Answers on the port in this thread; resolves to the port once it listens. */
function listen({ path, port }: Order): Promise<number> {
  const db = new DatabaseSync(path);
  db.exec("pragma query_only = on");
  const version = db.prepare("pragma data_version");
  const session = db.prepare("select account from session where token = ?");
  const blob = db.prepare("select bytes from blob where hash = ?");
  return new Promise((resolve) => {
    Deno.serve({
      hostname: "127.0.0.1",
      port,
      reusePort: true,
      onListen: (at) => resolve(at.port),
    }, (request) => {
      const { pathname } = new URL(request.url);
      for (const name of READ) request.headers.get(name);
      const at = pathname.slice("/blob/".length);
      version.get();
      const known = session.get(`token-${at}`);
      const row = blob.get(`hash-${at}`);
      if (known === undefined || !(row?.bytes instanceof Uint8Array)) {
        return new Response(null, { status: 404 });
      }
      return new Response(new Uint8Array(row.bytes), {
        headers: { ...HEADERS, ETag: `"${at}"` },
      });
    });
  });
}

// A worker's first module is main, too.
if (self.name === WORKER) {
  self.onmessage = async ({ data }) => self.postMessage(await listen(data));
} else if (import.meta.main) {
  const [path = "", threads = "1"] = Deno.args;
  const port = await listen({ path, port: 0 });
  for (let at = 1; at < Number(threads); at++) {
    const worker = new Worker(import.meta.url, {
      type: "module",
      name: WORKER,
    });
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
      worker.postMessage({ path, port });
    });
  }
  Deno.stdout.writeSync(
    new TextEncoder().encode(`http://127.0.0.1:${port}\n`),
  );
}
