/**
 * The proxy that counts downloads for `deno task bench first`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { countDownloads } from "../../scripts/bench/downloads.ts";

const SIZE = 3_000_000;

Deno.test("the proxy counts what comes through it, tunnelled and plain", async () => {
  const downloads = await countDownloads();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      await request.arrayBuffer();
      return new Response(new Uint8Array(SIZE));
    },
  );
  const { port } = server.addr;
  try {
    // Deno asks a proxy for plain HTTP with the whole address.
    const client = Deno.createHttpClient({ proxy: { url: downloads.url } });
    const plain = await fetch(`http://127.0.0.1:${port}/a`, { client });
    assert.equal((await plain.arrayBuffer()).byteLength, SIZE);
    client.close();
    const first = downloads.bytes();
    assert(first > SIZE && first < SIZE + 10_000, `${first}`);

    const tunnel = await Deno.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(downloads.url).port),
    });
    const to = `127.0.0.1:${port}`;
    await tunnel.write(new TextEncoder().encode(
      `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n` +
        `GET /b HTTP/1.1\r\nHost: ${to}\r\nConnection: close\r\n\r\n`,
    ));
    let got = 0;
    for await (const piece of tunnel.readable) got += piece.length;
    assert(got > SIZE, `${got}`);
    const second = downloads.bytes() - first;
    assert(second > SIZE && second < SIZE + 10_000, `${second}`);
  } finally {
    await server.shutdown();
    await downloads.close();
  }
});

Deno.test("the proxy hangs up on what is no request of a proxy", async () => {
  const downloads = await countDownloads();
  try {
    for (const said of ["GET / HTTP/1.1\r\n\r\n", "x".repeat(20_000)]) {
      const connection = await Deno.connect({
        hostname: "127.0.0.1",
        port: Number(new URL(downloads.url).port),
      });
      await connection.write(new TextEncoder().encode(said));
      const read = await connection.read(new Uint8Array(1))
        .catch((error) => {
          // What the proxy left unread resets the connection.
          if (error instanceof Deno.errors.ConnectionReset) return null;
          throw error;
        });
      assert.equal(read, null);
      connection.close();
    }
    assert.equal(downloads.bytes(), 0);
  } finally {
    await downloads.close();
  }
});
