/**
 * The real server as a child process, with the permissions that
 * `deno task start` gives it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/server/free_port.ts";
import { LOCKED } from "../locked.ts";
import { freshApp } from "../web/fresh.ts";
import { MEMORY_FLAG } from "../packaging/permissions.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const START_TIMEOUT_MS = 60_000;
const LOG_LINES_SHOWN = 5;

/** A server that is up. */
export interface RunningServer {
  readonly origin: string;
  /** `host:port`, as STRONGROOM_LISTEN names it. */
  readonly listen: string;
  readonly pid: number;
  /** Resolves to the exit status, whatever ends it. */
  readonly ended: Promise<number>;
  /** Asks it to drain and stop; resolves to the exit status. */
  readonly stop: () => Promise<number>;
}

/** Where a server keeps its data, and its settings that are no defaults. */
interface ServerPlace {
  readonly dataDir: string;
  /** Its standard error goes here. */
  readonly logFile: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The checkout whose program it is, if not this one. */
  readonly checkout?: string;
  /** A program, and its arguments, that runs what is appended to them. */
  readonly under?: readonly string[];
}

/** Why a server did not come up. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
}

/**
 * Starts `main.ts serve` on a free loopback port; resolves when it says that it
 * serves. The settings of this process's environment do not reach it. Throws a
 * {@link ServerFault} that carries what it complained of.
 */
export async function startServer(place: ServerPlace): Promise<RunningServer> {
  const listen = `127.0.0.1:${freePort()}`;
  const env = {
    ...environmentWithoutSettings(),
    STRONGROOM_DATA_DIR: place.dataDir,
    STRONGROOM_LISTEN: listen,
    ...place.settings,
  };
  const { checkout = ROOT } = place;
  if (checkout === ROOT) await freshApp();
  const permissions = await narrowPermissions(checkout, env);
  const log = await Deno.open(place.logFile, { write: true, create: true });
  const run = [
    Deno.execPath(),
    "run",
    "--no-prompt",
    // Another version is started as its own task would.
    ...checkout === ROOT ? [...LOCKED, MEMORY_FLAG] : [],
    ...permissions,
  ];
  const [program = "", ...args] = [
    ...place.under ?? [],
    ...run,
    "main.ts",
    "serve",
  ];
  const child = new Deno.Command(program, {
    args,
    cwd: checkout,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const logged = child.stderr.pipeTo(log.writable);
  const ended = child.status.then(({ code }) => code);
  const line = await firstLine(child.stdout);
  const origin = /http:\/\/\S+/.exec(line)?.[0];
  if (origin === undefined) {
    kill(child);
    await logged;
    throw new ServerFault(
      `the server did not start: ${await lastLines(place.logFile)}`,
    );
  }
  return {
    origin,
    listen,
    pid: child.pid,
    ended,
    stop: async () => {
      kill(child);
      await logged;
      return await ended;
    },
  };
}

/** A variable of this process must not change what is shown or measured. */
function environmentWithoutSettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Deno.env.toObject())
      .filter(([name]) => !name.startsWith("STRONGROOM_")),
  );
}

async function narrowPermissions(
  checkout: string,
  env: Record<string, string>,
): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", ...checkout === ROOT ? LOCKED : []],
      ...["--allow-env", "--allow-read", "scripts/permissions.ts"],
    ],
    cwd: checkout,
    env,
    clearEnv: true,
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new ServerFault(decoder.decode(stderr).trim());
  return decoder.decode(stdout).trim().split(" ");
}

/** The first line of a stream; empty when it ends or tarries before one. */
export async function firstLine(
  stream: ReadableStream<Uint8Array>,
): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const tooLong = setTimeout(() => reader.cancel(), START_TIMEOUT_MS);
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  clearTimeout(tooLong);
  // Whatever else it says must not fill the pipe.
  drain(reader).catch(() => undefined);
  return text.includes("\n") ? text.slice(0, text.indexOf("\n")) : "";
}

async function drain(
  reader: ReadableStreamDefaultReader<string>,
): Promise<void> {
  while (!(await reader.read()).done);
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGTERM");
  } catch {
    // It has ended already.
  }
}

async function lastLines(path: string): Promise<string> {
  const lines = (await Deno.readTextFile(path)).trim().split("\n");
  return lines.slice(-LOG_LINES_SHOWN).join("\n");
}
