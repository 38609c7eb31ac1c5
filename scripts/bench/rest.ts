/**
 * What the packed program takes until it serves, and what its memory at rest is
 * made of, with a folder for the runtime's cache and without one.
 *
 *     deno task bench rest [--beside BUNDLE]
 *
 * A bundle is a folder that `deno task bundle` made; `--beside` names one of
 * another version, which takes turns.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../bundle.ts";
import { freePort } from "../../src/server/free_port.ts";
import { cpuSeconds, noteRatio, peakMib, say, withScratch } from "./support.ts";

const ROUNDS = 5;
/** Until what a start leaves to be done is over (ms). */
const REST_MS = 3_000;

/** Of glibc a heap of a thread begins at such a place, and is no larger. */
const ARENA = 64 * 1_024 * 1_024;

/** Memory of one kind (MiB), by what it is. */
type Parts = Map<string, number>;

interface Seen {
  readonly seconds: number;
  readonly resident: number;
  readonly peak: number;
  readonly parts: Parts;
}

interface Contender {
  readonly name: string;
  readonly program: string;
  readonly cache: string;
  readonly seen: Seen[];
}

const { values } = parseArgs({ options: { beside: { type: "string" } } });

await withScratch(async (scratch) => {
  const folder = join(scratch, "bundle");
  await bundle(folder);
  const bundles: [string, string][] = [["this version", folder]];
  if (values.beside !== undefined) bundles.push(["beside", values.beside]);
  const contenders: Contender[] = [];
  for (const [name, place] of bundles) {
    const program = join(place, "strongroom");
    const cache = join(scratch, `cache-${contenders.length}`);
    await Deno.mkdir(cache);
    contenders.push({ name, program, cache, seen: [] });
    const uncached = `${name}, without a cache`;
    contenders.push({
      ...{ name: uncached, program, cache: "/dev/null/none", seen: [] },
    });
  }
  for (let round = -1; round < ROUNDS; round++) {
    for (const one of contenders) {
      const seen = await start(one, join(scratch, "data"));
      // The first fills the cache.
      if (round >= 0) one.seen.push(seen);
    }
  }
  for (const [at, { name, seen }] of contenders.entries()) {
    const like = contenders[at % 2];
    if (like !== undefined && at > 1) {
      const ratioOf = (value: (one: Seen) => number) =>
        middle(like.seen.map(value)) / middle(seen.map(value));
      for (
        const [what, value] of [
          ["start, processor", (one: Seen) => one.seconds],
          ["memory at rest", (one: Seen) => one.resident],
        ] as const
      ) noteRatio({ what, peer: name, ratio: ratioOf(value) });
    }
    const of = (value: (one: Seen) => number) => middle(seen.map(value));
    say(
      `${name}: ${of((one) => one.seconds).toFixed(2)} s of the processor ` +
        `until it serves, ${of((one) => one.resident).toFixed(0)} MiB at ` +
        `rest, peak ${of((one) => one.peak).toFixed(0)}`,
    );
    for (const [part, mib] of seen.at(-1)?.parts ?? []) {
      if (mib >= 0.5) say(`  ${mib.toFixed(1).padStart(6)} MiB  ${part}`);
    }
  }
});

async function start(
  { program, cache }: Contender,
  dataDir: string,
): Promise<Seen> {
  const child = new Deno.Command(program, {
    args: ["serve", "--data-dir", dataDir],
    env: {
      DENO_DIR: cache,
      STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
      STRONGROOM_LOG_LEVEL: "info",
      PATH: `${join(Deno.execPath(), "..")}:${Deno.env.get("PATH")}`,
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const seconds = await cpuSeconds(child.pid) ?? NaN;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const parts = await partsOf(child.pid);
  const peak = await peakMib(child.pid) ?? NaN;
  child.kill("SIGTERM");
  while (!(await reader.read()).done);
  await child.status;
  const resident = parts.values().reduce((sum, mib) => sum + mib, 0);
  return { seconds, resident, peak, parts };
}

/** Resident memory by what it is, the most first (proc(5), smaps). */
async function partsOf(pid: number): Promise<Parts> {
  const maps = (await Deno.readTextFile(`/proc/${pid}/smaps`))
    .split(/^(?=[\da-f]+-[\da-f]+ )/m);
  const parts: Parts = new Map();
  for (const map of maps) {
    const resident = Number(/^Rss:\s+(\d+)/m.exec(map)?.[1] ?? 0) / 1_024;
    const kind = kindOf(map.slice(0, map.indexOf("\n")));
    parts.set(kind, (parts.get(kind) ?? 0) + resident);
  }
  return new Map([...parts].toSorted(([, a], [, b]) => b - a));
}

function kindOf(line: string): string {
  const [, from = "", to = "", modes = "", path = ""] =
    /^([\da-f]+)-([\da-f]+) (\S+) \S+ \S+ \S+\s*(.*)$/.exec(line) ?? [];
  if (path.endsWith("/deno")) {
    return modes.includes("w")
      ? "the runtime's data"
      : "pages of the runtime's own file, which the system can take back";
  }
  if (path.includes("code_cache")) return "the cache of compiled code";
  if (path.endsWith("-shm") || path.includes(".sqlite")) return "the database";
  if (path === "[heap]") return "malloc, of the first thread";
  if (path.startsWith("[stack")) return "stacks";
  if (path !== "") return "other files, such as libc";
  if (modes.includes("x")) return "code that V8 made";
  const [begin, end] = [parseInt(from, 16), parseInt(to, 16)];
  return end - begin <= ARENA && begin > 0x7f0000000000 &&
      Math.floor(begin / ARENA) * ARENA === begin
    ? "malloc, of other threads"
    : "V8's heaps, and the program's text";
}

function middle(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
