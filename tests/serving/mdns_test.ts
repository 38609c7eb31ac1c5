/**
 * `STRONGROOM_MDNS` (tls/home.md#a-name-without-a-dns-server): another machine
 * of the network asks. Both are on the loopback interface here.
 *
 * @module
 */
import assert from "node:assert/strict";
import makeMdns from "multicast-dns";
import { type MakeMdns, recordsOf, startMdns } from "../../src/server/mdns.ts";
import { freePort } from "../../src/server/free_port.ts";
import { startProgram, withDataDir } from "../support/program.ts";

const openMdns: MakeMdns = makeMdns;

/** What was answered: name, type and data, each a text. */
type Answer = readonly [name: string, type: string, data: string];

/** Asks the network until a machine answers for a name. */
async function ask(name: string, type: "A" | "PTR"): Promise<Answer[]> {
  const mdns = openMdns({ interface: "127.0.0.1", bind: "0.0.0.0" });
  const found = Promise.withResolvers<Answer[]>();
  mdns.on("response", ({ answers = [], additionals = [] }) => {
    if (!answers.some((one) => one.name === name && one.type === type)) return;
    found.resolve(
      [...answers, ...additionals].map((one) => [
        one.name,
        one.type,
        JSON.stringify(one.data),
      ]),
    );
  });
  // A datagram may be lost: it is asked again.
  const again = setInterval(() => mdns.query(name, type), 200);
  mdns.query(name, type);
  try {
    return await found.promise;
  } finally {
    clearInterval(again);
    await new Promise<void>((resolve) => mdns.destroy(() => resolve()));
  }
}

Deno.test("a server with STRONGROOM_MDNS answers for its name in .local, and is listed as a service", async () => {
  await withDataDir(async (dataDir) => {
    const port = freePort();
    const server = await startProgram({
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_BASE_URL: `http://photos-at-home.local:${port}`,
      STRONGROOM_MDNS: "on",
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
    });
    try {
      const address = await ask("photos-at-home.local", "A");
      assert.deepEqual(address.find(([, type]) => type === "A"), [
        "photos-at-home.local",
        "A",
        '"127.0.0.1"',
      ]);
      const service = await ask("_http._tcp.local", "PTR");
      const target = service.find(([, type]) => type === "SRV");
      assert(target !== undefined);
      assert.equal(target[0], "photos-at-home._http._tcp.local");
      assert.equal(JSON.parse(target[2]).port, port);
    } finally {
      await server.stop();
    }
  });
});

Deno.test("what is told names https where the server has it", () => {
  const records = recordsOf({
    host: "strongroom.local",
    port: 8443,
    isTls: true,
    addresses: [{ address: "fd00::2", family: "IPv6" }],
  });
  assert.deepEqual(records.map(({ name, type }) => `${name} ${type}`), [
    "_services._dns-sd._udp.local PTR",
    "_https._tcp.local PTR",
    "strongroom._https._tcp.local SRV",
    "strongroom._https._tcp.local TXT",
    "strongroom.local AAAA",
  ]);
});

Deno.test("a record is told to everyone at most once a second, however often it is asked for", async () => {
  const host = "asked-often.local";
  let now = 0;
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const asking = openMdns({ interface: "127.0.0.1", bind: "0.0.0.0" });
  let heard = 0;
  let asked = 0;
  let waiting = Promise.withResolvers<void>();
  asking.on("response", ({ answers = [] }) => {
    if (!answers.some(({ name }) => name === host)) return;
    heard += 1;
    waiting.resolve();
  });
  // Everyone hears the questions, too: then each was answered or was not.
  const all = Promise.withResolvers<void>();
  asking.on("query", () => {
    if (++asked === 20) all.resolve();
  });
  await new Promise<void>((resolve) => asking.on("ready", resolve));
  const told = {
    host,
    port: 80,
    isTls: false,
    addresses: [{ address: "127.0.0.1", family: "IPv4" as const }],
  };
  const mdns = await startMdns(told, { log, monotonic: () => now });
  try {
    await waiting.promise;
    assert.equal(heard, 1, "it is told at the start");
    for (let n = 0; n < 20; n++) asking.query(host, "A");
    await all.promise;
    now += 1_000;
    waiting = Promise.withResolvers<void>();
    asking.query(host, "A");
    await waiting.promise;
    assert.equal(heard, 2);
  } finally {
    await mdns.stop();
    await new Promise<void>((resolve) => asking.destroy(() => resolve()));
  }
});
