/**
 * A telephone that was away for a month: rclone sends 2,000 camera files, live
 * photos and a film of 2 GiB among them, to `strongroom receive`, which has one
 * core and 256 MiB and is killed three times meanwhile, over a network that
 * breaks. All of it has to arrive at the server once, byte for byte and with its
 * date, and nothing of it may lie on the disk in plain text. The owner is away
 * all the time; then one of their devices accepts everything, and live photos
 * have to be pairs. At last the same files go to `rclone serve webdav` on the same
 * disk. Peaks of memory and rates are printed. `--files 200 --long 0` makes a
 * short run of it, `--kills 0 --no-breaks` one without trouble, and `--no-peer`
 * leaves rclone's own server out. `--photo` says how large a photo is (KiB),
 * `--video` how large a video (MiB).
 *
 *     apt-get install rclone
 *     deno task bench telephone --files 200
 *
 * @module
 */
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  memoryCredentialStore,
  memoryStore,
  openLibrary,
  openVault,
  registerAccount,
} from "../../src/library/mod.ts";
import { acceptMine } from "../../src/library/sharing/accept_mine.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { toHex, utf8 } from "../../src/core/bytes.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import { startServer } from "../demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import {
  PROGRAM_PERMISSIONS,
  RUNTIME_FLAGS,
} from "../packaging/permissions.ts";
import { BUNDLE, bundle } from "../bundle.ts";
import { randomBytes } from "../demo/staging.ts";
import {
  cpuSeconds,
  MIB,
  peakMib,
  requireFreeDisk,
  say,
  withScratch,
} from "./support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PEAK_MIB = 120;
/** What the service says of memory. */
const SERVICE_MEMORY = Object.fromEntries(
  (await Deno.readTextFile(
    join(ROOT, "scripts/packaging/systemd/strongroom-receive.service"),
  )).matchAll(/\b((?:DENO_V8|MALLOC_)\w+)=(\S+)/g).map(
    ([, name, value]) => [name ?? "", value ?? ""],
  ),
);
/** One of so many files is a video. */
const VIDEO_EACH = 100;
/** One of so many is a live photo: a still and a film. */
const PAIR_EACH = 10;
/** So many of each forty were taken in one burst, at the same moment. */
const BURST = 10;
const BURST_EACH = 40;
/** The memory of the machine that `receive` has. */
const BOARD_BYTES = 256 * MIB;
/** The first connections break after so much each; a long film needs one whole. */
const BREAKS_AFTER = 33 * MIB;
const BROKEN_CONNECTIONS = 12;
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

/** A camera file as the library is to have it. */
interface Taken {
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** It is the video of a live photo. */
  readonly isOfPair?: true;
}

/** Bytes behind a film or a still that every reader passes over (ISO 14496-12). */
function padded(
  media: Uint8Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> {
  const box = randomFill(Math.max(length - media.length, 64));
  new DataView(box.buffer).setUint32(0, box.length);
  box.set(utf8("free"), 4);
  box.set(utf8(MARK), 8);
  const whole = new Uint8Array(media.length + box.length);
  whole.set(media);
  whole.set(box, media.length);
  return whole;
}

/** Camera files: photos, films, live pairs, and one long film if it is asked. */
async function takePictures(
  folder: string,
  count: number,
  longBytes: number,
): Promise<readonly Taken[]> {
  const media = (name: string) =>
    Deno.readFile(join(ROOT, "tests/support/media", name));
  const [still, film] = [await media("camera.heic"), await media("iphone.mov")];
  const all: Taken[] = [];
  // Whole seconds: uploaders say no more of a date.
  const began = Math.floor((Date.now() - 30 * DAY_MS) / 1_000) * 1_000;
  for (let at = 0; all.length < count; at++) {
    const number = String(at).padStart(4, "0");
    const day = join(folder, `Camera ${at % 7}`);
    await Deno.mkdir(day, { recursive: true });
    const since = at % BURST_EACH;
    const isBurst = since < BURST;
    const takenAt = began + (isBurst ? at - since : at) * 60_000;
    const keep = async (
      name: string,
      body: Uint8Array,
      more: Pick<Taken, "isOfPair"> = {},
    ) => {
      const path = join(day, name);
      await Deno.writeFile(path, body);
      await Deno.utime(path, takenAt / 1_000, takenAt / 1_000);
      const hash = nativePrimitives.sha256();
      hash.update(body);
      all.push({ sha256: toHex(hash.digest()), takenAt, ...more });
    };
    if (at % VIDEO_EACH === 0) {
      const body = randomFill(videoBytes);
      body.set(utf8(MARK), 0);
      await keep(`VID_${number}.mp4`, body);
    } else if (at % PAIR_EACH === 1 && all.length + 2 <= count) {
      await keep(`IMG_${number}.HEIC`, padded(still, photoBytes));
      await keep(`IMG_${number}.MOV`, padded(film, photoBytes), {
        isOfPair: true,
      });
    } else {
      const body = randomFill(photoBytes);
      body.set(utf8(MARK), 0);
      await keep(`IMG_${number}${isBurst ? `_BURST${since}` : ""}.jpg`, body);
    }
  }
  if (longBytes > 0) all.push(await takeLongFilm(folder, longBytes, began));
  return all;
}

async function takeLongFilm(
  folder: string,
  bytes: number,
  takenAt: number,
): Promise<Taken> {
  const path = join(folder, "LONG.mp4");
  const hash = nativePrimitives.sha256();
  {
    using file = await Deno.open(path, { write: true, create: true });
    for (let at = 0; at < bytes; at += videoBytes) {
      const piece = randomFill(Math.min(videoBytes, bytes - at));
      piece.set(utf8(MARK), 0);
      hash.update(piece);
      for (let put = 0; put < piece.length;) {
        put += await file.write(piece.subarray(put));
      }
    }
  }
  await Deno.utime(path, takenAt / 1_000, takenAt / 1_000);
  return { sha256: toHex(hash.digest()), takenAt };
}

/**
 * A network between the telephone and `receive` that breaks its first
 * connections once each has carried so much.
 */
function badNetwork(to: number, breaksAfter: number) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let [opened, breaks] = [0, 0];
  const carry = async (from: Deno.TcpConn) => {
    const onward = await Deno.connect({ hostname: "127.0.0.1", port: to })
      .catch(() => undefined);
    if (onward === undefined) return from.close();
    let left = (opened += 1) > BROKEN_CONNECTIONS ? Infinity : breaksAfter;
    const one = async (source: Deno.TcpConn, sink: Deno.TcpConn) => {
      const buffer = new Uint8Array(256 * 1024);
      for (;;) {
        const count = await source.read(buffer);
        if (count === null || (left -= count) < 0) break;
        for (let at = 0; at < count;) {
          at += await sink.write(buffer.subarray(at, count));
        }
      }
    };
    await Promise.race([one(from, onward), one(onward, from)])
      .catch(() => {});
    if (left < 0) breaks += 1;
    for (const end of [from, onward]) {
      try {
        end.close();
      } catch { /* it has ended by itself */ }
    }
  };
  (async () => {
    for await (const connection of listener) void carry(connection);
  })().catch(() => {});
  return {
    port: listener.addr.port,
    get breaks() {
      return breaks;
    },
    close: () => listener.close(),
  };
}

/** A group of processes with little memory, where this user may make one. */
async function smallBoard(bytes: number) {
  const folder = `/sys/fs/cgroup/memory/strongroom-bench-${Deno.pid}`;
  try {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/memory.limit_in_bytes`, `${bytes}`);
  } catch {
    return undefined;
  }
  return {
    add: (pid: number) =>
      Deno.writeTextFile(`${folder}/cgroup.procs`, `${pid}`),
    close: () => Deno.remove(folder),
  };
}

type SmallBoard = Awaited<ReturnType<typeof smallBoard>>;

/** `strongroom receive` on one core. */
class Receiving {
  /** The largest peak of all its processes (MiB). */
  peak = 0;
  /** The most that was not the program's own files, as often as was looked. */
  anonymous = 0;
  #child: Deno.ChildProcess;
  #heard: Promise<void> = Promise.resolve();

  /** Processor time of all of them (s). */
  cpu = 0;

  constructor(
    readonly spool: string,
    readonly port: number,
    readonly board: SmallBoard,
  ) {
    this.#child = this.#start();
  }

  #start(): Deno.ChildProcess {
    const child = command(["receive", "--spool", this.spool], [
      ...["--listen", `127.0.0.1:${this.port}`, "--keep-free", "0"],
    ]).spawn();
    void this.board?.add(child.pid);
    this.#heard = (async () => {
      for await (const _ of child.stdout);
    })();
    return child;
  }

  /** Notes how much memory it has had. */
  async look(): Promise<void> {
    const { pid } = this.#child;
    this.peak = Math.max(this.peak, await peakMib(pid) ?? 0);
    this.anonymous = Math.max(this.anonymous, await anonymousMib(pid));
  }

  async end(signal: "SIGKILL" | "SIGINT"): Promise<void> {
    await this.look();
    this.cpu += await cpuSeconds(this.#child.pid) ?? 0;
    this.#child.kill(signal);
    await this.#child.status;
    await this.#heard;
  }

  startAgain(): void {
    this.#child = this.#start();
  }
}

/**
 * A command of ours as it is shipped, on the first core alone. The runtime keeps
 * what it found out of the program in a folder: otherwise it takes it apart at
 * every start, which costs 100 MiB.
 */
function command(
  args: readonly string[],
  more: readonly string[],
): Deno.Command {
  return new Deno.Command("taskset", {
    args: [
      ...["-c", "0", Deno.execPath(), "run", "--quiet", "--no-config"],
      ...["--no-lock", "--no-npm", "--no-remote", "--no-prompt"],
      ...RUNTIME_FLAGS,
      ...PROGRAM_PERMISSIONS,
      ...[`${BUNDLE}/main.js`, ...args, ...more],
    ],
    env: {
      DENO_DIR: caches,
      DENO_NO_UPDATE_CHECK: "1",
      ...SERVICE_MEMORY,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  });
}

/** Memory that is no file's (MiB). */
async function anonymousMib(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`)
    .catch(() => "");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
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
  // With this vendor rclone says when a file was taken.
  return ["--webdav-url", url, "--webdav-vendor", "owncloud", ...user];
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
  allowNegative: true,
  options: {
    files: { type: "string", default: "2000" },
    kills: { type: "string", default: "3" },
    long: { type: "string", default: "2048" },
    breaks: { type: "boolean", default: true },
    peer: { type: "boolean", default: true },
    photo: { type: "string", default: "2048" },
    video: { type: "string", default: "24" },
  },
});
const files = Number(values.files);
const kills = Number(values.kills);
const videoBytes = Number(values.video) * MIB;
const photoBytes = Number(values.photo) * 1_024;

/** Where the runtime keeps what it found out of the program. */
let caches = "";

await withScratch(async (scratch) => {
  caches = join(scratch, "caches");
  await bundle();
  const videos = Math.ceil(files / VIDEO_EACH);
  const longBytes = Number(values.long) * MIB;
  const bytes = videos * videoBytes + (files - videos) * photoBytes +
    longBytes;
  await requireFreeDisk(scratch, 5 * bytes);
  const folder = join(scratch, "DCIM");
  const pictures = await takePictures(folder, files, longBytes);
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
  const board = await smallBoard(BOARD_BYTES);
  const receiving = new Receiving(spool, port, board);
  const network = values.breaks ? badNetwork(port, BREAKS_AFTER) : undefined;
  const remote = await remoteOf(network?.port ?? port, added);

  let isCopied = false;
  const copied = copy(folder, remote).finally(() => isCopied = true);
  const watching = (async () => {
    while (!isCopied) {
      await receiving.look();
      await platform.wait(250);
    }
  })();
  let plain = false;
  /** What was acknowledged; to ask the server would keep it busy. */
  const taken = () => {
    using register = new DatabaseSync(join(spool, "register.sqlite"), {
      readOnly: true,
      timeout: 10_000,
    });
    const row = register.prepare("select received from device").get();
    return Number(row?.["received"] ?? 0);
  };
  // Each kill after as many files as the others.
  const killing = (async () => {
    for (let turn = 1; turn <= kills && !isCopied; turn++) {
      const due = Math.floor(turn * files / (kills + 1));
      while (!isCopied && taken() < due) await platform.wait(500);
      await receiving.end("SIGKILL");
      plain ||= await liesIn(spool, MARK);
      receiving.startAgain();
    }
  })();
  const seconds = await copied;
  await Promise.all([killing, watching]);
  // What a kill cut off comes with rclone's next look, as a telephone's would.
  await copy(folder, remote);
  for (;;) {
    await receiving.look();
    const { length } = await library.inbox();
    if (length >= pictures.length) break;
    await platform.wait(5_000);
  }
  const inbox = await library.inbox();
  const dates = new Map(
    pictures.map(({ sha256, takenAt }) => [sha256, toRfc3339(takenAt)]),
  );
  const arrived = inbox.map(({ file }) => file?.sha256 ?? "");
  plain ||= await liesIn(spool, MARK);
  await receiving.end("SIGINT");
  network?.close();
  await board?.close();
  const sealed = await Array.fromAsync(Deno.readDir(join(spool, "sealed")));
  const left = sealed.length;
  const once = new Set(arrived).size === arrived.length;
  const whole = arrived.length === pictures.length &&
    arrived.every((hash) => dates.has(hash));
  const dated = inbox.every(({ file }) =>
    file?.modified_at === dates.get(file?.sha256 ?? "")
  );

  // The owner comes home.
  const accepted = await acceptMine(library);
  const rows = library.list();
  const stills = pictures.filter(({ isOfPair }) => !isOfPair).length;
  const pairs = pictures.length - stills;
  const live = rows.filter(({ metadata }) =>
    metadata?.derivatives.some(({ kind }) =>
      kind === "motion"
    )
  ).length;
  const isPaired = rows.length === stills && live === pairs &&
    (await library.inbox()).length === 0;

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
  const plainSeconds = values.peer
    ? await copy(folder, await remoteOf(plainPort))
    : NaN;
  const plainCpu = await cpuSeconds(peer.pid) ?? 0;
  peer.kill();
  await peer.status;
  await server.stop();

  const rate = (seconds: number) => (bytes / MIB / seconds).toFixed(1);
  say(
    `${pictures.length} files, ${
      (bytes / MIB).toFixed(0)
    } MiB, ${kills} kills, ` +
      `${network?.breaks ?? 0} broken connections`,
  );
  say(`arrived once and whole      ${once && whole ? "yes" : "NO"}`);
  say(`dates right                 ${dated ? "yes" : "NO"}`);
  say(
    `live photos are pairs       ${isPaired ? "yes" : "NO"} (${live} of ` +
      `${pairs}, ${accepted.failed} failed)`,
  );
  say(`plain text on the disk      ${plain ? "FOUND" : "none"}`);
  say(`sealed files left behind    ${left}`);
  say(`strongroom receive          ${rate(seconds)} MiB/s`);
  if (values.peer) {
    say(`rclone serve webdav         ${rate(plainSeconds)} MiB/s`);
    say(`ratio                       ${(plainSeconds / seconds).toFixed(2)}`);
  }
  say(
    `peak memory of receive      ${receiving.peak.toFixed(0)} MiB ` +
      `(of ${PEAK_MIB}${board === undefined ? "" : ", held to 256 in all"})`,
  );
  say(`of which no file's          ${receiving.anonymous.toFixed(0)} MiB`);
  const ofGib = (cpu: number) => (cpu * 1024 * MIB / bytes).toFixed(1);
  say(`processor, receive          ${ofGib(receiving.cpu)} s a GiB`);
  if (values.peer) {
    say(`processor, rclone serve     ${ofGib(plainCpu)} s a GiB`);
  }
  if (
    !isPaired || !once || !dated || !whole || plain || left > 0 ||
    receiving.peak > PEAK_MIB
  ) {
    Deno.exitCode = 1;
  }
});
