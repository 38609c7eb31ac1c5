/**
 * The program as a process: from the checkout, with the permissions that
 * `deno task start` gives it, or whatever executable `STRONGROOM_BIN`
 * names.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { PROGRAM_PERMISSIONS } from "../../scripts/packaging/permissions.ts";
import { permissionsOf } from "../../scripts/permissions.ts";
import { loadSettings } from "../../src/cli/environment.ts";
import { blobPlaceOf } from "./blob_place.ts";
import "./fresh_core.ts";
import { runInProcess, serveInProcess } from "./in_process.ts";
import { LOCKED } from "../../scripts/locked.ts";

const ROOT = new URL("../../", import.meta.url);

/** An executable to be tested in the checkout's place. */
const EXECUTABLE = executable();

/** What is not said by then is not said at all. */
const SAID_MS = 120_000;

const ANY_PORT = { STRONGROOM_LISTEN: "127.0.0.1:0" };

export interface RunningServer {
  /** What the first line on standard output says; empty if there was none. */
  readonly line: string;
  /** The origin that the line names. */
  readonly url: string;
  /** The exit status. */
  readonly exited: Promise<number>;
  /**
   * Everything on standard error, once the program has ended; a fatal line of
   * JSON in the words that a person is told.
   */
  readonly complaint: () => Promise<string>;
  /** The same, as it was written. */
  readonly log: () => Promise<string>;
  /** Tells it to stop and waits; resolves to the exit status. */
  readonly stop: () => Promise<number>;
}

/** A process of its own, which SIGTERM stops. */
export interface RunningProgram extends RunningServer {
  readonly pid: number;
  /** Resolves once standard error has these words, so many times. */
  readonly said: (words: string, times?: number) => Promise<void>;
}

/** The server's own process, with nothing in between. */
export interface KillableProgram extends RunningProgram {
  /** Sends SIGKILL and waits. */
  readonly kill: () => Promise<number>;
}

/**
 * Starts `serve` on a free port in this process, a tenth of the work of one of
 * its own: for a test whose subject is what a server does, and not the process.
 * A command that writes while requests run wants a process for one of the two:
 * here it would wait for the database, and the server could not let go of it.
 */
export async function serveHere(
  settings: Record<string, string>,
): Promise<RunningServer> {
  if (!canBeHere(settings)) return await startProgram(settings);
  const server = await serveInProcess({
    ...environment(settings),
    ...ANY_PORT,
    STRONGROOM_LOG_FORMAT: "json",
    ...settings,
  });
  return {
    ...server,
    line: wordsOf(server.line),
    url: urlIn(server.line),
    complaint: async () => complaintIn(await server.log()),
  };
}

/** Programs that run: a test that fails must not leave its own behind. */
const running = new Set<Deno.ChildProcess>();
globalThis.addEventListener("unload", () => {
  for (const child of running) child.kill("SIGTERM");
});

/**
 * Starts `serve` on a free port; resolves at its first line, or its end. Its
 * permissions are those that `deno task start` gives, asked for in this
 * process; where settings have faults, the task is left to say so.
 */
export function startProgram(
  settings: Record<string, string>,
): Promise<RunningProgram> {
  return startKillable(settings);
}

/** The same as people start it: with `deno task start`. */
export function startTask(
  settings: Record<string, string>,
): Promise<RunningProgram> {
  return EXECUTABLE === undefined
    ? start(Deno.execPath(), ["task", "--quiet", "start"], settings)
    : start(EXECUTABLE, ["serve"], settings);
}

/**
 * The same for a server that is to be killed, as `deno task` would not be; with
 * more options of the runtime's, if given.
 */
export function startKillable(
  settings: Record<string, string>,
  options: readonly string[] = [],
): Promise<KillableProgram> {
  if (EXECUTABLE !== undefined) return start(EXECUTABLE, ["serve"], settings);
  const { config } = loadSettings({
    environment: { ...environment(settings), ...ANY_PORT, ...settings },
  });
  const args = config === undefined ? ["task", "--quiet", "start"] : [
    ...["run", "--no-prompt", ...heldToLock(options), ...permissionsOf(config)],
    ...["main.ts", "serve"],
  ];
  return start(Deno.execPath(), args, settings);
}

async function start(
  program: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<KillableProgram> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    clearEnv: true,
    env: { ...environment(settings), ...ANY_PORT, ...settings },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  running.add(child);
  let heard = "";
  const stderr = (async () => {
    const decoded = child.stderr.pipeThrough(new TextDecoderStream());
    for await (const piece of decoded) heard += piece;
    return heard;
  })();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    line += value;
  }
  const drained = drain(reader);
  const exited = child.status.then(({ code }) => {
    running.delete(child);
    return code;
  });
  const end = async (signal: Deno.Signal) => {
    if (running.has(child)) child.kill(signal);
    await drained;
    await stderr;
    return await exited;
  };
  return {
    line: wordsOf(line.trim()),
    url: urlIn(line),
    pid: child.pid,
    exited,
    complaint: async () => complaintIn(await stderr),
    log: () => stderr,
    said: async (words, times = 1) => {
      const giveUpAt = performance.now() + SAID_MS;
      while (heard.split(words).length <= times) {
        if (performance.now() > giveUpAt) {
          throw new Error(`never said ${words}: ${heard}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** The first origin that a line names. */
function urlIn(line: string): string {
  return /https?:\/\/\S+/.exec(line)?.[0] ?? "";
}

/** A log with its fatal line in the words that a person is told. */
function complaintIn(log: string): string {
  return log.split("\n").map((one) =>
    /"level":"FATAL"/.test(one) ? `strongroom: ${wordsOf(one)}` : one
  ).join("\n");
}

/** The message of a line of the log's, or the line itself. */
function wordsOf(line: string): string {
  return line.startsWith("{") ? JSON.parse(line).message : line;
}

/** A command that has run to its end. */
export interface EndedProgram {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function heldToLock(options: readonly string[]): readonly string[] {
  return options.includes("--no-lock") ? options : [...LOCKED, ...options];
}

/** A command line of the operator's, with the permissions of a packed one. */
export function programCommand(
  args: readonly string[],
  options: readonly string[] = [],
): {
  readonly program: string;
  readonly args: string[];
} {
  if (EXECUTABLE !== undefined) return { program: EXECUTABLE, args: [...args] };
  return {
    program: Deno.execPath(),
    args: [
      ...["run", "--no-prompt", ...heldToLock(options), ...PROGRAM_PERMISSIONS],
      ...["main.ts", ...args],
    ],
  };
}

/**
 * Names the commands that a process was run of. Each part of the suite has an
 * isolate of its own; what they have in common is the environment.
 */
const PROVEN = "TEST_PROVEN_COMMANDS";

/** Whether a process was run of a command; from now on, one was. */
function wasProven(command: string): boolean {
  const proven = Deno.env.get(PROVEN)?.split(",") ?? [];
  if (proven.includes(command)) return true;
  Deno.env.set(PROVEN, [...proven, command].join(","));
  return false;
}

/**
 * Runs a command, with `input` on its standard input. In a run of the suite the
 * first of every command is a real process, with the permissions of a packed
 * one; those after it run in this process, in a quarter of the time. Where the
 * process is the subject there is {@link runProcess}.
 */
export async function runProgram(
  args: readonly string[],
  settings: Record<string, string> = {},
  input?: string | Uint8Array,
): Promise<EndedProgram> {
  const mustBeProcess = !ends(args) || !canBeHere(settings);
  if (mustBeProcess || !wasProven(commandOf(args))) {
    return await runProcess(args, settings, input);
  }
  const given = { ...environment(settings), ...settings };
  return await runInProcess(args, given, bytesOf(input ?? ""));
}

/** What is no setting of the program's is read by the runtime of a process. */
function canBeHere(settings: Record<string, string>): boolean {
  return EXECUTABLE === undefined &&
    Object.keys(settings).every((name) => SETTING.test(name));
}

/** The runtime's own cache is the same one, for a process and for this. */
const SETTING =
  /^((STRONGROOM|OIDC)_.*|HOME|XDG_CONFIG_HOME|XDG_STATE_HOME|DENO_DIR|CREDENTIALS_DIRECTORY)$/;

/** Families of commands: the word after names one of them. */
const FAMILIES = [
  "account",
  "album",
  "asset",
  "backup",
  "config",
  "deprecation",
  "favourite",
  "import",
  "inbox",
  "keys",
  "links",
  "peer",
  "receipts",
  "report",
  "trash",
];

/**
 * What does not run to its end by itself: the servers, and `enroll` and `join`,
 * which wait for each other where one command runs at a time.
 */
const ENDLESS: readonly string[] = ["enroll", "join", "serve", "webdav"];

/** Whether a command line names a command that ends by itself. */
function ends(args: readonly string[]): boolean {
  const [first = ""] = args;
  return /^[a-z]+$/.test(first) && !ENDLESS.includes(first) &&
    !args.includes("--watch");
}

/** The words that name the command. */
function commandOf([first = "", second = ""]: readonly string[]): string {
  return FAMILIES.includes(first) && /^[a-z]+$/.test(second)
    ? `${first} ${second}`
    : first;
}

/** The same, always as a process. */
export async function runProcess(
  args: readonly string[],
  settings: Record<string, string> = {},
  input?: string | Uint8Array,
  options?: readonly string[],
): Promise<EndedProgram> {
  const command = programCommand(args, options);
  const child = new Deno.Command(command.program, {
    args: command.args,
    cwd: ROOT,
    clearEnv: true,
    env: { ...environment(settings), ...settings },
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (input !== undefined) {
    // It may have refused before it read all of it.
    await new Blob([bytesOf(input)]).stream().pipeTo(child.stdin)
      .catch(() => {});
  }
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { status: code, stdout: text(stdout), stderr: text(stderr) };
}

function bytesOf(input: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof input === "string"
    ? new TextEncoder().encode(input)
    : new Uint8Array(input);
}

function executable(): string | undefined {
  const named = Deno.env.get("STRONGROOM_BIN");
  return named === undefined ? undefined : resolve(named);
}

/**
 * This process's environment, without the names that are these tests' own, and
 * with this runtime first for a launcher that wants one; and the bucket, where
 * the data directory that is given places its blobs in one, and nothing is said
 * of them.
 */
function environment(given: Record<string, string>): Record<string, string> {
  const {
    STRONGROOM_DATA_DIR: dataDir,
    STRONGROOM_S3_ENDPOINT: endpoint,
    STRONGROOM_BLOBS: blobs,
  } = given;
  const { STRONGROOM_BIN: _, [PROVEN]: __, PATH = "", ...others } = Deno.env
    .toObject();
  const place = dataDir === undefined || (endpoint ?? blobs) !== undefined
    ? undefined
    : blobPlaceOf(dataDir);
  return {
    ...others,
    PATH: `${dirname(Deno.execPath())}:${PATH}`,
    ...place?.settings,
  };
}

async function drain(
  reader: ReadableStreamDefaultReader<string>,
): Promise<void> {
  while (!(await reader.read()).done);
}

/** Hands out a temporary directory and removes it afterwards. */
export async function withDataDir(
  test: (dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "strongroom-smoke-" });
  try {
    await test(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}
