/**
 * What a photo costs the server: processor time, opened files and syncs. A
 * photo is an original of 200 KB, a thumbnail of 15 KB, metadata and a
 * manifest, each with its receipt.
 *
 *     deno task bench photo [--beside CHECKOUT]
 *
 * The contenders take turns in one run: the program as it is, the program with
 * every blob as a file (`STRONGROOM_SMALL_BLOB_BYTES=0`), and the program of
 * another checkout. Calls are counted by strace (apt-get install strace) in a
 * round of their own.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { backUp, newPhotos } from "./board_photos.ts";
import {
  cpuSeconds,
  noteRatio,
  type Ours,
  say,
  sayPeak,
  startOurs,
  withScratch,
} from "./support.ts";

const PHOTO_BYTES = 200_000;
const ROUNDS = 4;
const PHOTOS_A_ROUND = 60;
const PHOTOS_COUNTED = 20;
const COUNTED = ["openat", "fsync", "fdatasync", "rename", "link", "unlink"];

interface Contender {
  readonly name: string;
  readonly ours: Ours;
  seconds: number;
}

const { values } = parseArgs({ options: { beside: { type: "string" } } });

await withScratch(async (scratch) => {
  const contenders: Contender[] = [];
  const start = async (
    name: string,
    settings: Record<string, string>,
    checkout?: string,
  ) => {
    const place = join(scratch, String(contenders.length));
    await Deno.mkdir(place);
    const ours = await startOurs(place, settings, checkout);
    contenders.push({ name, ours, seconds: 0 });
  };
  await start("small blobs as rows", {});
  await start("all as files", { STRONGROOM_SMALL_BLOB_BYTES: "0" });
  if (values.beside !== undefined) await start("beside", {}, values.beside);
  // The first photos of a server are slower: it has just started.
  for (const { ours } of contenders) await store(ours, PHOTOS_COUNTED);
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of contenders) {
      const { pid } = contender.ours.server;
      const before = await cpuSeconds(pid) ?? NaN;
      await store(contender.ours, PHOTOS_A_ROUND);
      contender.seconds += (await cpuSeconds(pid) ?? NaN) - before;
    }
  }
  for (const { name, ours, seconds } of contenders) {
    const each = 1_000 * seconds / (ROUNDS * PHOTOS_A_ROUND);
    const own = contenders[0]?.seconds ?? NaN;
    if (seconds !== own) {
      noteRatio({ what: "a photo stored", peer: name, ratio: own / seconds });
    }
    say(`${name}: ${each.toFixed(1)} ms of processor a photo`);
    say(`  calls a photo: ${await countCalls(ours)}`);
    await sayPeak(ours);
    await ours.server.stop();
  }
});

async function store({ owner }: Ours, count: number): Promise<void> {
  await backUp(owner, await newPhotos(owner, count, PHOTO_BYTES));
}

/** Follows the server's threads while it stores some photos. */
async function countCalls(ours: Ours): Promise<string> {
  const strace = new Deno.Command("strace", {
    args: [
      ...["-f", "-c", "-U", "calls,name", "-e", `trace=${COUNTED.join(",")}`],
      ...["-p", String(ours.server.pid)],
    ],
    stderr: "piped",
  }).spawn();
  const output = strace.output();
  await until(async () => {
    const status = await Deno.readTextFile(`/proc/${ours.server.pid}/status`);
    return !/^TracerPid:\s+0$/m.test(status);
  });
  await store(ours, PHOTOS_COUNTED);
  strace.kill("SIGINT");
  const text = new TextDecoder().decode((await output).stderr);
  const counts = [...text.matchAll(/^\s*(\d+)\s+(\w+)$/gm)]
    .filter(([, , name]) => name !== "total")
    .map(([, calls, name]) =>
      `${(Number(calls) / PHOTOS_COUNTED).toFixed(1)} ${name}`
    );
  return counts.join(", ");
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!await isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
