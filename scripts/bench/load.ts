/**
 * Every attack that the server has to bear, all at once, next to people who
 * upload, read and sign in: what each of them met, with the attacks and
 * without. The server is held to a descriptor limit, and to 1 GiB of memory in
 * that more is a failure. Arguments name single attacks.
 *
 * @module
 */
import { join } from "node:path";
import { startServer } from "../demo/server.ts";
import { peakMib, say, withScratch } from "./support.ts";
import {
  begin,
  limitDescriptors,
  residentMib,
  scheduled,
} from "./load/attackers.ts";
import {
  counted,
  quantile,
  runHonest,
  sayTallies,
  type Tally,
} from "./load/honest.ts";
import { DOMAIN, type People, settle } from "./load/people.ts";

const CALM_MS = 8_000;
const LOAD_MS = 25_000;
const ALBUMS = 200;
const DESCRIPTORS = 4_096;
const MEMORY_MIB = 1_024;
const P99_MS = 500;
const LOOK_EVERY_MS = 100;

/** The honest, for a while; with what the server had resident at most. */
async function goOn(
  server: { readonly origin: string; readonly pid: number },
  { honest }: People,
  ms: number,
): Promise<{ tallies: readonly Tally[]; mib: number }> {
  const over = new AbortController();
  let mib = 0;
  const looking = setInterval(async () => {
    mib = Math.max(mib, await residentMib(server.pid) ?? 0);
  }, LOOK_EVERY_MS);
  const stop = setTimeout(() => over.abort(), ms);
  try {
    return {
      tallies: await runHonest(server.origin, honest, over.signal),
      mib,
    };
  } finally {
    clearTimeout(stop);
    clearInterval(looking);
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function sayMet(met: ReadonlyMap<string, number>): void {
  const attacks = Map.groupBy(met, ([key]) => key.split(" ", 1)[0] ?? "");
  say("what the attackers met:");
  for (const [attack, all] of attacks) {
    const texts = all.map(([key, count]) =>
      `${key.slice(attack.length + 1)} ${count}`
    );
    say(`  ${attack.padEnd(12)}${texts.join(", ")}`);
  }
}

/** What a server wrote: its size, and what it called an error. */
async function sayLog(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  const lines = text.split("\n");
  say(
    `log: ${lines.length} lines, ${(text.length / 1024).toFixed(0)} KiB, ` +
      `the longest ${
        Math.max(...lines.map(({ length }) => length))
      } characters`,
  );
  const errors = lines.filter((line) =>
    /"level":"(ERROR|FATAL|WARN|WARNING)"/.test(line)
  ).map((line) => {
    const { level, message, operation = "", code = "", cause = "" } = JSON
      .parse(line);
    return [level, message, operation, code, String(cause).slice(0, 160)].join(
      " ",
    );
  });
  for (const [error, count] of counted(errors)) {
    say(`  ${count} times ${error}`);
  }
}

const faults: string[] = [];

await withScratch(async (scratch) => {
  const dataDir = join(scratch, "data");
  const logFile = join(scratch, "server.log");
  const server = await startServer({
    dataDir,
    logFile,
    settings: {
      STRONGROOM_REGISTRATION: DOMAIN,
      // So that everybody has an address of their own.
      STRONGROOM_TRUSTED_PROXIES: "127.0.0.1",
      STRONGROOM_LOG_FORMAT: "json",
    },
  });
  try {
    const people = await settle({ origin: server.origin, dataDir }, ALBUMS);
    await limitDescriptors(server.pid, DESCRIPTORS);
    say(`load of the machine: ${Deno.loadavg().map((n) => n.toFixed(1))}`);
    const calm = await goOn(server, people, CALM_MS);
    sayTallies("without attacks", calm.tallies);
    const before = await scheduled(server.pid);
    const attackers = await begin(people.victim, Deno.args);
    const load = await goOn(server, people, LOAD_MS);
    const ended = await scheduled(server.pid);
    const met = await attackers.leave();
    say("");
    sayTallies("under attack", load.tallies);
    say("");
    sayMet(met);
    say(
      `the server's loop ran for ${
        seconds(ended.ranMs - before.ranMs)
      } s and ` +
        `waited for a core for ${seconds(ended.waitedMs - before.waitedMs)} s`,
    );
    say(`load of the machine: ${Deno.loadavg().map((n) => n.toFixed(1))}`);
    for (const tally of load.tallies) {
      const p99 = quantile(tally, 0.99);
      if (p99 > P99_MS) faults.push(`${tally.name}: p99 ${p99.toFixed(0)} ms`);
      if (tally.errors.length > 0) faults.push(`${tally.name}: errors`);
    }
    const after = await fetch(`${server.origin}/v1/version`);
    await after.body?.cancel();
    if (after.status !== 200) faults.push(`status ${after.status} afterwards`);
    const peak = await peakMib(server.pid) ?? load.mib;
    say(
      `resident memory: ${calm.mib.toFixed(0)} MiB before, ` +
        `${peak.toFixed(0)} MiB at most (limit: ${MEMORY_MIB})`,
    );
    if (peak > MEMORY_MIB) faults.push("too much memory");
  } finally {
    const begun = performance.now();
    const status = await server.stop();
    say(
      `drained with status ${status} in ` +
        `${(performance.now() - begun).toFixed(0)} ms`,
    );
    if (status !== 0) faults.push(`status ${status} at the end`);
    await sayLog(logFile);
  }
});

for (const fault of faults) say(`DOES NOT HOLD ${fault}`);
if (faults.length > 0) Deno.exitCode = 1;
