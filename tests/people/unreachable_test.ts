/**
 * A server that does not answer: a command tries again for half a minute.
 *
 * @module
 */
import assert from "node:assert/strict";
import { hasty } from "../support/hasty.ts";
import { runInProcess } from "../support/in_process.ts";
import {
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";

Deno.test("a server that does not answer is status 75, and one over the open internet without TLS is refused", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const password = laptop.path(".password");
    const open = await laptop.run(
      ...["login", "http://photos.example.com", "--profile", "second"],
      ...["--address", "a@b.c", "--password-file", password],
    );
    assert.equal(open.status, 1);
    assert.match(open.stderr, /is not encrypted/);
    await town.server.stop();
    const { status, stderr } = await runInProcess(
      ["ls"],
      settingsOf(laptop.home),
      new Uint8Array(),
      hasty,
    );
    assert.equal(status, 75);
    assert.match(stderr, /try again later/);
  });
});
