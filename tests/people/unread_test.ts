/**
 * What cannot be looked at is told as an error, never as nothing: a name that
 * is not UTF-8 stands for a folder or a file that the system keeps closed.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Machine,
  newAccount,
  withTown,
} from "../support/people_commands.ts";

/** A folder with a file, and with a file and a folder of unreadable names. */
async function withUnreadable(machine: Machine): Promise<string> {
  await machine.write("in/good.txt", "good");
  const { success } = await new Deno.Command("sh", {
    args: [
      "-c",
      "printf bad > \"$(printf 'caf\\351.txt')\" && " +
      "mkdir \"$(printf 'd\\351j\\340')\" && " +
      "printf worse > \"$(printf 'd\\351j\\340/inside.txt')\"",
    ],
    cwd: machine.path("in"),
  }).output();
  assert.ok(success);
  return machine.path("in");
}

Deno.test("names that are not UTF-8 are failures, and never nothing wrong", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const folder = await withUnreadable(laptop);

    const pushed = await laptop.run("push", folder);
    assert.equal(pushed.status, 3);
    assert.match(pushed.stdout, /1 file kept .* 2 files FAILED/);
    assert.match(
      pushed.stderr,
      /cannot be read: .*caf.*\.txt: its name is not UTF-8: rename it/,
    );
    assert.match(
      pushed.stderr,
      /cannot be read: .*d.j.: its name is not UTF-8/,
    );

    const verified = await laptop.run("verify", "--local", folder);
    assert.equal(verified.status, 4);
    assert.doesNotMatch(verified.stdout, /nothing wrong/);
    assert.match(verified.stdout, /2 faults FOUND/);
    assert.match(verified.stderr, /cannot be read: .*caf/);

    const imported = await laptop.run("import", "apple", folder);
    assert.equal(imported.status, 3);
    assert.match(imported.stderr, /cannot be read: .*caf/);

    const synced = await laptop.run("sync", folder);
    assert.equal(synced.status, 3);

    const link = (await laptop.done("request", "--expires", "1d")).trim();
    const sent = await laptop.run("send", link, folder);
    assert.equal(sent.status, 3);
    assert.match(sent.stderr, /cannot be read: .*caf/);
  });
});
