/**
 * `push` that is killed anywhere and run again: nothing is missing, and nothing
 * is there twice. `TEST_KILLS` says how often; the nightly run does it 200
 * times.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";

const KILLS = Number(Deno.env.get("TEST_KILLS") ?? 5);
const FILES = 24;

function bytes(seed: number): Uint8Array<ArrayBuffer> {
  const length = 1_000 + (seed % 5) * 60_000;
  return Uint8Array.from({ length }, (_, at) => (at * 13 + seed * 101) & 0xff);
}

Deno.test("a push that is killed anywhere goes on, with nothing twice and nothing missing", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    let seed = 0;
    const wanted = new Map<string, string>();
    const more = async () => {
      const content = bytes(++seed);
      wanted.set(sha256Hex(content), `file ${seed}.bin`);
      await laptop.write(`in/file ${seed}.bin`, content);
    };
    while (seed < FILES) await more();
    const folder = laptop.path("in");
    const command = programCommand(["push", folder]);
    for (let kill = 0; kill < KILLS; kill++) {
      await more();
      const child = new Deno.Command(command.program, {
        args: command.args,
        cwd: new URL("../../", import.meta.url),
        env: settingsOf(laptop.home),
        stdin: "null",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      // From its first word on, somewhere among what it does.
      const reader = child.stdout.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 400));
      try {
        child.kill("SIGKILL");
      } catch {
        // It was done before.
      }
      while (!(await reader.read()).done);
      await child.status;
    }
    assert.match(await laptop.done("push", folder), /file(s)? known/);
    const events = await laptop.events("ls");
    const kept = events.filter(({ event }) => event === "asset")
      .map(({ sha256 }) => String(sha256));
    assert.deepEqual(kept.sort(), [...wanted.keys()].sort());
    assert.match(await laptop.done("verify"), /nothing wrong/);
    // What was begun and given up is not lying about either.
    const back = laptop.path("back");
    await laptop.done("pull", back, "--layout", "{name}");
    for (const [hash, name] of wanted) {
      assert.equal(sha256Hex(await Deno.readFile(`${back}/${name}`)), hash);
    }
  });
});
