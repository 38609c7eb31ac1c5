/**
 * The peer that does nothing but move bytes: a bare `Deno.serve` over a folder.
 * `PUT /name` streams the body to a file, neither hashed nor synced;
 * `PUT /hashed/name` hashes and syncs it; `GET /name` streams the file; `GET /json/n` answers JSON of n bytes. Whoever
 * sends an answer to `POST /like`, its headers and its text, gets the same one
 * from `GET /like`. Arguments: port, folder.
 *
 * @module
 */
import { createHash } from "node:crypto";

const [port = "", folder = ""] = Deno.args;

let answer = new Uint8Array();
/** What `GET /like` answers with. */
let like: {
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer>;
} = { headers: {}, body: "" };

/** What every operation of ours reads of a request. */
const READ = [
  "x-service-protocol",
  "x-service-crypto-suite",
  "x-service-sidecar-schema",
  "authorization",
  "content-length",
  "origin",
];

/** JSON of so many bytes, made once. */
function json(length: number): Response {
  if (answer.length !== length) {
    const text = JSON.stringify({ x: "" });
    answer = new TextEncoder().encode(
      JSON.stringify({ x: "x".repeat(length - text.length) }),
    );
  }
  return new Response(answer, {
    headers: { "Content-Type": "application/json" },
  });
}

/** The least that a server does that knows what it stored, and stored it. */
async function putHashed(
  path: string,
  body: ReadableStream<Uint8Array>,
): Promise<Response> {
  using file = await Deno.open(path, {
    write: true,
    create: true,
    truncate: true,
  });
  const hash = createHash("sha256");
  for await (const piece of body) {
    hash.update(piece);
    for (let at = 0; at < piece.length;) {
      at += file.writeSync(piece.subarray(at));
    }
  }
  await file.sync();
  return new Response(hash.digest("hex"), { status: 201 });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  onListen: () => Deno.stdout.writeSync(new TextEncoder().encode("ready\n")),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/json/")) return json(Number(pathname.slice(6)));
  if (pathname === "/like") {
    if (request.method === "POST") {
      const { headers, text, bytes } = await request.json();
      const body = text ?? new Uint8Array(bytes);
      like = { headers: Object.fromEntries(headers), body };
      return new Response();
    }
    for (const name of READ) request.headers.get(name);
    return new Response(like.body, { headers: like.headers });
  }
  if (pathname.startsWith("/hashed/") && request.body !== null) {
    return await putHashed(`${folder}${pathname.slice(7)}`, request.body);
  }
  const path = `${folder}${pathname}`;
  if (request.method === "PUT" && request.body !== null) {
    const file = await Deno.open(path, {
      write: true,
      create: true,
      truncate: true,
    });
    await request.body.pipeTo(file.writable);
    return new Response("", { status: 201 });
  }
  const file = await Deno.open(path);
  const { size } = await file.stat();
  return new Response(file.readable, {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(size),
    },
  });
});
