/**
 * A command, or a server, in the test's own process, with streams and an
 * environment of its own: the same code, without half a second to start it.
 *
 * @module
 */
import { platform } from "../../main.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Streams } from "../../src/cli/streams.ts";
import type { Log, Platform } from "../../src/core/platform.ts";
import { Argon2InThread, CHEAP_COST } from "./argon2.ts";
import type { EndedProgram, RunningServer } from "./program.ts";
import { lendWriter } from "./writers.ts";

/** Resolves when the command before has ended. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line to its end, after those that were asked for before: of
 * two that write, one would wait for the other without letting it go on.
 */
export function runInProcess(
  ...given: Parameters<typeof run>
): Promise<EndedProgram> {
  const ended = turn.then(() => run(...given));
  turn = ended.catch(() => {});
  return ended;
}

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: Uint8Array<ArrayBuffer>,
  world: Platform = platform,
): Promise<EndedProgram> {
  const { streams, ended } = gatheredStreams(input);
  const status = await runProgram(args, world, {
    streams,
    environment,
    // The first process of every command stretches at the suite's cost.
    passphraseCost: CHEAP_COST,
  });
  return ended(status);
}

/** Streams of no terminal, and what was written to them by now. */
export function gatheredStreams(
  input: Uint8Array<ArrayBuffer> = new Uint8Array(),
): {
  readonly streams: Streams;
  readonly ended: (status: number) => EndedProgram;
} {
  const stdout = new Gathered();
  const stderr = new Gathered();
  return {
    streams: { stdin: inputOf(input), stdout, stderr },
    ended: (status) => ({
      status,
      stdout: stdout.text(),
      stderr: stderr.text(),
    }),
  };
}

/**
 * Runs `serve` until it is told to stop; resolves at its first line, or its
 * end. Commands go on in their turns meanwhile.
 */
export async function serveInProcess(
  environment: Readonly<Record<string, string>>,
  world: Platform = platform,
): Promise<Pick<RunningServer, "line" | "exited" | "log" | "stop">> {
  const stdout = new Gathered();
  const stderr = new Gathered();
  const log = new GatheredLog(stderr);
  const told = Promise.withResolvers<void>();
  const isCheap = environment.STRONGROOM_ARGON2_MEMORY_KIB ===
    String(CHEAP_COST.memoryKib);
  const exited = runProgram(["serve"], { ...world, log }, {
    streams: { stdin: inputOf(new Uint8Array()), stdout, stderr },
    environment,
    host: {
      signals: () => ({
        stop: told.promise,
        hurry: new Promise(() => {}),
        onReload: () => {},
      }),
      startLogging: ({ STRONGROOM_LOG_LEVEL: lowest }) => {
        log.start(lowest);
        return Promise.resolve();
      },
      // Counting would include those of other tests.
      descriptorLimit: () => Infinity,
      threads: {
        startWriter: lendWriter,
        ...(isCheap ? { startArgon2: () => new Argon2InThread() } : {}),
      },
    },
  });
  await Promise.race([stdout.written, exited]);
  return {
    line: stdout.text().split("\n")[0] ?? "",
    exited,
    log: async () => {
      await exited;
      return stderr.text();
    },
    stop: () => {
      told.resolve();
      return exited;
    },
  };
}

const LEVELS = ["debug", "info", "warning", "error"] as const;
type Level = typeof LEVELS[number];

/** The lines of a log of JSON. */
class GatheredLog implements Log {
  readonly #to: Gathered;
  #lowest: number = LEVELS.length;

  constructor(to: Gathered) {
    this.#to = to;
  }

  start(lowest: Level): void {
    this.#lowest = LEVELS.indexOf(lowest);
  }

  debug: Log["debug"] = (...line) => this.#write("debug", ...line);
  info: Log["info"] = (...line) => this.#write("info", ...line);
  warn: Log["warn"] = (...line) => this.#write("warning", ...line);
  error: Log["error"] = (...line) => this.#write("error", ...line);

  #write(
    level: Level,
    message: string,
    properties: Record<string, unknown> = {},
  ): void {
    if (LEVELS.indexOf(level) < this.#lowest) return;
    const line = {
      "@timestamp": new Date().toISOString(),
      level: level === "warning" ? "WARN" : level.toUpperCase(),
      message,
      logger: "strongroom",
      ...properties,
    };
    this.#to.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  }
}

/** What was written, as a pipe takes it. */
class Gathered {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #first = Promise.withResolvers<void>();

  /** Resolves once something is. */
  get written(): Promise<void> {
    return this.#first.promise;
  }

  writeSync(bytes: Uint8Array): number {
    this.#pieces.push(bytes.slice());
    this.#first.resolve();
    return bytes.length;
  }

  isTerminal(): boolean {
    return false;
  }

  text(): string {
    const length = this.#pieces.reduce((sum, one) => sum + one.length, 0);
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return new TextDecoder().decode(whole);
  }
}

/** Standard input that holds some bytes and is no terminal. */
function inputOf(bytes: Uint8Array<ArrayBuffer>) {
  let at = 0;
  return {
    isTerminal: () => false,
    setRaw: () => {
      throw new Error("no terminal");
    },
    readable: new Blob([bytes]).stream(),
    read: (into: Uint8Array) => {
      const piece = bytes.subarray(at, at + into.length);
      into.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length === 0 ? null : piece.length);
    },
  };
}
