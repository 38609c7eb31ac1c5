/**
 * What the first start of a checkout takes on a machine that has nothing of it:
 * the README's command, in a clone of the last commit, from an empty HOME, until
 * the first page and its script are served. Then the same again, warm.
 *
 *     deno task bench first [--seconds 300] [--prebuilt]
 *
 * With `--prebuilt` the clone has the web app that `deno task web` made here, as
 * a release has it. Megabytes that come down are counted by a proxy that all
 * programs of the start use.
 *
 * @module
 */
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePort } from "../../src/server/free_port.ts";
import { countDownloads } from "./downloads.ts";
import { groupSeconds, say, withScratch } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The README's command. */
const COMMAND = ["npx", "--yes", `deno@${Deno.version.deno}`, "task", "start"];
/** Between two looks at the page (ms). */
const LOOK_MS = 50;
/** A request that takes longer is made again (ms). */
const ASK_MS = 5_000;
/** What is not over by then after SIGTERM is killed (ms). */
const STOP_MS = 10_000;
/** The web app, as `deno task web` makes it. */
const APP = "dist/web/app.json";
/** Lines of the program's output that a failure shows. */
const LINES = 20;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    prebuilt: { type: "boolean", default: false },
  },
});
const deadlineMs = Number(values.seconds) * 1_000;

await withScratch(async (scratch) => {
  const checkout = join(scratch, "checkout");
  const cloned = await new Deno.Command("git", {
    args: ["clone", "--quiet", ROOT, checkout],
    stdout: "null",
  }).output();
  if (!cloned.success) throw new Error("git clone failed");
  const app = join(checkout, APP);
  if (values.prebuilt) {
    await Deno.mkdir(dirname(app), { recursive: true });
    await Deno.copyFile(join(ROOT, APP), app);
  }
  const prebuilt = values.prebuilt ? await Deno.stat(app) : undefined;
  const home = join(scratch, "home");
  await Deno.mkdir(home);
  for (const what of ["empty caches", "warm"]) {
    const { seconds, processor, downloaded } = await started(
      scratch,
      checkout,
      home,
    );
    const { ino, mtime } = await Deno.stat(app);
    if (
      prebuilt !== undefined &&
      (ino !== prebuilt.ino || mtime?.getTime() !== prebuilt.mtime?.getTime())
    ) {
      throw new Error(
        `${APP} is not of the last commit: commit, run deno task web, and try again`,
      );
    }
    const [packages, ofDeno, ofNpm, made] = await Promise.all([
      packagesIn(join(home, "deno/npm")),
      bytesIn(join(home, "deno")),
      // Deno itself, as npx keeps it.
      bytesIn(join(home, ".npm")),
      bytesIn(join(checkout, "dist")),
    ]);
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    say(
      `${what}: first page after ${seconds.toFixed(1)} s, ` +
        `${processor.toFixed(1)} s of processor; ` +
        `${(downloaded / 1e6).toFixed(1)} MB down; ${packages} packages; ` +
        `${mb(ofDeno + ofNpm + made)} MB on disk: npm's cache ${mb(ofNpm)}, ` +
        `Deno's ${mb(ofDeno)}, dist ${mb(made)}`,
    );
  }
});

/** Starts the program, waits for its first page and ends it again. */
async function started(
  scratch: string,
  checkout: string,
  home: string,
): Promise<{
  readonly seconds: number;
  readonly processor: number;
  /** Until the first page (bytes). */
  readonly downloaded: number;
}> {
  const downloads = await countDownloads();
  const port = freePort();
  const log = join(scratch, "start.log");
  // Into a file: what the program leaves behind would keep a pipe open.
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec "$@" >"$LOG" 2>&1', "sh", ...COMMAND],
    cwd: checkout,
    env: {
      HOME: home,
      DENO_DIR: join(home, "deno"),
      XDG_CACHE_HOME: join(home, "cache"),
      LOG: log,
      // npm and Deno read them; a proxy of the environment is not asked.
      ...Object.fromEntries(
        ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]
          .map((name) => [name, downloads.url]),
      ),
      NO_PROXY: "",
      no_proxy: "",
      STRONGROOM_DATA_DIR: join(scratch, "data"),
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    // A group of its own, which is ended as one.
    detached: true,
  }).spawn();
  const began = performance.now();
  try {
    while (!await isServed(`http://127.0.0.1:${port}`)) {
      const passed = performance.now() - began;
      if (passed > deadlineMs || await groupSeconds(child.pid) === undefined) {
        const said = (await Deno.readTextFile(log)).trimEnd().split("\n");
        throw new Error(`no page:\n${said.slice(-LINES).join("\n")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return {
      seconds: (performance.now() - began) / 1_000,
      processor: await groupSeconds(child.pid) ?? NaN,
      downloaded: downloads.bytes(),
    };
  } finally {
    await end(child);
    await downloads.close();
  }
}

/** Whether the page and the script that it names are there. */
async function isServed(origin: string): Promise<boolean> {
  const ask = async (path: string) => {
    const response = await fetch(`${origin}${path}`, {
      headers: { Accept: "text/html" },
      signal: AbortSignal.timeout(ASK_MS),
    });
    const text = await response.text();
    return response.ok ? text : undefined;
  };
  try {
    const [script] = /\/app\/\w+\/main\.js/.exec(await ask("/") ?? "") ?? [];
    return script !== undefined && await ask(script) !== undefined;
  } catch {
    return false;
  }
}

/** Ends the group, whatever its processes do, and waits until it is gone. */
async function end(child: Deno.ChildProcess): Promise<void> {
  const until = performance.now() + STOP_MS;
  let signal: "SIGTERM" | "SIGKILL" = "SIGTERM";
  while (await groupSeconds(child.pid) !== undefined) {
    if (performance.now() > until) signal = "SIGKILL";
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS * 10));
  }
  await child.status;
}

/** The packages of the runtime's cache, by registry, name and version. */
async function packagesIn(folder: string): Promise<number> {
  let count = 0;
  const look = async (at: string, depth: number) => {
    for await (const { name, isDirectory } of Deno.readDir(at)) {
      if (!isDirectory) continue;
      if (depth > 1) count++;
      else await look(join(at, name), name.startsWith("@") ? depth : depth + 1);
    }
  };
  await look(folder, 0);
  return count;
}

/** What a folder takes on the disk (bytes). */
async function bytesIn(
  folder: string,
  counted = new Set<number>(),
): Promise<number> {
  let sum = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) {
      sum += await bytesIn(path, counted);
      continue;
    }
    // npm puts one file under two names: a hard link takes no room.
    const { ino, blocks } = await Deno.lstat(path);
    if (ino !== null && counted.has(ino)) continue;
    if (ino !== null) counted.add(ino);
    sum += (blocks ?? 0) * 512;
  }
  return sum;
}
