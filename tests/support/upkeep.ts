/**
 * The operator's commands as processes, with a running server or without one.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone } from "./ended.ts";
import { ORIGIN } from "./app.ts";
import type { Json } from "./expect.ts";
import { MortalServer, RestartedServer } from "./mortal_server.ts";
import { type EndedProgram, runProgram, withDataDir } from "./program.ts";

/** A server that may be stopped and started again. */
type Restartable = Pick<RestartedServer, "send" | "start" | "stop">;

/** A server, and commands on its data directory. */
export interface ServerAndCommands<Server = Restartable> {
  readonly server: Server;
  readonly dataDir: string;
  /** A directory next to the data, for what a test saves. */
  readonly outside: string;
  readonly run: (...args: string[]) => Promise<EndedProgram>;
}

/** Starts a server on a directory of its own; it is called {@link ORIGIN}. */
export function withServer(
  test: (given: ServerAndCommands) => Promise<void>,
): Promise<void> {
  return withServerOf((settings) => new RestartedServer(settings), test);
}

/** The same with one that is a process, and can be killed. */
export function withMortalServer(
  test: (given: ServerAndCommands<MortalServer>) => Promise<void>,
): Promise<void> {
  return withServerOf((settings) => new MortalServer(settings), test);
}

async function withServerOf<Server extends Restartable>(
  make: (settings: Record<string, string>) => Server,
  test: (given: ServerAndCommands<Server>) => Promise<void>,
): Promise<void> {
  await withDataDir(async (outside) => {
    const settings = {
      STRONGROOM_DATA_DIR: `${outside}/data`,
      STRONGROOM_BASE_URL: ORIGIN,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_RESERVED_DISK_BYTES: "0",
      // Blobs are files, which these tests look at.
      STRONGROOM_SMALL_BLOB_BYTES: "0",
    };
    const server = make(settings);
    await server.start();
    try {
      await test({
        server,
        dataDir: settings.STRONGROOM_DATA_DIR,
        outside,
        run: (...args) => runProgram(args, settings),
      });
    } finally {
      await server.stop();
    }
  });
}

/** Expects an exit status and one line of JSON; returns it parsed. */
export function expectLine(ended: EndedProgram, status: 0 | 1 = 0): Json {
  assert.equal(ended.status, status, ended.stderr + ended.stdout);
  assert.equal(ended.stderr, "");
  assert.match(ended.stdout, /^[^\n]+\n$/);
  return JSON.parse(ended.stdout);
}

/** Expects that every command of a family has an example in its help. */
export async function expectHelp(commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const args = [...command.split(" "), "--help"];
    const help = expectDone(await runProgram(args));
    assert.match(help, new RegExp(`Example:\n {2}strongroom ${command}`));
    for (const option of ["--data-dir", "--env-file", "--json"]) {
      assert(help.includes(option), `${command} ${option}`);
    }
  }
}
