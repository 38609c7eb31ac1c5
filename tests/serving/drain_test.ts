/**
 * Draining (watching/health.md#stopping): SIGTERM and SIGINT take no new
 * connections, give running requests 20 seconds, keep what uploads sent, and
 * leave a checkpointed database.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { makeRequest, PROTOCOL, type Sender } from "../support/app.ts";
import {
  createUpload,
  type Person,
  registerWriter,
} from "../support/people.ts";
import {
  type KillableProgram,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { begin, type BegunRequest } from "../support/socket.ts";
import { finalize, offsetOf } from "../support/uploads.ts";
import { until } from "../support/until.ts";

/** What is said once twenty seconds were given to what runs. */
const GIVEN_UP = "requests that still run are ended";
/** Requests of one account that may wait for the feed. */
const WAITING_MAX = 8;
const SIZE = 3_000_000;
const BYTES = crypto.getRandomValues(new Uint8Array(64 * 1024));
const BLOB = Uint8Array.from(
  { length: SIZE },
  (_, at) => (BYTES[at % BYTES.length] ?? 0) ^ (at >> 16),
);

function senderOf(url: string): Sender {
  return {
    send: (method, path, options = {}) =>
      fetch(makeRequest(method, path, options, url)),
  };
}

/** A server and a person with an open session for {@link BLOB} there. */
async function withUpload(
  test: (given: {
    server: KillableProgram;
    ada: Person;
    uploadId: string;
    dataDir: string;
    restart: () => Promise<KillableProgram>;
  }) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const settings = {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_RESERVED_DISK_BYTES: "0",
      STRONGROOM_LOG_FORMAT: "json",
    };
    const server = await startKillable(settings);
    const ada = await registerWriter(senderOf(server.url), "ada");
    const session = await createUpload(senderOf(server.url), ada, BLOB);
    await test({
      server,
      ada,
      uploadId: session.upload_id,
      dataDir,
      restart: () =>
        startKillable({ ...settings, STRONGROOM_BASE_URL: server.url }),
    });
  });
}

/** A PATCH that is being read, and whose bytes come when the test says so. */
function slowPatch(url: string, { token }: Person, uploadId: string) {
  return begin(url, "PATCH", `/v1/upload/${uploadId}`, [
    `X-Service-Protocol: ${PROTOCOL}`,
    `Authorization: Bearer ${token}`,
    "Tus-Resumable: 1.0.0",
    "Upload-Offset: 0",
    "Content-Type: application/offset+octet-stream",
  ]);
}

/**
 * Bytes that arrived at a server's connections, and that it has not read. A
 * request is under way, so there is at least one connection.
 */
async function unreadBytes(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase()
    .padStart(4, "0");
  const table = await Deno.readTextFile("/proc/net/tcp");
  // proc(5): local address, peer, state (01 established), tx_queue:rx_queue.
  const rows = table.matchAll(
    /: [0-9A-F]{8}:([0-9A-F]{4}) \S+ 01 [0-9A-F]{8}:([0-9A-F]{8})/g,
  );
  const ours = [...rows].filter(([, local]) => local === port);
  assert(ours.length > 0, table);
  return ours.reduce((sum, [, , queue = ""]) => sum + parseInt(queue, 16), 0);
}

/** It says how far it came, where that still got through. */
async function expectCutOff({ answered }: BegunRequest): Promise<void> {
  const answer = await answered;
  if (answer !== undefined) assert.equal(answer.status, 409);
}

/** Nothing is left to be moved from the write-ahead log. */
async function expectCheckpointed(dataDir: string): Promise<void> {
  const log = await Deno.stat(`${dataDir}/db/strongroom.sqlite-wal`)
    .catch(() => undefined);
  assert.equal(log?.size ?? 0, 0);
}

Deno.test("told to stop, the server finishes the upload that runs, and ends with 0 and an empty log of the database", async () => {
  await withUpload(async ({ server, ada, uploadId, dataDir }) => {
    const patch = await slowPatch(server.url, ada, uploadId);
    await patch.write(BLOB.subarray(0, 1_000_000));
    Deno.kill(server.pid, "SIGINT");
    await server.said('"draining"');
    // Until the body is in, whoever comes is answered.
    const version = await fetch(`${server.url}/v1/version`);
    assert.equal(version.status, 200);
    await version.body?.cancel();
    await patch.write(BLOB.subarray(1_000_000));
    await patch.end();
    assert.equal((await patch.answered)?.status, 204);
    assert.equal(await server.exited, 0);
    await expectCheckpointed(dataDir);
  });
});

Deno.test("an upload that is still running after 20 seconds keeps what arrived and resumes after the restart", async () => {
  await withUpload(async ({ server, ada, uploadId, dataDir, restart }) => {
    const patch = await slowPatch(server.url, ada, uploadId);
    // Neither is a whole piece of what the server gathers before it writes.
    await patch.write(BLOB.subarray(0, 1_300_000));
    const stopped = server.stop();
    await patch.write(BLOB.subarray(1_300_000, 1_700_001));
    // The rest is never sent: whatever waits for it never ends.
    assert.equal(await stopped, 0);
    assert((await server.log()).includes(GIVEN_UP));
    await expectCutOff(patch);
    await expectCheckpointed(dataDir);

    const again = await restart();
    const sender = senderOf(again.url);
    const offset = await offsetOf(sender, ada, uploadId);
    assert.equal(offset, 1_700_001);
    const rest = await sender.send("PATCH", `/v1/upload/${uploadId}`, {
      token: ada.token,
      headers: {
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": String(offset),
        "Content-Type": "application/offset+octet-stream",
      },
      body: BLOB.subarray(offset),
    });
    assert.equal(rest.status, 204);
    const receipt = await finalize(sender, ada, uploadId);
    assert.equal(receipt.status, 200, await receipt.clone().text());
    await receipt.body?.cancel();
    const hash = createHash("sha256").update(BLOB).digest("hex");
    const path = `${dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`;
    assert.equal((await Deno.stat(`${path}/${hash}`)).size, SIZE);
    assert.equal(await again.stop(), 0);
  });
});

Deno.test("a second signal does not wait, and still keeps what arrived", async () => {
  await withUpload(async ({ server, ada, uploadId, dataDir, restart }) => {
    const patch = await slowPatch(server.url, ada, uploadId);
    await patch.write(BLOB.subarray(0, 70_000));
    await until(() => unreadBytes(server.url), 0);
    Deno.kill(server.pid, "SIGTERM");
    await server.said('"draining"');
    const version = await fetch(`${server.url}/v1/version`);
    await version.body?.cancel();
    Deno.kill(server.pid, "SIGTERM");
    assert.equal(await server.exited, 0);
    assert(!(await server.log()).includes(GIVEN_UP));
    await expectCutOff(patch);
    await expectCheckpointed(dataDir);
    const again = await restart();
    const offset = await offsetOf(senderOf(again.url), ada, uploadId);
    assert.equal(offset, 70_000);
    assert.equal(await again.stop(), 0);
  });
});

Deno.test("a request that waits for the feed ends at once", async () => {
  await withUpload(async ({ server, ada, dataDir }) => {
    const sender = senderOf(server.url);
    const page = await sender.send("GET", "/v1/sync", { token: ada.token });
    const { next_after } = await page.json();
    const waiting = Array.from(
      { length: WAITING_MAX + 1 },
      () =>
        sender.send("GET", `/v1/sync?wait=30&after=${next_after}`, {
          token: ada.token,
        }),
    );
    // One too many is refused, and then all the others wait.
    const refused = await Promise.race(waiting);
    assert.equal(refused.status, 429);
    await refused.body?.cancel();
    assert.equal(await server.stop(), 0);
    for (const answer of await Promise.all(waiting)) {
      if (answer === refused) continue;
      assert.equal(answer.status, 200);
      assert.deepEqual((await answer.json()).entries, []);
    }
    assert(!(await server.log()).includes(GIVEN_UP));
    await expectCheckpointed(dataDir);
  });
});

Deno.test("connections that idle hold nothing up", async () => {
  await withUpload(async ({ server }) => {
    const { hostname, port } = new URL(server.url);
    const idle = await Promise.all(
      Array.from(
        { length: 5 },
        () => Deno.connect({ hostname, port: Number(port) }),
      ),
    );
    await idle[0]?.write(new TextEncoder().encode("GET /v1/ver"));
    // They have arrived once one that came after them is answered.
    await (await fetch(`${server.url}/v1/version`)).body?.cancel();
    assert.equal(await server.stop(), 0);
    assert(!(await server.log()).includes(GIVEN_UP));
    for (const connection of idle) connection.close();
  });
});

Deno.test("SIGHUP stops no server that has no terminal", async () => {
  await withDataDir(async (dataDir) => {
    const server = await startKillable({ STRONGROOM_DATA_DIR: dataDir });
    Deno.kill(server.pid, "SIGHUP");
    await server.said('"reloading"');
    const version = await fetch(`${server.url}/v1/version`);
    assert.equal(version.status, 200);
    await version.body?.cancel();
    assert.equal(await server.stop(), 0);
  });
});
