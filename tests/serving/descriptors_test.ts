/**
 * More connections than the process may have open: it loses those on which
 * nothing is asked, and goes on.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createClient } from "../../src/client/api/api.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { originalOf } from "../../scripts/bench/support.ts";
import { newBlob, newWriter } from "../../scripts/bench/load/people.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { PROTOCOL } from "../support/app.ts";
import {
  type KillableProgram,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

/** Beyond what the program has open for itself. */
const DESCRIPTORS = 120;
/** What is open stays open, and nothing else can be opened. */
const NONE = 1;
const CONNECTIONS = 200;
/** So often are idle connections ended, for others come. */
const ROUNDS = 5;
const ROUND_MS = 1_500;
/** Between the two halves of a body. */
const HALT_MS = 200;

async function withFewDescriptors(
  test: (server: KillableProgram) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const server = await startKillable({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LOG_FORMAT: "json",
    });
    await limitDescriptors(server.pid, DESCRIPTORS);
    let ended: number | undefined;
    void server.exited.then((code) => ended = code);
    try {
      await test(server);
    } catch (cause) {
      // Its end may be heard of much later than what came of it.
      await Promise.race([server.exited, pause(10_000)]);
      if (ended === undefined) throw cause;
      const log = await server.log();
      throw new Error(`the server ended with ${ended}: ${log}`, { cause });
    }
    assert.equal(await server.stop(), 0);
    assert.match(await server.complaint(), /no connection could be taken/);
  });
}

/** Connects, and writes that much of a request; undefined where refused. */
async function connect(
  url: string,
  text: string,
): Promise<Deno.Conn | undefined> {
  const { hostname, port } = new URL(url);
  try {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(text));
    return connection;
  } catch {
    return undefined;
  }
}

/** Asks until there is an answer; whoever connects just then is turned away. */
async function ask(url: string): Promise<number> {
  for (let attempt = 1;; attempt++) {
    try {
      const response = await fetch(`${url}/v1/version`, {
        headers: { "X-Service-Protocol": PROTOCOL },
        signal: AbortSignal.timeout(5_000),
      });
      await response.body?.cancel();
      return response.status;
    } catch (cause) {
      if (attempt === 20) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

for (
  const [what, text] of [
    ["on which nothing is asked", ""],
    ["with half a request each", "GET /v1/version HTTP/1.1\r\nHost: "],
    [
      "with an answer for whoever did not send its body",
      "POST /v1/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    ],
  ] as const
) {
  Deno.test(`connections without end, ${what}, do not end the server`, async () => {
    await withFewDescriptors(async (server) => {
      const connections: (Deno.Conn | undefined)[] = [];
      try {
        for (let count = 0; count < CONNECTIONS; count++) {
          connections.push(await connect(server.url, text));
        }
        // They all stay open on this side.
        assert.equal(await ask(server.url), 200);
      } finally {
        for (const connection of connections) connection?.close();
      }
    });
  });
}

/** Lets a process open so many descriptors, from now on. */
async function limitDescriptors(pid: number, count: number): Promise<void> {
  const { success } = await new Deno.Command("prlimit", {
    args: [`--pid=${pid}`, `--nofile=${count}:${DESCRIPTORS}`],
  }).output();
  assert(success);
}

/**
 * Leaves the server without any descriptor while `during` begins and, once it
 * has said so, a client connects; there are some again once that connection was
 * lost. The limit is lowered for it, and not reached with connections: how many
 * of those it takes depends on what the server does meanwhile.
 */
async function withNoneLeft<T>(
  server: KillableProgram,
  during: (onBegun: () => void) => Promise<T>,
): Promise<T> {
  await limitDescriptors(server.pid, NONE);
  const begun = Promise.withResolvers<void>();
  const ended = during(begun.resolve);
  // Its failure is told below.
  await Promise.race([begun.promise, ended.catch(() => undefined)]);
  const oneTooMany = await connect(server.url, "");
  try {
    await server.said("no connection could be taken");
  } finally {
    oneTooMany?.close();
    await limitDescriptors(server.pid, DESCRIPTORS);
  }
  return await ended;
}

Deno.test("a password is hashed although there was no descriptor left for a worker", async () => {
  await withFewDescriptors(async (server) => {
    // A connection that is there already.
    assert.equal(await ask(server.url), 200);
    const answer = await withNoneLeft(server, (onBegun) => {
      onBegun();
      return fetch(`${server.url}/v1/auth/login`, {
        method: "POST",
        headers: {
          "X-Service-Protocol": PROTOCOL,
          "X-Service-Crypto-Suite": "1",
          "Content-Type": "application/json",
        },
        body: '{"address":"nobody@example.org","password":"not this one"}',
      });
    });
    await answer.body?.cancel();
    assert.equal(answer.status, 401);
  });
});

Deno.test("an upload that finds no descriptor left waits for one, and the disk is not doubted", async () => {
  await withFewDescriptors(async (server) => {
    let onPut = () => {};
    const client = createClient({
      baseUrl: server.url,
      fetch(input, init) {
        if (init.method === "PUT") onPut();
        return fetch(input, init);
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    const [writer] = await newWriter(client);
    const bytes = newBlob();
    const hash = sha256Hex(bytes);
    const request = originalOf(writer, { size: bytes.length, hash });
    const { receipt } = await withNoneLeft(server, (onBegun) => {
      onPut = onBegun;
      return uploadBlob(writer, request, sourceOf(bytes));
    });
    assert.equal(receipt.ciphertext_hash, hash);
  });
});

Deno.test("a worker that starts is left its descriptors by those who connect just then", async () => {
  const { code, stdout, stderr } = await new Deno.Command("prlimit", {
    args: [
      `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`,
      Deno.execPath(),
      "run",
      ...LOCKED,
      "--allow-read",
      new URL("../support/hash_when_scarce.ts", import.meta.url).pathname,
    ],
    // The runtime would look for a newer one of itself just then.
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert.match(said, /^\$argon2id\$/, new TextDecoder().decode(stderr));
  assert.equal(code, 0);
});

/**
 * Sends JSON again and again, in two writes with a pause between them, on one
 * connection for as long as it stands; the statuses of the answers.
 */
async function sendHalting(
  url: string,
  over: AbortSignal,
): Promise<readonly number[]> {
  const { host } = new URL(url);
  const body = JSON.stringify({ address: "nobody@example.net" });
  const head = "POST /v1/auth/login HTTP/1.1\r\n" +
    `Host: ${host}\r\nX-Service-Protocol: ${PROTOCOL}\r\n` +
    "Content-Type: application/json\r\n" +
    `Content-Length: ${body.length}\r\n\r\n`;
  const encoder = new TextEncoder();
  const statuses: number[] = [];
  const buffer = new Uint8Array(4_096);
  while (!over.aborted) {
    using connection = await connect(url, "");
    try {
      while (connection !== undefined && !over.aborted) {
        await connection.write(encoder.encode(head + body.slice(0, 10)));
        await pause(HALT_MS);
        await connection.write(encoder.encode(body.slice(10)));
        const length = await connection.read(buffer);
        const answer = new TextDecoder().decode(
          buffer.subarray(0, length ?? 0),
        );
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
        if (status === undefined) break;
        statuses.push(Number(status));
        await pause(HALT_MS / 4);
      }
    } catch {
      // The connection broke, and the next is made.
    }
  }
  return statuses;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("a body that is arriving is not taken for malformed when idle connections are ended", async () => {
  await withFewDescriptors(async (server) => {
    const endless: (Deno.Conn | undefined)[] = [];
    const over = new AbortController();
    const sending = sendHalting(server.url, over.signal);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        // A body without end, so that there never is a moment without any.
        endless.push(
          await connect(
            server.url,
            "POST /v1/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
              `X-Service-Protocol: ${PROTOCOL}\r\n` +
              "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n",
          ),
        );
        const idle: (Deno.Conn | undefined)[] = [];
        for (let count = 0; count < CONNECTIONS; count++) {
          idle.push(await connect(server.url, ""));
        }
        await pause(ROUND_MS);
        assert.equal(await ask(server.url), 200);
        for (const connection of idle) connection?.close();
      }
    } finally {
      over.abort();
      for (const connection of endless) connection?.close();
    }
    const statuses = await sending;
    assert(!statuses.includes(400), statuses.join(" "));
    assert(statuses.length > 0);
  });
});
