/**
 * What a browser does in each frame, and a browser on a slower processor.
 *
 * @module
 */
import type { CDPSession } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  /** Of the processor; waiting for other processes is not in it. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
}

const SCRIPT = new Set([
  "FunctionCall",
  "RunMicrotasks",
  "EvaluateScript",
  "v8.run",
]);

/**
 * Milliseconds of the processor that script takes on the page's thread in each
 * of its frames while `work` goes on, sorted. Marking the frames is the page's own rendering.
 */
export async function framesOf(
  cdp: CDPSession,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => {
    events.push(...value as TraceEvent[]);
  };
  cdp.on("Tracing.dataCollected", collect);
  const complete = new Promise<void>((resolve) =>
    cdp.once("Tracing.tracingComplete", () => resolve())
  );
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["devtools.timeline", "__metadata", "v8.execute"],
    },
  });
  await work();
  await cdp.send("Tracing.end");
  await complete;
  cdp.off("Tracing.dataCollected", collect);
  return scriptByFrame(events);
}

function scriptByFrame(events: readonly TraceEvent[]): readonly number[] {
  const mains = new Set(
    events.filter(({ name, args }) =>
      name === "thread_name" && args?.name === "CrRendererMain"
    ).map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const byThread = Map.groupBy(
    events.filter(({ pid, tid }) => mains.has(`${pid}/${tid}`)),
    ({ pid, tid }) => `${pid}/${tid}`,
  );
  // The page's is the one that drew most.
  const frames = [...byThread.values()].map((all) => ({
    all,
    begun: all.filter(({ name }) => name === "FireAnimationFrame")
      .map(({ ts }) => ts).sort((a, b) => a - b),
  })).toSorted((a, b) => b.begun.length - a.begun.length)[0];
  if (frames === undefined) return [];
  const starts = frames.begun.filter((ts, i) =>
    i === 0 || ts - (frames.begun[i - 1] ?? 0) > 4_000
  );
  const script = new Float64Array(starts.length);
  let ends = 0;
  const calls = frames.all.filter(({ name, ph }) =>
    ph === "X" && SCRIPT.has(name)
  ).toSorted((a, b) => a.ts - b.ts);
  for (const { ts, dur = 0, tdur = dur } of calls) {
    // What is called within another call is counted with it.
    if (ts < ends) continue;
    ends = ts + dur;
    const at = starts.findLastIndex((start) => start <= ts);
    if (at >= 0) script[at] = (script[at] ?? 0) + tdur / 1_000;
  }
  return [...script].toSorted((a, b) => a - b);
}

const STEP_MS = 10;
/** What /proc counts in. */
const TICK_MS = 10;

/**
 * Runs `work` while every process that draws pages gets one part in `times` of
 * its time: also the threads that no setting of the browser slows.
 */
export async function slowed(
  times: number,
  work: () => Promise<void>,
): Promise<void> {
  let going = true;
  const stopping = (async () => {
    let pids: readonly number[] = [];
    for (let round = 0; going; round++) {
      // Now and then, because the look itself takes the processor.
      if (round % 16 === 0) pids = renderers();
      signal(pids, "SIGSTOP");
      await pause(STEP_MS * (times - 1));
      signal(pids, "SIGCONT");
      await pause(STEP_MS);
    }
  })();
  try {
    await work();
  } finally {
    going = false;
    await stopping;
  }
}

/** The children of this process's browsers that draw pages. */
export function renderers(): number[] {
  const found: number[] = [];
  const parents = new Map<number, number>();
  const types = new Map<number, string>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = Deno.readTextFileSync(`/proc/${name}/stat`);
      const parent = Number(
        stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1],
      );
      parents.set(Number(name), parent);
      types.set(
        Number(name),
        Deno.readTextFileSync(`/proc/${name}/cmdline`),
      );
    } catch {
      // It has ended meanwhile.
    }
  }
  for (const [pid, line] of types) {
    if (!line.includes("--type=renderer")) continue;
    for (let at: number | undefined = pid; at; at = parents.get(at)) {
      if (at === Deno.pid) found.push(pid);
    }
  }
  return found;
}

/** Processor time of every Worker's thread so far, by its number (ms). */
export function threadTimes(): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of renderers()) {
    try {
      for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
        const stat = Deno.readTextFileSync(`/proc/${pid}/task/${name}/stat`);
        if (!/\(\w*Worker/.test(stat)) continue;
        const told = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        times.set(name, (Number(told[11]) + Number(told[12])) * TICK_MS);
      }
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}

function signal(pids: readonly number[], name: Deno.Signal): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
