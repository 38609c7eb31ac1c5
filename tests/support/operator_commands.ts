/**
 * The operator's commands as processes, while a server runs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone, expectRefused } from "./ended.ts";
import { makeRequest, type Sender } from "./app.ts";
import type { Json } from "./expect.ts";
import {
  type EndedProgram,
  type RunningServer,
  runProgram,
  serveHere,
  withDataDir,
} from "./program.ts";

/** Cheap hashing and no reserve: a test machine's disk is not the subject. */
const CHEAP = {
  STRONGROOM_ARGON2_MEMORY_KIB: "8",
  STRONGROOM_ARGON2_PASSES: "1",
  STRONGROOM_RESERVED_DISK_BYTES: "0",
  // Blobs are files, which these tests look at.
  STRONGROOM_SMALL_BLOB_BYTES: "0",
};

export interface Beside extends Sender {
  readonly server: RunningServer;
  readonly dataDir: string;
  /** Runs a command on the server's data directory. */
  readonly run: (...args: string[]) => Promise<EndedProgram>;
  /** Runs it, expects that it is done, and returns what it said. */
  readonly done: (...args: string[]) => Promise<string>;
  /** The same with `--json`: one line, parsed. */
  readonly json: (...args: string[]) => Promise<Json>;
  /** Runs it and expects to be refused in one line, for this reason. */
  readonly refused: (why: RegExp, ...args: string[]) => Promise<void>;
}

/** Starts a server over a fresh data directory for as long as a test takes. */
export async function withServer(
  test: (beside: Beside) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const given = { ...CHEAP, ...settings, STRONGROOM_DATA_DIR: dataDir };
    const server = await serveHere(given);
    assert.notEqual(server.url, "", server.line);
    try {
      await test(besideServer(server, dataDir, given));
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
}

/** What a test has in addition to a server that it started itself. */
export function besideServer(
  server: RunningServer,
  dataDir: string,
  settings: Record<string, string>,
): Beside {
  const run = (...args: string[]) => runProgram(args, settings);
  const done = async (...args: string[]) => expectDone(await run(...args));
  return {
    server,
    dataDir,
    run,
    done,
    json: async (...args) => {
      const said = await done(...args, "--json");
      assert.match(said, /^[^\n]+\n$/);
      return JSON.parse(said);
    },
    refused: async (why, ...args) => expectRefused(await run(...args), why),
    send: (method, path, sent = {}) =>
      fetch(makeRequest(method, path, sent, server.url)),
  };
}

/** Expects 2, and a usage that is explained. */
export async function expectMisused(...args: string[]): Promise<void> {
  const ended = await runProgram(args);
  assert.equal(ended.status, 2, args.join(" "));
  assert.notEqual(ended.stderr, "");
}

/** Expects a family's help, each with an example and the common options. */
export async function expectHelp(
  family: string,
  commands: readonly string[],
): Promise<string[]> {
  return await Promise.all(commands.map(async (command) => {
    const help = expectDone(await runProgram([family, command, "--help"]));
    assert.match(
      help,
      new RegExp(`Example:\n {2}strongroom ${family} ${command}`),
    );
    for (const option of ["--data-dir", "--env-file", "--json"]) {
      assert(help.includes(option), `${family} ${command} ${option}`);
    }
    return help;
  }));
}
