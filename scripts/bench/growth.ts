/**
 * How the memory of the packed program grows in a control group of 512 MiB, and
 * what of the processor it takes: at its first start, which fills the cache of
 * compiled code, at rest, after 300 and after 1,000 photographs of five phones,
 * and with 200 readers of the web app that take nothing; what a backup to a
 * directory takes; and, once, a server of which two people with 10,000 photos
 * each, or `--synced`, make their first sync at once.
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
import { firstLine } from "../demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import { photographer } from "../../tests/support/web_people.ts";
import { backUp, newPhotos } from "./board_photos.ts";
import { openBoard } from "./board.ts";
import { seedLibrary } from "./seeded_library.ts";
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
/** How often a program's peak is read, which is lost after its end. */
const LOOK_MS = 20;

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
    synced: { type: "string", default: "10000" },
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
    for (const one of contenders) {
      const synced = await measureSyncs(one, scratch, board.under);
      say(`${one.name}: ${described([synced])}`);
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
  contender: Contender,
  scratch: string,
  under: readonly string[],
  looks: readonly number[],
): Promise<Seen> {
  const place = await Deno.makeTempDir({ dir: scratch });
  try {
    return await serving(contender, place, under, async ({ url, pid }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const seen: Seen = new Map();
      seen.set("MiB at rest", await statusMib(pid, "VmRSS"));
      seen.set("anonymous MiB at rest", await statusMib(pid, "RssAnon"));
      seen.set("peak MiB of the start", await peakMib(pid) ?? NaN);
      if (looks.length === 0) {
        // So that the cache has the code of a backup, too.
        await peakOfBackup(contender, place, under);
        return seen;
      }
      const client = createClient({ baseUrl: url, fetch });
      const phones = await Promise.all(
        Array.from({ length: PHONES }, () => becomeOwner(client)),
      );
      const before = await cpuSeconds(pid) ?? NaN;
      await forgetPeak(pid);
      let there = 0;
      for (const look of looks) {
        await Promise.all(phones.map(async (owner) => {
          const count = (look - there) / PHONES;
          await backUp(owner, await newPhotos(owner, count, ORIGINAL_BYTES));
        }));
        there = look;
        seen.set(`peak MiB after ${look}`, await peakMib(pid) ?? NaN);
        const anonymous = await statusMib(pid, "RssAnon");
        seen.set(`anonymous MiB after ${look}`, anonymous);
      }
      seen.set("processor s", (await cpuSeconds(pid) ?? NaN) - before);
      const more = await readSlowly(url, pid);
      seen.set(`MiB more with ${READERS} slow readers`, more);
      const peak = await peakOfBackup(contender, place, under);
      seen.set("peak MiB of a backup", peak);
      return seen;
    });
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/** Runs a server with its data in `place`, for as long as `use` takes. */
async function serving<T>(
  contender: Contender,
  place: string,
  under: readonly string[],
  use: (server: { url: string; pid: number }) => Promise<T>,
): Promise<T> {
  const child = runs(contender, under, [
    "serve",
    "--data-dir",
    `${place}/data`,
  ]);
  try {
    const url = /http:\/\/[\w.:]+/.exec(await firstLine(child.stdout))?.[0];
    if (url === undefined) throw new Error("the server did not start");
    return await use({ url, pid: child.pid });
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

function runs(
  { program, cache }: Contender,
  under: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Deno.ChildProcess {
  const [command = program, ...rest] = [...under, program, ...args];
  return new Deno.Command(command, {
    args: rest,
    env: {
      DENO_DIR: cache,
      STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
      STRONGROOM_LOG_LEVEL: "warning",
      STRONGROOM_REGISTRATION: "open",
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      PATH: `${join(Deno.execPath(), "..")}:${Deno.env.get("PATH")}`,
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** The peak (MiB) of the program that backs a served data directory up. */
async function peakOfBackup(
  contender: Contender,
  place: string,
  under: readonly string[],
): Promise<number> {
  const passphrase = join(place, "passphrase");
  await Deno.writeTextFile(passphrase, "nine copper kettles", { mode: 0o600 });
  const folder = join(place, "away");
  await Deno.mkdir(folder);
  const child = runs(
    contender,
    under,
    ["backup", `file://${folder}`, "--data-dir", `${place}/data`],
    { STRONGROOM_BACKUP_PASSPHRASE_FILE: passphrase },
  );
  let peak = 0;
  const looking = setInterval(async () => {
    peak = Math.max(peak, await peakMib(child.pid).catch(() => 0) ?? 0);
  }, LOOK_MS);
  const { success } = await child.output();
  clearInterval(looking);
  if (!success) throw new Error("the backup failed");
  return peak;
}

async function measureSyncs(
  contender: Contender,
  scratch: string,
  under: readonly string[],
): Promise<Seen> {
  const count = Number(values.synced);
  const place = await Deno.makeTempDir({ dir: scratch });
  try {
    return await serving(contender, place, under, async ({ url, pid }) => {
      const people = await Promise.all(
        ["ada", "grace"].map((name) => photographer(url, name)),
      );
      for (const { library } of people) {
        await seedLibrary({
          dataDir: `${place}/data`,
          vault: library.vault,
          count,
          pictures: [{
            thumbnail: new Uint8Array(1),
            width: 451,
            height: 300,
          }],
          newestMs: Date.now(),
          days: count / 10,
        });
      }
      await forgetPeak(pid);
      const began = performance.now();
      await Promise.all(people.map(({ library }) => library.sync()));
      const found = people.map(({ library }) => library.list().length);
      if (found.some((one) => one !== count)) {
        throw new Error(`${found.join(" and ")} photos were synced`);
      }
      return new Map([
        ["s of two first syncs", (performance.now() - began) / 1_000],
        ["peak MiB of two first syncs", await peakMib(pid) ?? NaN],
      ]);
    });
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/**
 * Has readers ask for a large file of the web app and take nothing; returns by
 * how much the memory grew (MiB).
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
