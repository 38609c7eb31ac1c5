/**
 * `strongroom healthcheck`: what a container without a shell probes with.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
import { type IssuedFiles, makeAuthority } from "../support/pki.ts";
import {
  runProgram,
  serveHere,
  startProgram,
  withDataDir,
} from "../support/program.ts";

Deno.test("a server that answers is well, on TCP and on its unix socket", async () => {
  await withDataDir(async (dataDir) => {
    const server = await startProgram({
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:${freePort()},unix:${dataDir}/socket`,
    });
    const { host } = new URL(server.url);
    for (const listen of [host, `unix:${dataDir}/socket`]) {
      const well = await runProgram(["healthcheck"], {
        STRONGROOM_LISTEN: listen,
      });
      assert.equal(well.stdout, `${listen} is well\n`, well.stderr);
      assert.equal(well.status, 0);
    }
    const everywhere = await runProgram(["healthcheck", "--json"], {
      STRONGROOM_LISTEN: host.replace("127.0.0.1", "0.0.0.0"),
    });
    assert.equal(JSON.parse(everywhere.stdout).status, "ok");
    assert.equal(await server.stop(), 0);

    const gone = await runProgram(["healthcheck"], {
      STRONGROOM_LISTEN: host,
    });
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /^strongroom: [^\n]+ does not answer [^\n]+\n$/);
  });
});

Deno.test("what is wrong with the certificate of an own authority is said, with how to trust it and with dates", async () => {
  await withDataDir(async (room) => {
    const { ca, issue } = await makeAuthority(room);
    const probe = async (
      { cert, key }: IssuedFiles,
      trusted: Record<string, string> = {},
    ) => {
      const server = await serveHere({
        STRONGROOM_DATA_DIR: `${room}/data`,
        STRONGROOM_BASE_URL: "https://localhost:1",
        STRONGROOM_TLS_CERT: cert,
        STRONGROOM_TLS_KEY: key,
      });
      const port = /:(\d+)(?: |$)/.exec(server.line)?.[1];
      const ended = await runProgram(["healthcheck"], {
        STRONGROOM_LISTEN: `127.0.0.1:${port}`,
        STRONGROOM_BASE_URL: "https://localhost:1",
        STRONGROOM_TLS_CERT: cert,
        STRONGROOM_TLS_KEY: key,
        ...trusted,
      });
      assert.equal(await server.stop(), 0);
      return ended;
    };
    const sound = await issue("DNS:localhost", 30);
    const unknown = await probe(sound);
    assert.equal(unknown.status, 1);
    assert.match(
      unknown.stderr,
      /answers, but the certificate is from an authority that is not trusted here: append .*STRONGROOM_TLS_CERT.* DENO_CERT=FILE\n$/,
    );
    assert.equal((await probe(sound, { DENO_CERT: ca })).status, 0);
    const late = await probe(await issue("DNS:localhost", -1), {
      DENO_CERT: ca,
    });
    assert.match(
      late.stderr,
      /has expired \(it was valid until 2\d{3}-\d\d-\d\dT[\d:.]+Z\): renew it/,
    );
    // As the page says: the authority behind the server's own.
    await Deno.writeTextFile(sound.cert, await Deno.readTextFile(ca), {
      append: true,
    });
    const well = await probe(sound);
    assert.equal(well.status, 0, well.stderr);
  });
});

Deno.test("whatever answers with anything but 200 is not well", async () => {
  const answers: readonly [string, RegExp][] = [
    ["HTTP/1.1 503 Service Unavailable\r\n\r\n", /with 503/],
    ["SSH-2.0-OpenSSH_9.2\r\n", /with no HTTP/],
    ["", /with no HTTP/],
  ];
  for (const [reply, why] of answers) {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const served = (async () => {
      using connection = await listener.accept();
      await connection.read(new Uint8Array(1_024));
      await connection.write(new TextEncoder().encode(reply));
    })();
    const { status, stderr } = await runProgram(["healthcheck"], {
      STRONGROOM_LISTEN: `127.0.0.1:${listener.addr.port}`,
    });
    await served;
    assert.equal(status, 1);
    assert.match(stderr, why);
  }
});

Deno.test("a server that accepts and says nothing is given up on", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const { status, stderr } = await runProgram(["healthcheck"], {
    STRONGROOM_LISTEN: `127.0.0.1:${listener.addr.port}`,
  });
  (await accepted).close();
  assert.equal(status, 1);
  assert.match(stderr, /no answer in 5 s/);
});

Deno.test("the metrics' listener is asked first, and port 0 is no place", async () => {
  const port = freePort();
  const metrics = await runProgram(["healthcheck"], {
    STRONGROOM_LISTEN: "127.0.0.1:0",
    STRONGROOM_METRICS_LISTEN: `127.0.0.1:${port}`,
  });
  assert.match(metrics.stderr, new RegExp(`127.0.0.1:${port} does not`));
  const any = await runProgram(["healthcheck"], {
    STRONGROOM_LISTEN: "127.0.0.1:0",
  });
  assert.equal(any.status, 1);
  assert.match(any.stderr, /port 0/);
});
