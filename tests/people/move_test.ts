/**
 * `push --move` never deletes a file that is still being written.
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { isSameStamp, stampOf } from "../../src/cli/person/local_store.ts";
import { removeUnchanged } from "../../src/cli/person/files/delete_after_upload.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { runInProcess } from "../support/in_process.ts";
import {
  type Machine,
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { withDataDir } from "../support/program.ts";

/** Runs a command some minutes later than now. */
async function later(
  machine: Machine,
  minutes: number,
  ...args: readonly string[]
) {
  return await runInProcess(args, settingsOf(machine.home), new Uint8Array(), {
    ...platform,
    now: () => platform.now() + minutes * MINUTE_MS,
  });
}

/** Sets a file's date as copying programs do; the system keeps its own. */
async function backdate(path: string): Promise<void> {
  const at = new Date("2020-01-02T03:04:05Z");
  await Deno.utime(path, at, at);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.map(({ name }) => name).sort();
}

Deno.test("a file that is still being written stays until it has been still for five minutes", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const copied = await laptop.write("in/copied.txt", "copied with its date");
    await backdate(copied);
    const path = laptop.path("in/video.txt");
    const whole = "the first half, and the second";
    using writer = await Deno.open(path, { write: true, create: true });
    await writer.write(new TextEncoder().encode(whole.slice(0, 14)));

    const first = await laptop.run("push", "--move", laptop.path("in"));
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /0 files moved, 2 files too new to move/);
    assert.match(first.stdout, /stays, because .* moment ago: .*video\.txt/);
    assert.deepEqual(await namesIn(laptop.path("in")), [
      "copied.txt",
      "video.txt",
    ]);

    await writer.write(new TextEncoder().encode(whole.slice(14)));
    const early = await later(laptop, 4, "push", "--move", laptop.path("in"));
    assert.match(early.stdout, /1 file kept .* 2 files too new to move/);
    const late = await later(laptop, 6, "push", "--move", laptop.path("in"));
    assert.match(late.stdout, /2 files moved$/m);
    assert.deepEqual(await namesIn(laptop.path("in")), []);
    await laptop.done("pull", laptop.path("out"), "--layout", "{name}");
    const texts = await Promise.all(
      (await namesIn(laptop.path("out"))).map((name) =>
        Deno.readTextFile(laptop.path(`out/${name}`))
      ),
    );
    assert.ok(texts.includes(whole), texts.join("|"));
  });
});

Deno.test("an edit that keeps size and date is no file that is known", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const path = await laptop.write("in/notes.txt", "one");
    await backdate(path);
    assert.match(await laptop.done("push", laptop.path("in")), /^1 file kept/m);
    const before = stampOf(await Deno.stat(path));
    // The system's clock has ticked once its time of a change is another one.
    do {
      await Deno.writeTextFile(path, "two");
      await backdate(path);
    } while (isSameStamp(before, stampOf(await Deno.stat(path))));
    assert.match(await laptop.done("push", laptop.path("in")), /^1 file kept/m);
  });
});

Deno.test("what a killed run set aside has its name again with the next", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/.walk.txt.strongroom-moving", "a walk");
    await laptop.write("in/.run.txt.strongroom-moving", "a run, before");
    await laptop.write("in/run.txt", "a run, after");
    await laptop.write("alone/.tea.txt.strongroom-moving", "tea");
    assert.match(
      await laptop.done(
        "push",
        laptop.path("in"),
        laptop.path("alone/tea.txt"),
      ),
      /^4 files kept/m,
    );
    assert.deepEqual(await namesIn(laptop.path("in")), [
      "run (2).txt",
      "run.txt",
      "walk.txt",
    ]);
    assert.deepEqual(await namesIn(laptop.path("alone")), ["tea.txt"]);
  });
});

Deno.test("a file that is written while it is examined is kept, under its name or the next", async () => {
  await withDataDir(async (folder) => {
    const warned: string[] = [];
    const person = { warn: (line: string) => void warned.push(line) };
    const path = `${folder}/video.txt`;
    await Deno.writeTextFile(path, "half");
    const stamp = stampOf(await Deno.lstat(path));
    using writer = await Deno.open(path, { append: true });
    assert.equal(
      await removeUnchanged(person, path, stamp, async () => {
        await writer.write(new TextEncoder().encode(" and half"));
        return true;
      }),
      "it has changed since",
    );
    assert.equal(await Deno.readTextFile(path), "half and half");
    assert.deepEqual(await namesIn(folder), ["video.txt"]);

    // By its name: a new file, which is not the one that was kept.
    assert.equal(
      await removeUnchanged(
        person,
        path,
        stampOf(await Deno.lstat(path)),
        async () => {
          await Deno.writeTextFile(path, "new");
          return false;
        },
      ),
      "it has changed since",
    );
    assert.equal(await Deno.readTextFile(path), "new");
    assert.equal(
      await Deno.readTextFile(`${folder}/video (2).txt`),
      "half and half",
    );
    assert.match(warned.join(), /video \(2\)\.txt/);

    // And an untouched one goes.
    assert.equal(
      await removeUnchanged(
        person,
        path,
        stampOf(await Deno.lstat(path)),
        () => Promise.resolve(true),
      ),
      undefined,
    );
    assert.deepEqual(await namesIn(folder), ["video (2).txt"]);
  });
});
