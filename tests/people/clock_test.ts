/**
 * Machines whose clock is an hour off, in either direction: everything works,
 * and what is sent is dated by the photograph, not by the clock.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import {
  type Machine,
  PASSWORD,
  settingsOf,
  type Town,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";

const FAKETIME = await debianProgram("faketime", "faketime");

/** Runs a command on a machine with another idea of the time. */
async function later(
  machine: Machine,
  by: string,
  ...args: readonly string[]
): Promise<string> {
  const command = programCommand(args);
  const { code, stdout, stderr } = await new Deno.Command(FAKETIME ?? "", {
    args: ["-f", by, command.program, ...command.args],
    cwd: new URL("../../", import.meta.url),
    env: settingsOf(machine.home),
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  const errors = new TextDecoder().decode(stderr);
  assert.equal(code, 0, `${args.join(" ")}: ${text}${errors}`);
  return text + errors;
}

async function everything(town: Town, by: string): Promise<void> {
  const machine = await town.machine(`clock ${by}`);
  const address = `ada${by}@example.org`;
  const password = await machine.write(".password", PASSWORD);
  await later(
    machine,
    by,
    ...["login", town.url, "--new", "--address", address],
    ...["--password-file", password, "--words-file", machine.path("words")],
  );
  await machine.write("in/walk.txt", "a walk");
  const pushed = await later(machine, by, "push", machine.path("in"));
  assert.match(pushed, /1 file kept/);
  const shared = await later(machine, by, "share", "walk", "--expires", "2h");
  assert.match(shared, /\/s\/[0-9a-f]{32}#/);
  const verified = await later(machine, by, "verify", "--receipts");
  assert.match(verified, /nothing wrong/);
  // The right clock comes back, and nothing looks strange.
  assert.match(await machine.done("push", machine.path("in")), /1 file known/);
  assert.match(await machine.done("verify"), /nothing wrong/);
  assert.equal(await machine.done("get", "walk"), "a walk");
}

Deno.test({
  name: "a clock an hour ahead or behind hinders nothing",
  ignore: FAKETIME === undefined,
  async fn() {
    await withTown(async (town) => {
      await Promise.all(["+1h", "-1h"].map((by) => everything(town, by)));
    });
  },
});
