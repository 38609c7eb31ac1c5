/**
 * A small board out of a larger machine: a program held to one core, and to so
 * much memory where this process may have a control group.
 *
 * @module
 */
import { say } from "./support.ts";

const SERVER_CORE = 0;
/** Linux's two kinds: where a group is made, and what holds its memory. */
const GROUPS: readonly [root: string, limit: string][] = [
  ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
  ["/sys/fs/cgroup", "memory.max"],
];

/** What the programs of a board run under. */
export interface Board {
  /** A command that runs what is appended to it. */
  readonly under: readonly string[];
  /** Lets go of what holds the memory; its programs have ended by then. */
  readonly close: () => Promise<void>;
}

/** Holds the server to a core and to memory, and ourselves to the others. */
export async function openBoard(memoryBytes: number): Promise<Board> {
  const others = `${SERVER_CORE + 1}-${navigator.hardwareConcurrency - 1}`;
  if (navigator.hardwareConcurrency > 1) {
    await run("taskset", "-a", "-c", "-p", others, String(Deno.pid));
  }
  const core = ["taskset", "-c", String(SERVER_CORE)];
  const group = await makeGroup(memoryBytes);
  if (group !== undefined) {
    say(`memory is held to ${memoryBytes / 1_048_576} MiB by ${group}`);
    const join = 'echo $$ > "$0/cgroup.procs" && exec "$@"';
    return {
      under: ["sh", "-c", join, group, ...core],
      close: () => Deno.remove(group),
    };
  }
  const scope = ["--user", "--scope", "--quiet"];
  const held = ["systemd-run", ...scope, "-p", `MemoryMax=${memoryBytes}`];
  const isHeld = await run(...held, "true").then(() => true, () => false);
  say(
    isHeld
      ? `memory is held to ${memoryBytes / 1_048_576} MiB by systemd`
      : "memory is not held: neither a control group nor systemd-run is to be had",
  );
  return {
    under: [...isHeld ? held : [], ...core],
    close: () => Promise.resolve(),
  };
}

/** How long a program's first thread, its event loop's, ran and did not (s). */
interface Turns {
  readonly ran: number;
  /** It could have run, but another program had the core. */
  readonly waited: number;
}

/** The {@link Turns} since a program began. */
export async function turnsOf(pid: number): Promise<Turns> {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  const [ran, waited] = (await Deno.readTextFile(path)).split(" ").map(Number);
  return { ran: (ran ?? 0) / 1e9, waited: (waited ?? 0) / 1e9 };
}

async function makeGroup(memoryBytes: number): Promise<string | undefined> {
  for (const [root, limit] of GROUPS) {
    const group = `${root}/strongroom-bench-${Deno.pid}`;
    try {
      await Deno.mkdir(group);
    } catch {
      continue;
    }
    try {
      await Deno.writeTextFile(`${group}/${limit}`, String(memoryBytes), {
        create: false,
      });
      return group;
    } catch {
      await Deno.remove(group);
    }
  }
  return undefined;
}

async function run(...command: readonly string[]): Promise<void> {
  const [program = "", ...args] = command;
  const { success, stderr } = await new Deno.Command(program, { args })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
