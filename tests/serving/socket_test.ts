/**
 * Listening on a unix socket (tls/addresses.md#a-unix-socket), and places that
 * cannot be listened on.
 *
 * @module
 */
import assert from "node:assert/strict";
import { serveHere, startKillable, withDataDir } from "../support/program.ts";

async function ask(path: string): Promise<string> {
  using socket = await Deno.connect({ transport: "unix", path });
  await socket.write(new TextEncoder().encode(
    "GET /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ));
  return await new Response(socket.readable).text();
}

function onSocket(directory: string, name: string) {
  return {
    STRONGROOM_DATA_DIR: `${directory}/${name}`,
    STRONGROOM_LISTEN: `unix:${directory}/strongroom.sock`,
  };
}

Deno.test("a socket is for the server's user and group, and is gone after the server", async () => {
  await withDataDir(async (directory) => {
    const program = await serveHere(onSocket(directory, "data"));
    const path = `${directory}/strongroom.sock`;
    assert.match(await ask(path), /^HTTP\/1\.1 200 OK/);
    const { mode, isSocket } = await Deno.lstat(path);
    assert(isSocket);
    assert.equal((mode ?? 0) & 0o777, 0o660);
    assert.equal(await program.stop(), 0);
    await assert.rejects(Deno.lstat(path), Deno.errors.NotFound);
  });
});

Deno.test("the socket that a killed server left is replaced", async () => {
  await withDataDir(async (directory) => {
    const path = `${directory}/strongroom.sock`;
    const killed = await startKillable(onSocket(directory, "data"));
    await killed.kill();
    assert((await Deno.lstat(path)).isSocket);
    const program = await serveHere(onSocket(directory, "data"));
    assert.match(await ask(path), /^HTTP\/1\.1 200 OK/);
    assert.equal(await program.stop(), 0);
  });
});

Deno.test("the socket of a server that lives is refused, and stays its own", async () => {
  await withDataDir(async (directory) => {
    const path = `${directory}/strongroom.sock`;
    const first = await serveHere(onSocket(directory, "data"));
    const second = await serveHere(onSocket(directory, "elsewhere"));
    assert.equal(await second.exited, 1);
    const complaint = await second.complaint();
    assert.match(complaint, /^strongroom: STRONGROOM_LISTEN: [^\n]+\n$/);
    assert.match(complaint, /another server answers there/);
    assert.match(await ask(path), /^HTTP\/1\.1 200 OK/);
    assert.equal(await first.stop(), 0);
  });
});

Deno.test("a file that is no socket is refused and left alone", async () => {
  await withDataDir(async (directory) => {
    const path = `${directory}/strongroom.sock`;
    await Deno.writeTextFile(path, "precious");
    const program = await serveHere(onSocket(directory, "data"));
    assert.equal(await program.exited, 1);
    assert.match(await program.complaint(), /no socket lies there/);
    assert.equal(await Deno.readTextFile(path), "precious");
  });
});

Deno.test("of two places of which one is taken none is served, and no socket is left", async () => {
  await withDataDir(async (directory) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const path = `${directory}/strongroom.sock`;
    const program = await serveHere({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_LISTEN: `unix:${path},127.0.0.1:${taken.addr.port}`,
    });
    assert.equal(await program.exited, 1);
    assert.match(await program.complaint(), /STRONGROOM_LISTEN: cannot listen/);
    await assert.rejects(Deno.lstat(path), Deno.errors.NotFound);
  });
});

Deno.test("a start that fails because of its port or its settings leaves no data directory behind", async () => {
  await withDataDir(async (room) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const listen = `127.0.0.1:${taken.addr.port}`;
    const free = "127.0.0.1:0";
    const settings: readonly Record<string, string>[] = [
      { STRONGROOM_LISTEN: listen },
      { STRONGROOM_LISTEN: free, STRONGROOM_METRICS_LISTEN: listen },
      { STRONGROOM_LISTEN: "0.0.0.0:0" },
      { STRONGROOM_LISTEN: free, STRONGROOM_TRASH_DAYS: "soon" },
      {
        STRONGROOM_LISTEN: free,
        STRONGROOM_TLS_CERT: `${room}/none`,
        STRONGROOM_TLS_KEY: `${room}/none`,
      },
    ];
    for (const one of settings) {
      const program = await serveHere({
        STRONGROOM_DATA_DIR: `${room}/data`,
        ...one,
      });
      assert.equal(await program.exited, 1, JSON.stringify(one));
      assert.notEqual(await program.complaint(), "");
      await assert.rejects(Deno.stat(`${room}/data`), Deno.errors.NotFound);
    }
  });
});

Deno.test("forwarding headers change nothing but the address, and of a stranger are named once in the log", async () => {
  const forwarded = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    Forwarded: "for=203.0.113.9;proto=https;host=evil.example",
  };
  for (const trusted of ["", "127.0.0.1"]) {
    await withDataDir(async (directory) => {
      const program = await serveHere({
        STRONGROOM_DATA_DIR: directory,
        STRONGROOM_TRUSTED_PROXIES: trusted,
        STRONGROOM_LOG_FORMAT: "json",
      });
      const read = async (path: string, headers: HeadersInit) => {
        const answer = await fetch(`${program.url}${path}`, { headers });
        const kept = [...answer.headers].filter(([name]) => name !== "date");
        return [answer.status, kept, await answer.text()];
      };
      for (
        const path of [
          "/v1/version",
          "/.well-known/service/server-info",
          "/.well-known/service/attestation-keys",
          "/healthz",
          "/nowhere",
        ]
      ) {
        const plain = await read(path, {});
        assert.deepEqual(await read(path, forwarded), plain);
        assert.deepEqual(await read(path, forwarded), plain);
      }
      await program.stop();
      const log = await program.complaint();
      const told = log.split("\n").filter((line) =>
        line.includes("STRONGROOM_TRUSTED_PROXIES")
      );
      assert.equal(told.length, trusted === "" ? 1 : 0, log);
      assert(!log.includes("203.0.113.9") && !log.includes("evil.example"));
    });
  }
});
