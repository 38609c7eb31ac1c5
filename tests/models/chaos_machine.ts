/**
 * A person's device: a folder of photos and the real program, which may be
 * killed at any request. The next command finds what it has written by then.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Platform } from "../../src/core/platform.ts";
import {
  type CliContext,
  withCliContext,
} from "../../src/cli/person/cli_context.ts";
import { runProgram } from "../../src/cli/program.ts";
import { seededRandom, yieldToEventLoop } from "../support/app.ts";
import { gatheredStreams } from "../support/in_process.ts";
import { type Event, settingsOf } from "../support/people_commands.ts";
import type { EndedProgram } from "../support/program.ts";
import type { Life, Network } from "./chaos_network.ts";

/** What a command came to; without a status it was killed. */
export interface Outcome extends Omit<EndedProgram, "status"> {
  readonly status: number | "killed";
  /** Lines of `--json`, those of before a kill included. */
  readonly events: readonly Event[];
}

/** A command that was killed, and hangs at its next request for ever. */
interface Corpse {
  readonly bury: () => void;
  readonly ended: Promise<unknown>;
}

/** The program on a device. */
export class Machine {
  /** Its clock's difference to the right time (ms). */
  skewMs = 0;
  #home: string;
  #lives = 0;
  #slept = 0;
  readonly #corpses: Corpse[] = [];
  readonly #random: Platform["random"];

  constructor(
    readonly name: string,
    readonly owner: "ada" | "bob" | "guest",
    private readonly room: string,
    private readonly network: Network,
  ) {
    this.#home = join(room, "homes", name);
    this.#random = seededRandom(`machine ${name}`);
  }

  /** The folder of photos, which outlives every command. */
  get photos(): string {
    return join(this.room, "photos", this.name);
  }

  /** Runs a command as its person types it, with `--json`. */
  async run(...args: readonly string[]): Promise<Outcome> {
    return await this.#live(
      args.join(" "),
      async (world, environment, streams) =>
        await runProgram([...args, "--json"], world, { streams, environment }),
    );
  }

  /** Does with the library what a program for people does. */
  async work(doing: (cli: CliContext) => Promise<void>): Promise<Outcome> {
    return await this.#live("work", async (platform, environment, streams) => {
      let status = 0;
      const encoder = new TextEncoder();
      const say = (line: string) =>
        void streams.stdout.writeSync(encoder.encode(`${line}\n`));
      await withCliContext(
        {
          platform,
          streams,
          environment,
          say,
          warn: (line) =>
            void streams.stderr.writeSync(encoder.encode(`${line}\n`)),
          endWith: (end) => {
            status = end;
          },
        },
        { profile: "default", json: true },
        doing,
      );
      return status;
    });
  }

  /** Lets go of what was killed. */
  async bury(): Promise<void> {
    for (const { bury } of this.#corpses) bury();
    await Promise.allSettled(this.#corpses.map(({ ended }) => ended));
    this.#corpses.length = 0;
  }

  async #live(
    what: string,
    command: (
      world: Platform,
      environment: Readonly<Record<string, string>>,
      streams: ReturnType<typeof gatheredStreams>["streams"],
    ) => Promise<number>,
  ): Promise<Outcome> {
    const { network } = this;
    const killed = Promise.withResolvers<"killed">();
    const burial = Promise.withResolvers<never>();
    burial.promise.catch(() => {});
    let isDead = false;
    const life: Life = {
      get isDead() {
        return isDead;
      },
      buried: burial.promise,
      kill: () => {
        if (isDead) return;
        isDead = true;
        this.#leaveBehind();
        killed.resolve("killed");
      },
    };
    const ignore = () => {};
    const world: Platform = {
      now: () => network.app.clock.now + this.skewMs,
      monotonic: () =>
        performance.now() + network.app.clock.passed + this.#slept,
      random: this.#random,
      sleep: async (ms) => {
        this.#slept += ms;
        await yieldToEventLoop();
        if (isDead) await burial.promise;
      },
      fetch: (input, init) => network.send(life, new Request(input, init)),
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    };
    const { streams, ended } = gatheredStreams();
    const work = command(world, settingsOf(this.#home), streams);
    const status = await Promise.race([work, killed.promise]);
    if (status === "killed") {
      this.#corpses.push({
        bury: () => burial.reject(new TypeError("the connection is gone")),
        ended: work,
      });
    }
    const { stdout, stderr } = ended(0);
    network.diary.push(`${this.name} ${what}: ${status} ${stdout}${stderr}`);
    return { status, stdout, stderr, events: eventsIn(stdout) };
  }

  /** The state as a kill leaves it: nothing of this turn happens in between. */
  #leaveBehind(): void {
    const next = join(this.room, "homes", `${this.name}-${++this.#lives}`);
    copyFolder(this.#home, next);
    this.#home = next;
  }
}

function eventsIn(stdout: string): Event[] {
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const event: Event = JSON.parse(line);
    assert.equal(typeof event.event, "string");
    return [event];
  });
}

/** Copies a folder with everything in it, in one turn of the event loop. */
export function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) copyFolder(source, target);
    else Deno.copyFileSync(source, target);
  }
}
