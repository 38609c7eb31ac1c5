/**
 * The real program as a process, over a real socket.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
import { PASSWORD } from "../support/people.ts";
import { startTask, withDataDir } from "../support/program.ts";

const HEADERS = {
  "X-Service-Protocol": "2026-11-01",
  "Content-Type": "application/json",
};

Deno.test("the program serves, says where, and keeps what it was given", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startTask({ STRONGROOM_DATA_DIR: dataDir });
    assert.match(first.line, /^strongroom is serving http:\/\/127\.0\.0\.1:/);
    const registered = await fetch(`${first.url}/v1/auth/register`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify({ address: "ada@example.org", password: PASSWORD }),
    });
    assert.equal(registered.status, 200);
    const { access_token } = await registered.json();
    assert.equal(await first.stop(), 0);

    const second = await startTask({
      STRONGROOM_DATA_DIR: dataDir,
      // The token names its server by its origin.
      STRONGROOM_BASE_URL: first.url,
    });
    const profile = await fetch(`${second.url}/v1/auth/profile`, {
      headers: { ...HEADERS, Authorization: `Bearer ${access_token}` },
    });
    assert.equal(profile.status, 200);
    assert.equal((await profile.json()).address, "ada@example.org");
    assert.equal(await second.stop(), 0);
  });
});

Deno.test("a second server on one data directory is refused by its lock", async () => {
  await withDataDir(async (dataDir) => {
    const first = await startTask({ STRONGROOM_DATA_DIR: dataDir });
    const second = await startTask({ STRONGROOM_DATA_DIR: dataDir });
    assert.equal(await second.exited, 1);
    assert.match(await second.complaint(), /in use by another server/);
    await first.stop();
  });
});

Deno.test("every fault of the configuration is named at once", async () => {
  const program = await startTask({
    STRONGROOM_DATA_DIR: "/nonexistent",
    STRONGROOM_LISTEN: "nowhere",
    STRONGROOM_MAX_BODY_BYTES: "many",
    STRONGROOM_COLOUR: "blue",
  });
  assert.equal(await program.exited, 1);
  const complaint = await program.complaint();
  assert.match(complaint, /STRONGROOM_LISTEN: wants host:port/);
  assert.match(complaint, /STRONGROOM_MAX_BODY_BYTES: wants a whole number/);
  assert.match(complaint, /STRONGROOM_COLOUR: there is no such setting/);
});

Deno.test("an environment file next to the data directory is read", async () => {
  await withDataDir(async (dataDir) => {
    await Deno.writeTextFile(
      `${dataDir}/strongroom.env`,
      `# a comment\nSTRONGROOM_DATA_DIR=${dataDir}/data\n` +
        'STRONGROOM_MIN_CLIENT_BUILD="42"\n',
    );
    const program = await startTask({
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
    });
    const version = await fetch(`${program.url}/v1/version`);
    assert.equal(version.headers.get("x-service-min-client-build"), "42");
    await version.body?.cancel();
    await program.stop();
  });
});

Deno.test("keys lie outside the database in files of mode 0600", async () => {
  await withDataDir(async (dataDir) => {
    const program = await startTask({ STRONGROOM_DATA_DIR: dataDir });
    await program.stop();
    for (const name of ["access", "attestation"]) {
      const { mode } = await Deno.stat(`${dataDir}/keys/${name}.json`);
      assert.equal((mode ?? 0) & 0o777, 0o600);
    }
  });
});

Deno.test("an oversize body is refused before it is read", async () => {
  await withDataDir(async (dataDir) => {
    const program = await startTask({ STRONGROOM_DATA_DIR: dataDir });
    const { hostname, port } = new URL(program.url);
    const socket = await Deno.connect({ hostname, port: Number(port) });
    // The body is announced and never sent: the answer cannot wait for it.
    await socket.write(new TextEncoder().encode(
      "POST /v1/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
        "X-Service-Protocol: 2026-11-01\r\n" +
        "Content-Type: application/json\r\nContent-Length: 9999999\r\n\r\n",
    ));
    const buffer = new Uint8Array(4_096);
    const length = await socket.read(buffer);
    socket.close();
    const answer = new TextDecoder().decode(buffer.subarray(0, length ?? 0));
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.doesNotMatch(answer, /^content-type:/im);
    await program.stop();
  });
});

Deno.test("a place that is taken is refused by its name", async () => {
  await withDataDir(async (dataDir) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const listen = `127.0.0.1:${taken.addr.port}`;
    const program = await startTask({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: listen,
    });
    assert.equal(await program.exited, 1);
    const complaint = await program.complaint();
    assert.match(complaint, new RegExp(`STRONGROOM_LISTEN: .*${listen}`));
  });
});

Deno.test("the server listens on a unix socket and on IPv6 at once", async () => {
  await withDataDir(async (dataDir) => {
    const port = freePort();
    const path = `${dataDir}/strongroom.sock`;
    const program = await startTask({
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_LISTEN: `[::1]:${port},unix:${path}`,
    });
    assert.equal(program.url, `http://[::1]:${port}`);
    using socket = await Deno.connect({ transport: "unix", path });
    await socket.write(new TextEncoder().encode(
      "GET /v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ));
    const answer = await new Response(socket.readable).text();
    assert.match(answer, /^HTTP\/1\.1 200 OK/);
    const version = await fetch(`${program.url}/v1/version`);
    assert.equal((await version.json()).name, "strongroom");
    await program.stop();
  });
});

Deno.test("budgets are a client's own behind a trusted proxy, and forging changes nothing elsewhere", async () => {
  const view = async (url: string, client: string) => {
    const response = await fetch(`${url}/s/${"0".repeat(32)}`, {
      headers: { "X-Forwarded-For": client },
    });
    await response.body?.cancel();
    return response.status;
  };
  for (const [trusted, second] of [["127.0.0.1", 404], ["", 429]] as const) {
    await withDataDir(async (dataDir) => {
      const program = await startTask({
        STRONGROOM_DATA_DIR: dataDir,
        STRONGROOM_LIMIT_SHARE_METADATA: "1",
        STRONGROOM_TRUSTED_PROXIES: trusted,
      });
      assert.equal(await view(program.url, "198.51.100.1"), 404);
      assert.equal(await view(program.url, "198.51.100.1"), 429);
      assert.equal(await view(program.url, "198.51.100.2"), second);
      await program.stop();
    });
  }
});
