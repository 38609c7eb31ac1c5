/**
 * The client against what moves the same bytes and understands nothing of them.
 * `deno task bench push [--files=500] [--mib=2] [--rounds=3] [--large=1024]
 * [--assets=50000]`: `push` of many files and its memory, that of one large
 * file, the first sync of a library and the next, search, and verification.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchLibrary } from "./client_library.ts";
import { race, signedIn, writeFiles } from "./client_push.ts";
import { MIB, noteRatio, say, startOurs, withScratch } from "./support.ts";

const PUSH_LIMIT_MIB = 250;

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "500" },
    mib: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    large: { type: "string", default: "1024" },
    assets: { type: "string", default: "50000" },
  },
});
const [files, mib, rounds, large, assets] = [
  values.files,
  values.mib,
  values.rounds,
  values.large,
  values.assets,
].map(Number);
if (
  files === undefined || mib === undefined || rounds === undefined ||
  large === undefined || assets === undefined ||
  [files, mib, rounds, large, assets].some((one) => !(one >= 0))
) throw new RangeError("sizes are numbers");

await withScratch(async (scratch) => {
  if (files > 0 && rounds > 0) await benchPush(scratch, files, mib, rounds);
  if (large > 0) await benchLarge(scratch, large);
  if (assets > 0) await benchLibrary(scratch, assets);
});

async function benchPush(
  scratch: string,
  files: number,
  mib: number,
  rounds: number,
): Promise<void> {
  const ours = await startOurs(join(await folderIn(scratch, "push")), {
    STRONGROOM_LIMIT_OPEN_UPLOADS: "1000000",
  });
  try {
    const machine = await signedIn(ours, join(scratch, "home"));
    for (let round = 0; round < rounds; round++) {
      const size = { files, bytes: mib * MIB };
      const { push, againSeconds, peakMib, cpuMs, ...of } = await race(
        scratch,
        ours,
        machine,
        size,
        round,
      );
      noteRatio({
        what: "push, client and server",
        peer: "curl that sends all that push sends",
        ratio: sumOf(cpuMs.push) / sumOf(cpuMs.same),
      });
      const peer = (reached: number) =>
        `${reached.toFixed(0)}: ${(push / reached).toFixed(2)} of it`;
      say(
        `push of ${files} files of ${mib} MiB: ${push.toFixed(0)} MiB/s, ` +
          `curl with sealed bytes ${peer(of.curl)} (target: 0.7); ` +
          `curl that opens its sessions itself ${peer(of.curlOpening)}; ` +
          `curl that sends all that push sends ${peer(of.curlApplying)}; ` +
          `again ${againSeconds.toFixed(1)} s; peak ${
            peakMib.toFixed(0)
          } MiB; ` +
          `processor for a file, server + client: ${inWords(cpuMs.push)}; ` +
          `curl with sealed bytes ${inWords(cpuMs.put)}; ` +
          `curl that sends all that push sends ${inWords(cpuMs.same)}: ` +
          `${(sumOf(cpuMs.same) / sumOf(cpuMs.push)).toFixed(2)} of push's ` +
          "(target: 0.7)",
      );
    }
  } finally {
    await ours.server.stop();
  }
}

type Processor = Awaited<ReturnType<typeof race>>["cpuMs"]["push"];

function inWords({ server, client }: Processor): string {
  return `${server.toFixed(1)} + ${client.toFixed(1)} ms`;
}

function sumOf({ server, client }: Processor): number {
  return server + client;
}

async function benchLarge(scratch: string, mib: number): Promise<void> {
  const ours = await startOurs(await folderIn(scratch, "large"));
  try {
    const machine = await signedIn(ours, join(scratch, "home-large"));
    const folder = join(scratch, "large-file");
    await writeFiles(folder, 1, mib * MIB);
    const { seconds, peakMib } = await machine.run("push", folder);
    say(
      `push of one file of ${mib} MiB: ${(mib / seconds).toFixed(0)} MiB/s, ` +
        `peak ${peakMib.toFixed(0)} MiB (target: below ${PUSH_LIMIT_MIB})`,
    );
    if (peakMib >= PUSH_LIMIT_MIB) Deno.exitCode = 1;
    await Deno.remove(folder, { recursive: true });
  } finally {
    await ours.server.stop();
  }
}

async function folderIn(scratch: string, name: string): Promise<string> {
  const folder = join(scratch, name);
  await Deno.mkdir(folder);
  return folder;
}
