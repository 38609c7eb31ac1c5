/**
 * People at the command line: a real server, and machines of their own with a
 * home directory each, on which the real program is run.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { layDatabase } from "./app.ts";
import {
  type EndedProgram,
  type RunningServer,
  runProgram,
  serveHere,
  withDataDir,
} from "./program.ts";

/** What people in these tests sign in with. */
export const PASSWORD = "a horse that reads the newspaper";

/** A machine: its home, and the program on it. */
export interface Machine {
  readonly home: string;
  /** Runs `strongroom ARGS…` as whoever owns the machine. */
  run(...args: readonly string[]): Promise<EndedProgram>;
  /** The same; the status has to be 0. Its standard output. */
  done(...args: readonly string[]): Promise<string>;
  /** With `--json`: its events. */
  events(...args: readonly string[]): Promise<readonly Event[]>;
  /** A file of the home directory; its folders are made. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  path(name: string): string;
}

/** A line of `--json`. */
export interface Event {
  readonly event: string;
  readonly [key: string]: unknown;
}

/** A server and a folder for everything. */
export interface Town {
  readonly server: RunningServer;
  readonly url: string;
  readonly folder: string;
  machine(name: string): Promise<Machine>;
}

/** Runs a test with a server of its own. */
export async function withTown(
  test: (town: Town) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withDataDir(async (folder) => {
    const dataDir = join(folder, "data");
    await layDatabase(dataDir);
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_REGISTRATION: "open",
      // What the server's own hashing costs is not the subject.
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_LOG_FORMAT: "json",
      ...settings,
    });
    try {
      const machine = (name: string) => openMachine(join(folder, name));
      await test({ server, url: server.url, folder, machine });
    } finally {
      await server.stop();
    }
  });
}

/** The environment of a machine: its home, and the runtime's usual cache. */
export function settingsOf(home: string): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR") ??
    join(Deno.env.get("HOME") ?? "", ".cache", "deno");
  return {
    HOME: home,
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: "",
    DENO_DIR: cache,
  };
}

/** Makes a machine whose home is there. */
export async function openMachine(home: string): Promise<Machine> {
  await Deno.mkdir(home, { recursive: true });
  const settings = settingsOf(home);
  const machine: Machine = {
    home,
    path: (name) => join(home, name),
    run: (...args) => runProgram(args, settings),
    async done(...args) {
      const { status, stdout, stderr } = await machine.run(...args);
      assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
    async events(...args) {
      const { stdout } = await machine.run(...args, "--json");
      return stdout.split("\n").filter((line) => line !== "")
        .map((line): Event => JSON.parse(line));
    },
    async write(name, content) {
      const path = join(home, name);
      await Deno.mkdir(join(path, ".."), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(path, content);
      else await Deno.writeFile(path, content);
      return path;
    },
  };
  return machine;
}

/** Makes an account on a machine; its 24 words are in the file that returns. */
export async function newAccount(
  { url }: Pick<Town, "url">,
  machine: Machine,
  address: string,
): Promise<string> {
  const password = await machine.write(".password", `${PASSWORD}\n`);
  const words = machine.path("words");
  await machine.done(
    "login",
    url,
    "--new",
    "--address",
    address,
    "--password-file",
    password,
    "--words-file",
    words,
  );
  return words;
}

/** Signs in on a machine that has nothing, with the words of another. */
export async function signInWithWords(
  { url }: Town,
  machine: Machine,
  address: string,
  words: string,
): Promise<void> {
  const password = await machine.write(".password", `${PASSWORD}\n`);
  await machine.done(
    "login",
    url,
    "--address",
    address,
    "--password-file",
    password,
    "--words-file",
    words,
  );
}
