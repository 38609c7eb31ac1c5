/**
 * A telephone that was away for a month: rclone sends 2,000 camera files to
 * `strongroom receive`, which has one core and is killed three times meanwhile.
 * All of it has to arrive at the server once, byte for byte, and nothing of it
 * may lie on the disk in plain text. Then the same files go to
 * `rclone serve webdav` on the same disk. Peaks of memory and rates are printed.
 * `--files 200` makes a short run of it, and `--kills 0` one without kills.
 *
 *     apt-get install rclone
 *     deno task bench:telephone --files 200
 *
 * @module
 */
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  memoryCredentialStore,
  memoryStore,
  openLibrary,
  openVault,
  registerAccount,
} from "../../src/client/library/mod.ts";
import { nativePrimitives } from "../../src/client/native.ts";
import { toHex, utf8 } from "../../src/core/bytes.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import { freePort, startServer } from "../demo/server.ts";
import { MEMORY_FLAG } from "../packaging/permissions.ts";
import { randomBytes } from "../demo/staging.ts";
import { MIB, peakMib, requireFreeDisk, say, withScratch } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PEAK_MIB = 120;
const PHOTO_BYTES = 2 * MIB;
const VIDEO_BYTES = 24 * MIB;
/** One of so many files is a video. */
const VIDEO_EACH = 100;
/** Stands in every file, and must not be found where they wait. */
const MARK = "strongroom-bench-plaintext";
const RETRIES = ["--retries", "30", "--retries-sleep", "2s"];

/** A program that ends with its status, and what it said if it failed. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (success) return text.decode(stdout);
  throw new Error(`${program} failed: ${text.decode(stderr).slice(-2_000)}`);
}

function randomFill(length: number): Uint8Array<ArrayBuffer> {
  return randomFillSync(new Uint8Array(length));
}

/** A folder of camera files; the hash of each. */
async function takePictures(
  folder: string,
  count: number,
): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  for (let at = 0; at < count; at++) {
    const isVideo = at % VIDEO_EACH === 0;
    const body = randomFill(isVideo ? VIDEO_BYTES : PHOTO_BYTES);
    body.set(utf8(MARK), 0);
    const hash = nativePrimitives.sha256();
    hash.update(body);
    hashes.add(toHex(hash.digest()));
    const day = join(folder, `Camera ${at % 7}`);
    await Deno.mkdir(day, { recursive: true });
    const number = String(at).padStart(4, "0");
    const name = isVideo ? `VID_${number}.mp4` : `IMG_${number}.jpg`;
    await Deno.writeFile(join(day, name), body);
  }
  return hashes;
}

/** `strongroom receive` on one core. */
class Receiving {
  /** The largest peak of all its processes (MiB). */
  peak = 0;
  #child: Deno.ChildProcess;
  #delivered = 0;
  #heard: Promise<void> = Promise.resolve();

  constructor(readonly spool: string, readonly port: number) {
    this.#child = this.#start();
  }

  #start(): Deno.ChildProcess {
    const child = command(["receive", "--spool", this.spool], [
      ...["--listen", `127.0.0.1:${this.port}`, "--keep-free", "0"],
    ]).spawn();
    this.#heard = (async () => {
      const lines = child.stdout.pipeThrough(new TextDecoderStream());
      for await (const text of lines) {
        for (const [, count] of text.matchAll(/handed over (\d+)/g)) {
          this.#delivered += Number(count);
        }
      }
    })();
    return child;
  }

  /** Notes how much memory it has had. */
  async look(): Promise<void> {
    this.peak = Math.max(this.peak, await peakMib(this.#child.pid) ?? 0);
  }

  async end(signal: "SIGKILL" | "SIGINT"): Promise<void> {
    await this.look();
    this.#child.kill(signal);
    await this.#child.status;
    await this.#heard;
  }

  startAgain(): void {
    this.#child = this.#start();
  }
}

/** A command of ours, on the first core alone. */
function command(
  args: readonly string[],
  more: readonly string[],
): Deno.Command {
  return new Deno.Command("taskset", {
    args: [
      ...["-c", "0", Deno.execPath(), "run", "--no-prompt", MEMORY_FLAG],
      ...["--allow-env", "--allow-net", "--allow-read", "--allow-write"],
      ...["--allow-sys=statfs,uid,gid", "main.ts", ...args, ...more],
    ],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  });
}

/** Whether a text lies in any file of a folder. */
async function liesIn(folder: string, text: string): Promise<boolean> {
  const { code } = await new Deno.Command("grep", {
    args: ["-rqaF", text, folder],
  }).output();
  return code === 0;
}

/** What rclone sends to, of a WebDAV server. */
async function remoteOf(
  port: number,
  login?: { readonly name: string; readonly password: string },
): Promise<readonly string[]> {
  const user = login === undefined ? [] : [
    ...["--webdav-user", login.name],
    ...[
      "--webdav-pass",
      (await run("rclone", ["obscure", login.password]))
        .trim(),
    ],
  ];
  const url = `http://127.0.0.1:${port}/`;
  return ["--webdav-url", url, "--webdav-vendor", "other", ...user];
}

async function copy(
  folder: string,
  remote: readonly string[],
): Promise<number> {
  const began = performance.now();
  await run("rclone", ["copy", folder, ":webdav:", ...remote, ...RETRIES]);
  return (performance.now() - began) / 1_000;
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    files: { type: "string", default: "2000" },
    kills: { type: "string", default: "3" },
  },
});
const files = Number(values.files);
const kills = Number(values.kills);

await withScratch(async (scratch) => {
  const videos = Math.ceil(files / VIDEO_EACH);
  const bytes = videos * VIDEO_BYTES + (files - videos) * PHOTO_BYTES;
  await requireFreeDisk(scratch, 5 * bytes);
  const folder = join(scratch, "DCIM");
  const hashes = await takePictures(folder, files);
  const server = await startServer({
    dataDir: join(scratch, "data"),
    logFile: join(scratch, "server.log"),
    settings: { STRONGROOM_LOG_LEVEL: "warning" },
  });
  const platform = {
    fetch: (input: Request | URL | string, init?: RequestInit) =>
      fetch(input, init),
    now: () => Date.now(),
    random: randomBytes,
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    clientVersion: "bench/1",
    primitives: nativePrimitives,
  };
  const session = await registerAccount(platform, {
    server: server.origin,
    address: "ada@example.org",
    password: "correct horse battery staple",
    device: { name: "bench", platform: "linux" },
    credentials: memoryCredentialStore(),
    present: () => Promise.resolve("correct horse battery staple"),
  });
  const library = await openLibrary(await openVault(session), memoryStore());
  const { url } = await library.request({
    expiresAt: toRfc3339(Date.now() + 30 * DAY_MS),
    maxBytes: 4 * bytes,
    maxFiles: 4 * files,
    mine: true,
  });
  const spool = join(scratch, "spool");
  const port = freePort();
  const { stdout } = await command(["receive", "add", "phone"], [
    ...["--spool", spool, "--to", url, "--json"],
  ]).output();
  const [line = ""] = new TextDecoder().decode(stdout).split("\n");
  const added: { readonly name: string; readonly password: string } = JSON
    .parse(line);
  const receiving = new Receiving(spool, port);
  const remote = await remoteOf(port, added);

  let isCopied = false;
  const copied = copy(folder, remote).finally(() => isCopied = true);
  let plain = false;
  /** What the server has, and what waits for it. */
  const taken = async () => {
    const sealed = await Array.fromAsync(Deno.readDir(join(spool, "sealed")));
    return sealed.length + (await library.inbox()).length;
  };
  // Each kill after as many files as the others.
  const killing = (async () => {
    for (let turn = 1; turn <= kills && !isCopied; turn++) {
      const due = Math.floor(turn * files / (kills + 1));
      while (!isCopied && await taken() < due) await platform.wait(500);
      await receiving.end("SIGKILL");
      plain ||= await liesIn(spool, MARK);
      receiving.startAgain();
    }
  })();
  const seconds = await copied;
  await killing;
  // What a kill cut off comes with rclone's next look, as a telephone's would.
  await copy(folder, remote);
  for (;;) {
    await receiving.look();
    const { length } = await library.inbox();
    if (length >= files) break;
    await platform.wait(1_000);
  }
  const inbox = await library.inbox();
  const arrived = inbox.map(({ file }) => file?.sha256 ?? "");
  plain ||= await liesIn(spool, MARK);
  await receiving.end("SIGINT");
  const sealed = await Array.fromAsync(Deno.readDir(join(spool, "sealed")));
  const left = sealed.length;
  const once = new Set(arrived).size === arrived.length;
  const whole = arrived.length === files &&
    arrived.every((hash) => hashes.has(hash));

  const plainPort = freePort();
  const target = join(scratch, "plain");
  await Deno.mkdir(target);
  const peer = new Deno.Command("taskset", {
    args: [
      ...["-c", "0", "rclone", "serve", "webdav", target],
      ...["--addr", `127.0.0.1:${plainPort}`],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const plainSeconds = await copy(folder, await remoteOf(plainPort));
  peer.kill();
  await peer.status;
  await server.stop();

  const rate = (seconds: number) => (bytes / MIB / seconds).toFixed(1);
  say(`${files} files, ${(bytes / MIB).toFixed(0)} MiB, ${kills} kills`);
  say(`arrived once and whole      ${once && whole ? "yes" : "NO"}`);
  say(`plain text on the disk      ${plain ? "FOUND" : "none"}`);
  say(`sealed files left behind    ${left}`);
  say(`strongroom receive          ${rate(seconds)} MiB/s`);
  say(`rclone serve webdav         ${rate(plainSeconds)} MiB/s`);
  say(`ratio                       ${(plainSeconds / seconds).toFixed(2)}`);
  say(
    `peak memory of receive      ${receiving.peak.toFixed(0)} MiB ` +
      `(of ${PEAK_MIB})`,
  );
  if (!once || !whole || plain || left > 0 || receiving.peak > PEAK_MIB) {
    Deno.exitCode = 1;
  }
});
