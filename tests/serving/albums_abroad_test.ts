/**
 * Two servers as two processes, and people of both who share an album, until
 * one of the servers is away (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  newAccount,
  openMachine,
  settingsOf,
} from "../support/people_commands.ts";
import {
  type RunningProgram,
  runProcess,
  startProgram,
  withDataDir,
} from "../support/program.ts";

const LINK = /https?:\/\/\S+\/#\/(?:contact|pickup)\/[0-9a-f]{32}\.[\w-]{43}/;
const linkIn = (text: string): string => LINK.exec(text)?.[0] ?? "";

Deno.test("people of two servers share an album, and a host that is away keeps the member from nothing else", async () => {
  await withDataDir(async (folder) => {
    const running: RunningProgram[] = [];
    const start = async (name: string) => {
      const program = await startProgram({
        STRONGROOM_DATA_DIR: join(folder, name),
        STRONGROOM_FEDERATION: "on",
        STRONGROOM_REGISTRATION: "open",
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_ARGON2_PASSES: "1",
      });
      running.push(program);
      return program;
    };
    try {
      const [host, home] = [await start("host"), await start("home")];
      const ada = await openMachine(join(folder, "ada"));
      const bob = await openMachine(join(folder, "bob"));
      await newAccount(host, ada, "ada@example.org");
      await newAccount(home, bob, "bob@example.org");
      await ada.done("album", "new", "Bornholm");
      await ada.write("in/first.txt", "for both of us");
      await ada.done("push", ada.path("in"), "--album", "Bornholm");
      const card = linkIn(await bob.done("contact", "card", "--name", "Bob"));
      await ada.done("contact", "add", card);
      const pickup = linkIn(
        await ada.done("album", "invite", "Bornholm", "Bob"),
      );
      // Of a process of its own, which reads the link from standard input.
      const accepted = await runProcess(
        ["album", "accept", "--link-file", "-"],
        settingsOf(bob.home),
        `${pickup}\n`,
      );
      assert.equal(accepted.status, 0, accepted.stderr);
      const out = bob.path("out");
      const pull = ["pull", out, "--album", "Bornholm", "--layout", "{name}"];
      await bob.done(...pull);
      assert.equal(
        await Deno.readTextFile(join(out, "first.txt")),
        "for both of us",
      );
      await bob.done("album", "new", "Own");

      await host.stop();
      const { status, stdout, stderr } = await bob.run("album", "ls");
      assert.equal(status, 0, stderr);
      assert.match(stdout, /owner .*Own/);
      assert.match(stderr, new RegExp(new URL(host.url).host));
      await bob.done("pull", out, "--album", "Own");
      assert.notEqual((await bob.run(...pull)).status, 0);
    } finally {
      for (const program of running) await program.stop();
    }
  });
});
