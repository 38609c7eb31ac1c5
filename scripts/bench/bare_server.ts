/**
 * The peer that does nothing but move bytes: a bare `Deno.serve` over a folder.
 * `PUT /name` streams the body to a file, neither hashed nor synced;
 * `GET /name` streams the file; `GET /json/n` answers JSON of n bytes. Whoever
 * sends an answer to `POST /like`, its headers and its text, gets the same one
 * from `GET /like`. Arguments: port, folder.
 *
 * @module
 */
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
