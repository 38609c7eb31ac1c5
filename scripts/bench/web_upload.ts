/**
 * How fast the web app takes a large file in, and whether it answers meanwhile.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { say } from "./support.ts";
import { threadTimes } from "./web_frames.ts";

const MIB = 1024 * 1024;
const SIZE_MIB = 300;
const PIECE_MIB = 10;
/** Part of the progress that sealing is. */
const SEALING = 0.2;
const SAMPLE_MS = 100;

/** What the page notes while the file is taken in. */
interface Noted {
  /** Answer times of calls that take no time themselves (ms). */
  readonly answers: readonly number[];
  /** When how many bytes of the progress were done (ms since 1970). */
  readonly steps: readonly (readonly [number, number])[];
  /** Tasks of the page's thread above 50 ms (ms). */
  readonly long: readonly number[];
}

/**
 * Has a page keep its line to the vault where {@link measureUpload} finds it.
 * Call it before the page is opened. The vault answers only lines of pages that
 * the app vouches for, so the benchmark cannot open one of its own.
 */
export async function keepLine(page: Page): Promise<void> {
  await page.addInitScript(keep);
}

/** Adds a file of 300 MiB on a page with {@link keepLine} whose library is open. */
export async function measureUpload(
  page: Page,
  folder: string,
  name: string,
): Promise<void> {
  const path = `${folder}/archive.bin`;
  await writeNoise(path);
  await page.evaluate(note);
  const samples: { at: number; times: ReadonlyMap<string, number> }[] = [];
  const sample = () => samples.push({ at: Date.now(), times: threadTimes() });
  const sampling = setInterval(sample, SAMPLE_MS);
  const began = performance.now();
  await page.locator("input[data-add=files]").setInputFiles(path);
  await page.getByText(/^\d+ files? (added|already here)/).first()
    .waitFor({ timeout: 600_000 });
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(sampling);
  const { answers, steps, long } = await page.evaluate<Noted>(
    "clearInterval(noted.timer), noted",
  );
  await Deno.remove(path);

  const sealing = steps.filter(([, done]) =>
    done > 0 && done < SEALING * SIZE_MIB * MIB
  );
  const [first, last] = [sealing[0], sealing.at(-1)];
  if (first === undefined || last === undefined) {
    throw new Error("the app told no progress of sealing");
  }
  const mib = (last[1] - first[1]) / SEALING / MIB;
  const during = samples.filter(({ at }) => at >= first[0] && at <= last[0]);
  const busiest = busiestThread(during[0]?.times, during.at(-1)?.times);
  const span = ((during.at(-1)?.at ?? 0) - (during[0]?.at ?? 0)) / 1_000;
  const rate = mib / ((last[0] - first[0]) / 1_000);
  const ownRate = rate * span / (busiest / 1_000);
  say(
    `${name}: ${SIZE_MIB} MiB taken in within ${seconds.toFixed(1)} s; ` +
      `sealed and hashed at ${rate.toFixed(0)} MiB/s, ` +
      `${ownRate.toFixed(0)} MiB a second of its thread (target 100)`,
  );
  const sorted = answers.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(0);
  say(
    `${name}: the vault answered meanwhile within p50 ${at(0.5)} ms, p95 ` +
      `${at(0.95)} ms (target 100); the page's longest task ` +
      `${Math.max(0, ...long).toFixed(0)} ms`,
  );
}

/** The processor time of the thread that worked most (ms). */
function busiestThread(
  before: ReadonlyMap<string, number> = new Map(),
  after: ReadonlyMap<string, number> = new Map(),
): number {
  return Math.max(
    ...[...after].map(([thread, ms]) => ms - (before.get(thread) ?? 0)),
  );
}

/** Runs in the page before the app does. */
const keep = `globalThis.SharedWorker = class extends SharedWorker {
  constructor(address, options) {
    super(address, options);
    if (options?.name === "vault") globalThis.vaultLine = this.port;
  }
}`;

/** Runs in the page. The app passes over answers to calls it did not make. */
const note = `(() => {
  const noted = globalThis.noted = { answers: [], steps: [], long: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.long.push(duration);
  }).observe({ type: "longtask" });
  const asked = new Map();
  let last = 0;
  vaultLine.addEventListener("message", ({ data }) => {
    if (data.event === "uploads") {
      noted.steps.push([Date.now(), data.data.done]);
    } else if (asked.has(data.id)) {
      noted.answers.push(performance.now() - asked.get(data.id));
      asked.delete(data.id);
    }
  });
  noted.timer = setInterval(() => {
    const id = "bench " + ++last;
    asked.set(id, performance.now());
    vaultLine.postMessage(
      { id, group: "uploads", name: "known", args: ["00".repeat(32)] });
  }, 50);
})()`;

async function writeNoise(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  const piece = new Uint8Array(PIECE_MIB * MIB);
  for (let at = 0; at < piece.length; at += 65_536) {
    crypto.getRandomValues(piece.subarray(at, at + 65_536));
  }
  for (let done = 0; done < SIZE_MIB; done += PIECE_MIB) {
    piece[0] = done;
    let rest = piece;
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  }
}
