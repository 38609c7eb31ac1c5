/**
 * How the memory of the packed program grows in a control group of 512 MiB, and
 * what of the processor it takes: at its first start, which fills the cache of
 * compiled code, at rest, after 300 and after 1,000 photographs of five phones,
 * and with 200 readers of the web app that take nothing.
 *
 *     deno task bench growth [--bundle BUNDLE] [--beside BUNDLE]… [--rounds 5]
 *
 * A bundle is a folder that `deno task bundle` made; `--bundle` names one of
 * this version, and each `--beside` one of another. They take turns, and the
 * order changes each round.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "../../src/client/api/api.ts";
import { bundle } from "../bundle.ts";
import { becomeOwner } from "../demo/owner.ts";
import { firstLine, freePort } from "../demo/server.ts";
import { backUp, newPhotos } from "./board_photos.ts";
import { openBoard } from "./board.ts";
import {
  cpuSeconds,
  MIB,
  noteRatio,
  peakMib,
  say,
  withScratch,
} from "./support.ts";

const PHONES = 5;
/** Photographs that are there by each look. */
const LOOKS = [300, 1_000];
/** Of an original: enough for many pieces, and few enough for the disk. */
const ORIGINAL_BYTES = 1_000_000;
/** Until what a start leaves to be done is over (ms). */
const REST_MS = 3_000;
const MEMORY_BYTES = 512 * MIB;
const READERS = 200;

/** What was seen of one start, by what it is. */
type Seen = Map<string, number>;

interface Contender {
  readonly name: string;
  readonly program: string;
  readonly cache: string;
  readonly seen: Seen[];
}

const { values } = parseArgs({
  options: {
    beside: { type: "string", multiple: true, default: [] },
    bundle: { type: "string" },
    rounds: { type: "string", default: "5" },
  },
});

await withScratch(async (scratch) => {
  const folder = values.bundle ?? join(scratch, "bundle");
  if (values.bundle === undefined) await bundle(folder);
  const bundles: [name: string, place: string][] = [
    ["this version", folder],
    ...values.beside.map((other): [string, string] => [other, other]),
  ];
  const contenders: Contender[] = [];
  for (const [at, [name, place]] of bundles.entries()) {
    const cache = join(scratch, `cache-${at}`);
    await Deno.mkdir(cache);
    contenders.push({
      name,
      program: join(place, "strongroom"),
      cache,
      seen: [],
    });
  }
  say(`load of the machine before: ${Deno.loadavg()[0]?.toFixed(1)}`);
  const board = await openBoard(MEMORY_BYTES);
  try {
    // The first starts fill the caches.
    for (const one of contenders) {
      const first = await measure(one, scratch, board.under, []);
      say(`${one.name}, first start: ${described([first])}`);
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? contenders : contenders.toReversed();
      for (const one of order) {
        one.seen.push(await measure(one, scratch, board.under, LOOKS));
        say(`  ${one.name}: ${described(one.seen.slice(-1))}`);
      }
    }
  } finally {
    await board.close();
  }
  for (const { name, seen } of contenders) {
    say(`${name}, medians: ${described(seen)}`);
  }
  const [first, ...others] = contenders;
  for (const { name, seen } of others) {
    for (const what of first?.seen[0]?.keys() ?? []) {
      const ratio = median(first?.seen ?? [], what) / median(seen, what);
      noteRatio({ what, peer: name, ratio });
    }
  }
});

function described(seen: readonly Seen[]): string {
  return [...seen[0]?.keys() ?? []]
    .map((what) => `${what} ${median(seen, what).toFixed(1)}`)
    .join(", ");
}

function median(seen: readonly Seen[], what: string): number {
  const sorted = seen.map((one) => one.get(what) ?? NaN)
    .toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

async function measure(
  { program, cache }: Contender,
  scratch: string,
  under: readonly string[],
  looks: readonly number[],
): Promise<Seen> {
  const dataDir = await Deno.makeTempDir({ dir: scratch });
  const [command = program, ...args] = [...under, program];
  const child = new Deno.Command(command, {
    args: [...args, "serve", "--data-dir", dataDir],
    env: {
      DENO_DIR: cache,
      STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
      STRONGROOM_LOG_LEVEL: "warning",
      PATH: `${join(Deno.execPath(), "..")}:${Deno.env.get("PATH")}`,
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const baseUrl = /http:\/\/[\w.:]+/.exec(await firstLine(child.stdout))?.[0];
    if (baseUrl === undefined) throw new Error(`${program} did not start`);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const seen: Seen = new Map();
    seen.set("MiB at rest", await statusMib(child.pid, "VmRSS"));
    seen.set("anonymous MiB at rest", await statusMib(child.pid, "RssAnon"));
    seen.set("peak MiB of the start", await peakMib(child.pid) ?? NaN);
    const client = createClient({ baseUrl, fetch });
    const phones = await Promise.all(
      Array.from({ length: PHONES }, () => becomeOwner(client)),
    );
    const before = await cpuSeconds(child.pid) ?? NaN;
    await forgetPeak(child.pid);
    let there = 0;
    for (const look of looks) {
      await Promise.all(phones.map(async (owner) => {
        const count = (look - there) / PHONES;
        await backUp(owner, await newPhotos(owner, count, ORIGINAL_BYTES));
      }));
      there = look;
      seen.set(`peak MiB after ${look}`, await peakMib(child.pid) ?? NaN);
      seen.set(
        `anonymous MiB after ${look}`,
        await statusMib(child.pid, "RssAnon"),
      );
    }
    seen.set("processor s", (await cpuSeconds(child.pid) ?? NaN) - before);
    if (looks.length > 0) {
      const more = await readSlowly(baseUrl, child.pid);
      seen.set(`MiB more with ${READERS} slow readers`, more);
    }
    return seen;
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await Deno.remove(dataDir, { recursive: true });
  }
}

/**
 * Has readers ask for a large file of the web app and take nothing; returns by how
 * much the memory grew (MiB).
 */
async function readSlowly(baseUrl: string, pid: number): Promise<number> {
  const files = await (await fetch(`${baseUrl}/app/files.json`)).json();
  const path = Object.keys(files).find((one) => one.endsWith("/towns.bin"));
  const { hostname, port } = new URL(baseUrl);
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
  );
  const before = await statusMib(pid, "VmRSS");
  const readers: Deno.Conn[] = [];
  try {
    for (let n = 0; n < READERS; n++) {
      const reader = await Deno.connect({ hostname, port: Number(port) });
      readers.push(reader);
      await reader.write(request);
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return await statusMib(pid, "VmRSS") - before;
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Has the peak begin again: signing up has one of its own (proc(5)). */
async function forgetPeak(pid: number): Promise<void> {
  await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5", { create: false });
}

async function statusMib(pid: number, field: string): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return Number(kib) / 1_024;
}
