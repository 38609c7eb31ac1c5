/**
 * Progress of the commands that move files: on a terminal alone, through a
 * pseudo-terminal of util-linux's `script`.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Machine,
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";

const MIB = 1024 * 1024;
const CLEAR = "\r\x1b[K";

/** Runs a command at a terminal; everything that was written on it. */
async function atTerminal(
  { home }: Machine,
  ...args: readonly string[]
): Promise<string> {
  const { program, args: given } = programCommand(args);
  const quoted = [program, ...given]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const { code, stdout } = await new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", quoted.join(" "), "/dev/null"],
    cwd: new URL("../../", import.meta.url),
    env: { ...settingsOf(home), TERM: "xterm", SHELL: "/bin/sh" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, text);
  return text;
}

/** What stood on the status line, one after the other. */
function drawnIn(text: string): string[] {
  return text.split(CLEAR).slice(1)
    .map((line) => line.split(/\r|\n/)[0] ?? "")
    .filter((line) => line !== "");
}

/** What is left on the screen, a line each. */
function saidIn(text: string): string[] {
  return text.split("\n")
    .map((line) => line.replace(/\r$/, "").split(CLEAR).at(-1) ?? "")
    .filter((line) => line !== "");
}

Deno.test({
  name:
    "push, pull, sync, import and export-all tell of each file and of all on a terminal, and of nothing in a pipe",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      const names = ["one.mov", "two.mov", "three.mov"];
      for (const name of names) {
        const path = await laptop.write(`in/${name}`, `begins ${name}`);
        await Deno.truncate(path, 9 * MIB);
      }
      const pushed = await atTerminal(laptop, "push", laptop.path("in"));
      const drawn = drawnIn(pushed);
      assert.ok(drawn.length > 0, pushed);
      const line =
        /^(one|two|three)\.mov \d+ %, \d of 3 files, [\d.]+ (bytes|KiB|MiB) of 27 MiB \(\d+ %\)(, [\d.]+ (bytes|KiB|MiB)\/s)?(, \d+ (s|min) left)?$/;
      assert.ok(drawn.some((one) => line.test(one)), drawn.join("\n"));
      // What is said stands on lines of its own, without rests of progress.
      assert.deepEqual(
        saidIn(pushed).slice(0, 3).sort(),
        names.map((name) => `kept ${laptop.path(`in/${name}`)}`).sort(),
      );
      assert.match(
        saidIn(pushed)[3] ?? "",
        /^3 files have no date of their own/,
      );
      assert.match(saidIn(pushed)[4] ?? "", /^3 files kept/);

      // Again: there is nothing to send, and nothing to tell of.
      assert.deepEqual(
        drawnIn(await atTerminal(laptop, "push", laptop.path("in"))),
        [],
      );

      const folder = (name: string) => laptop.path(name);
      const commands = [
        ["pull", folder("out")],
        ["export-all", folder("export")],
      ];
      for (const command of commands) {
        const told = drawnIn(await atTerminal(laptop, ...command));
        assert.ok(
          told.some((one) => /\.mov \d+ %, \d of 3 files, /.test(one)),
          `${command[0]}: ${told.join("\n")}`,
        );
      }
      const more = await laptop.write("in/four.mov", "begins four");
      await Deno.truncate(more, 9 * MIB);
      const synced = drawnIn(await atTerminal(laptop, "sync", folder("in")));
      assert.ok(synced.some((one) => one.startsWith("four.mov ")));
      await laptop.write("takeout/Photos from 2024/five.jpg", "no picture");
      const imported = drawnIn(
        await atTerminal(laptop, "import", "takeout", folder("takeout")),
      );
      assert.ok(
        imported.some((one) => /^five\.jpg 0 %, 0 of 1 files/.test(one)),
        imported.join("\n"),
      );

      await laptop.write("in/six.txt", "six");
      const piped = await laptop.run("push", folder("in"));
      assert.equal(piped.stderr, "");
      assert.ok(!piped.stdout.includes("\x1b"));
    });
  },
});
