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
import { RUNTIME_FLAGS } from "../../scripts/packaging/permissions.ts";
import { programCommand } from "../support/program.ts";

const MIB = 1024 * 1024;
const LARGE_MIB = Number(Deno.env.get("TEST_UPLOAD_MIB") ?? 48);
/** What people were promised. */
const MOST_MIB = 250;
/** Files of every way to be read, sealed and sent: held, in memory, in passes. */
const MANY_MIB = [2, 6, 8, 11, 31];
/** Of each of them about so many together (MiB). */
const TOGETHER_MIB = 96;

/** Runs a command to its end; the most memory that it had at a time (bytes). */
async function mostOf(home: string, args: readonly string[]): Promise<number> {
  const command = programCommand(args, RUNTIME_FLAGS);
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
    `push takes at most ${MOST_MIB} MiB, for ${LARGE_MIB} MiB in one file and for many of every size`,
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      const large = await laptop.write("large/video.mov", "begins");
      // Mostly a hole: it is read as all others are.
      await Deno.truncate(large, LARGE_MIB * MIB);
      const one = await mostOf(laptop.home, ["push", laptop.path("large")]);
      assert(one < MOST_MIB * MIB, `${Math.round(one / MIB)} MiB`);
      await Deno.remove(laptop.path("large"), { recursive: true });
      for (const mib of MANY_MIB) {
        const folder = `of-${mib}`;
        for (let at = 0; at < TOGETHER_MIB / mib; at++) {
          const name = `${folder}/${at}.mov`;
          const path = await laptop.write(name, `video ${mib} ${at}`);
          await Deno.truncate(path, mib * MIB);
        }
        const all = await mostOf(laptop.home, ["push", laptop.path(folder)]);
        assert(all < MOST_MIB * MIB, `${Math.round(all / MIB)} MiB of ${mib}`);
        await Deno.remove(laptop.path(folder), { recursive: true });
      }
    });
  },
});
