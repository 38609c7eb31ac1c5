/**
 * What `push` takes of memory: no more for a large file than for a small one.
 * `TEST_UPLOAD_MIB` says how large; the nightly run takes a gibibyte.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";

const MIB = 1024 * 1024;
const LARGE_MIB = Number(Deno.env.get("TEST_UPLOAD_MIB") ?? 48);
/** Under the quota of an account in these tests, and above what is measured. */
const MOST_MIB = 320;

/** Runs a command to its end; the most memory that it had at a time (bytes). */
async function mostOf(home: string, args: readonly string[]): Promise<number> {
  const command = programCommand(args);
  const child = new Deno.Command(command.program, {
    args: command.args,
    cwd: new URL("../../", import.meta.url),
    env: settingsOf(home),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  let [most, isOver] = [0, false];
  const ended = child.status.finally(() => isOver = true);
  while (!isOver) {
    // The kernel keeps the peak: the last look has it.
    const status = await Deno.readTextFile(`/proc/${child.pid}/status`)
      .catch(() => "");
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    most = Math.max(most, Number(peak ?? 0) * 1024);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await ended).code, 0, await errors);
  return most;
}

Deno.test({
  name:
    `push takes at most ${MOST_MIB} MiB, for ${LARGE_MIB} MiB in one file and in many`,
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      const large = await laptop.write("large/film.mov", "begins");
      // Mostly a hole: it is read as all others are.
      await Deno.truncate(large, LARGE_MIB * MIB);
      const one = await mostOf(laptop.home, ["push", laptop.path("large")]);
      assert(one < MOST_MIB * MIB, `${Math.round(one / MIB)} MiB`);
      for (let at = 0; at < 6; at++) {
        const path = await laptop.write(`many/${at}.mov`, `film ${at}`);
        await Deno.truncate(path, LARGE_MIB * MIB / 6);
      }
      const many = await mostOf(laptop.home, ["push", laptop.path("many")]);
      assert(many < MOST_MIB * MIB, `${Math.round(many / MIB)} MiB`);
    });
  },
});
