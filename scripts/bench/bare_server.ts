/**
 * The peer that does nothing but move bytes: a bare `Deno.serve` over a folder.
 * `PUT /name` streams the body to a file, neither hashed nor synced;
 * `GET /name` streams the file. Arguments: port, folder.
 *
 * @module
 */
const [port = "", folder = ""] = Deno.args;

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  onListen: () => Deno.stdout.writeSync(new TextEncoder().encode("ready\n")),
}, async (request) => {
  const path = `${folder}${new URL(request.url).pathname}`;
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
