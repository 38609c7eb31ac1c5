/**
 * What the command line says of what the server has damaged: the bytes of a
 * photo, and the record of what the devices of an account trust.
 *
 * @module
 */
import assert from "node:assert/strict";
import { filesUnder } from "../support/backups.ts";
import { newAccount, withTown } from "../support/people_commands.ts";
import { damageTrust } from "../support/storage.ts";

Deno.test("get of a damaged file is one line that says what it is and what helps, and status 4", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/walk.txt", "a walk ".repeat(20_000));
    await laptop.done("push", laptop.path("in"));
    const blobs = `${town.folder}/data/blobs`;
    for (const path of (await filesUnder(blobs)).keys()) {
      const bytes = await Deno.readFile(`${blobs}/${path}`);
      if (bytes.length < 100_000) continue;
      bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
      await Deno.writeFile(`${blobs}/${path}`, bytes);
    }
    const { status, stderr } = await laptop.run("get", "walk");
    assert.equal(status, 4);
    assert.match(
      stderr,
      /^strongroom: the server's copy of this file is damaged [^\n]+verify[^\n]+\n$/,
    );
  });
});

Deno.test("a damaged record of trust is told by whoami, and told and stored again by verify", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.done("verify");
    await damageTrust({ dataDir: `${town.folder}/data` });
    const said = /THE SERVER SHOWS A DAMAGED COPY of what your devices know/;
    assert.match(await laptop.done("whoami"), said);
    const [shown] = await laptop.events("whoami");
    assert.equal(shown?.["trust_damage"], "unreadable");
    const { stderr } = await laptop.run("verify");
    assert.match(stderr, /This device has stored its own copy again/);
    assert.doesNotMatch(await laptop.done("whoami"), /DAMAGED/);
    assert.equal((await laptop.run("verify")).stderr, "");
  });
});
