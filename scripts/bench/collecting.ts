/**
 * The application over a data directory, which collects when it is told to by
 * its standard input: `serve` does so every ten minutes.
 *
 * @module
 */
import { openApp } from "../../src/app.ts";
import { sleep } from "../../src/server/sleep.ts";
import { readConfig } from "../../src/config.ts";
import { say } from "./support.ts";

const [dataDir = "", listen = ""] = Deno.args;
const nothing = () => {};
const opened = await openApp(readConfig({ STRONGROOM_DATA_DIR: dataDir }), {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sleep,
  fetch: () => Promise.reject(new Error("no network")),
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
}, { origin: `http://${listen}` });
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: Number(listen.slice(listen.indexOf(":") + 1)),
  onListen: () => say("serving"),
}, (request) => opened.fetch(request, { clientAddress: "127.0.0.1" }));
for await (const _ of Deno.stdin.readable) {
  await opened.purge();
  say("collected");
}
await server.shutdown();
await opened.close();
