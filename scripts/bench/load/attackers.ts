/**
 * The attackers' processes, at the lowest priority that the system has, and
 * what is seen of the process that they attack.
 *
 * @module
 */
import * as z from "zod";
import { ATTACKS } from "./attacks.ts";
import type { Victim } from "./people.ts";
import { LOCKED } from "../../locked.ts";

const ATTACKER = new URL("./attacker.ts", import.meta.url).pathname;
/** Those that would hold the others' loop up have a process of their own. */
const APART = ["pieces", "connections"];

const counts = z.record(z.string(), z.number());

/** Attackers at work. */
interface Attackers {
  /** Ends them all; how often each attack met what, such as `codes 401`. */
  readonly leave: () => Promise<ReadonlyMap<string, number>>;
}

/** Begins attacks all at once: those that are named, or else every one. They
 * are under way when this returns. */
export async function begin(
  victim: Victim,
  named: readonly string[] = [],
): Promise<Attackers> {
  const all = Object.keys(ATTACKS).filter((one) =>
    named.length === 0 || named.includes(one)
  );
  const apart = all.filter((one) => APART.includes(one));
  const together = all.filter((one) => !APART.includes(one));
  const bands = [together, ...apart.map((one) => [one])]
    .filter(({ length }) => length > 0);
  const children = bands.map((names) =>
    new Deno.Command("nice", {
      args: [
        "-n",
        "19",
        Deno.execPath(),
        "run",
        ...LOCKED,
        "-A",
        ATTACKER,
        ...names,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn()
  );
  const line = new TextEncoder().encode(`${JSON.stringify(victim)}\n`);
  const writers = children.map(({ stdin }) => stdin.getWriter());
  for (const writer of writers) await writer.write(line);
  for (const { stdout } of children) await firstPiece(stdout);
  return {
    async leave() {
      for (const writer of writers) await writer.close();
      const said = await Promise.all(
        children.map(async ({ stdout }) => {
          let text = "";
          const pieces = stdout.pipeThrough(new TextDecoderStream());
          for await (const piece of pieces) text += piece;
          return text;
        }),
      );
      await Promise.all(children.map(({ status }) => status));
      return new Map(
        said.flatMap((text) => Object.entries(counts.parse(JSON.parse(text)))),
      );
    },
  };
}

/** Waits for a stream to bring something. */
async function firstPiece(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
}

/** What a process has resident now, in MiB; undefined once it has ended. */
export async function residentMib(pid: number): Promise<number | undefined> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`)
    .catch(() => "");
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) / 1_024;
}

/**
 * For how long a process's main thread has run so far, and for how long it
 * would have if the machine had had a core for it (ms).
 */
export async function scheduled(
  pid: number,
): Promise<{ readonly ranMs: number; readonly waitedMs: number }> {
  const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/schedstat`);
  const [ran = 0, waited = 0] = text.split(" ").map((ns) => Number(ns) / 1e6);
  return { ranMs: ran, waitedMs: waited };
}

/** Holds a process to so many open descriptors. */
export async function limitDescriptors(
  pid: number,
  count: number,
): Promise<void> {
  const { success, stderr } = await new Deno.Command("prlimit", {
    args: [`--pid=${pid}`, `--nofile=${count}:${count}`],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
