/**
 * What the command line says of photos that the server lost, until a person
 * answers it, and what it does not send again.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  newAccount,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";
import { damageBlob, loseAsset, openDatabase } from "../support/storage.ts";

Deno.test("a photo that the server lost is told by every command until it is sent again or given up", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    for (const name of ["lost", "kept", "other"]) {
      await laptop.write(`in/${name}.txt`, `the photo ${name}`);
    }
    await laptop.done("push", laptop.path("in"));
    const events = await laptop.events("ls");
    const idOf = (name: string) =>
      String(events.find((one) => one["name"] === name)?.["asset_id"]);
    await loseAsset({ dataDir: `${town.folder}/data` }, idOf("lost.txt"));
    await Deno.rename(laptop.path("in/lost.txt"), laptop.path("lost.txt"));
    for (
      const [status, ...command] of [
        [3, "ls"],
        [3, "ls"],
        [3, "push", laptop.path("in")],
        [3, "pull", laptop.path("out")],
        [3, "sync", laptop.path("in")],
        [4, "verify"],
        [4, "verify"],
        [4, "verify", "kept"],
        [4, "missing", "ls"],
      ] as const
    ) {
      const ended = await laptop.run(...command);
      assert.equal(ended.status, status, `${command}: ${ended.stderr}`);
      if (command[1] === "kept") continue;
      assert.match(ended.stdout + ended.stderr, /lost\.txt/);
    }
    const report = laptop.path("report.json");
    await laptop.run("verify", "--report", report);
    const { rows, receipts, keys } = JSON.parse(
      await Deno.readTextFile(report),
    );
    assert.deepEqual(
      rows.map((one: { name: string }) => one.name),
      ["lost.txt"],
    );
    assert.equal(receipts.length, 3);
    assert.equal(keys.length, 1);
    assert.equal((await laptop.run("verify", "--report", report)).status, 1);

    // Where the file is still here, it is sent again.
    await Deno.rename(laptop.path("lost.txt"), laptop.path("in/lost.txt"));
    const named = await laptop.run("missing", "ls");
    assert.match(named.stdout, /lost\.txt .*still here: .*in\/lost\.txt/);
    await laptop.run("push", laptop.path("in"));
    assert.match(await laptop.done("ls"), /3 files/);
    assert.match(await laptop.done("verify"), /3 files .*nothing wrong/);

    await loseAsset({ dataDir: `${town.folder}/data` }, idOf("other.txt"));
    await Deno.remove(laptop.path("in/other.txt"));
    assert.equal((await laptop.run("ls")).status, 3);
    await laptop.done("missing", "forget", "other");
    assert.match(await laptop.done("verify"), /2 files .*nothing wrong/);
    assert.match(await laptop.done("missing", "ls"), /0 files missing/);
  });
});

Deno.test("what was deleted on purpose is not sent again by the next push, unless that is asked", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    const words = await newAccount(town, laptop, "ada@example.org");
    for (const name of ["bad", "good"]) {
      await laptop.write(`in/${name}.txt`, `the photo ${name}`);
    }
    await laptop.done("push", laptop.path("in"));
    await laptop.done("rm", "bad.txt");
    await laptop.done("trash", "empty", "--yes");
    const desk = await town.machine("desk");
    await signInWithWords(town, desk, "ada@example.org", words);
    await desk.write("in/bad.txt", "the photo bad");
    for (const machine of [laptop, desk]) {
      const pushed = await machine.done("push", machine.path("in"));
      assert.match(pushed, /left out, because you deleted it: .*bad\.txt/);
      assert.match(pushed, /^0 files kept/m);
      assert.match(await machine.done("ls"), /1 file,/);
    }
    await laptop.done("push", "--again", laptop.path("in"));
    assert.match(await desk.done("ls"), /2 files,/);
  });
});

Deno.test("a photo that the server damaged is healed by the next push, and every check is clean after it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    for (const name of ["broken", "whole"]) {
      await laptop.write(`in/${name}.txt`, `the photo ${name}`);
    }
    await laptop.done("push", laptop.path("in"));
    const [event] = await laptop.events("ls", "broken");
    const id = String(event?.["asset_id"]);
    const database = openDatabase(`${town.folder}/data`);
    const found = database.prepare(
      "select hash from holding where asset_id = ? and role = 'original'",
    ).get(id);
    database.close();
    const hash = String(found?.["hash"]);
    const dataDir = `${town.folder}/data`;
    await damageBlob({ dataDir }, hash, "a missing file");
    assert.equal((await laptop.run("verify")).status, 4);
    const unkept = await laptop.run("verify", "--local", laptop.path("in"));
    assert.match(unkept.stderr, /not stored: .*broken\.txt/);
    const pushed = await laptop.done("push", laptop.path("in"));
    assert.match(pushed, /^1 file kept .*1 file known/m);
    assert.match(
      await laptop.done("verify", "--deep", "--local", laptop.path("in")),
      /2 files .*nothing wrong/,
    );
    const [now] = await laptop.events("ls", "broken");
    assert.equal(now?.["asset_id"], id);
    assert.match(await laptop.done("trash", "ls"), /0 files/);
  });
});
