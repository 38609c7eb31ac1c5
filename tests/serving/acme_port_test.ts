/**
 * Port 80 of a server with its own TLS (`STRONGROOM_ACME`,
 * tls/certificate.md#a-certificate-by-itself): what strangers can ask there,
 * and connections without end.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import {
  type KillableProgram,
  serveHere,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { until } from "../support/until.ts";

/** What the server may have open; fewer than the connections that are made. */
const DESCRIPTORS = 120;
const CONNECTIONS = 200;

interface World {
  readonly server: KillableProgram;
  readonly port: number;
  readonly httpsPort: number;
  readonly authority: Authority;
}

/** A server with a certificate that is not due, so that no authority is asked. */
async function withAcme(test: (world: World) => Promise<void>): Promise<void> {
  await withDataDir(async (directory) => {
    const httpsPort = freePort();
    const port = freePort();
    const settings = {
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_BASE_URL: `https://localhost:${httpsPort}`,
      STRONGROOM_LISTEN: `127.0.0.1:${httpsPort}`,
      STRONGROOM_LOG_FORMAT: "json",
    };
    await (await serveHere(settings)).stop();
    const authority = await makeAuthority(directory);
    const files = { cert: `${directory}/a.pem`, key: `${directory}/a.key` };
    await authority.issue("own", files);
    const kept = `${settings.STRONGROOM_DATA_DIR}/keys/acme`;
    await Deno.mkdir(kept, { mode: 0o700 });
    await Deno.writeTextFile(
      `${kept}/certificate.pem`,
      await Deno.readTextFile(files.cert) + await Deno.readTextFile(files.key),
      { mode: 0o600 },
    );
    const server = await startKillable({
      ...settings,
      STRONGROOM_ACME: "https://localhost:1/directory",
      STRONGROOM_ACME_EMAIL: "ada@example.org",
      STRONGROOM_ACME_CHALLENGE: `http-01:${port}`,
    });
    try {
      await test({ server, port, httpsPort, authority });
    } finally {
      assert.equal(await server.stop(), 0, await server.complaint());
    }
  });
}

/** The head of the answer to a request for what a stranger wrote. */
async function headOf(port: number, method: string, target: string) {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(
    `${method} ${target} HTTP/1.1\r\nHost: photos.example\r\n` +
      "Connection: close\r\n\r\n",
  ));
  const text = await new Response(connection.readable).text();
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    location: /^location: (.*?)\r$/im.exec(text)?.[1],
  };
}

Deno.test("port 80 redirects to the server's own origin alone, whatever the request's target is", async () => {
  await withAcme(async ({ server, port, httpsPort }) => {
    for (
      const target of [
        "/album?a=b",
        "//evil.example/login",
        "/\\evil.example/x",
        "/%2f/evil.example",
        "//evil.example:8443/%2f..",
        "///evil.example",
        "///x",
        "////",
        "//user@evil.example/",
        "//[::1/",
        "http://evil.example/x",
        "http://evil.example//other.example/x",
        "/.//evil.example",
        "/..//evil.example",
        "/\t/evil.example",
      ]
    ) {
      const { status, location } = await headOf(port, "GET", target);
      if (status !== 400) {
        assert.equal(status, 308, target);
        assert.equal(
          new URL(location ?? "").origin,
          `https://localhost:${httpsPort}`,
          target,
        );
      }
    }
    assert.equal(
      (await headOf(port, "GET", "/album?a=b")).location,
      `https://localhost:${httpsPort}/album?a=b`,
    );
    assert.equal((await headOf(port, "POST", "//evil.example/")).status, 403);
    await server.stop();
    assert.doesNotMatch(await server.log(), /"level":"ERROR"/);
  });
});

/** Lets a process open so many descriptors, from now on. */
async function limitDescriptors(pid: number, count: number): Promise<void> {
  const { success } = await new Deno.Command("prlimit", {
    args: [`--pid=${pid}`, `--nofile=${count}:${DESCRIPTORS}`],
  }).output();
  assert(success);
}

/** Connections on which nothing is asked; those that were refused are not in. */
async function connectIdly(port: number): Promise<Deno.Conn[]> {
  const made: Deno.Conn[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    try {
      made.push(await Deno.connect({ hostname: "127.0.0.1", port }));
    } catch {
      // The port was let go of just then, and is taken again.
    }
  }
  return made;
}

/** Asks until port 80 is there and redirects: it is let go of, and taken again. */
async function untilItRedirects({ port }: World): Promise<void> {
  await until(async () => {
    try {
      return (await headOf(port, "GET", "/")).status;
    } catch {
      return undefined;
    }
  }, 308);
}

/** Asks until the server answers over https. */
async function untilItAnswers({ httpsPort, authority }: World): Promise<void> {
  using client = Deno.createHttpClient({ caCerts: [authority.pem] });
  await until(async () => {
    try {
      const answer = await fetch(`https://localhost:${httpsPort}/healthz`, {
        client,
        signal: AbortSignal.timeout(5_000),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }, true);
}

Deno.test("connections without end on port 80 neither end the server nor keep it from answering", async () => {
  await withAcme(async (world) => {
    await limitDescriptors(world.server.pid, DESCRIPTORS);
    const idle = await connectIdly(world.port);
    try {
      await untilItAnswers(world);
      await untilItRedirects(world);
    } finally {
      for (const connection of idle) connection.close();
    }
    assert.match(await stopped(world), /no connection could be taken/);
  });
});

Deno.test("a connection to port 80 while https has taken every descriptor does not end the server", async () => {
  await withAcme(async (world) => {
    await limitDescriptors(world.server.pid, DESCRIPTORS);
    const idle = await connectIdly(world.httpsPort);
    idle.push(await Deno.connect({ hostname: "127.0.0.1", port: world.port }));
    try {
      await world.server.said("no connection could be taken");
    } finally {
      for (const connection of idle) connection.close();
    }
    await untilItAnswers(world);
    await untilItRedirects(world);
  });
});

Deno.test("a certificate that cannot be read for want of a descriptor is not said to be refused", async () => {
  await withAcme(async (world) => {
    // No descriptor is left for the certificate's file.
    await limitDescriptors(world.server.pid, 1);
    Deno.kill(world.server.pid, "SIGHUP");
    await world.server.said('"reloading"');
    await limitDescriptors(world.server.pid, DESCRIPTORS);
    await untilItAnswers(world);
    assert.doesNotMatch(await stopped(world), /certificate refused/);
  });
});

/** The log of the server, which is stopped for it. */
async function stopped({ server }: World): Promise<string> {
  await server.stop();
  return await server.log();
}
