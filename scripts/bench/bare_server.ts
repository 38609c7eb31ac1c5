/**
 * The peer that does nothing but move bytes: a bare `Deno.serve` over a folder.
 * `PUT /name` streams the body to a file, neither hashed nor synced;
 * `GET /name` streams the file; `GET /json/n` answers JSON of n bytes, and
 * `GET /contract/n` the same under the headers that the contract asks for.
 * Arguments: port, folder.
 *
 * @module
 */
const [port = "", folder = ""] = Deno.args;

let answer = new Uint8Array();

/** What every operation of ours reads of a request and sends with an answer. */
const READ = [
  "x-service-protocol",
  "x-service-crypto-suite",
  "x-service-sidecar-schema",
  "authorization",
  "content-length",
  "origin",
];
const SENT = {
  "Cache-Control": "no-store",
  "X-Service-Min-Client-Build": "0",
  "X-Service-Protocol-Min": "2026-06-01",
  "X-Service-Protocol-Max": "2026-11-01",
};

/** JSON of so many bytes, made once. */
function json(
  length: number,
  more: Readonly<Record<string, string>> = {},
): Response {
  if (answer.length !== length) {
    const text = JSON.stringify({ x: "" });
    answer = new TextEncoder().encode(
      JSON.stringify({ x: "x".repeat(length - text.length) }),
    );
  }
  return new Response(answer, {
    headers: { "Content-Type": "application/json", ...more },
  });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  onListen: () => Deno.stdout.writeSync(new TextEncoder().encode("ready\n")),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/json/")) return json(Number(pathname.slice(6)));
  if (pathname.startsWith("/contract/")) {
    for (const name of READ) request.headers.get(name);
    return json(Number(pathname.slice(10)), {
      ...SENT,
      "Content-Length": pathname.slice(10),
    });
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
